/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of pami_stress share: a context's work, and the operations that it has under way. */
#ifndef TOROID_FIRMWARE_PROGRAMS_BGQ_PAMI_STRESS_H
#define TOROID_FIRMWARE_PROGRAMS_BGQ_PAMI_STRESS_H

#include <pami.h>
#include <stdbool.h>

#include "firmware/programs/bgq/pami_contents.h"

enum {
  kLanes = 4,
  kGuard = CONTENTS_GUARD,
  kPlain = 1, /* dispatches; receivers of this one may get data at once */
  kNever = 2, /* never at once */
  kNoRdma = 3,
  kRdma = 4,
  kCheck = 5,   /* look at what has been put */
  kVerdict = 6, /* whether it, or a message, was right */
  kToken = 7    /* of the barrier */
};

typedef struct lane {
  struct work* work;
  uint8_t* local; /* what is sent from here, or fetched */
  int busy;       /* callbacks and answers that are due */
  uint64_t seed;
  uint64_t bytes;
  uint64_t at; /* in the other's inbox, or sources */
  layout_t here, there;
  pami_rma_typed_t types; /* of them, until the operation has ended; NULL: none */
  uint8_t* header;        /* of a message */
} lane_t;

typedef struct work {
  pami_client_t client;
  pami_context_t context;
  unsigned offset;
  uint64_t random;
  uint32_t tasks, me, other;
  pami_endpoint_t to;
  lane_t lane[kLanes];
  pami_memregion_t mine;    /* the inboxes and sources of this context */
  pami_memregion_t* others; /* of each task */
  uint8_t* memory;          /* inboxes, then sources, then the word */
  uint64_t* bases;          /* of each task: address of its memory */
  uint64_t operations, bytes, wrong;
  uint32_t reports;      /* of tasks, at the first one */
  uint32_t* next_number; /* of messages from each task: order */
  uint32_t sent_number;
  uint64_t tokens[32];
  int exchanged;
} work_t;

extern uint64_t stress_most; /* bytes of an operation */

static inline uint64_t lane_bytes(void) {
  return 2 * stress_most + 2 * kGuard + 64; /* a type may take twice as many as it has data */
}
static inline uint64_t sources_at(void) {
  return kLanes * lane_bytes();
}
static inline uint64_t word_at(void) {
  return (sources_at() + lane_bytes() + 7) & ~(uint64_t)7;
}
static inline uint64_t draw(work_t* work) {
  return contents_mix(work->random += 0x9e3779b97f4a7c15ull);
}

/* Counts bytes that are wrong, if there are any, and calls that fail, and says so. */
void complain(work_t* work, const char* what, uint64_t wrong, uint64_t bytes);
void must(work_t* work, pami_result_t result, const char* call);

/* Callbacks: the operation, whose cookie is its lane, is a step nearer to its end. */
void less(pami_context_t context, void* cookie, pami_result_t result);
/* Tells a task how many bytes of what one of its lanes has sent were wrong. */
void tell(work_t* work, pami_endpoint_t to, uint32_t lane, uint64_t wrong);

/* Start an operation of a lane. */
void send_message(work_t* work, lane_t* lane);
void put(work_t* work, lane_t* lane);
void get(work_t* work, lane_t* lane);
/* Performs seven, one behind the other. */
void atomics(work_t* work, lane_t* lane);
void wait_for(work_t* work, const int* busy);

/* Dispatches: of messages, of words that a put is there, and of what tell() says. */
void message_arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes, const void* pipe,
                     size_t bytes, pami_endpoint_t origin, pami_recv_t* recv);
void check_arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes, const void* pipe,
                   size_t bytes, pami_endpoint_t origin, pami_recv_t* recv);
void verdict_arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes, const void* pipe,
                     size_t bytes, pami_endpoint_t origin, pami_recv_t* recv);

#endif
