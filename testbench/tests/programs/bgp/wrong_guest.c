// SPDX-License-Identifier: Apache-2.0
//
// Programs the DMA wrongly: wrong_guest SEED COUNT. Random stores and loads to the registers of all groups, random
// descriptors in injection FIFOs, random counters, random control registers, and random calls of the kernel with
// arguments that are seldom meant. What becomes of the program does not matter; the simulator must live.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "firmware/programs/bgp/spi_program.h"
#include "nic/bgp/dma_regs.h"

enum { AREA = 1 << 18, FIRST_CALL = 1024, CALLS = 48, FATAL_ENABLES = 0xD7E };

static uint64_t state;
static uint8_t area[AREA] __attribute__((aligned(4096)));
static DMA_InjFifoGroup_t* fifos;
static DMA_CounterGroup_t* counters;
static DMA_InjFifoGroup_t other_fifos;  ///< copies for the kernel's calls: what they spoil, this program's own need
static DMA_CounterGroup_t other_counters;
static uint32_t own_group;

static uint32_t any(void) {  // xorshift64*
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (uint32_t)(state * 0x2545F4914F6CDD1Dull >> 32);
}

static uint32_t value(void) {
  static const uint32_t nasty[] = {0,          1,          2,          4,          7,          8,          31,
                                   32,         63,         255,        256,        511,        512,        1023,
                                   1024,       4095,       65535,      0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFF0,
                                   0x10000000, 0xFFFD0000, 0xFFFD3FFC, 0xFFFDC000, 0xFFFF4000, 0xFFFF8000, 0x7F800000};
  switch (any() % 8) {
    case 0:
      return any();
    case 1:
      return any() % 64;
    case 2:
      return (uint32_t)(uintptr_t)(area + any() % AREA / 32 * 32);
    case 3:
      return (uint32_t)(uintptr_t)(area + any() % AREA / 32 * 32) >> 4;  // as the DMA's registers hold it, nearly
    case 4:
      return (uint32_t)(uintptr_t)(area + AREA - any() % 64);  // runs over its end
    case 5:
      return (uint32_t)(uintptr_t)(any() % 2 != 0 ? (void*)&other_fifos : (void*)&other_counters);
    default:
      return nasty[any() % (sizeof nasty / sizeof nasty[0])];
  }
}

static void refill(void) {
  for (unsigned i = 0; i < 32; ++i) ((uint32_t*)area)[any() % (AREA / 4)] = value();
}

/// Words of the groups' pages: FIFOs, counters, status. Seldom where there is none, or the wrong way.
static void touch_registers(void) {
  enum { READ = 1, WRITE = 2 };
  static const struct {
    uint16_t offset, bytes, access;
  } parts[] = {
      {BGP_DMA_INJ_FIFO_START_OFFSET, 0x200, READ | WRITE},
      {BGP_DMA_INJ_ACTIVATED_OFFSET, 4, READ},
      {BGP_DMA_INJ_ACTIVATE_OFFSET, 8, WRITE},
      {BGP_DMA_INJ_COUNTER_ENABLED_OFFSET, 8, READ},
      {BGP_DMA_INJ_COUNTER_ENABLE_OFFSET, 16, WRITE},
      {BGP_DMA_INJ_COUNTER_HIT_ZERO_OFFSET, 8, READ},
      {BGP_DMA_INJ_COUNTER_CLEAR_HIT_ZERO_OFFSET, 8, WRITE},
      {BGP_DMA_INJ_COUNTER_VALUE_OFFSET, 0x400, READ | WRITE},
      {BGP_DMA_REC_FIFO_START_OFFSET, 0x90, READ | WRITE},
      {BGP_DMA_STORAGE_OFFSET, 64, READ | WRITE},
      {BGP_DMA_REC_NOT_EMPTY_OFFSET, 0x18, READ},
      {BGP_DMA_REC_COUNTER_ENABLED_OFFSET, 8, READ},
      {BGP_DMA_REC_COUNTER_ENABLE_OFFSET, 16, WRITE},
      {BGP_DMA_REC_COUNTER_HIT_ZERO_OFFSET, 8, READ},
      {BGP_DMA_REC_COUNTER_CLEAR_HIT_ZERO_OFFSET, 8, WRITE},
      {BGP_DMA_REC_COUNTER_VALUE_OFFSET, 0x400, READ | WRITE},
  };
  const unsigned part = any() % (sizeof parts / sizeof parts[0]);
  const int anywhere = any() % 512 == 0;
  const uint32_t offset = anywhere ? any() % 0x1000u : parts[part].offset + any() % parts[part].bytes;
  const unsigned access = anywhere ? READ | WRITE : parts[part].access;
  volatile uint32_t* const word = (volatile uint32_t*)(BGP_VA_DMA + any() % 4 * 0x1000u + offset / 4 * 4);
  if (access == WRITE || (access != READ && any() % 2 == 0)) {
    *word = value();
  } else {
    (void)*word;
  }
}

