// SPDX-License-Identifier: Apache-2.0
//
// Routes of classes as the kernel gives them. Each node prints the routes that it has from the start and its cut-offs;
// then all make a class of global interrupts along a line of nodes, and wait for each other there. With the argument
// "write" a node writes a control register of the network.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "firmware/programs/bgq/kernel.h"
#include "nic/bgq/mu_regs.h"
#include "nic/bgq/personality.h"

enum { CLASSES = 16, CLASS = 3, LOCAL = 1, ROUNDS = 20, EXISTS = 11, NO_ACCESS = 13, NO_ADDRESS = 14, NO_VALUE = 22 };

static unsigned failures, checks;

static void expect(const char* what, uint64_t found, uint64_t wanted) {
  ++checks;
  if (found == wanted) return;
  ++failures;
  printf("%s: %lu instead of %lu\n", what, (unsigned long)found, (unsigned long)wanted);
}

static uint64_t call(uint64_t number, uint64_t first, const void* second) {
  return kernel_call(number, first, (uint64_t)second, 0, 0, 0);
}

static volatile uint64_t* control_register(uint64_t base, unsigned offset) {
  return (volatile uint64_t*)(base + offset);
}

// Routes of a group: its three calls by number, and its registers.
struct group {
  const char* name;
  unsigned query, allocate, set, release;
  unsigned registers;
};
static const struct group collectives = {"collectives",
                                         BGQ_SYS_QUERY_COLLECTIVE_ROUTES,
                                         BGQ_SYS_ALLOCATE_COLLECTIVE_ROUTE,
                                         BGQ_SYS_SET_COLLECTIVE_ROUTE,
                                         BGQ_SYS_DEALLOCATE_COLLECTIVE_ROUTE,
                                         BGQ_ND_500_COLL_CLASSES};
static const struct group interrupts = {"interrupts",
                                        BGQ_SYS_QUERY_INTERRUPT_ROUTES,
                                        BGQ_SYS_ALLOCATE_INTERRUPT_ROUTE,
                                        BGQ_SYS_SET_INTERRUPT_ROUTE,
                                        BGQ_SYS_DEALLOCATE_INTERRUPT_ROUTE,
                                        BGQ_ND_500_GI_CLASSES};

static uint32_t word_of(const struct group* of, unsigned number) {
  const uint64_t pair = *control_register(BGQ_ND_500_BASE, of->registers + number / 2 * 8);
  return (uint32_t)(number % 2 == 0 ? pair >> 32 : pair);
}

static unsigned free_ones(const struct group* of, uint32_t* numbers, unsigned room) {
  uint32_t count = 99;
  expect("query", kernel_call(of->query, (uint64_t)&count, (uint64_t)numbers, room * 4, 0, 0), 0);
  return count;
}

static uint64_t set(const struct group* of, unsigned number, unsigned input, unsigned output) {
  const uint16_t route[2] = {(uint16_t)input, (uint16_t)output};
  return call(of->set, number, route);
}

static void use_calls(const struct group* of) {
  uint32_t numbers[CLASSES];
  expect("free classes", free_ones(of, numbers, CLASSES), 12);  // 0 is the job's, 13 to 15 are the system's
  for (unsigned i = 0; i < 12; ++i) expect("a free class", numbers[i], i + 1);
  expect("free classes with room for 5", free_ones(of, numbers, 5), 5);
  expect("query without memory", kernel_call(of->query, 8, (uint64_t)numbers, 4, 0, 0), NO_ADDRESS);
  expect("taken from the start", call(of->allocate, 0, NULL), EXISTS);
  expect("allocate", call(of->allocate, CLASS, NULL), 0);
  expect("allocate again", call(of->allocate, CLASS, NULL), EXISTS);
  expect("allocate no class", call(of->allocate, CLASSES, NULL), NO_VALUE);
  expect("free classes", free_ones(of, numbers, CLASSES), 11);
  // Two outputs; to the node itself; a link both ways.
  expect("several outputs", set(of, CLASS, LOCAL, 0xC00), BGQ_ROUTE_SEVERAL_OUTPUTS);
  expect("local output", set(of, CLASS, LOCAL, LOCAL), BGQ_ROUTE_LOCAL_OUTPUT);
  expect("a route without memory", call(of->set, CLASS, NULL), NO_ADDRESS);
  if (of == &collectives) {
    expect("word of one that is taken", word_of(of, CLASS), 0x30000000);
    expect("no local input", set(of, CLASS, 0x2000 | 0x400, 0), BGQ_ROUTE_NO_LOCAL_INPUT);
    expect("both ways", set(of, CLASS, 0x2000 | 0x400 | LOCAL, 0x400), BGQ_ROUTE_BOTH_WAYS);
    // The system's classes are where the job's is; a class of type 0 may share no link with them, one of type 2 may.
    const unsigned job = word_of(of, 0) & 0xFFE, links = job | (word_of(of, 0) >> 16 & 0xFFE);
    if (links != 0) {
      const unsigned one = links & -links;
      expect("a link of the system's", set(of, CLASS, one | LOCAL, 0), BGQ_ROUTE_SHARES_LINK);
      expect("the same of a subset", set(of, CLASS, 0x2000 | one | LOCAL, 0), 0);
      expect("its word", word_of(of, CLASS), (0x2000u | one | LOCAL) << 16);
    }
  } else {
    expect("word of one that is taken", word_of(of, CLASS), LOCAL << 16);
    expect("both ways", set(of, CLASS, 0x400 | LOCAL, 0x400), BGQ_INTERRUPT_ROUTE_BOTH_WAYS);
    expect("allocate the one beside it", call(of->allocate, CLASS + 8, NULL), 0);
    expect("set", set(of, CLASS + 8, 0x400 | LOCAL, 0), 0);
    expect("a link of the one beside it", set(of, CLASS, LOCAL, 0x400), BGQ_INTERRUPT_ROUTE_SHARES_LINK);
    const uint32_t system = BGQ_ATTRIBUTE_REC_SYSTEM;
    expect("for the system", call(of->allocate, 9, &system), NO_ACCESS);
    expect("release", call(of->release, CLASS + 8, NULL), 0);
  }
  expect("release", call(of->release, CLASS, NULL), 0);
  expect("free classes", free_ones(of, numbers, CLASSES), 12);
}

