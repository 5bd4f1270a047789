// SPDX-License-Identifier: Apache-2.0
// Accesses to other processes' memory: puts and gets by memory regions, which the Messaging Units perform while the
// target's cores do nothing, and PAMI's atomic operations on integers. A put or get needs the target's region. It is
// asked for at the first access; until it is there the library sends messages.
#include <string.h>

#include "firmware/mpi/transport/bgq/bgq.h"

enum { KNOWN = 4 };  // regions of a process that can be written: data, heap with stack, shared memory

/// Another process's regions.
typedef struct {
  bool asked;
  unsigned known;
  mpit_bgq_region_t regions[KNOWN];
} remote_t;

static remote_t** remotes;  ///< by rank; NULL: not accessed yet

static void asked(pami_context_t context, void* cookie, const void* header, size_t header_bytes, const void* data,
                  size_t bytes, pami_endpoint_t origin, pami_recv_t* recv) {
  mpit_bgq_region_t answer = {0};
  uintptr_t address;
  (void)context, (void)cookie, (void)header_bytes, (void)data, (void)bytes, (void)recv;
  memcpy(&address, header, sizeof address);
  const mpit_bgq_region_t* region = mpit_bgq_region(address, 1);
  if (region != NULL) answer = *region;
  mpit_bgq_say(MPIT_BGQ_ANSWER, mpit_bgq_task(origin), &answer, sizeof answer);
}

static void answered(pami_context_t context, void* cookie, const void* header, size_t header_bytes, const void* data,
                     size_t bytes, pami_endpoint_t origin, pami_recv_t* recv) {
  mpit_bgq_region_t answer;
  (void)context, (void)cookie, (void)header_bytes, (void)data, (void)bytes, (void)recv;
  memcpy(&answer, header, sizeof answer);
  remote_t* remote = remotes[mpit_bgq_task(origin)];
  // Where there is none, it is not asked for again: the accesses stay messages.
  remote->asked = answer.bytes == 0 || remote->known + 1 == KNOWN;
  if (answer.bytes != 0) remote->regions[remote->known++] = answer;
}

void mpit_bgq_remote_memory_init(void) {
  const pami_dispatch_hint_t immediate = {.recv_immediate = PAMI_HINT_ENABLE};
  mpit_bgq_dispatch(MPIT_BGQ_ASK, asked, NULL, immediate);
  mpit_bgq_dispatch(MPIT_BGQ_ANSWER, answered, NULL, immediate);
}

void mpit_open_accesses(void) {
  if (remotes == NULL) remotes = mpii_allocate(mpit_size() * sizeof *remotes);
}

/// The region of a process that holds these bytes; NULL: it is not known yet.
static mpit_bgq_region_t* region_of(uint32_t peer, uintptr_t address, size_t bytes) {
  if (remotes[peer] == NULL) remotes[peer] = mpii_allocate(sizeof *remotes[peer]);
  remote_t* remote = remotes[peer];
  for (unsigned i = 0; i < remote->known; ++i) {
    if (mpit_bgq_holds(&remote->regions[i], address, bytes)) return &remote->regions[i];
  }
  if (!remote->asked) {
    remote->asked = true;
    mpit_bgq_say(MPIT_BGQ_ASK, peer, &address, sizeof address);
  }
  return NULL;
}

static void performed(pami_context_t context, void* state, pami_result_t result) {
  const mpit_bgq_access_t* access = state;
  (void)context, (void)result;
  access->done(access->context);
}

/// A copy between a place of this process and an address of the process `peer`. False: by messages.
static bool prepare(void* state, uint32_t peer, uintptr_t there, const mpit_place_t* place, mpit_done_t done,
                    void* context, pami_rma_t* rma, pami_rdma_t* rdma) {
  if (place->count != 1) return false;
  mpit_bgq_region_t* remote = region_of(peer, there, place->bytes);
  mpit_bgq_region_t* local = mpit_bgq_region((uintptr_t)place->address, place->bytes);
  if (remote == NULL || local == NULL) return false;
  mpit_bgq_access_t* access = state;
  access->done = done;
  access->context = context;
  *rma = (pami_rma_t){.dest = mpit_bgq_endpoint(peer), .bytes = place->bytes, .cookie = access};
  *rdma = (pami_rdma_t){.local = mpit_bgq_in(local, (uintptr_t)place->address), .remote = mpit_bgq_in(remote, there)};
  return true;
}

