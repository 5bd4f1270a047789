// SPDX-License-Identifier: Apache-2.0
// Accesses, at their origin: what calls ask for is checked, cut into pieces and sent; replies find their place.
#include <string.h>

#include "firmware/mpi/environment.h"
#include "firmware/mpi/matching.h"
#include "firmware/mpi/op.h"
#include "firmware/mpi/threads.h"
#include "firmware/mpi/win_call.h"

// ---------------------------------------------------------------------------------------------------------------
// What is wrong with it

/// Where the target's buffer is.
static int check_range(mpii_win_t* win, mpii_rma_call_t* access) {
  const mpii_peer_t* peer = &win->peers[access->target];
  const mpii_datatype_t* datatype = access->there.datatype;
  if (win->flavor == MPI_WIN_FLAVOR_DYNAMIC) {  // only the target knows what there is
    access->there.at = (const void*)(uintptr_t)access->displacement;
    return MPI_SUCCESS;
  }
  if (access->displacement < 0) {
    return mpii_fail(win->comm, MPI_ERR_DISP, "the displacement is %ld; it must be 0 or more", access->displacement);
  }
  const int64_t start = (int64_t)access->displacement * peer->unit;
  access->there.at = peer->base + start;
  if (access->there.count == 0 || datatype->size == 0) return MPI_SUCCESS;
  const int64_t last = (int64_t)(access->there.count - 1) * datatype->extent;
  const int64_t low = start + datatype->true_lb + (last < 0 ? last : 0);
  const int64_t high = start + datatype->true_lb + datatype->true_extent + (last > 0 ? last : 0);
  if (low < 0 || high > (int64_t)peer->size) {
    return mpii_fail(win->comm, MPI_ERR_RMA_RANGE,
                     "bytes %lld to %lld of rank %d's part of the window, which has %zu bytes", (long long)low,
                     (long long)high - 1, access->target, peer->size);
  }
  return MPI_SUCCESS;
}

/// `from` is brought to `to`.
static int check_pair(mpii_win_t* win, const mpii_side_t* from, const mpii_side_t* to, bool same) {
  const uint64_t bytes = (uint64_t)from->count * from->datatype->size;
  const uint64_t room = (uint64_t)to->count * to->datatype->size;
  if (bytes > room) {
    return mpii_fail(win->comm, MPI_ERR_TRUNCATE, "%llu bytes are to go where there is room for %llu",
                     (unsigned long long)bytes, (unsigned long long)room);
  }
  const mpii_basic_t basic = from->datatype->basic, other = to->datatype->basic;
  if (bytes != 0 && (same ? basic != other && mpii_basic_size(basic) != mpii_basic_size(other)
                          : mpii_limits()->check_types && !mpii_basics_match(basic, other))) {
    return mpii_fail(win->comm, MPI_ERR_TYPE, "the datatypes at the two sides are of different elements");
  }
  return MPI_SUCCESS;
}

static int check_op(mpii_win_t* win, const mpii_rma_call_t* access) {
  const mpii_datatype_t* datatype = access->there.datatype;
  const mpii_op_t* op = mpii_object(access->op, MPII_OP);
  if (op == NULL || op->predefined == 0) {
    return mpii_fail(win->comm, MPI_ERR_OP, "accumulations take predefined operations only");
  }
  if (access->op == MPI_NO_OP && access->kind == MPII_RMA_ACCUMULATE) {
    return mpii_fail(win->comm, MPI_ERR_OP, "MPI_NO_OP is for MPI_Get_accumulate() and MPI_Fetch_and_op()");
  }
  if (datatype->basic == MPII_MIXED && datatype->size != 0) {
    return mpii_fail(win->comm, MPI_ERR_TYPE, "accumulations take datatypes with elements of one kind only");
  }
  if (access->op != MPI_NO_OP && access->op != MPI_REPLACE && datatype->size != 0 &&
      mpii_combine(access->op, datatype->basic) == NULL) {
    return mpii_fail(win->comm, MPI_ERR_OP, "the operation does not work on elements of this datatype");
  }
  return MPI_SUCCESS;
}

