// SPDX-License-Identifier: Apache-2.0
// A bottom for tests: the ranks of one process (testbench/tests/mpi_native/ranks.h), whose memory is all at hand. It
// keeps what bottom.h promises and no more: sources of puts are read late, data land late, gets overtake puts, and
// everything takes a random number of turns.
#define _DEFAULT_SOURCE
#include "firmware/armci/bottom.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "testbench/tests/mpi_native/ranks.h"

/// What is on its way to a rank; all of it is carried out in its turns, in order.
typedef enum { PUT, GET, REQUEST, FLUSH, DONE } kind_t;
typedef struct wire {
  struct wire* next;
  kind_t kind;
  uint32_t source;
  void* to;
  const void* from;
  size_t bytes, header_bytes;
  armcib_done_t done;
  void* context;
  uint8_t* copy;  ///< of the data, if they were read at once
  uint8_t header[ARMCIB_HEADER_MAX] __attribute__((aligned(16)));
} wire_t;

const bool armcib_gets_follow_puts = false;
const armcib_regions_t* const armcib_regions = NULL;
void (*const armcib_add_doubles)(double* to, const double* from, size_t n) = NULL;

static uint32_t seed;
static bool in_handler;
static unsigned locked;

static uint32_t chance(uint32_t of) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) % of;
}

static void broken(const char* promise) {
  fprintf(stderr, "the library breaks a rule of bottom.h: %s\n", promise);
  abort();
}

void armcib_init(void) {
  seed = 17 + ranks_self() * 101 + (getenv("NATIVE_SEED") != NULL ? (uint32_t)atoi(getenv("NATIVE_SEED")) : 0);
}

void armcib_finalize(void) {
  for (wire_t* wire = ranks_inbox(ranks_self())->first; wire != NULL; wire = wire->next) {
    if (wire->source != ranks_self()) broken("it ends while something is on its way");
  }
}

uint32_t armcib_rank(void) {
  return ranks_self();
}

uint32_t armcib_size(void) {
  return ranks_size();
}

double armcib_time(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

void armcib_end_job(int status) {
  _exit(status);
}

void armcib_enter(void) {
  if (locked++ != 0) broken("it enters the lock twice");
}

void armcib_exit(void) {
  if (locked-- != 1) broken("it leaves a lock that it does not hold");
}

armcib_progress_t armcib_progress(armcib_progress_t wanted) {
  (void)wanted;
  return ARMCIB_POLLING;
}

void* armcib_pages(size_t bytes) {
  void* const pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages != MAP_FAILED ? pages : NULL;
}

static wire_t* send(uint32_t target, kind_t kind, armcib_done_t done, void* context) {
  if (locked != 1) broken("it calls the bottom without the lock");
  if (target >= ranks_size()) broken("the target is no process");
  wire_t* const wire = calloc(1, sizeof *wire);
  wire->kind = kind;
  wire->source = ranks_self();
  wire->done = done;
  wire->context = context;
  ranks_inbox_t* const inbox = ranks_inbox(target);
  if (inbox->first == NULL) {
    inbox->first = wire;
  } else {
    inbox->last->next = wire;
  }
  inbox->last = wire;
  return wire;
}

static void tell(uint32_t source, armcib_done_t done, void* context) {
  if (done != NULL) send(source, DONE, done, context);
}

static void carry_out(wire_t* wire) {
  switch (wire->kind) {
    case PUT:
      memcpy(wire->to, wire->copy != NULL ? wire->copy : wire->from, wire->bytes);
      if (wire->copy == NULL) tell(wire->source, wire->done, wire->context);
      break;
    case GET:
      memcpy(wire->to, wire->from, wire->bytes);
      tell(wire->source, wire->done, wire->context);
      break;
    case FLUSH:
      tell(wire->source, wire->done, wire->context);
      break;
    case REQUEST:
      in_handler = true;
      // At another address than the sender's, of the alignment that is promised.
      armcii_handle(wire->source, wire->header, wire->header_bytes, wire->copy != NULL ? wire->copy + 8 : NULL,
                    wire->bytes);
      in_handler = false;
      tell(wire->source, wire->done, wire->context);
      break;
    case DONE:
      wire->done(wire->context);
      break;
  }
  free(wire->copy);
  free(wire);
}

void armcib_advance(void) {
  if (in_handler) broken("a handler advances");
  if (locked != 1) broken("it advances without the lock");
  ranks_inbox_t* const inbox = ranks_inbox(ranks_self());
  for (uint32_t turns = chance(4); turns != 0 && inbox->first != NULL; --turns) {
    wire_t* const wire = inbox->first;
    inbox->first = wire->next;
    ranks_progress();
    carry_out(wire);
  }
  ranks_yield();
}

void armcib_put(uint32_t target, const void* local, uintptr_t remote, size_t bytes, armcib_done_t done, void* context) {
  if (bytes == 0) broken("it puts nothing");
  if (!in_handler && chance(8) == 0) armcib_advance();
  wire_t* const wire = send(target, PUT, done, context);
  wire->to = (void*)remote;
  wire->from = local;
  wire->bytes = bytes;
  if (chance(2) == 0) return;
  wire->copy = malloc(bytes);
  memcpy(wire->copy, local, bytes);
  tell(ranks_self(), done, context);
}

void armcib_get(uint32_t target, void* local, uintptr_t remote, size_t bytes, armcib_done_t done, void* context) {
  if (bytes == 0) broken("it gets nothing");
  if (!in_handler && chance(8) == 0) armcib_advance();
  if (chance(2) == 0) {
    memcpy(local, (const void*)remote, bytes);
    tell(ranks_self(), done, context);
    return;
  }
  wire_t* const wire = send(target, GET, done, context);
  wire->to = local;
  wire->from = (const void*)remote;
  wire->bytes = bytes;
}

void armcib_flush(uint32_t target, armcib_done_t done, void* context) {
  send(target, FLUSH, done, context);
}

void armcib_request(uint32_t target, const void* header, size_t header_bytes, const void* payload, size_t bytes,
                    armcib_done_t done, void* context) {
  if (header_bytes > ARMCIB_HEADER_MAX || header_bytes % 8 != 0) broken("a header is too long, or no multiple of 8");
  if (bytes > ARMCIB_PAYLOAD_MAX) broken("a payload is too long");
  if (!in_handler && chance(8) == 0) armcib_advance();
  wire_t* const wire = send(target, REQUEST, done, context);
  memcpy(wire->header, header, header_bytes);
  wire->header_bytes = header_bytes;
  wire->bytes = bytes;
  if (bytes == 0) return;
  wire->copy = malloc(bytes + 8);
  memcpy(wire->copy + 8, payload, bytes);
}

bool armcib_barrier(void) {
  return false;
}
