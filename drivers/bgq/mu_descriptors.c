/* SPDX-License-Identifier: Apache-2.0 */
/* The six builders of descriptors. */
#include <spi/include/mu/Descriptor_inlines.h>
#include <stdio.h>

static void begin(MUHWI_Descriptor_t* desc, uint8_t data_packet_type, uint8_t type,
                  MUSPI_BaseDescriptorInfoFields_t* base) {
  MUSPI_DescriptorZeroOut(desc);
  MUSPI_SetDataPacketType(desc, data_packet_type);
  MUSPI_SetMessageUnitPacketType(desc, type);
  MUSPI_SetBaseFields(desc, base);
}

int MUSPI_CreatePt2PtMemoryFIFODescriptor(MUHWI_Descriptor_t* desc, MUSPI_Pt2PtMemoryFIFODescriptorInfo_t* info) {
  begin(desc, MUHWI_PT2PT_DATA_PACKET_TYPE, MUHWI_PACKET_TYPE_FIFO, &info->Base);
  MUSPI_SetPt2PtFields(desc, &info->Pt2Pt);
  MUSPI_SetMemoryFIFOFields(desc, &info->MemFIFO);
  return 0;
}

int MUSPI_CreatePt2PtDirectPutDescriptor(MUHWI_Descriptor_t* desc, MUSPI_Pt2PtDirectPutDescriptorInfo_t* info) {
  begin(desc, MUHWI_PT2PT_DATA_PACKET_TYPE, MUHWI_PACKET_TYPE_PUT, &info->Base);
  MUSPI_SetPt2PtFields(desc, &info->Pt2Pt);
  MUSPI_SetDirectPutFields(desc, &info->DirectPut);
  return 0;
}

int MUSPI_CreatePt2PtRemoteGetDescriptor(MUHWI_Descriptor_t* desc, MUSPI_Pt2PtRemoteGetDescriptorInfo_t* info) {
  begin(desc, MUHWI_PT2PT_DATA_PACKET_TYPE, info->RemoteGet.Type, &info->Base);
  MUSPI_SetPt2PtFields(desc, &info->Pt2Pt);
  MUSPI_SetRemoteGetFields(desc, &info->RemoteGet);
  return 0;
}

int MUSPI_CreateCollectiveMemoryFIFODescriptor(MUHWI_Descriptor_t* desc,
                                               MUSPI_CollectiveMemoryFIFODescriptorInfo_t* info) {
  begin(desc, MUHWI_COLLECTIVE_DATA_PACKET_TYPE, MUHWI_PACKET_TYPE_FIFO, &info->Base);
  MUSPI_SetCollectiveFields(desc, &info->Collective);
  MUSPI_SetMemoryFIFOFields(desc, &info->MemFIFO);
  return 0;
}

int MUSPI_CreateCollectiveDirectPutDescriptor(MUHWI_Descriptor_t* desc,
                                              MUSPI_CollectiveDirectPutDescriptorInfo_t* info) {
  begin(desc, MUHWI_COLLECTIVE_DATA_PACKET_TYPE, MUHWI_PACKET_TYPE_PUT, &info->Base);
  MUSPI_SetCollectiveFields(desc, &info->Collective);
  MUSPI_SetDirectPutFields(desc, &info->DirectPut);
  return 0;
}

int MUSPI_CreateCollectiveRemoteGetDescriptor(MUHWI_Descriptor_t* desc,
                                              MUSPI_CollectiveRemoteGetDescriptorInfo_t* info) {
  begin(desc, MUHWI_COLLECTIVE_DATA_PACKET_TYPE, info->RemoteGet.Type, &info->Base);
  MUSPI_SetCollectiveFields(desc, &info->Collective);
  MUSPI_SetRemoteGetFields(desc, &info->RemoteGet);
  return 0;
}

void MUSPI_DescriptorDumpHex(char* identifier, MUHWI_Descriptor_t* desc) {
  const uint32_t* const words = (const uint32_t*)(const void*)desc;
  printf("%s: descriptor at %p:", identifier, (void*)desc);
  for (unsigned i = 0; i < sizeof *desc / sizeof *words; ++i) printf(" %08x", words[i]);
  printf("\n");
}
