// SPDX-License-Identifier: Apache-2.0
// A transport for tests: messages between the ranks of one process (ranks.h). Short messages come whole; longer ones
// begin in one turn and come in the next; long ones wait at their sender until they are accepted. Environment variables
// let it do what some machines' networks do: NATIVE_MATCHES=1, match posted receives; NATIVE_REACHES=1, access the
// memory of other processes, and update integers in it atomically; NATIVE_AT_ONCE=1, end short messages in the call
// that sends them, and empty offered ones in the call that accepts them.
#define _DEFAULT_SOURCE
#include "firmware/mpi/transport.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ranks.h"

const char mpit_name[] = "a transport for tests", mpit_architecture[] = "native", mpit_prefix[] = "NATIVE_";
size_t mpit_short_bytes = 256;
bool native_matches, native_reaches;
static bool at_once;
static uint32_t self;

/// A message on its way; or, of no channel, word to its sender that it is done.
typedef enum { SHORT, WHOLE, OFFER, DONE } kind_t;
typedef struct wire {
  struct wire* next;
  kind_t kind;
  mpit_channel_t channel;
  uint32_t source;
  uint8_t head[MPIT_HEAD_BYTES];
  mpit_place_t from;  ///< of an offer: at its sender
  mpit_done_t done;
  void* context;
  size_t bytes;
  uint8_t data[] __attribute__((aligned(16)));
} wire_t;

/// A message that has begun to arrive, and where it goes; or a posted receive that the network matches.
typedef struct arrival {
  struct arrival* next;
  wire_t* wire;
  mpit_landing_t landing;
  mpit_envelope_t wanted;
} arrival_t;

typedef struct {
  uint8_t message[256];
} state_t;
const size_t mpit_state_bytes = sizeof(state_t), mpit_unexpected_bytes = 16, mpit_offer_bytes = sizeof(wire_t*);

static arrival_t *arriving, *posted;

static void append(arrival_t** list, arrival_t* arrival) {
  while (*list != NULL) list = &(*list)->next;
  *list = arrival;
}

#if MPIT_THREADS
// ---------------------------------------------------------------------------------------------------------------
// Threads

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local unsigned held;  ///< how often this thread holds it

bool native_locks;

int mpit_provide_threads(int required) {
  native_locks = required == MPI_THREAD_MULTIPLE;
  return required;
}

void native_lock(void) {
  if (held++ == 0) pthread_mutex_lock(&lock);
}

void native_unlock(void) {
  if (--held == 0) pthread_mutex_unlock(&lock);
}

void native_give_way(void) {
  if (held != 1) return;
  pthread_mutex_unlock(&lock);
  ranks_yield();
  pthread_mutex_lock(&lock);
}
#endif

// ---------------------------------------------------------------------------------------------------------------
// Sending

static wire_t* wire_new(kind_t kind, mpit_channel_t channel, size_t bytes, mpit_done_t done, void* context) {
  wire_t* wire = calloc(1, sizeof *wire + bytes);
  wire->kind = kind;
  wire->channel = channel;
  wire->source = self;
  wire->bytes = bytes;
  wire->done = done;
  wire->context = context;
  return wire;
}

static void put_on(wire_t* wire, uint32_t peer) {
  ranks_inbox_t* inbox = ranks_inbox(peer);
  ranks_lock();
  if (inbox->first == NULL) {
    inbox->first = wire;
  } else {
    inbox->last->next = wire;
  }
  inbox->last = wire;
  ranks_unlock();
}

static void say_done(uint32_t rank, mpit_done_t done, void* context) {
  if (done != NULL) put_on(wire_new(DONE, MPIT_CHANNELS, 0, done, context), rank);
}

/// Copy between a place and bytes in one piece; returns how many.
static size_t copy(const mpit_place_t* place, uint8_t* bytes, size_t most, bool out) {
  size_t so_far = 0;
  for (size_t i = 0; i < place->count && so_far < most; ++i) {
    uint8_t* at = place->address;
    size_t part = place->bytes;
    if (place->count != 1) {
      at += place->blocks != NULL ? place->blocks[i].offset : (ptrdiff_t)i * place->stride;
      part = place->blocks != NULL ? place->blocks[i].bytes : place->piece;
    }
    if (part > most - so_far) part = most - so_far;
    if (part != 0) memcpy(out ? bytes + so_far : at, out ? at : bytes + so_far, part);
    so_far += part;
  }
  return so_far;
}

void native_send_short(void* state, mpit_channel_t channel, uint32_t peer, size_t bytes, mpit_done_t done,
                       void* context) {
  wire_t* wire = wire_new(SHORT, channel, bytes, NULL, NULL);
  memcpy(wire->head, state, sizeof wire->head);
  memcpy(wire->data, state, bytes);
  put_on(wire, peer);
  if (at_once) {
    memset(state, 0xEE, sizeof(state_t));
    done(context);
  } else {
    say_done(self, done, context);
  }
}

