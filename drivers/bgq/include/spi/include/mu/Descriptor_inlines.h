/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of descriptors, and of the header in them. Values are the constants of hwi/include/bqc. */
#ifndef _MUSPI_DESCRIPTOR_INLINES_H_
#define _MUSPI_DESCRIPTOR_INLINES_H_

#include <spi/include/mu/Descriptor.h>
#include <spi/include/mu/Util.h>

__BEGIN_DECLS

/* The parts of a descriptor's header. */
#define bgq_pt2pt(desc) ((desc)->PacketHeader.NetworkHeader.pt2pt)
#define bgq_collective(desc) ((desc)->PacketHeader.NetworkHeader.collective)
#define bgq_memory_fifo(desc) ((desc)->PacketHeader.messageUnitHeader.Packet_Types.Memory_FIFO)
#define bgq_direct_put(desc) ((desc)->PacketHeader.messageUnitHeader.Packet_Types.Direct_Put)
#define bgq_remote_get(desc) ((desc)->PacketHeader.messageUnitHeader.Packet_Types.Remote_Get)

/* `old` with those bits of `value` that `field` has. */
__INLINE__ uint8_t bgq_with_field(uint8_t old, uint8_t field, uint8_t value) {
  return (uint8_t)((old & ~field) | (value & field));
}
/* The field for operands of that many bytes, 4 << field: how many bits the length minus 1 has, less 2. */
__INLINE__ uint8_t bgq_word_length_field(uint64_t bytes) {
  return (uint8_t)((popcnt64(bytes - 1) - 2) & 7);
}

/* All 64 bytes 0. */
__INLINE__ void MUSPI_DescriptorZeroOut(MUHWI_Descriptor_t* desc) {
  memset((void*)desc, 0, sizeof *desc);
}
/* Chunks of 32 bytes that the packets of a message are given: the unit makes the last one smaller. */
__INLINE__ uint8_t MUSPI_DescriptorGetNumPacketChunks(uint64_t message_length) {
  (void)message_length;
  return 16;
}
__INLINE__ void MUSPI_SetUpDestination(MUHWI_Destination_t* dest, uint32_t A, uint32_t B, uint32_t C, uint32_t D,
                                       uint32_t E) {
  dest->Destination.Destination = A << 24 | B << 18 | C << 12 | D << 6 | E;
}

/* Base ------------------------------------------------------------------------------------------------------------ */

__INLINE__ void MUSPI_SetDataPacketType(MUHWI_Descriptor_t* desc, uint8_t type) {
  bgq_pt2pt(desc).Data_Packet_Type = type;
}
__INLINE__ void MUSPI_SetMessageUnitPacketType(MUHWI_Descriptor_t* desc, uint8_t type) {
  bgq_pt2pt(desc).Byte8.Byte8 = bgq_with_field(bgq_pt2pt(desc).Byte8.Byte8, 0xC0, type);
}
__INLINE__ void MUSPI_SetSize(MUHWI_Descriptor_t* desc) {
  bgq_pt2pt(desc).Byte8.Size = 16;
}
__INLINE__ void MUSPI_SetPrefetchOnly(MUHWI_Descriptor_t* desc, uint32_t indicator) {
  desc->Half_Word0.Half_Word0 = (desc->Half_Word0.Half_Word0 & ~1u) | (indicator & 1u);
}
__INLINE__ void MUSPI_SetPayload(MUHWI_Descriptor_t* desc, uint64_t payloadAddress, uint64_t messageLength) {
  desc->Pa_Payload = payloadAddress;
  desc->Message_Length = messageLength;
}
__INLINE__ void MUSPI_SetTorusInjectionFIFOMap(MUHWI_Descriptor_t* desc, uint64_t torusFIFOMap) {
  desc->Torus_FIFO_Map = torusFIFOMap;
}
__INLINE__ void MUSPI_SetDestination(MUHWI_Descriptor_t* desc, MUHWI_Destination_t dest) {
  bgq_pt2pt(desc).Destination = dest;
}
__INLINE__ void MUSPI_SetBaseFields(MUHWI_Descriptor_t* desc, MUSPI_BaseDescriptorInfoFields_t* info) {
  desc->Half_Word0.Half_Word0 = info->Pre_Fetch_Only;
  MUSPI_SetPayload(desc, info->Payload_Address, info->Message_Length);
  MUSPI_SetSize(desc);
  desc->Torus_FIFO_Map = info->Torus_FIFO_Map;
  MUSPI_SetDestination(desc, info->Dest);
}

/* From node to node ----------------------------------------------------------------------------------------------- */

