/* SPDX-License-Identifier: Apache-2.0 */
/* Prints sums over what the functions of the SPI's FIFOs do with structures and memory, where plain memory stands for
 * the registers. On the machine's own headers and on those of drivers/bgq it prints the same. */
#include <spi/include/kernel/MU.h>
#include <stdlib.h>

#include "bgq.h"

#define DESCRIPTORS 8
#define RING (DESCRIPTORS * 64)
#define PACKETS 4096

static char ring[RING] __attribute__((aligned(128)));
static char packets[PACKETS] __attribute__((aligned(128)));
static MUHWI_Fifo_t registers;
static MUHWI_InjFifo_t counts;
static MUHWI_InjFifoStatus_t status;
static MUHWI_RecFifoStatus_t reception_status;

/* The ring, 0x1000 bytes into memory at a physical address. */
static void region(Kernel_MemoryRegion_t* made, char* memory) {
  made->Bytes = 0x100000;
  made->BaseVa = memory - 0x1000;
  made->BasePa = (void*)0x40000000ull;
}
static void add_fifo(const MUSPI_Fifo_t* fifo) {
  add(fifo->pa_start);
  add(fifo->size_1);
  add((uint64_t)((char*)fifo->va_head - (char*)fifo->va_start));
  add((uint64_t)((char*)fifo->va_tail - (char*)fifo->va_start));
  add((uint64_t)((char*)fifo->va_end - (char*)fifo->va_start));
  add_bytes(&registers, sizeof registers);
}

/* Injection ------------------------------------------------------------------------------------------------------- */

static MUSPI_InjFifoSubGroup_t injection;
static MUSPI_InjFifo_t* injfifo;
static MUHWI_Descriptor_t descriptors[DESCRIPTORS];

static void open_injection(void) {
  Kernel_MemoryRegion_t memory;
  memset(&injection, 0, sizeof injection);
  injection.subgroupid = 2;
  injection.groupStatus = &status;
  injfifo = MUSPI_IdToInjFifo(3, &injection);
  injfifo->_fifo.hwfifo = &registers;
  injfifo->hw_injfifo = &counts;
  counts.descCount = 0;
  counts.freeSpace = DESCRIPTORS - 1;
  region(&memory, ring);
  add((uint64_t)Kernel_InjFifoInit(&injection, 3, &memory, 0x1000, RING - 1));
  add_fifo(&injfifo->_fifo);
  add((uint64_t)((char*)MUSPI_getStartVa(&injfifo->_fifo) - ring));
}
static void activate(void) {
  uint32_t ids[8], count = 1 + (uint32_t)below(8), i;
  for (i = 0; i < count; ++i) ids[i] = (uint32_t)below(8);
  injection.subgroupid = (uint32_t)below(68);
  add((uint64_t)Kernel_InjFifoActivate(&injection, count, ids, KERNEL_INJ_FIFO_ACTIVATE));
  add((uint64_t)Kernel_InjFifoActivate(&injection, count, ids, KERNEL_INJ_FIFO_DEACTIVATE));
  add_bytes(&status, sizeof status);
}

/* What the hardware would do: some of the descriptors are done. */
static void progress(void) {
  const uint64_t waiting = injfifo->numInjected - counts.descCount;
  counts.descCount += below(waiting + 1);
  counts.freeSpace = DESCRIPTORS - 1 - (injfifo->numInjected - counts.descCount);
}
static void inject(void) {
  const uint32_t count = 1 + (uint32_t)below(DESCRIPTORS - 1);
  void* places[DESCRIPTORS];
  uint64_t number = 0;
  uint32_t i;
  progress();
  fill(descriptors, sizeof descriptors);
  memset(places, 0, sizeof places);
  switch (below(6)) {
    case 0:
      number = MUSPI_InjFifoInject(injfifo, descriptors);
      break;
    case 1:
      number = MUSPI_InjFifoInjectMultiple(injfifo, descriptors, count);
      break;
    case 2:
      number = MUSPI_InjFifoNextDesc(injfifo, places);
      if (number == (uint64_t)-1) break;
      memcpy(places[0], descriptors, 64);
      number += MUSPI_InjFifoAdvanceDesc(injfifo);
      break;
    case 3:
    case 4:
      number = MUSPI_InjFifoNextDescMultiple(injfifo, count, places);
      if (number == (uint64_t)-1) break;
      MUSPI_InjFifoNextDescMultipleNoCheck(injfifo, count, places);
      for (i = 0; i < count; ++i) memcpy(places[i], &descriptors[i], 64);
      number += MUSPI_InjFifoAdvanceDescMultiple(injfifo, count);
      break;
    default:
      number = MUSPI_CheckDescComplete(injfifo, below(injfifo->numInjected + 2));
      break;
  }
  add(number);
  for (i = 0; i < DESCRIPTORS; ++i) add(places[i] == NULL ? 0 : (uint64_t)((char*)places[i] - ring));
  add(MUSPI_getFreeSpaceFromShadow(injfifo));
  add(MUSPI_getDescCountFromShadow(injfifo));
  add(MUSPI_getNumInjected(injfifo));
  add(MUSPI_getHwFreeSpace(injfifo));
  add(MUSPI_getHwDescCount(injfifo));
  add_fifo(&injfifo->_fifo);
  add_bytes(ring, sizeof ring);
}

/* Reception ------------------------------------------------------------------------------------------------------- */

