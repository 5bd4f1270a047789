/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What descriptors are made of: a structure for each of the six kinds, three types of message from node to node or over
 * a class. The functions below fill a descriptor from it; Descriptor_inlines.h changes single fields.
 */
#ifndef _MUSPI_DESCRIPTOR_H_
#define _MUSPI_DESCRIPTOR_H_

#include <hwi/include/bqc/MU_Descriptor.h>
#include <hwi/include/bqc/MU_PacketCommon.h>
#include <hwi/include/bqc/MU_PacketHeader.h>
#include <spi/include/mu/Util.h>

__BEGIN_DECLS

typedef struct MUSPI_BaseDescriptorInfoFields {
  uint32_t Pre_Fetch_Only;
  uint64_t Payload_Address; /* physical, or of an operation */
  uint64_t Message_Length;  /* bytes */
  uint64_t Torus_FIFO_Map;
  MUHWI_Destination_t Dest;
} MUSPI_BaseDescriptorInfoFields_t;

typedef struct MUSPI_Pt2PtDescriptorInfoFields {
  uint8_t Hints_ABCD;
  uint8_t Misc1; /* byte 2 of the header: hints of E, I/O, dynamic, deposit, interrupt */
  uint8_t Misc2; /* byte 3: virtual channel, zone, bubble */
  uint16_t Skip;
} MUSPI_Pt2PtDescriptorInfoFields_t;

typedef struct MUSPI_CollectiveDescriptorInfoFields {
  uint8_t Op_Code;
  uint16_t Word_Length; /* of an operand in bytes: 4 to 512, a power of two */
  uint8_t Class_Route;
  uint8_t Misc; /* byte 3: virtual channel, type */
  uint16_t Skip;
} MUSPI_CollectiveDescriptorInfoFields_t;

typedef struct MUSPI_MemoryFIFODescriptorInfoFields {
  uint16_t Rec_FIFO_Id; /* subgroup x 4 + FIFO */
  uint64_t Rec_Put_Offset;
  uint32_t Interrupt;
  uint8_t SoftwareBit;
  uint8_t SoftwareBytes[14]; /* the first is the number of the receive function, where RecFifo.h polls */
} MUSPI_MemoryFIFODescriptorInfoFields_t;

typedef struct MUSPI_DirectPutDescriptorInfoFields {
  uint16_t Rec_Payload_Base_Address_Id; /* subgroup x 8 + slot */
  uint64_t Rec_Payload_Offset;
  uint16_t Rec_Counter_Base_Address_Id;
  uint64_t Rec_Counter_Offset;
  uint8_t Pacing;
} MUSPI_DirectPutDescriptorInfoFields_t;

typedef struct MUSPI_RemoteGetDescriptorInfoFields {
  uint8_t Type;              /* MUHWI_PACKET_TYPE_GET */
  uint16_t Rget_Inj_FIFO_Id; /* subgroup x 8 + FIFO */
} MUSPI_RemoteGetDescriptorInfoFields_t;

typedef struct MUSPI_Pt2PtMemoryFIFODescriptorInfo {
  MUSPI_BaseDescriptorInfoFields_t Base;
  MUSPI_Pt2PtDescriptorInfoFields_t Pt2Pt;
  MUSPI_MemoryFIFODescriptorInfoFields_t MemFIFO;
} MUSPI_Pt2PtMemoryFIFODescriptorInfo_t;

typedef struct MUSPI_Pt2PtDirectPutDescriptorInfo {
  MUSPI_BaseDescriptorInfoFields_t Base;
  MUSPI_Pt2PtDescriptorInfoFields_t Pt2Pt;
  MUSPI_DirectPutDescriptorInfoFields_t DirectPut;
} MUSPI_Pt2PtDirectPutDescriptorInfo_t;

typedef struct MUSPI_Pt2PtRemoteGetDescriptorInfo {
  MUSPI_BaseDescriptorInfoFields_t Base;
  MUSPI_Pt2PtDescriptorInfoFields_t Pt2Pt;
  MUSPI_RemoteGetDescriptorInfoFields_t RemoteGet;
} MUSPI_Pt2PtRemoteGetDescriptorInfo_t;

typedef struct MUSPI_CollectiveMemoryFIFODescriptorInfo {
  MUSPI_BaseDescriptorInfoFields_t Base;
  MUSPI_CollectiveDescriptorInfoFields_t Collective;
  MUSPI_MemoryFIFODescriptorInfoFields_t MemFIFO;
} MUSPI_CollectiveMemoryFIFODescriptorInfo_t;

typedef struct MUSPI_CollectiveDirectPutDescriptorInfo {
  MUSPI_BaseDescriptorInfoFields_t Base;
  MUSPI_CollectiveDescriptorInfoFields_t Collective;
  MUSPI_DirectPutDescriptorInfoFields_t DirectPut;
} MUSPI_CollectiveDirectPutDescriptorInfo_t;

typedef struct MUSPI_CollectiveRemoteGetDescriptorInfo {
  MUSPI_BaseDescriptorInfoFields_t Base;
  MUSPI_CollectiveDescriptorInfoFields_t Collective;
  MUSPI_RemoteGetDescriptorInfoFields_t RemoteGet;
} MUSPI_CollectiveRemoteGetDescriptorInfo_t;

/* All give 0. In the library. */
int MUSPI_CreatePt2PtMemoryFIFODescriptor(MUHWI_Descriptor_t* desc, MUSPI_Pt2PtMemoryFIFODescriptorInfo_t* info);
int MUSPI_CreatePt2PtDirectPutDescriptor(MUHWI_Descriptor_t* desc, MUSPI_Pt2PtDirectPutDescriptorInfo_t* info);
int MUSPI_CreatePt2PtRemoteGetDescriptor(MUHWI_Descriptor_t* desc, MUSPI_Pt2PtRemoteGetDescriptorInfo_t* info);
int MUSPI_CreateCollectiveMemoryFIFODescriptor(MUHWI_Descriptor_t* desc,
                                               MUSPI_CollectiveMemoryFIFODescriptorInfo_t* info);
int MUSPI_CreateCollectiveDirectPutDescriptor(MUHWI_Descriptor_t* desc,
                                              MUSPI_CollectiveDirectPutDescriptorInfo_t* info);
int MUSPI_CreateCollectiveRemoteGetDescriptor(MUHWI_Descriptor_t* desc,
                                              MUSPI_CollectiveRemoteGetDescriptorInfo_t* info);

/* Prints its 16 words, after `identifier`. */
void MUSPI_DescriptorDumpHex(char* identifier, MUHWI_Descriptor_t* desc);

__END_DECLS

#endif