__INLINE__ void MUSPI_SetHintsABCD(MUHWI_Descriptor_t* desc, uint8_t hintsABCD) {
  bgq_pt2pt(desc).Hints = hintsABCD;
}
__INLINE__ void MUSPI_SetPt2PtMisc1(MUHWI_Descriptor_t* desc, uint8_t misc1) {
  bgq_pt2pt(desc).Byte2.Byte2 = misc1;
}
__INLINE__ void bgq_set_misc1(MUHWI_Descriptor_t* desc, uint8_t field, uint8_t value) {
  MUSPI_SetPt2PtMisc1(desc, bgq_with_field(bgq_pt2pt(desc).Byte2.Byte2, field, value));
}
__INLINE__ void MUSPI_SetHints(MUHWI_Descriptor_t* desc, uint8_t hintsABCD, uint8_t hintsE) {
  MUSPI_SetHintsABCD(desc, hintsABCD);
  bgq_set_misc1(desc, 0xC0, hintsE);
}
__INLINE__ void MUSPI_SetRouteToIONode(MUHWI_Descriptor_t* desc, uint8_t indicator) {
  bgq_set_misc1(desc, 0x20, indicator);
}
__INLINE__ void MUSPI_SetReturnFromIONode(MUHWI_Descriptor_t* desc, uint8_t port) {
  bgq_set_misc1(desc, 0x18, port);
}
__INLINE__ void MUSPI_SetRouting(MUHWI_Descriptor_t* desc, uint8_t indicator) {
  bgq_set_misc1(desc, 0x04, indicator);
}
__INLINE__ void MUSPI_SetDeposit(MUHWI_Descriptor_t* desc, uint8_t indicator) {
  bgq_set_misc1(desc, 0x02, indicator);
}
__INLINE__ void MUSPI_SetPt2PtMisc2(MUHWI_Descriptor_t* desc, uint8_t misc2) {
  bgq_pt2pt(desc).Byte3.Byte3 = misc2;
}
__INLINE__ void bgq_set_misc2(MUHWI_Descriptor_t* desc, uint8_t field, uint8_t value) {
  MUSPI_SetPt2PtMisc2(desc, bgq_with_field(bgq_pt2pt(desc).Byte3.Byte3, field, value));
}
__INLINE__ void MUSPI_SetPt2PtVirtualChannel(MUHWI_Descriptor_t* desc, uint8_t channel) {
  bgq_set_misc2(desc, 0xE0, channel);
}
__INLINE__ void MUSPI_SetZoneRouting(MUHWI_Descriptor_t* desc, uint8_t zone) {
  bgq_set_misc2(desc, 0x18, zone);
}
__INLINE__ void MUSPI_SetStayOnBubble(MUHWI_Descriptor_t* desc, uint8_t stay) {
  bgq_set_misc2(desc, 0x04, stay);
}
/* Words of 4 bytes; the upper bits are lost. */
__INLINE__ void MUSPI_SetPt2PtSkip(MUHWI_Descriptor_t* desc, uint16_t skip) {
  bgq_pt2pt(desc).Injection_Info.Skip = (uint8_t)skip;
}
__INLINE__ void MUSPI_SetPt2PtFields(MUHWI_Descriptor_t* desc, MUSPI_Pt2PtDescriptorInfoFields_t* info) {
  MUSPI_SetHintsABCD(desc, info->Hints_ABCD);
  MUSPI_SetPt2PtMisc1(desc, info->Misc1);
  MUSPI_SetPt2PtMisc2(desc, info->Misc2);
  MUSPI_SetPt2PtSkip(desc, info->Skip);
}

/* Over a class ---------------------------------------------------------------------------------------------------- */

/* A value sets bits and clears none outside its field: what is given must fit. */
__INLINE__ void MUSPI_SetOpCode(MUHWI_Descriptor_t* desc, uint8_t opCode) {
  bgq_collective(desc).Byte1.Byte1 = (uint8_t)((bgq_collective(desc).Byte1.Byte1 & 0x0F) | opCode);
}
__INLINE__ void MUSPI_SetWordLength(MUHWI_Descriptor_t* desc, uint8_t wordLength) {
  const uint8_t operation = bgq_collective(desc).Byte1.Byte1 & 0xF0;
  bgq_collective(desc).Byte1.Byte1 = operation | bgq_word_length_field(wordLength);
}
__INLINE__ void MUSPI_SetClassRoute(MUHWI_Descriptor_t* desc, uint8_t classRoute) {
  bgq_collective(desc).Byte2.Byte2 = (uint8_t)((bgq_collective(desc).Byte2.Byte2 & 0x0F) | classRoute << 4);
}
__INLINE__ void MUSPI_SetCollectiveMisc(MUHWI_Descriptor_t* desc, uint8_t misc) {
  bgq_collective(desc).Byte3.Byte3 = misc;
}
__INLINE__ void MUSPI_SetCollectiveVirtualChannel(MUHWI_Descriptor_t* desc, uint8_t virtualChannel) {
  MUSPI_SetCollectiveMisc(desc, (uint8_t)((bgq_collective(desc).Byte3.Byte3 & 0x1F) | virtualChannel));
}
__INLINE__ void MUSPI_SetCollectiveType(MUHWI_Descriptor_t* desc, uint8_t type) {
  MUSPI_SetCollectiveMisc(desc, (uint8_t)((bgq_collective(desc).Byte3.Byte3 & 0xE7) | type));
}
__INLINE__ void MUSPI_SetCollectiveSkip(MUHWI_Descriptor_t* desc, uint16_t skip) {
  bgq_collective(desc).Injection_Info.Skip = (uint8_t)skip;
}
__INLINE__ void MUSPI_SetCollectiveFields(MUHWI_Descriptor_t* desc, MUSPI_CollectiveDescriptorInfoFields_t* info) {
  bgq_collective(desc).Byte1.Byte1 = info->Op_Code | bgq_word_length_field(info->Word_Length);
  bgq_collective(desc).Byte2.Byte2 = (uint8_t)(info->Class_Route << 4);
  MUSPI_SetCollectiveMisc(desc, info->Misc);
  MUSPI_SetCollectiveSkip(desc, info->Skip);
}

