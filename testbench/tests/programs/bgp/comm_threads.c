// SPDX-License-Identifier: Apache-2.0
//
// Communication threads: every core of a process has one; counters of the DMA that hit zero call a function on it,
// while the thread that the core has to itself computes, and on a core that has none. Each rank puts into itself.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "firmware/programs/bgp/spi_program.h"

#define ROUNDS 20u
#define BYTES 5000u

static uint8_t source[BYTES] ALIGN_L1D_CACHE;
static uint8_t target[BYTES] ALIGN_L1D_CACHE;
static DMA_CounterGroup_t* received;
static DMA_CounterGroup_t reception;
static volatile unsigned calls, begun, on_core[4], wrong_arguments, wrong_thread;
static __thread unsigned own;         ///< of a thread: core + 1 of a communication thread
static LockBox_Counter_t interrupts;  ///< their class

#define ALL "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"
#define FLOATS                                                                                                        \
  "fr0", "fr1", "fr2", "fr3", "fr4", "fr5", "fr6", "fr7", "fr8", "fr9", "fr10", "fr11", "fr12", "fr13", "fr14",       \
      "fr15", "fr16", "fr17", "fr18", "fr19", "fr20", "fr21", "fr22", "fr23", "fr24", "fr25", "fr26", "fr27", "fr28", \
      "fr29", "fr30", "fr31"
#define VECTORS                                                                                                       \
  "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", \
      "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31"

/* Other values in all floating-point and vector registers, no carry, and another rounding. */
static void change_registers(void) {
  static const uint32_t other[4] __attribute__((aligned(16))) = {0x40091234, 0x5678, 0x40091234, 0x5678};
  uint32_t word;
  __asm__ volatile(".irp n," ALL
                   "\n\tlfd \\n,0(%1)\n\tlvx \\n,0,%1\n\t.endr\n\t"
                   "mtfsfi 7,0\n\tli %0,0\n\taddic %0,%0,1"
                   : "=&r"(word)
                   : "b"(other)
                   : "xer", FLOATS, VECTORS);
}

/* Waits until a function has been called, with a value of its own in each register. Returns how many are lost. */
static unsigned wait_for_more(unsigned before, uint32_t seed) {
  static uint32_t were[32][4] __attribute__((aligned(16))), vectors[32][4] __attribute__((aligned(16)));
  static double floats[33];
  uint32_t carry = seed & 1, word;
  unsigned lost = 0;
  for (unsigned i = 0; i < 32; i++) {
    for (unsigned word_of = 0; word_of < 4; word_of++) were[i][word_of] = 0x40000000u + (seed + i) * 0x10201u + word_of;
  }
  __asm__ volatile(
      "mtfsfi 7,1\n\t"
      ".irp n," ALL
      "\n\tlfd \\n,16*\\n(%[were])\n\tli %[word],16*\\n\n\tlvx \\n,%[word],%[were]\n\t.endr\n\t"
      "addic %[carry],%[carry],-1\n"  // a carry unless it is 0
      "1:\tlwz %[word],0(%[calls])\n\tcmplw 0,%[word],%[before]\n\tbeq 0,1b\n\t"
      "li %[carry],0\n\taddze %[carry],%[carry]\n\t"
      ".irp n," ALL
      "\n\tstfd \\n,8*\\n(%[floats])\n\tli %[word],16*\\n\n\tstvx \\n,%[word],%[vectors]\n\t.endr\n\t"
      "mffs 0\n\tstfd 0,256(%[floats])\n\tmtfsfi 7,0"
      : [carry] "+b"(carry), [word] "=&b"(word)
      : [were] "b"(were), [calls] "b"(&calls), [before] "b"(before), [floats] "b"(floats), [vectors] "b"(vectors)
      : "xer", "cr0", "memory", FLOATS, VECTORS);
  for (unsigned i = 0; i < 32; i++) {
    lost += memcmp(&floats[i], were[i], sizeof floats[i]) != 0;
    lost += memcmp(vectors[i], were[i], sizeof vectors[i]) != 0;
  }
  uint64_t status;
  memcpy(&status, &floats[32], sizeof status);
  return lost + (carry != (seed & 1)) + ((status & 3) != 1);
}

static void on_zero(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  const unsigned core = (unsigned)Kernel_PhysicalProcessorID();
  if (a != 11 || b != 22 || c != 33 || d != 44) wrong_arguments++;
  if (own != core + 1) wrong_thread++;
  on_core[core]++;
  calls++;
  DMA_CounterClearHitZeroById(received, 0);
  change_registers();
  if (calls % 2 == 0) (void)pthread_poof_np();  // and otherwise by returning
}

static void* begin(void* argument) {
  own = (unsigned)Kernel_PhysicalProcessorID() + 1;
  begun++;
  (void)argument;
  for (;;) (void)pthread_poof_np();
  return NULL;
}

