// SPDX-License-Identifier: Apache-2.0
// Accesses to other processes' memory: puts with acknowledgement, and gets. The DMA performs them, the target's cores
// do nothing. Each needs the target's memory region, which is asked for at the first access; until it is there the
// library sends messages. Atomic operations are for messages, as the DMA has none.
#include <string.h>

#include "firmware/mpi/transport/bgp/bgp.h"

typedef enum { UNKNOWN, ASKED, KNOWN } state_t;

typedef struct {
  state_t state;
  DCMF_Memregion_t memory;
} remote_t;

/// What a control message says: a question, or its answer.
typedef struct {
  uint32_t answers;
  DCMF_Memregion_t memory;
} word_t;
_Static_assert(sizeof(word_t) <= sizeof(DCMF_Control_t), "travels in a control message");

static DCMF_Protocol_t port, put_port, get_port;
static remote_t* remotes;  ///< by rank

static void say(uint32_t peer, bool answers) {
  DCMF_Control_t control = {{0}};
  word_t* word = (word_t*)control;
  word->answers = answers;
  memcpy(word->memory, mpit_bgp_memory, sizeof word->memory);
  mpit_bgp_check(DCMF_Control(&port, DCMF_MATCH_CONSISTENCY, peer, &control), "DCMF_Control");
}

static void heard(void* context, const DCMF_Control_t* control, size_t peer) {
  const word_t* word = (const word_t*)control;
  (void)context;
  if (word->answers) {
    memcpy(remotes[peer].memory, word->memory, sizeof word->memory);
    remotes[peer].state = KNOWN;
  } else {
    say((uint32_t)peer, true);
  }
}

void mpit_bgp_remote_memory_init(void) {
  DCMF_Control_Configuration_t control = {DCMF_DEFAULT_CONTROL_PROTOCOL, DCMF_DEFAULT_NETWORK, heard, NULL};
  DCMF_Put_Configuration_t put = {DCMF_DEFAULT_PUT_PROTOCOL, DCMF_DEFAULT_NETWORK};
  DCMF_Get_Configuration_t get = {DCMF_DEFAULT_GET_PROTOCOL, DCMF_DEFAULT_NETWORK};
  mpit_bgp_check(DCMF_Control_register(&port, &control), "DCMF_Control_register");
  mpit_bgp_check(DCMF_Put_register(&put_port, &put), "DCMF_Put_register");
  mpit_bgp_check(DCMF_Get_register(&get_port, &get), "DCMF_Get_register");
}

void mpit_open_accesses(void) {
  if (remotes == NULL) remotes = mpii_allocate(mpit_size() * sizeof *remotes);
}

/// The memory region of a process; NULL: it is not known yet.
static DCMF_Memregion_t* memory_of(uint32_t peer) {
  remote_t* remote = &remotes[peer];
  if (remote->state == KNOWN) return &remote->memory;
  if (remote->state == UNKNOWN) {
    remote->state = ASKED;
    say(peer, false);
  }
  return NULL;
}

static void performed(void* state, DCMF_Error_t* error) {
  const mpit_bgp_access_t* access = state;
  (void)error;
  access->done(access->context);
}

/// An access to the process, prepared in `state`; NULL: not by me.
static mpit_bgp_access_t* prepare(void* state, DCMF_Memregion_t* there, const mpit_place_t* place, mpit_done_t done,
                                  void* context) {
  if (there == NULL || place->count != 1) return NULL;
  mpit_bgp_access_t* access = state;
  access->done = done;
  access->context = context;
  return access;
}

bool mpit_put(void* state, uint32_t peer, uintptr_t to, const mpit_place_t* from, mpit_done_t done, void* context) {
  DCMF_Memregion_t* there = memory_of(peer);
  mpit_bgp_access_t* access = prepare(state, there, from, done, context);
  if (access == NULL) return false;
  mpit_bgp_check(
      DCMF_Put(&put_port, &access->request, (DCMF_Callback_t){NULL, NULL}, DCMF_RELAXED_CONSISTENCY, peer, from->bytes,
               &mpit_bgp_memory, there, (uintptr_t)from->address, to, (DCMF_Callback_t){performed, access}),
      "DCMF_Put");
  return true;
}

bool mpit_get(void* state, uint32_t peer, uintptr_t from, const mpit_place_t* to, mpit_done_t done, void* context) {
  DCMF_Memregion_t* there = memory_of(peer);
  mpit_bgp_access_t* access = prepare(state, there, to, done, context);
  if (access == NULL) return false;
  mpit_bgp_check(DCMF_Get(&get_port, &access->request, (DCMF_Callback_t){performed, access}, DCMF_RELAXED_CONSISTENCY,
                          peer, to->bytes, there, &mpit_bgp_memory, from, (uintptr_t)to->address),
                 "DCMF_Get");
  return true;
}

bool mpit_atomic(void* state, uint32_t peer, uintptr_t at, mpii_basic_t element, MPI_Op op, const void* operand,
                 const void* compare, void* before, mpit_done_t done, void* context) {
  (void)state, (void)peer, (void)at, (void)element, (void)op, (void)operand;
  (void)compare, (void)before, (void)done, (void)context;
  return false;
}