static int check_side(mpii_win_t* win, mpii_side_t* side, const char* which) {
  if (side->at == MPI_IN_PLACE) {
    return mpii_fail(win->comm, MPI_ERR_BUFFER, "MPI_IN_PLACE has no meaning as the %s buffer", which);
  }
  return mpii_check_buffer(win->comm, side->at, side->count, side->handle, &side->datatype);
}

static int check(mpii_win_t* win, mpii_rma_call_t* access) {
  MPII_TRY(mpii_win_check_rank(win, access->target));
  if (mpii_rma_has_origin(access)) MPII_TRY(check_side(win, &access->origin, "origin"));
  if (mpii_rma_has_result(access)) MPII_TRY(check_side(win, &access->result, "result"));
  // No address of this process: anything but a null pointer.
  access->there.at = access;
  MPII_TRY(check_side(win, &access->there, "target"));
  if (access->target == MPI_PROC_NULL) return MPI_SUCCESS;
  MPII_TRY(check_range(win, access));
  const bool same = access->kind == MPII_RMA_ACCUMULATE || access->kind == MPII_RMA_FETCH;
  if (same) MPII_TRY(check_op(win, access));
  if (mpii_rma_has_origin(access)) MPII_TRY(check_pair(win, &access->origin, &access->there, same));
  if (mpii_rma_has_result(access)) {
    // As many bytes come back as go there.
    MPII_TRY(check_pair(win, mpii_rma_has_origin(access) ? &access->origin : &access->there, &access->result, same));
  }
  return MPI_SUCCESS;
}

/// Whether the process may access the target now; waits for what MPI_Win_start() and MPI_Win_lock_all() have left.
static int check_epoch(mpii_win_t* win, const mpii_rma_call_t* access) {
  mpii_peer_t* peer = access->target == MPI_PROC_NULL ? NULL : &win->peers[access->target];
  const bool passive = win->access == MPII_ACCESS_LOCK || win->access == MPII_ACCESS_LOCK_ALL;
  if (access->request != NULL && !passive) {
    return mpii_fail(win->comm, MPI_ERR_RMA_SYNC,
                     "accesses with requests need a lock: MPI_Win_lock() or MPI_Win_lock_all() first");
  }
  if (win->access == MPII_NO_ACCESS) {
    return mpii_fail(win->comm, MPI_ERR_RMA_SYNC,
                     "no epoch has begun; MPI_Win_fence(), MPI_Win_start() or MPI_Win_lock() begins one");
  }
  if (peer == NULL) return MPI_SUCCESS;
  if (win->access == MPII_ACCESS_START) {
    if (!peer->started) {
      return mpii_fail(win->comm, MPI_ERR_RMA_SYNC, "rank %d is not in the group of MPI_Win_start()", access->target);
    }
    if (peer->posted <= 0) {
      mpii_win_say(win, "%s on %s, for MPI_Win_post() of rank %d", access->target);
      while (peer->posted <= 0) mpii_turn();
      mpit_stop_waiting();
    }
  } else if (passive && peer->lock == MPII_UNLOCKED) {
    if (win->access == MPII_ACCESS_LOCK) {
      return mpii_fail(win->comm, MPI_ERR_RMA_SYNC, "rank %d is not locked; MPI_Win_lock() locks it", access->target);
    }
    mpii_win_take_lock(win, access->target, MPI_LOCK_SHARED);
  }
  return MPI_SUCCESS;
}

// ---------------------------------------------------------------------------------------------------------------
// Pieces

/// A piece of a request is done.
static void piece_done(mpii_request_t* request) {
  if (request == NULL) return;
  request->count -= 1;
  if (request->count != 0) return;
  request->complete = 1;
  mpii_request_release(request);
}

void mpii_rma_add_piece(mpii_rma_t* rma, mpii_request_t* request) {
  rma->request = request;
  if (request != NULL) request->count += 1;
}