static void put(DMA_InjFifoGroup_t* fifos, DMA_CounterGroup_t* sent, uint32_t group) {
  DMA_InjDescriptor_t descriptor;
  (void)DMA_LocalDirectPutDescriptor(&descriptor, group, 0, 0, group, 0, 0, BYTES);
  (void)DMA_CounterSetValueBaseMax(&received->counter[0], BYTES, target, target + BYTES - 1);
  DMA_CounterSetEnableById(received, 0);
  DMA_CounterIncrementById(sent, 0, BYTES);
  if (!DMA_InjFifoInjectDescriptorById(fifos, 1, &descriptor)) spi_expect(ENOSPC, "injection FIFO");
}

int main(void) {
  const spi_place_t place = spi_place();
  const unsigned first = (unsigned)Kernel_PhysicalProcessorID(), cores = (unsigned)Kernel_ProcessorCount();
  DMA_InjFifoGroup_t* fifos = spi_injection_fifos(&place);
  DMA_CounterGroup_t* sent = spi_counters(&place, DMA_Type_Injection);
  unsigned wrong = 0;

  spi_expect(pthread_poof_np() != -1, "a thread of its own kind");
  for (unsigned i = 0; i < cores; i++) {
    pthread_t thread;
    spi_expect(pthread_create_CommThread_np(&thread, NULL, begin, NULL), "communication thread");
  }
  pthread_t one_more;
  wrong += pthread_create_CommThread_np(&one_more, NULL, begin, NULL) != EAGAIN;
  while (begun < cores) {
  }

  spi_expect(LockBox_AllocateCounter(100 + place.process, &interrupts, first, 1, 0), "lockbox counter");
  received = &reception;
  int subgroup = 0;
  // With a handler, so that the subgroup interrupts. The routes below are this program's own.
  spi_expect(DMA_CounterGroupAllocate(DMA_Type_Reception, (int)place.process, 1, &subgroup, (int)first, on_zero, NULL,
                                      (Kernel_InterruptGroup_t)interrupts, received),
             "counters");
  const int interrupt = Kernel_MkInterruptID(3, 4 + (int)place.process);
  spi_expect(Kernel_SetCommThreadConfig(4000, 0, interrupts, on_zero, 0, 0, 0, 0) != EINVAL, "interrupt that is none");
  (void)DMA_CounterSetValueBase(&sent->counter[0], DMA_COUNTER_INIT_VAL - 2 * ROUNDS * BYTES * 4, source);
  DMA_CounterSetEnableById(sent, 0);

  // To each core of the process in turn: the first computes, the others are idle.
  for (unsigned i = 0; i < cores; i++) {
    const int opcode = (COMMTHRD_OPCODE_CORE0 + (int)(first + i)) | COMMTHRD_OPCODE_CALLFUNC |
                       COMMTHRD_OPCODE_DISABLEINTONENTRY | COMMTHRD_OPCODE_ENABLEINTONPOOF;
    spi_expect(Kernel_SetCommThreadConfig(interrupt, opcode, interrupts, on_zero, 11, 22, 33, 44), "interrupt");
    int back = 0;
    LockBox_Counter_t counter;
    Kernel_CommThreadHandler function;
    uint32_t arguments[4];
    spi_expect(Kernel_GetCommThreadConfig(interrupt, &back, &counter, &function, &arguments[0], &arguments[1],
                                          &arguments[2], &arguments[3]),
               "what was set");
    wrong += back != opcode || counter != interrupts || function != on_zero || arguments[3] != 44;
    for (unsigned round = 0; round < ROUNDS; round++) {
      const unsigned before = calls;
      for (unsigned byte = 0; byte < BYTES; byte++) source[byte] = (uint8_t)(round + i + byte * 3);
      put(fifos, sent, place.process);
      wrong += wait_for_more(before, i * ROUNDS + round);
      wrong += memcmp(source, target, BYTES) != 0;
    }
    wrong += on_core[first + i] != ROUNDS;
  }

  // A disabled class calls nothing until it is enabled again; then it does.
  const unsigned before = calls;
  (void)Kernel_DisableInterruptClass(interrupts);
  put(fifos, sent, place.process);
  while (!DMA_CounterGetHitZeroById(received, 0)) {
  }
  for (volatile unsigned i = 0; i < 20000; i++) {
  }
  wrong += calls != before;
  if (Kernel_EnableInterruptClass(interrupts) == 2) Kernel_HardEnableInterruptClass(interrupts);
  for (unsigned i = 0; calls == before && i < 100000000; i++) {
  }
  wrong += calls != before + 1;

  printf("rank %u: %u calls on %u cores, %u wrong\n", place.rank, calls, cores, wrong + wrong_arguments + wrong_thread);
  return wrong + wrong_arguments + wrong_thread != 0;
}