static void wait_for(unsigned number, unsigned* state) {
  const unsigned next = *state == 1 ? 4 : *state / 2;
  *control_register(BGQ_MU_BASE, BGQ_MU_BARRIER_CONTROL_OFFSET + 8 * number) = next;
  while ((*control_register(BGQ_MU_BASE, BGQ_MU_BARRIER_STATUS_OFFSET + 8 * number) & *state) != 0) {
  }
  *state = next;
}

/// A class along E of the nodes with the same other coordinates, from the last one to the first.
static void line(unsigned e, unsigned nodes, unsigned* world) {
  const unsigned down = e + 1 < nodes ? 4 : 0, up = e > 0 ? 8 : 0;  // E+, E-
  expect("allocate", call(BGQ_SYS_ALLOCATE_INTERRUPT_ROUTE, CLASS, NULL), 0);
  expect("set", set(&interrupts, CLASS, down | LOCAL, up), 0);
  wait_for(0, world);
  *control_register(BGQ_MU_BASE, BGQ_MU_BARRIER_CONTROL_OFFSET + 8 * CLASS) = 4;
  wait_for(0, world);
  const uint64_t start = time_base();
  unsigned status = 0;
  while ((status = *control_register(BGQ_MU_BASE, BGQ_MU_BARRIER_STATUS_OFFSET + 8 * CLASS) & 7) != 4) {
    if (time_base() - start > 2000) break;
  }
  expect("status at first", status, 4);
  unsigned state = 4;
  for (unsigned i = 0; i < ROUNDS; ++i) {
    for (volatile unsigned delay = (e * 37 + i * 11) % 50; delay != 0; --delay) {
    }
    // Nobody is ahead of one who has not come yet.
    const unsigned before = *control_register(BGQ_MU_BASE, BGQ_MU_BARRIER_STATUS_OFFSET + 8 * CLASS) & 7;
    expect("the state before is held", before & state, state);
    wait_for(CLASS, &state);
  }
  wait_for(0, world);
  expect("release", call(BGQ_SYS_DEALLOCATE_INTERRUPT_ROUTE, CLASS, NULL), 0);
}

int main(int count, char** arguments) {
  uint8_t personality[BGQ_PERSONALITY_BYTES];
  expect("personality", call(BGQ_SYS_GET_PERSONALITY, (uint64_t)personality, (void*)sizeof personality), 0);
  if (count > 1 && strcmp(arguments[1], "write") == 0) *control_register(BGQ_ND_500_BASE, BGQ_ND_500_CUTOFFS) = 0;
  const uint8_t* const at = personality + BGQ_PERSONALITY_COORDS_AT;
  printf("%u%u%u%u%u %08x %08x %016lx\n", at[0], at[1], at[2], at[3], at[4], word_of(&collectives, 0),
         word_of(&interrupts, 0), (unsigned long)*control_register(BGQ_ND_500_BASE, BGQ_ND_500_CUTOFFS));
  expect("in reset", *control_register(BGQ_ND_500_BASE, BGQ_ND_RESET) >> 63, 0);
  expect("in reset", *control_register(BGQ_ND_X2_BASE, BGQ_ND_RESET) >> 63, 0);
  expect("in reset", *control_register(BGQ_MU_DCR_BASE, BGQ_MU_DCR_RESET_OFFSET) >> 63, 0);
  unsigned world = (unsigned)*control_register(BGQ_MU_BASE, BGQ_MU_BARRIER_CONTROL_OFFSET);
  expect("control of the job's class", world, 4);
  use_calls(&collectives);
  use_calls(&interrupts);
  wait_for(0, &world);
  line(at[4], personality[BGQ_PERSONALITY_NODES_AT + 4], &world);
  if (failures != 0) printf("%u of %u checks failed\n", failures, checks);
  return failures != 0;
}