bool mpit_put(void* state, uint32_t peer, uintptr_t to, const mpit_place_t* from, mpit_done_t done, void* context) {
  pami_rput_simple_t parameters = {.put = {.rdone_fn = performed}};
  if (!prepare(state, peer, to, from, done, context, &parameters.rma, &parameters.rdma)) return false;
  mpit_bgq_check(PAMI_Rput(mpit_bgq_context, &parameters), "PAMI_Rput");
  return true;
}

bool mpit_get(void* state, uint32_t peer, uintptr_t from, const mpit_place_t* to, mpit_done_t done, void* context) {
  pami_rget_simple_t parameters;
  if (!prepare(state, peer, from, to, done, context, &parameters.rma, &parameters.rdma)) return false;
  parameters.rma.done_fn = performed;
  mpit_bgq_check(PAMI_Rget(mpit_bgq_context, &parameters), "PAMI_Rget");
  return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Atomic operations

/// PAMI's type of an element; PAMI_TYPE_NULL: it has none that it updates.
static pami_type_t type_of(mpii_basic_t element) {
  switch (element) {
    case MPII_INT32:
      return PAMI_TYPE_SIGNED_INT;
    case MPII_UINT32:
      return PAMI_TYPE_UNSIGNED_INT;
    case MPII_INT64:
      return PAMI_TYPE_SIGNED_LONG_LONG;
    case MPII_UINT64:
      return PAMI_TYPE_UNSIGNED_LONG_LONG;
    default:
      return PAMI_TYPE_NULL;
  }
}

/// PAMI's operation; 0: it has none.
static pami_atomic_t operation_of(MPI_Op op) {
  switch (op) {
    case MPI_REPLACE:
      return PAMI_ATOMIC_SET;
    case MPI_SUM:
      return PAMI_ATOMIC_ADD;
    case MPI_NO_OP:  // with no bits
    case MPI_BOR:
      return PAMI_ATOMIC_OR;
    case MPI_BAND:
      return PAMI_ATOMIC_AND;
    case MPI_BXOR:
      return PAMI_ATOMIC_XOR;
    default:
      return (pami_atomic_t)0;
  }
}

bool mpit_atomic(void* state, uint32_t peer, uintptr_t at, mpii_basic_t element, MPI_Op op, const void* operand,
                 const void* compare, void* before, mpit_done_t done, void* context) {
  const pami_type_t type = type_of(element);
  const pami_atomic_t operation = operation_of(op);
  if (type == PAMI_TYPE_NULL || operation == 0) return false;
  const size_t bytes = mpii_basic_size(element);
  mpit_bgq_access_t* access = state;
  access->done = done;
  access->context = context;
  access->operand = 0;
  if (op != MPI_NO_OP) memcpy(&access->operand, operand, bytes);
  if (compare != NULL) memcpy(&access->compare, compare, bytes);
  pami_rmw_t parameters = {
      .dest = mpit_bgq_endpoint(peer),
      .cookie = access,
      .done_fn = performed,
      // The end of an operation that fetches nothing says nothing of the target.
      .local = before != NULL ? before : &access->before,
      .remote = (void*)at,
      .value = &access->operand,
      .test = compare != NULL ? &access->compare : NULL,
      .operation = (pami_atomic_t)(operation | PAMI_ATOMIC_FETCH | (compare != NULL ? PAMI_ATOMIC_COMPARE : 0)),
      .type = type,
  };
  mpit_bgq_check(PAMI_Rmw(mpit_bgq_context, &parameters), "PAMI_Rmw");
  return true;
}
