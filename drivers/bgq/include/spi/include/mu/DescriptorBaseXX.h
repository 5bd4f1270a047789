/* SPDX-License-Identifier: Apache-2.0 */
/* A descriptor as an object: the functions of Descriptor_inlines.h as its methods. It is the descriptor, and nothing
 * more. */
#ifndef _MUSPI_DESCRIPTOR_BASE_XX_H_
#define _MUSPI_DESCRIPTOR_BASE_XX_H_

#include <spi/include/mu/Descriptor_inlines.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

class MUSPI_DescriptorBase : public MUHWI_Descriptor_t {
 public:
  /* All 0; not initialised; all 0 but for the types of packet, for the network and for the Messaging Unit. */
  MUSPI_DescriptorBase() { MUSPI_DescriptorZeroOut(this); }
  MUSPI_DescriptorBase(int) {}
  MUSPI_DescriptorBase(uint8_t data_packet_type, uint8_t MU_packet_type) {
    MUSPI_DescriptorZeroOut(this);
    setDataPacketType(data_packet_type);
    setMessageUnitPacketType(MU_packet_type);
    MUSPI_SetSize(this);
  }

  /* What all have. */
  void setDataPacketType(uint8_t type) { MUSPI_SetDataPacketType(this, type); }
  void setMessageUnitPacketType(uint8_t type) { MUSPI_SetMessageUnitPacketType(this, type); }
  void setBaseFields(MUSPI_BaseDescriptorInfoFields_t* info) {
    Half_Word0.Half_Word0 = info->Pre_Fetch_Only;
    setPayload(info->Payload_Address, info->Message_Length);
    setTorusInjectionFIFOMap(info->Torus_FIFO_Map);
    setDestination(info->Dest);
  }
  void setPrefetchOnly(uint32_t indicator) { MUSPI_SetPrefetchOnly(this, indicator); }
  void setPayload(uint64_t payloadAddress, uint64_t messageLength) {
    MUSPI_SetPayload(this, payloadAddress, messageLength);
  }
  void setTorusInjectionFIFOMap(uint64_t torusFIFOMap) { MUSPI_SetTorusInjectionFIFOMap(this, torusFIFOMap); }
  void setDestination(MUHWI_Destination_t dest) { MUSPI_SetDestination(this, dest); }
  void setDestination(uint32_t dest) { bgq_pt2pt(this).Destination.Destination.Destination = dest; }

  /* From node to node. */
  void setPt2PtFields(MUSPI_Pt2PtDescriptorInfoFields_t* info) { MUSPI_SetPt2PtFields(this, info); }
  void setHints(uint8_t hintsABCD, uint8_t hintsE) { MUSPI_SetHints(this, hintsABCD, hintsE); }
  void setHintsABCD(uint8_t hintsABCD) { MUSPI_SetHintsABCD(this, hintsABCD); }
  void setPt2PtMisc1(uint8_t misc1) { MUSPI_SetPt2PtMisc1(this, misc1); }
  void setRouteToIONode(uint8_t indicator) { MUSPI_SetRouteToIONode(this, indicator); }
  void setReturnFromIONode(uint8_t port) { MUSPI_SetReturnFromIONode(this, port); }
  void setRouting(uint8_t indicator) { MUSPI_SetRouting(this, indicator); }
  void setDeposit(uint8_t indicator) { MUSPI_SetDeposit(this, indicator); }
  void setPt2PtMisc2(uint8_t misc2) { MUSPI_SetPt2PtMisc2(this, misc2); }
  void setPt2PtVirtualChannel(uint8_t channel) { MUSPI_SetPt2PtVirtualChannel(this, channel); }
  void setZoneRouting(uint8_t zone) { MUSPI_SetZoneRouting(this, zone); }
  void setStayOnBubble(uint8_t stay) { MUSPI_SetStayOnBubble(this, stay); }
  void setPt2PtSkip(uint16_t skip) { MUSPI_SetPt2PtSkip(this, skip); }

  /* Over a class. */
  void setCollectiveFields(MUSPI_CollectiveDescriptorInfoFields_t* info) { MUSPI_SetCollectiveFields(this, info); }
  void setOpCode(uint8_t opCode) { MUSPI_SetOpCode(this, opCode); }
  void setWordLength(uint8_t wordLength) { MUSPI_SetWordLength(this, wordLength); }
  void setClassRoute(uint8_t classRoute) { MUSPI_SetClassRoute(this, classRoute); }
  void setCollectiveMisc(uint8_t misc) { MUSPI_SetCollectiveMisc(this, misc); }
  void setCollectiveVirtualChannel(uint8_t virtualChannel) { MUSPI_SetCollectiveVirtualChannel(this, virtualChannel); }
  void setCollectiveType(uint8_t type) { MUSPI_SetCollectiveType(this, type); }
  void setCollectiveSkip(uint16_t skip) { MUSPI_SetCollectiveSkip(this, skip); }

  /* To a memory FIFO. */
  void setMemoryFIFOFields(MUSPI_MemoryFIFODescriptorInfoFields_t* info) { MUSPI_SetMemoryFIFOFields(this, info); }
  void setRecFIFOId(uint16_t id) { MUSPI_SetRecFIFOId(this, id); }
  void setRecPutOffset(uint64_t offset) { MUSPI_SetRecPutOffset(this, offset); }
  void setInterrupt(uint32_t indicator) { MUSPI_SetInterrupt(this, indicator); }
  void setSoftwareBit(uint8_t softwareBit) { MUSPI_SetSoftwareBit(this, softwareBit); }
  void setSoftwareBytes(uint8_t softwareBytes[]) { MUSPI_SetSoftwareBytes(this, softwareBytes); }
  void setSoftwareByte(uint8_t byteNumber, uint8_t byteValue) { MUSPI_SetSoftwareByte(this, byteNumber, byteValue); }

  /* Direct put. */
  void setDirectPutFields(MUSPI_DirectPutDescriptorInfoFields_t* info) { MUSPI_SetDirectPutFields(this, info); }
  void setRecPayloadBaseAddressInfo(uint16_t id, uint64_t offset) {
    MUSPI_SetRecPayloadBaseAddressInfo(this, id, offset);
  }
  void setRecCounterBaseAddressInfo(uint16_t id, uint64_t offset) {
    MUSPI_SetRecCounterBaseAddressInfo(this, id, offset);
  }
  void setPacing(uint8_t indicator) { MUSPI_SetPacing(this, indicator); }

  /* Remote get. */
  void setRemoteGetFields(MUSPI_RemoteGetDescriptorInfoFields_t* info) { MUSPI_SetRemoteGetFields(this, info); }
  void setRemoteGetInjFIFOId(uint16_t id) { MUSPI_SetRemoteGetInjFIFOId(this, id); }

  /* Copies itself to obj. */
  void clone(MUSPI_DescriptorBase& obj) { bgq_copy_descriptor(&obj, this); }

  void dump() {
    const uint32_t* const words = reinterpret_cast<const uint32_t*>(this);
    printf("%p:", static_cast<void*>(this));
    for (unsigned i = 0; i < sizeof *this / sizeof *words; ++i) printf("%c%08x", i == 8 ? '\n' : ' ', words[i]);
    printf("\n");
  }
};

#endif