/* To a memory FIFO ------------------------------------------------------------------------------------------------ */

__INLINE__ void MUSPI_SetRecFIFOId(MUHWI_Descriptor_t* desc, uint16_t id) {
  bgq_memory_fifo(desc).Rec_FIFO_Id = id & 0x1FF;
}
/* 37 bits. */
__INLINE__ void MUSPI_SetRecPutOffset(MUHWI_Descriptor_t* desc, uint64_t offset) {
  bgq_memory_fifo(desc).Put_Offset_MSB = offset >> 32 & 0x1F;
  bgq_memory_fifo(desc).Put_Offset_LSB = (uint32_t)offset;
}
/* Of the last packet. */
__INLINE__ void MUSPI_SetInterrupt(MUHWI_Descriptor_t* desc, uint32_t indicator) {
  desc->Half_Word1.Half_Word1 = (desc->Half_Word1.Half_Word1 & ~1u) | (indicator & 1u);
}
__INLINE__ void MUSPI_SetSoftwareBit(MUHWI_Descriptor_t* desc, uint8_t softwareBit) {
  bgq_memory_fifo(desc).Unused1 = softwareBit & 1;
}
/* 14 bytes; one of them. */
__INLINE__ void MUSPI_SetSoftwareBytes(MUHWI_Descriptor_t* desc, uint8_t softwareBytes[]) {
  memcpy(bgq_memory_fifo(desc).Unused2, softwareBytes, sizeof bgq_memory_fifo(desc).Unused2);
}
__INLINE__ void MUSPI_SetSoftwareByte(MUHWI_Descriptor_t* desc, uint8_t byteNumber, uint8_t byteValue) {
  bgq_memory_fifo(desc).Unused2[byteNumber] = byteValue;
}
__INLINE__ void MUSPI_SetMemoryFIFOFields(MUHWI_Descriptor_t* desc, MUSPI_MemoryFIFODescriptorInfoFields_t* info) {
  MUSPI_SetRecFIFOId(desc, info->Rec_FIFO_Id);
  MUSPI_SetRecPutOffset(desc, info->Rec_Put_Offset);
  MUSPI_SetSoftwareBit(desc, info->SoftwareBit);
  MUSPI_SetSoftwareBytes(desc, info->SoftwareBytes);
  desc->Half_Word1.Half_Word1 = info->Interrupt;
}

/* Direct put ------------------------------------------------------------------------------------------------------ */

__INLINE__ void MUSPI_SetRecPayloadBaseAddressInfo(MUHWI_Descriptor_t* desc, uint16_t id, uint64_t offset) {
  bgq_direct_put(desc).Rec_Payload_Base_Address_Id = id & 0x3FF;
  bgq_direct_put(desc).Put_Offset_MSB = offset >> 32 & 0x1F;
  bgq_direct_put(desc).Put_Offset_LSB = (uint32_t)offset;
}
__INLINE__ void MUSPI_SetRecCounterBaseAddressInfo(MUHWI_Descriptor_t* desc, uint16_t id, uint64_t offset) {
  bgq_direct_put(desc).Rec_Counter_Base_Address_Id = id & 0x3FF;
  bgq_direct_put(desc).Counter_Offset = offset;
}
__INLINE__ void MUSPI_SetPacing(MUHWI_Descriptor_t* desc, uint8_t indicator) {
  bgq_direct_put(desc).Pacing = indicator & 1;
}
__INLINE__ void MUSPI_SetDirectPutFields(MUHWI_Descriptor_t* desc, MUSPI_DirectPutDescriptorInfoFields_t* info) {
  MUSPI_SetPacing(desc, info->Pacing);
  MUSPI_SetRecPayloadBaseAddressInfo(desc, info->Rec_Payload_Base_Address_Id, info->Rec_Payload_Offset);
  MUSPI_SetRecCounterBaseAddressInfo(desc, info->Rec_Counter_Base_Address_Id, info->Rec_Counter_Offset);
}

/* Remote get ------------------------------------------------------------------------------------------------------ */

__INLINE__ void MUSPI_SetRemoteGetInjFIFOId(MUHWI_Descriptor_t* desc, uint16_t id) {
  bgq_remote_get(desc).Rget_Inj_FIFO_Id = id & 0x3FF;
}
__INLINE__ void MUSPI_SetRemoteGetFields(MUHWI_Descriptor_t* desc, MUSPI_RemoteGetDescriptorInfoFields_t* info) {
  MUSPI_SetMessageUnitPacketType(desc, info->Type);
  MUSPI_SetRemoteGetInjFIFOId(desc, info->Rget_Inj_FIFO_Id);
}

__END_DECLS

#endif