void mpit_send(void* state, mpit_channel_t channel, uint32_t peer, const void* head, const mpit_place_t* from,
               mpit_mode_t mode, mpit_done_t done, void* context) {
  enum { OFFERED_FROM = 4000 };
  const bool offered = mode == MPIT_SYNCHRONOUS || (mode == MPIT_PLAIN && from->bytes >= OFFERED_FROM);
  wire_t* wire = wire_new(offered ? OFFER : WHOLE, channel, offered ? 0 : from->bytes, done, context);
  memset(state, 0xEE, sizeof(state_t));
  memcpy(wire->head, head, sizeof wire->head);
  wire->from = *from;
  if (!offered) {
    copy(from, wire->data, from->bytes, true);
    say_done(self, done, context);
  }
  put_on(wire, peer);
}

// ---------------------------------------------------------------------------------------------------------------
// Receiving

static size_t length(const wire_t* wire) {
  return wire->kind == SHORT ? wire->bytes - MPIT_HEAD_BYTES : wire->kind == OFFER ? wire->from.bytes : wire->bytes;
}

static void land(wire_t* wire, const mpit_landing_t* landing) {
  arrival_t* arrival = calloc(1, sizeof *arrival);
  arrival->wire = wire;
  arrival->landing = *landing;
  memset(landing->state, 0xDD, mpit_unexpected_bytes);
  append(&arriving, arrival);
}

static void arrive(arrival_t* arrival) {
  wire_t* wire = arrival->wire;
  const mpit_landing_t* landing = &arrival->landing;
  if (wire->kind == OFFER) {
    uint8_t* bytes = malloc(length(wire) + 1);
    const size_t sent = copy(&wire->from, bytes, length(wire), true);
    copy(&landing->place, bytes, sent, false);
    free(bytes);
    say_done(wire->source, wire->done, wire->context);
  } else {
    copy(&landing->place, wire->kind == SHORT ? wire->data + MPIT_HEAD_BYTES : wire->data, length(wire), false);
  }
  landing->done(landing->context);
  free(wire);
  free(arrival);
}

void mpit_accept(const void* offer, const mpit_landing_t* landing) {
  wire_t* wire;
  memcpy(&wire, offer, sizeof wire);
  land(wire, landing);
  if (!at_once || length(wire) != 0) return;
  arrival_t** last = &arriving;
  while ((*last)->next != NULL) last = &(*last)->next;
  arrival_t* arrival = *last;
  *last = NULL;
  arrive(arrival);
}

static bool fits(const mpit_envelope_t* wanted, const uint8_t* head) {
  mpit_envelope_t envelope;
  memcpy(&envelope, head, sizeof envelope);
  return wanted->context == envelope.context &&
         ((int)wanted->source == MPI_ANY_SOURCE || wanted->source == envelope.source) &&
         (wanted->tag == MPI_ANY_TAG || wanted->tag == envelope.tag);
}

/// Whether the network has a receive for a message, which it takes then.
static bool match(wire_t* wire) {
  for (arrival_t** place = &posted; *place != NULL; place = &(*place)->next) {
    arrival_t* arrival = *place;
    if (!fits(&arrival->wanted, wire->head)) continue;
    *place = arrival->next;
    arrival->next = NULL;
    arrival->wire = wire;
    append(&arriving, arrival);
    mpit_envelope_t envelope;
    memcpy(&envelope, wire->head, sizeof envelope);
    mpii_message_matched(arrival->landing.context, &envelope, length(wire));
    return true;
  }
  return false;
}

static void deliver(wire_t* wire) {
  mpit_landing_t landing;
  const bool message = wire->channel == MPIT_MESSAGES;
  if (wire->kind == DONE) {
    wire->done(wire->context);
    free(wire);
  } else if (message && match(wire)) {
    return;
  } else if (wire->kind == SHORT) {
    if (message) mpii_message_came(wire->data, wire->bytes);
    if (!message) mpii_access_came(wire->source, wire->data, wire->bytes);
    free(wire);
  } else if (!message) {
    mpii_access_begins(wire->source, wire->head, length(wire), &landing);
    land(wire, &landing);
  } else if (wire->kind == WHOLE) {
    mpii_message_begins(wire->head, length(wire), &landing);
    land(wire, &landing);
  } else if (mpii_message_offered(wire->head, length(wire), &wire, &landing)) {
    land(wire, &landing);
  }
}

/// Take the first message that fits out of this rank's inbox, or any if `wanted` is NULL; NULL: there is none.
static wire_t* take_off(const mpit_envelope_t* wanted) {
  ranks_inbox_t* inbox = ranks_inbox(self);
  ranks_lock();
  wire_t** place = &inbox->first;
  while (wanted != NULL && *place != NULL && ((*place)->channel != MPIT_MESSAGES || !fits(wanted, (*place)->head))) {
    place = &(*place)->next;
  }
  wire_t* wire = *place;
  if (wire != NULL) {
    *place = wire->next;
    wire->next = NULL;
    inbox->last = inbox->first;
    while (inbox->last != NULL && inbox->last->next != NULL) inbox->last = inbox->last->next;
  }
  ranks_unlock();
  return wire;
}

