// SPDX-License-Identifier: Apache-2.0
//
// Messages through reception FIFOs: rank r sends rank r + 1 messages of some sizes; a receive function puts their
// packets together. The FIFO is small, so that it fills and packets wrap round its end. The last packet names a
// function that nobody has registered.
#include <stdio.h>

#include "firmware/programs/bgp/spi_program.h"

#define MOST 5000u
#define MESSAGES 40u

static uint8_t fifo_memory[DMA_MIN_REC_FIFO_SIZE_IN_BYTES] ALIGN_L1D_CACHE;
static uint8_t source[MOST] ALIGN_L1D_CACHE;

typedef struct {
  uint8_t bytes[MOST];
  uint32_t message, received, packets, wrong, messages, unknown;
} Inbox;
static Inbox inbox;

static uint32_t size_of(uint32_t message) {
  return message % 4 == 3 ? MOST - message * 7 : 1 + message * 29;
}
static uint8_t pattern(uint32_t rank, uint32_t message, uint32_t i) {
  return (uint8_t)(rank * 41 + message * 13 + i * 5);
}

static int on_packet(DMA_RecFifo_t* fifo, DMA_PacketHeader_t* header, void* parameter, char* payload, int bytes) {
  Inbox* box = (Inbox*)parameter;
  (void)fifo;
  const uint32_t message = header->SW_Arg & 0xFFFF, from = header->SW_Arg >> 16, size = size_of(message);
  const uint32_t at = header->Put_Offset, now = size - at < (uint32_t)bytes ? size - at : (uint32_t)bytes;
  if (message != box->message || at >= size) box->wrong++;
  for (uint32_t i = 0; i < now; i++) box->wrong += (uint8_t)payload[i] != pattern(from, message, at + i);
  if (((uintptr_t)payload & 15) != 0) box->wrong++;
  box->packets++;
  box->received += now;
  if (box->received == size) {
    box->message++;
    box->messages++;
    box->received = 0;
  }
  return 0;
}

static int on_unknown(DMA_RecFifo_t* fifo, DMA_PacketHeader_t* header, void* parameter, char* payload, int bytes) {
  (void)fifo, (void)payload, (void)bytes;
  ((Inbox*)parameter)->unknown = header->Func_Id;
  return -77;
}

static DMA_RecFifoGroup_t* reception_fifo(const spi_place_t* place) {
  static DMA_RecFifoMap_t map;
  if (place->process == 0) {
    for (unsigned pid = 0; pid < 4; pid++)
      for (unsigned direction = 0; direction < 8; direction++)
        map.ts_rec_map[pid][direction] = (unsigned char)(pid * DMA_NUM_NORMAL_REC_FIFOS_PER_GROUP);
    const int error = DMA_RecFifoSetMap(&map);
    spi_expect(error == EBUSY ? 0 : error, "map of reception FIFOs");
  }
  spi_barrier();
  DMA_RecFifoGroup_t* group = DMA_RecFifoGetFifoGroup((int)place->process, 0, NULL, NULL, NULL, NULL, NULL);
  spi_expect(group == NULL ? EINVAL : 0, "reception FIFOs");
  spi_expect(DMA_RecFifoInitById(group, 0, fifo_memory, fifo_memory, fifo_memory + sizeof fifo_memory),
             "memory of a reception FIFO");
  return group;
}

int main(void) {
  const spi_place_t place = spi_place();
  const spi_coordinates_t to = spi_coordinates((place.rank + 1) % place.ranks);
  const uint32_t core = (uint32_t)Kernel_PhysicalProcessorID();
  DMA_InjFifoGroup_t* fifos = spi_injection_fifos(&place);
  DMA_CounterGroup_t* sent = spi_counters(&place, DMA_Type_Injection);
  DMA_RecFifoGroup_t* group = reception_fifo(&place);
  const int function = DMA_RecFifoRegisterRecvFunction(on_packet, &inbox, 0, 0);
  if (function < 0) spi_expect(-function, "receive function");
  (void)DMA_RecFifoRegisterRecvFunction(on_unknown, &inbox, 1, 0);
  void *low, *high;
  DMA_CounterGetMinMaxVa(&low, &high);
  spi_expect(DMA_CounterSetValueBase(&sent->counter[0], 0, low) != 0, "injection counter");
  DMA_CounterSetEnableById(sent, 0);
  spi_barrier();

  const uint32_t offset = DMA_CounterGetOffsetFromBaseById(sent, 0, source, MOST, core);
  uint32_t next = 0;
  int result = 0;
  // One may have had all of its predecessor's messages and still owe its successor some.
  while (result >= 0 || next <= MESSAGES) {
    if (next <= MESSAGES && DMA_CounterGetValueById(sent, 0) == 0) {
      // The buffer is free again. The last message is one byte for a function that there is not.
      DMA_InjDescriptor_t descriptor;
      const uint32_t size = next == MESSAGES ? 1 : size_of(next);
      for (uint32_t i = 0; i < size; i++) source[i] = pattern(place.rank, next, i);
      (void)DMA_TorusMemFifoDescriptor(&descriptor, to.x, to.y, to.z, to.t, to.hints, DMA_PACKET_VC_BN,
                                       place.rank << 16 | next, next == MESSAGES ? 200 : (unsigned)function,
                                       place.process, 0, offset, size);
      DMA_CounterIncrementById(sent, 0, size);
      if (!DMA_InjFifoInjectDescriptorById(fifos, 0, &descriptor)) spi_expect(ENOSPC, "injection FIFO");
      next++;
    }
    if (result >= 0) result = DMA_RecFifoSimplePollNormalFifoById(0, group, 1);
  }
  inbox.wrong += inbox.messages != MESSAGES || inbox.unknown != 200 || result != -77;
  printf("rank %u: %u messages in %u packets, then one for nobody: %u are wrong\n", place.rank, inbox.messages,
         inbox.packets, inbox.wrong);
  spi_barrier();
  return inbox.wrong != 0;
}