/// The bytes of a long piece are on their way.
static void long_sent(void* context) {
  mpii_rma_t* rma = context;
  rma->win->peers[rma->rank].unsent -= 1;
  piece_done(rma->request);
  mpii_rma_release(rma);
}

void mpii_rma_replied(mpii_rma_t* rma) {
  rma->win->peers[rma->rank].replies -= 1;
  piece_done(rma->request);
  mpii_rma_release(rma);
}

void mpii_rma_reply(mpii_rma_t* rma, const void* bytes) {
  mpii_walk_scatter(&rma->walk, bytes, rma->bytes);
  mpii_rma_replied(rma);
}

void mpii_rma_reply_arrived(void* context) {
  mpii_rma_t* rma = context;
  if (rma->packed != NULL) mpii_walk_scatter(&rma->walk, rma->packed, rma->bytes);
  mpii_rma_replied(rma);
}

/// The bytes of a piece, which follow their announcement.
static void send_long(mpii_win_t* win, const mpii_rma_call_t* access, mpii_walk_t* from, uint32_t bytes,
                      mpii_request_t* request) {
  mpii_rma_t* rma = mpii_rma_new(win, access->target);
  uint8_t* at;
  rma->bytes = bytes;
  if (mpii_walk_piece(from, &at) >= bytes) {
    mpii_walk_on(from, bytes);
  } else {
    at = rma->packed = mpii_allocate_aligned(bytes);
    mpii_walk_gather(from, at, bytes);
  }
  win->peers[access->target].unsent += 1;
  mpii_rma_add_piece(rma, request);
  mpit_place_t place;
  mpit_contiguous(&place, at, bytes);
  mpii_rma_send(rma, &place, access->kind != MPII_RMA_PUT, false, long_sent);
}

/// Describe the next piece at the target, of at most `bytes` bytes; returns its bytes.
static uint32_t cut(const mpii_rma_call_t* access, mpii_walk_t* there, uint32_t bytes, mpii_rma_head_t* head,
                    mpii_strip_t* strips) {
  const uint32_t strip = (uint32_t)sizeof *strips, grain = access->kind == MPII_RMA_PUT || access->kind == MPII_RMA_GET
                                                               ? 1
                                                               : mpii_basic_size(access->there.datatype->basic);
  // In place at the target, any length; gathered there; in a packet.
  const bool copies = grain == 1 && access->kind <= MPII_RMA_GET;
  const mpii_limit_t straight = {1, bytes, UINT32_MAX, 0, grain};
  const mpii_limit_t put_together = {MPII_RMA_STRIPS, bytes < MPII_RMA_LONG_MAX ? bytes : MPII_RMA_LONG_MAX, UINT32_MAX,
                                     0, grain};
  const mpii_limit_t packet = {MPII_RMA_STRIPS, bytes, MPII_RMA_ROOM, mpii_rma_has_origin(access) ? strip : 0, grain};
  const mpii_limit_t* const ways[] = {copies ? &straight : &put_together, &put_together, &packet};
  const mpii_walk_t start = *there;
  uint32_t count = 0, described = 0;
  for (unsigned way = 0; way < sizeof ways / sizeof *ways; ++way) {
    *there = start;
    described = mpii_walk_describe(there, strips, ways[way], &count);
    head->is_long = ways[way] != &packet;
    if (!head->is_long || described >= MPII_RMA_LONG) break;
  }
  head->strips = (uint8_t)count;
  head->bytes = described;
  return described;
}