bool native_advance(void) {
  enum { TURNS = 16 };  // without a break, where there is enough to do
  static unsigned turns;
  if (++turns % TURNS == 0) ranks_yield();
  if (arriving != NULL) {
    arrival_t* first = arriving;
    arriving = first->next;
    arrive(first);
  } else {
    wire_t* first = take_off(NULL);
    if (first == NULL) {
      ranks_yield();
      return false;
    }
    deliver(first);
  }
  ranks_progress();
  return true;
}

mpit_posted_t mpit_post(const mpit_envelope_t* wanted, const mpit_landing_t* landing) {
  wire_t* wire = take_off(wanted);
  if (wire != NULL) {
    deliver(wire);
    return MPIT_LOOK_AGAIN;
  }
  arrival_t* arrival = calloc(1, sizeof *arrival);
  arrival->landing = *landing;
  arrival->wanted = *wanted;
  append(&posted, arrival);
  return MPIT_POSTED;
}

bool mpit_withdraw(void* state) {
  for (arrival_t** place = &posted; *place != NULL; place = &(*place)->next) {
    arrival_t* arrival = *place;
    if (arrival->landing.state != state) continue;
    *place = arrival->next;
    free(arrival);
    return true;
  }
  return false;
}

// ---------------------------------------------------------------------------------------------------------------
// Other ranks' memory is this process's.

bool mpit_put(void* state, uint32_t peer, uintptr_t to, const mpit_place_t* from, mpit_done_t done, void* context) {
  (void)state, (void)peer;
  copy(from, (uint8_t*)to, from->bytes, true);
  say_done(self, done, context);
  return true;
}

bool mpit_get(void* state, uint32_t peer, uintptr_t from, const mpit_place_t* to, mpit_done_t done, void* context) {
  (void)state, (void)peer;
  copy(to, (uint8_t*)from, to->bytes, false);
  say_done(self, done, context);
  return true;
}

/// Integers of 4 and 8 bytes, whose operations do not depend on their sign.
bool mpit_atomic(void* state, uint32_t peer, uintptr_t at, mpii_basic_t element, MPI_Op op, const void* operand,
                 const void* compare, void* before, mpit_done_t done, void* context) {
  (void)state, (void)peer;
  const bool is_long = element == MPII_INT64 || element == MPII_UINT64;
  if (!is_long && element != MPII_INT32 && element != MPII_UINT32) return false;
  uint64_t value = 0, given = 0;
  const size_t size = is_long ? sizeof(uint64_t) : sizeof(uint32_t);
  memcpy(&value, (const void*)at, size);
  memcpy(&given, operand, size);
  const uint64_t former = value;
  switch (op) {
    case MPI_REPLACE:
      if (compare == NULL || memcmp(&former, compare, size) == 0) value = given;
      break;
    case MPI_NO_OP:
      break;
    case MPI_SUM:
      value += given;
      break;
    case MPI_BAND:
      value &= given;
      break;
    case MPI_BOR:
      value |= given;
      break;
    case MPI_BXOR:
      value ^= given;
      break;
    default:
      return false;
  }
  memcpy((void*)at, &value, size);
  if (before != NULL) memcpy(before, &former, size);
  say_done(self, done, context);
  return true;
}

void mpit_open_accesses(void) {}

// ---------------------------------------------------------------------------------------------------------------
// The job and its ranks, two by two in a mesh.

void mpit_init(void) {
  self = ranks_self();
  native_matches = mpii_variable("MATCHES", 0, 1) != 0;
  native_reaches = mpii_variable("REACHES", 0, 1) != 0;
  at_once = mpii_variable("AT_ONCE", 0, 1) != 0;
}

static uint32_t arrivals(void) {
  ranks_lock();
  const uint32_t count = *ranks_arrivals();
  ranks_unlock();
  return count;
}

void mpit_meet(void) {
  static uint32_t meetings;
  meetings += 1;
  ranks_lock();
  *ranks_arrivals() += 1;
  ranks_unlock();
  while (arrivals() < meetings * ranks_size()) mpit_advance();
}

uint32_t mpit_rank(void) {
  return self;
}

uint32_t mpit_size(void) {
  return ranks_size();
}

void mpit_end_job(int status) {
  fflush(NULL);
  _Exit(status);
}

bool mpit_is_failing(void) {
  return false;
}

double mpit_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double mpit_tick(void) {
  return 1e-9;
}

unsigned mpit_axes(void) {
  return 2;
}

void mpit_place(uint32_t rank, int axes[]) {
  axes[0] = (int)(rank % 2);
  axes[1] = (int)(rank / 2);
}

unsigned mpit_hops(uint32_t from, uint32_t to) {
  return (unsigned)(abs((int)(from % 2) - (int)(to % 2)) + abs((int)(from / 2) - (int)(to / 2)));
}

uint32_t mpit_node(uint32_t rank) {
  return rank;
}

uint32_t mpit_io_set(void) {
  return 0;
}

void mpit_processor_name(char* name) {
  snprintf(name, MPI_MAX_PROCESSOR_NAME, "node (%u,%u,0) core 0", self % 2, self / 2);
}
