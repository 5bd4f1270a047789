/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints layouts, constants and results of inline functions of the SPI's headers, whichever these are. What
 * it prints on published headers and on those of drivers/bgp is the same. It is written for gnu89 as well.
 */
#include <spi/bgp_SPI.h>
#include <spi/bgp_torus_spi.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define NUMBER(x) printf("%s %ld\n", #x, (long)(x))
#define SIZE(type) NUMBER(sizeof(type))
#define PLACE(type, field) NUMBER(offsetof(type, field))

static DMA_InjFifo_t fifo;
static DMA_RecFifoGroup_t group;
static DMA_FifoHW_t registers;
static DMA_InjFifoStatus_t inj_status;
static DMA_CounterStatus_t counter_status;
static DMA_CounterHw_t counter_registers;
static DMA_CounterGroup_t counters;
static char ring[2048] __attribute__((aligned(32)));

static void layouts(void) {
  SIZE(DMA_Fifo_t);
  SIZE(DMA_InjFifo_t);
  SIZE(DMA_InjFifoGroup_t);
  SIZE(DMA_InjFifoStatus_t);
  SIZE(DMA_RecFifo_t);
  SIZE(DMA_RecFifoGroup_t);
  SIZE(DMA_RecFifoMap_t);
  SIZE(DMA_RecFifoStatus_t);
  SIZE(DMA_Counter_t);
  SIZE(DMA_CounterGroup_t);
  SIZE(DMA_CounterStatus_t);
  SIZE(DMA_CounterHw_t);
  SIZE(DMA_CounterAppSegment_t);
  SIZE(DMA_InjDescriptor_t);
  SIZE(DMA_PacketHeader_t);
  SIZE(DMA_InjFifoRgetFifoFullHandlerEntry_t);
  SIZE(LockBox_Barrier_t);
  SIZE(GlobInt_Status_t);
  SIZE(_BGP_TorusFifoStatus);
  SIZE(_BGP_Personality_t);
  PLACE(DMA_InjFifo_t, fifo_id);
  PLACE(DMA_InjFifo_t, desc_count);
  PLACE(DMA_InjFifo_t, occupiedSize);
  PLACE(DMA_InjFifo_t, ts_inj_map);
  PLACE(DMA_InjFifoGroup_t, permissions);
  PLACE(DMA_RecFifo_t, global_fifo_id);
  PLACE(DMA_RecFifo_t, num_packets_processed_since_moving_fifo_head);
  PLACE(DMA_RecFifoGroup_t, status_ptr);
  PLACE(DMA_RecFifoMap_t, ts_rec_map);
  PLACE(DMA_Counter_t, counter_hw_ptr);
  PLACE(DMA_CounterGroup_t, type);
  PLACE(DMA_CounterGroup_t, counter);
  PLACE(DMA_CounterStatus_t, grp_status);
  PLACE(LockBox_Barrier_t, numcores);
}

static void constants(void) {
  NUMBER(DMA_NUM_INJ_FIFOS);
  NUMBER(DMA_MIN_INJECT_SIZE_IN_QUADS);
  NUMBER(DMA_MIN_INJ_FIFO_SIZE_IN_BYTES);
  NUMBER(DMA_MIN_REC_FIFO_SIZE_IN_BYTES);
  NUMBER(DMA_HEADER_REC_FIFO_ID);
  NUMBER(DMA_NUM_COUNTERS);
  NUMBER(DMA_NUM_COUNTER_SUBGROUPS);
  NUMBER(DMA_CSUM_SKIP);
  NUMBER(DMA_PACKET_HINT_XM);
  NUMBER(DMA_PACKET_VC_BP);
  NUMBER(COMMTHRD_OPCODE_BCAST | COMMTHRD_OPCODE_CALLFUNC | COMMTHRD_OPCODE_ENABLEINTONPOOF);
  NUMBER(Kernel_MkInterruptID(3, 24));
  NUMBER(_BGP_LOCKBOX_OP_INC);
  NUMBER(_BGP_LOCKBOX_OP_CLEAR);
  NUMBER(_BGP_TORUS_FIFO_STATUS1);
  NUMBER(GLOBINT_MODE_STICKYAND);
}