static MUSPI_RecFifoSubGroup_t reception;
static MUSPI_RecFifo_t* recfifo;
static uint64_t written; /* bytes of packets since the start */

static void open_reception(void) {
  Kernel_MemoryRegion_t memory;
  memset(&reception, 0, sizeof reception);
  reception.groupStatus = &reception_status;
  recfifo = MUSPI_IdToRecFifo(1, &reception);
  recfifo->_fifo.hwfifo = &registers;
  region(&memory, packets);
  add((uint64_t)Kernel_RecFifoInit(&reception, 1, &memory, 0x1000, PACKETS - 1));
  add_fifo(&recfifo->_fifo);
  written = 0;
}
static int received(void* parameter, MUHWI_PacketHeader_t* packet, uint32_t bytes) {
  add((uint64_t)parameter);
  add(bytes);
  add_bytes(packet, bytes);
  return 0;
}

/* Packets come as long as there is room, to functions 5 to 8. */
static void arrive(void) {
  const uint64_t start = MUSPI_getStartPa(&recfifo->_fifo);
  while (below(4) != 0) {
    const uint64_t bytes = 32 * (1 + below(17));
    const uint64_t at = (registers.pa_tail - start) % PACKETS;
    const uint64_t head = (registers.pa_head - start) % PACKETS;
    const uint64_t room = (head + PACKETS - at - 1) % PACKETS;
    MUHWI_PacketHeader_t header;
    uint64_t i;
    if (bytes > room) return;
    fill(&header, sizeof header);
    header.NetworkHeader.pt2pt.Byte8.Size = (uint8_t)(bytes / 32 - 1);
    header.messageUnitHeader.Packet_Types.Memory_FIFO.Unused2[0] = (uint8_t)(5 + below(4));
    for (i = 0; i < bytes; ++i) packets[(at + i) % PACKETS] = i < sizeof header ? ((char*)&header)[i] : (char)dice();
    registers.pa_tail = start + (at + bytes) % PACKETS;
    written += bytes;
  }
}
static void receive(void) {
  uint32_t wrap = 0, bytes = 0, available;
  arrive();
  switch (below(4)) {
    case 0:
    case 1:
      add(MUSPI_RecFifoPoll(recfifo, 1 + (uint32_t)below(5)));
      break;
    case 2:
      MUSPI_RecFifoExamplePoll(recfifo, received, (void*)77);
      break;
    default:
      available = MUSPI_getAvailableBytes(recfifo, &wrap);
      add(available);
      if (available == 0) break;
      add(wrap);
      received((void*)78,
               wrap ? MUSPI_getNextPacketWrap(recfifo, &bytes) : MUSPI_getNextPacketOptimized(recfifo, &bytes), 0);
      add(bytes);
      MUSPI_syncRecFifoHwHead(recfifo);
  }
  add(registers.pa_head);
  add((uint64_t)((char*)MUSPI_getHeadVa(&recfifo->_fifo) - packets));
}

/* Receive functions get the numbers that are free, the lowest first. */
static void register_functions(void) {
  int i;
  for (i = 0; i < 260; ++i) add((uint64_t)MUSPI_RegisterReceiveFunction(received, (void*)(uint64_t)i));
  for (i = 0; i < 40; ++i) {
    add((uint64_t)MUSPI_DeRegisterReceiveFunction((uint32_t)below(300)));
    if (below(2) != 0) add((uint64_t)MUSPI_RegisterReceiveFunction(received, NULL));
  }
  for (i = 0; i < 256; ++i) MUSPI_DeRegisterReceiveFunction((uint32_t)i);
  for (i = 5; i < 9; ++i) MUSPI_RegisterRecvFunction(received, (void*)(uint64_t)(i * 1000), (uint32_t)i);
}
static void clear_interrupts(void) {
  reception_status.clearInterruptStatus = 0;
  MUSPI_ClearInterrupts(&reception, below(3));
  add(reception_status.clearInterruptStatus);
  MUSPI_ClearInterruptsDirect(MUSPI_GetClearInterruptsStatusPtr(&reception), below(2));
  add(reception_status.clearInterruptStatus);
}

/* Both ------------------------------------------------------------------------------------------------------------ */

static void plain(void) {
  MUSPI_Fifo_t* fifo = &recfifo->_fifo;
  MUSPI_setHeadVa(fifo, packets + 32 * below(PACKETS / 32));
  MUSPI_setTailVa(fifo, packets + 32 * below(PACKETS / 32));
  MUSPI_setHwHead(fifo, 32 * below(PACKETS / 32));
  MUSPI_setHwTail(fifo, 32 * below(PACKETS / 32));
  add(MUSPI_getSize(fifo) + MUSPI_getHwSize(fifo) + MUSPI_getHwStart(fifo));
  add(MUSPI_getHwHead(fifo));
  add(MUSPI_getHwTail(fifo));
  add((uint64_t)((char*)MUSPI_getTailVa(fifo) - (char*)MUSPI_getEndVa(fifo)));
  add_fifo(fifo);
}

int main(void) {
  EACH("opening for injection", 1, open_injection());
  EACH("starting, stopping", 100, activate());
  EACH("injecting", 5000, inject());
  EACH("opening for reception", 1, open_reception());
  EACH("receive functions", 1, register_functions());
  EACH("receiving", 5000, receive());
  EACH("clearing interrupts", 100, clear_interrupts());
  EACH("pointers", 1000, plain());
  return 0;
}