/// Of bits that are all random, or of a good descriptor with one word that is not.
static void inject(void) {
  int fifo = 0;
  uint32_t words[8];
  DMA_InjDescriptor_t descriptor;
  if (any() % 4 == 0) {
    for (unsigned i = 0; i < 8; ++i) words[i] = any();
    memcpy(&descriptor, words, sizeof descriptor);
  } else {
    switch (any() % 3) {
      case 0:
        fifo = 1;
        (void)DMA_LocalDirectPutDescriptor(&descriptor, own_group, 0, 0, own_group, 0, 0, any() % 5000);
        break;
      case 1:
        (void)DMA_TorusDirectPutDescriptor(&descriptor, any() % 2, 0, 0, 0, any() % 4, own_group, 0, 0, own_group, 0, 0,
                                           any() % 5000);
        break;
      default:
        (void)DMA_TorusRemoteGetDescriptor(&descriptor, any() % 2, 0, 0, 0, any() % 4, own_group, 0, 0, own_group,
                                           any() % 32);
        break;
    }
    if (any() % 2 == 0) {
      memcpy(words, &descriptor, sizeof words);
      words[any() % 8] ^= 1u << any() % 32;
      memcpy(&descriptor, words, sizeof descriptor);
    }
  }
  (void)DMA_InjFifoInjectDescriptorById(fifos, any() % 8 == 0 ? !fifo : fifo, &descriptor);
}

static uint32_t call(uint32_t number, const uint32_t* argument) {
  register uint32_t r0 __asm__("r0") = number;
  register uint32_t r3 __asm__("r3") = argument[0];
  register uint32_t r4 __asm__("r4") = argument[1];
  register uint32_t r5 __asm__("r5") = argument[2];
  register uint32_t r6 __asm__("r6") = argument[3];
  register uint32_t r7 __asm__("r7") = argument[4];
  register uint32_t r8 __asm__("r8") = argument[5];
  register uint32_t r9 __asm__("r9") = argument[6];
  register uint32_t r10 __asm__("r10") = argument[7];
  register uint32_t r11 __asm__("r11") = argument[8];
  __asm__ volatile("sc"
                   : "+r"(r0), "+r"(r3), "+r"(r4), "+r"(r5), "+r"(r6), "+r"(r7), "+r"(r8), "+r"(r9), "+r"(r10),
                     "+r"(r11)
                   :
                   : "r12", "cr0", "ctr", "memory");
  return r3;
}

static void call_kernel(void) {
  uint32_t argument[9];
  for (unsigned i = 0; i < 9; ++i) argument[i] = value();
  uint32_t number = FIRST_CALL + any() % CALLS;
  // A lockbox counter with an order waits for another core, for ever.
  if (number == BGP_SYS_ALLOC_COUNTER) argument[3] &= ~(uint32_t)BGP_LOCKBOX_ORDERED_ALLOC;
  // Control registers of the DMA that a program may write, and all others.
  if (number == BGP_SYS_READDCR || number == BGP_SYS_WRITEDCR)
    argument[0] = any() % 4 == 0 ? any() % 4096 : 0xD00 + any() % 0xB3;
  (void)call(number, argument);
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const spi_place_t place = spi_place();
  state = (strtoull(argv[1], NULL, 10) * 64 + place.rank) * 0x9E3779B97F4A7C15ull + 1;
  const unsigned count = (unsigned)atoi(argv[2]);
  own_group = place.process;
  fifos = spi_injection_fifos(&place);
  counters = spi_counters(&place, DMA_Type_Injection);
  (void)DMA_CounterSetValueBase(&counters->counter[0], DMA_COUNTER_INIT_VAL - (1u << 30), area);
  DMA_CounterSetEnableById(counters, 0);
  other_fifos = *fifos;
  other_counters = *counters;
  printf("begins\n");
  fflush(stdout);
  // Mistakes are fatal to the process, but for every other seed; and there are more or fewer of the kinds that are.
  const unsigned fatal = any() % 2;
  for (uint32_t dcr = FATAL_ENABLES; fatal == 0 && dcr < FATAL_ENABLES + 4; ++dcr) (void)Kernel_WriteDCR(dcr, 0);
  const unsigned injects = any() % 8, touches = any() % 64;
  for (unsigned i = 0; i < count; ++i) {
    if (i % 16 == 0) refill();
    const unsigned kind = any() % 64;
    if (kind < injects) {
      inject();
    } else if (kind < touches) {
      touch_registers();
    } else {
      call_kernel();
    }
  }
  _exit(0);
}