static void of_descriptors(void) {
  DMA_InjDescriptor_t d;
  const unsigned* words = (const unsigned*)&d;
  unsigned i, bytes;
  for (i = 0; i < 64; i++) {
    DMA_ZeroOutDescriptor(&d);
    DMA_SetHints(&d, i);
    DMA_SetVc(&d, i % 4);
    DMA_SetDescriptorPids(&d, i / 4 % 4);
    DMA_SetChunks(&d, 1 + i % 8);
    DMA_SetInjCsum(&d, i * 2, i % 2);
    DMA_SetMessageLength(&d, i * 1000);
    DMA_DescriptorSetPutOffset(&d, i * 77);
    d.idma_counterId = i * 3;
    d.prefetch_only = i / 32;
    d.hwHdr.SW_Arg = i * 99;
    d.hwHdr.Func_Id = i;
    printf("descriptor %08x %08x %08x %08x %08x %08x %08x %08x\n", words[0], words[1], words[2], words[3], words[4],
           words[5], words[6], words[7]);
  }
  for (bytes = 1; bytes < 300; bytes += 13) NUMBER(DMA_PacketChunks(bytes));
}

static void print_descriptor(const char* what, const DMA_InjDescriptor_t* d) {
  const unsigned* words = (const unsigned*)d;
  printf("%s %08x %08x %08x %08x %08x %08x %08x %08x\n", what, words[0], words[1], words[2], words[3], words[4],
         words[5], words[6], words[7]);
}

/* The library's builders, on a machine of one node. */
static void of_builders(void) {
  static const unsigned hints[] = {0x20, 0x10, 0x08, 0x04, 0x02, 0x01};
  DMA_InjDescriptor_t d;
  unsigned i;
  for (i = 0; i < 6; i++) {
    const unsigned bytes = 1 + i * i * 60;
    DMA_TorusDirectPutDescriptor(&d, 0, 0, 0, i * 7, i % 4, i % 4, i * 9, i * 1000, (i + 1) % 4, i * 11, i * 777,
                                 bytes);
    print_descriptor("torus put", &d);
    DMA_LocalDirectPutDescriptor(&d, i % 4, i * 9, i * 1000, (i + 1) % 4, i * 11, i * 777, bytes);
    print_descriptor("local put", &d);
    DMA_LocalPrefetchOnlyDescriptor(&d, i % 4, i * 9, i * 1000, bytes);
    print_descriptor("prefetch", &d);
    DMA_TorusRemoteGetDescriptor(&d, 0, 0, 0, i * 7, i % 4, i % 4, i * 9, i * 1000, (i + 1) % 4, i * 5);
    print_descriptor("torus get", &d);
    DMA_LocalRemoteGetDescriptor(&d, i % 4, i * 9, i * 1000, (i + 1) % 4, i * 5);
    print_descriptor("local get", &d);
    DMA_TorusMemFifoDescriptor(&d, 0, 0, 0, (i + 1) % 4, i * 7, i % 4, i * 12345, i * 50, i % 4, i * 9, i * 1000,
                               bytes);
    print_descriptor("torus message", &d);
    DMA_LocalMemFifoDescriptor(&d, (i + 1) % 4, i * 12345, i * 50, i % 4, i * 9, i * 1000, bytes);
    print_descriptor("local message", &d);
    DMA_TorusDirectPutBcastDescriptor(&d, 0, hints[i], i % 4, i * 9, i * 1000, (i + 1) % 4, i * 11, i * 777, bytes);
    print_descriptor("put to a line", &d);
    DMA_TorusMemFifoBcastDescriptor(&d, 0, (i + 1) % 4, hints[i], i * 12345, i * 50, i % 4, i * 9, i * 1000, bytes);
    print_descriptor("message to a line", &d);
  }
}