static void transfer(mpii_win_t* win, const mpii_rma_call_t* access, mpii_request_t* request) {
  mpii_strip_t strips[MPII_RMA_STRIPS];
  mpii_walk_t from, to, there;
  mpii_peer_t* peer = &win->peers[access->target];
  const mpii_side_t* sent = mpii_rma_has_origin(access) ? &access->origin : &access->there;
  uint32_t left = (uint32_t)((size_t)sent->count * sent->datatype->size);
  if (mpit_reaches() && mpii_rma_by_network(win, access, left, NULL, request)) return;
  if (mpii_rma_has_origin(access))
    mpii_walk_begin(&from, access->origin.at, (uint32_t)access->origin.count, access->origin.datatype);
  if (mpii_rma_has_result(access))
    mpii_walk_begin(&to, access->result.at, (uint32_t)access->result.count, access->result.datatype);
  mpii_walk_begin(&there, access->there.at, (uint32_t)access->there.count, access->there.datatype);
  there.whole = access->kind == MPII_RMA_ACCUMULATE || access->kind == MPII_RMA_FETCH;
  while (left != 0) {
    while (mpii_rma_under_way() >= MPII_RMA_UNDER_WAY_MAX) mpii_turn();
    mpii_rma_head_t head = {
        .kind = (uint8_t)access->kind,
        .op = (uint8_t)(access->op - MPI_OP_NULL),
        .basic = (uint8_t)access->there.datatype->basic,
    };
    const uint32_t bytes = cut(access, &there, left, &head, strips);
    left -= bytes;
    if (mpii_rma_has_result(access)) {
      mpii_rma_t* waiting = mpii_rma_new(win, access->target);
      waiting->walk = to;
      waiting->bytes = bytes;
      head.origin = waiting;
      mpii_walk_skip(&to, bytes);
      peer->replies += 1;
      mpii_rma_add_piece(waiting, request);
    }
    if (!mpii_rma_has_result(access)) peer->dirty = true;
    const bool bytes_follow = mpii_rma_has_origin(access) && !head.is_long;
    mpii_rma_t* packet = mpii_rma_new(win, access->target);
    uint8_t* data = mpii_rma_packet(packet, &head, strips);
    if (bytes_follow) mpii_walk_gather(&from, data, bytes);
    mpii_rma_send_packet(packet, data + (bytes_follow ? bytes : 0));
    if (mpii_rma_has_origin(access) && !bytes_follow) send_long(win, access, &from, bytes, request);
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Calls

/// A request that is complete when its pieces are, one of which is the call itself.
static mpii_request_t* request_new(mpii_win_t* win, const mpii_rma_call_t* access) {
  mpii_request_t* request = mpii_request_new(MPII_ONE_SIDED);
  request->comm = mpii_retain(win->comm);
  request->peer = access->target;
  request->status = (MPI_Status){.MPI_SOURCE = MPI_ANY_SOURCE, .MPI_TAG = MPI_ANY_TAG};
  request->count = 1;
  mpii_retain(request);
  **access->request = mpii_object_open(request, MPII_REQUEST);
  return request;
}

static int begin(const char* function, MPI_Win handle, mpii_rma_call_t* access, mpii_win_t** win) {
  MPII_TRY(mpii_enter_win(function, handle, win));
  if (access->request != NULL) MPII_TRY(mpii_check_given((*win)->comm, *access->request, "request"));
  MPII_TRY(check(*win, access));
  MPII_TRY(check_epoch(*win, access));
  (*win)->accessed = true;
  return MPI_SUCCESS;
}

static int run(const char* function, MPI_Win handle, mpii_rma_call_t* access) {
  mpii_win_t* win;
  MPII_TRY(begin(function, handle, access, &win));
  mpii_request_t* request = access->request != NULL ? request_new(win, access) : NULL;
  if (access->target != MPI_PROC_NULL) transfer(win, access, request);
  piece_done(request);
  return MPI_SUCCESS;
}

static int put(const char* function, mpii_side_t origin, int target, MPI_Aint displacement, mpii_side_t there,
               MPI_Win win, MPI_Request* const* request) {
  mpii_rma_call_t access = {.kind = MPII_RMA_PUT,
                            .op = MPI_OP_NULL,
                            .origin = origin,
                            .target = target,
                            .displacement = displacement,
                            .there = there,
                            .request = request};
  return run(function, win, &access);
}

static int get(const char* function, mpii_side_t result, int target, MPI_Aint displacement, mpii_side_t there,
               MPI_Win win, MPI_Request* const* request) {
  mpii_rma_call_t access = {.kind = MPII_RMA_GET,
                            .op = MPI_OP_NULL,
                            .result = result,
                            .target = target,
                            .displacement = displacement,
                            .there = there,
                            .request = request};
  return run(function, win, &access);
}

static int accumulate(const char* function, mpii_side_t origin, int target, MPI_Aint displacement, mpii_side_t there,
                      MPI_Op op, MPI_Win win, MPI_Request* const* request) {
  mpii_rma_call_t access = {.kind = MPII_RMA_ACCUMULATE,
                            .op = op,
                            .origin = origin,
                            .target = target,
                            .displacement = displacement,
                            .there = there,
                            .request = request};
  return run(function, win, &access);
}

static int fetch(const char* function, mpii_side_t origin, mpii_side_t result, int target, MPI_Aint displacement,
                 mpii_side_t there, MPI_Op op, MPI_Win win, MPI_Request* const* request) {
  mpii_rma_call_t access = {.kind = MPII_RMA_FETCH,
                            .op = op,
                            .origin = origin,
                            .result = result,
                            .target = target,
                            .displacement = displacement,
                            .there = there,
                            .request = request};
  return run(function, win, &access);
}

#define SIDE(buffer, elements, type) ((mpii_side_t){.at = (buffer), .count = (elements), .handle = (type)})

int PMPI_Put(const void* origin, int origin_count, MPI_Datatype origin_type, int target, MPI_Aint target_displacement,
             int target_count, MPI_Datatype target_type, MPI_Win win) {
  return put("MPI_Put", SIDE(origin, origin_count, origin_type), target, target_displacement,
             SIDE(NULL, target_count, target_type), win, NULL);
}
MPII_PUBLIC(Put);

int PMPI_Get(void* origin, int origin_count, MPI_Datatype origin_type, int target, MPI_Aint target_displacement,
             int target_count, MPI_Datatype target_type, MPI_Win win) {
  return get("MPI_Get", SIDE(origin, origin_count, origin_type), target, target_displacement,
             SIDE(NULL, target_count, target_type), win, NULL);
}
MPII_PUBLIC(Get);

int PMPI_Accumulate(const void* origin, int origin_count, MPI_Datatype origin_type, int target,
                    MPI_Aint target_displacement, int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win) {
  return accumulate("MPI_Accumulate", SIDE(origin, origin_count, origin_type), target, target_displacement,
                    SIDE(NULL, target_count, target_type), op, win, NULL);
}
MPII_PUBLIC(Accumulate);

int PMPI_Get_accumulate(const void* origin, int origin_count, MPI_Datatype origin_type, void* result_address,
                        int result_count, MPI_Datatype result_type, int target, MPI_Aint target_displacement,
                        int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win) {
  return fetch("MPI_Get_accumulate", SIDE(origin, origin_count, origin_type),
               SIDE(result_address, result_count, result_type), target, target_displacement,
               SIDE(NULL, target_count, target_type), op, win, NULL);
}
MPII_PUBLIC(Get_accumulate);

int PMPI_Rput(const void* origin, int origin_count, MPI_Datatype origin_type, int target, MPI_Aint target_displacement,
              int target_count, MPI_Datatype target_type, MPI_Win win, MPI_Request* request) {
  return put("MPI_Rput", SIDE(origin, origin_count, origin_type), target, target_displacement,
             SIDE(NULL, target_count, target_type), win, &request);
}
MPII_PUBLIC(Rput);

int PMPI_Rget(void* origin, int origin_count, MPI_Datatype origin_type, int target, MPI_Aint target_displacement,
              int target_count, MPI_Datatype target_type, MPI_Win win, MPI_Request* request) {
  return get("MPI_Rget", SIDE(origin, origin_count, origin_type), target, target_displacement,
             SIDE(NULL, target_count, target_type), win, &request);
}
MPII_PUBLIC(Rget);

int PMPI_Raccumulate(const void* origin, int origin_count, MPI_Datatype origin_type, int target,
                     MPI_Aint target_displacement, int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win,
                     MPI_Request* request) {
  return accumulate("MPI_Raccumulate", SIDE(origin, origin_count, origin_type), target, target_displacement,
                    SIDE(NULL, target_count, target_type), op, win, &request);
}
MPII_PUBLIC(Raccumulate);

int PMPI_Rget_accumulate(const void* origin, int origin_count, MPI_Datatype origin_type, void* result_address,
                         int result_count, MPI_Datatype result_type, int target, MPI_Aint target_displacement,
                         int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win, MPI_Request* request) {
  return fetch("MPI_Rget_accumulate", SIDE(origin, origin_count, origin_type),
               SIDE(result_address, result_count, result_type), target, target_displacement,
               SIDE(NULL, target_count, target_type), op, win, &request);
}
MPII_PUBLIC(Rget_accumulate);

int PMPI_Fetch_and_op(const void* origin, void* result_address, MPI_Datatype datatype, int target,
                      MPI_Aint target_displacement, MPI_Op op, MPI_Win win) {
  return fetch("MPI_Fetch_and_op", SIDE(origin, 1, datatype), SIDE(result_address, 1, datatype), target,
               target_displacement, SIDE(NULL, 1, datatype), op, win, NULL);
}
MPII_PUBLIC(Fetch_and_op);

/// Elements that can be compared and swapped: integers, logical values and bytes.
static bool can_be_swapped(const mpii_datatype_t* datatype) {
  const mpii_basic_t basic = datatype->basic;
  return datatype->elements == 1 && datatype->dense &&
         (basic == MPII_RAW || basic == MPII_CHARACTER || (basic >= MPII_INT8 && basic <= MPII_UINT64) ||
          (basic >= MPII_LOGICAL8 && basic <= MPII_LOGICAL64));
}

int PMPI_Compare_and_swap(const void* origin, const void* compare, void* result_address, MPI_Datatype datatype,
                          int target, MPI_Aint target_displacement, MPI_Win handle) {
  mpii_win_t* win;
  mpii_rma_call_t access = {.kind = MPII_RMA_SWAP,
                            .op = MPI_REPLACE,
                            .origin = SIDE(origin, 1, datatype),
                            .result = SIDE(result_address, 1, datatype),
                            .target = target,
                            .displacement = target_displacement,
                            .there = SIDE(NULL, 1, datatype)};
  MPII_TRY(begin("MPI_Compare_and_swap", handle, &access, &win));
  if (!can_be_swapped(access.there.datatype)) {
    return mpii_fail(win->comm, MPI_ERR_TYPE, "integers, logical values and bytes can be compared and swapped");
  }
  if (compare == NULL) return mpii_fail(win->comm, MPI_ERR_BUFFER, "the value to compare with is a null pointer");
  if (target == MPI_PROC_NULL) return MPI_SUCCESS;
  const uint32_t size = access.there.datatype->size;
  if (mpit_reaches() && mpii_rma_by_network(win, &access, size, compare, NULL)) return MPI_SUCCESS;
  mpii_rma_t* waiting = mpii_rma_new(win, target);
  mpii_walk_begin(&waiting->walk, result_address, 1, access.result.datatype);
  waiting->bytes = size;
  win->peers[target].replies += 1;
  const mpii_strip_t strip = {(uintptr_t)access.there.at, size, 0, 1};
  const mpii_rma_head_t head = {.kind = MPII_RMA_SWAP, .strips = 1, .bytes = size, .origin = waiting};
  mpii_rma_t* packet = mpii_rma_new(win, target);
  uint8_t* data = mpii_rma_packet(packet, &head, &strip);
  memcpy(data, compare, size);
  memcpy(data + size, origin, size);
  mpii_rma_send_packet(packet, data + 2 * size);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Compare_and_swap);