/* Rings: the hardware's words are memory here. */
static void of_rings(void) {
  DMA_InjDescriptor_t d, *many[70];
  int i;
  fifo.dma_fifo.fifo_hw_ptr = &registers;
  fifo.dma_fifo.va_start = fifo.dma_fifo.va_head = fifo.dma_fifo.va_tail = ring;
  fifo.dma_fifo.va_end = ring + sizeof ring;
  fifo.dma_fifo.fifo_size = fifo.dma_fifo.free_space = sizeof ring / 16;
  fifo.dma_fifo.pa_start = registers.pa_start = registers.pa_head = registers.pa_tail = 0x1000;
  registers.pa_end = 0x1000 + sizeof ring / 16;
  memset(&d, 0x5A, sizeof d);
  for (i = 0; i < 70; i++) many[i] = &d;
  for (i = 0; i < 60; i++) {
    int done = DMA_InjFifoInjectDescriptor(&fifo, &d);
    printf("inject %d: tail %x count %llu free %u room %u done %u\n", done, registers.pa_tail,
           DMA_InjFifoGetDescriptorCount(&fifo), DMA_FifoGetFreeSpace(&fifo.dma_fifo, 1, 1), DMA_InjFifoHasSpace(&fifo),
           DMA_InjFifoIsDescriptorDone(&fifo, 20, i % 2));
    if (i == 30) registers.pa_head = registers.pa_tail;
    if (i == 40) NUMBER(DMA_InjFifoInjectDescriptors(&fifo, 7, many));
    if (i == 50) registers.pa_head = 0x1000 + 8;
  }
  NUMBER(DMA_InjFifoInjectDescriptors(&fifo, 70, many));
  printf("tail %x\n", registers.pa_tail);
  for (i = 0; i < 60; i++) NUMBER(DMA_InjFifoReserveDescriptorStorage(&fifo));
  DMA_InjFifoFreeDescriptorStorageReservation(&fifo);
  NUMBER(fifo.occupiedSize);
  for (i = 0; i < 2048; i += 16) printf("%02x", (unsigned char)ring[i]);
  printf("\n");
}

static void of_counters(void) {
  int i;
  unsigned a, b;
  counters.status_ptr = &counter_status;
  counters.permissions[0] = 0xF0F0F0F0;
  counters.permissions[1] = 0x0000FFFF;
  counters.grp_permissions = 0x00FF00FF;
  counters.group_id = 2;
  counters.type = DMA_Type_Reception;
  counter_status.hit_zero[0] = 0x12345678;
  counter_status.hit_zero[1] = 0x87654321;
  counter_status.enabled[0] = 0xFFFF0000;
  counter_status.grp_status = 0x13579BDF;
  for (i = 0; i < 64; i++) {
    counters.counter[i].counter_hw_ptr = &counter_registers;
    if ((counters.permissions[i / 32] & (0x80000000u >> i % 32)) == 0) continue;
    DMA_CounterSetEnableById(&counters, i);
    DMA_CounterClearHitZeroById(&counters, i);
    printf("counter %d: %08x %08x %08x %08x, %d %d, %d\n", i, counter_status.enable[0], counter_status.enable[1],
           counter_status.clear_hit_zero[0], counter_status.clear_hit_zero[1], DMA_CounterGetHitZeroById(&counters, i),
           DMA_CounterGetEnabledById(&counters, i), DMA_CounterGetGlobalId(&counters, i));
    DMA_CounterSetValueById(&counters, i, 1000 + i);
    DMA_CounterDecrementById(&counters, i, i);
    printf("value %u increment %08x\n", DMA_CounterGetValueById(&counters, i), counter_registers.increment);
  }
  DMA_CounterGetAllHitZero(&counters, &a, &b);
  printf("hit zero %08x %08x, %08x, subgroups %08x, enabled %08x\n", a, b, DMA_CounterGetHitZero(&counters, 1),
         DMA_CounterGetGroupStatus(&counters), DMA_CounterGetEnabled(&counters, 0));
  (void)inj_status;
  (void)group;
}

int main(void) {
  layouts();
  constants();
  of_descriptors();
  of_builders();
  of_rings();
  of_counters();
  return 0;
}
