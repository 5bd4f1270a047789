// SPDX-License-Identifier: Apache-2.0
// What a target does for an origin. Called inside the message layer's callbacks only, one after the other: that makes
// accumulations atomic.
#include <string.h>

#include "firmware/mpi/op.h"
#include "firmware/mpi/win_rma.h"

// ---------------------------------------------------------------------------------------------------------------
// Memory

enum { ELEMENT_MAX = 32 };  // bytes: a complex number of long doubles

/// One element, whose C structure may be longer than its bytes, or have a gap.
static void combine_pair(mpii_combine_t combine, mpii_basic_t basic, const uint8_t* bytes, uint8_t* at) {
  uint8_t first[ELEMENT_MAX] __attribute__((aligned(16))) = {0}, second[ELEMENT_MAX] __attribute__((aligned(16))) = {0};
  const uint32_t size = mpii_basic_size(basic);
  if (mpii_basic_has_gap(basic)) {
    memcpy(first, bytes, sizeof(short));
    memcpy(first + sizeof(int), bytes + sizeof(short), sizeof(int));
    memcpy(second, at, sizeof(short));
    memcpy(second + sizeof(int), at + sizeof(int), sizeof(int));
    combine(first, second, 1);
    memcpy(at, second, sizeof(short));
    memcpy(at + sizeof(int), second + sizeof(int), sizeof(int));
    return;
  }
  memcpy(first, bytes, size);
  memcpy(second, at, size);
  combine(first, second, 1);
  memcpy(at, second, size);
}

static void combine(const mpii_rma_head_t* head, const uint8_t* bytes, uint8_t* at, uint32_t count) {
  const MPI_Op op = MPI_OP_NULL + head->op;
  const mpii_basic_t basic = (mpii_basic_t)head->basic;
  if (op == MPI_NO_OP) return;
  const uint32_t size = mpii_basic_size(basic);
  if (op == MPI_REPLACE) {
    if (!mpii_basic_has_gap(basic)) {
      memcpy(at, bytes, count);
      return;
    }
    memcpy(at, bytes, sizeof(short));
    memcpy(at + sizeof(int), bytes + sizeof(short), sizeof(int));
    return;
  }
  const mpii_combine_t function = mpii_combine(op, basic);
  const bool pair = basic >= MPII_FLOAT_INT && basic <= MPII_2DOUBLE;
  if (!pair) {
    function(bytes, at, count / size);
    return;
  }
  for (uint32_t done = 0; done < count; done += size) combine_pair(function, basic, bytes + done, at + done);
}

static void fetch(const mpii_rma_head_t* head, const uint8_t* at, uint8_t* to, uint32_t count) {
  if (head->kind != MPII_RMA_GET && mpii_basic_has_gap((mpii_basic_t)head->basic)) {
    memcpy(to, at, sizeof(short));
    memcpy(to + sizeof(short), at + sizeof(int), sizeof(int));
  } else {
    memcpy(to, at, count);
  }
}

void mpii_rma_apply(const mpii_rma_head_t* head, const mpii_strip_t* strips, const uint8_t* bytes, uint8_t* before) {
  for (uint32_t number = 0; number < head->strips; ++number) {
    const mpii_strip_t* strip = &strips[number];
    uint8_t* at = (uint8_t*)strip->address;
    for (uint32_t i = 0; i < strip->count; ++i, at += strip->stride) {
      if (before != NULL) {
        fetch(head, at, before, strip->bytes);
        before += strip->bytes;
      }
      if (head->kind == MPII_RMA_GET) continue;
      if (head->kind == MPII_RMA_PUT) {
        memcpy(at, bytes, strip->bytes);
      } else if (head->kind == MPII_RMA_SWAP) {
        if (memcmp(at, bytes, strip->bytes) == 0) memcpy(at, bytes + strip->bytes, strip->bytes);
      } else {
        combine(head, bytes, at, strip->bytes);
      }
      if (bytes != NULL) bytes += strip->bytes;
    }
  }
}

/// Origins check what they access, but cannot know what is attached to a dynamic window.
static void check(const mpii_win_t* win, const mpii_rma_head_t* head, const mpii_strip_t* strips) {
  if (win->flavor != MPI_WIN_FLAVOR_DYNAMIC) return;
  for (uint32_t number = 0; number < head->strips; ++number) {
    uintptr_t address = strips[number].address;
    for (uint32_t i = 0; i < strips[number].count; ++i, address += (uintptr_t)strips[number].stride) {
      if (mpii_win_covers(win, address, strips[number].bytes)) continue;
      mpii_end("rank %u of %s accesses %u bytes at address 0x%lx, which is not in memory attached to it", head->rank,
               win->comm->name[0] != '\0' ? win->comm->name : "a window without a name", strips[number].bytes,
               (unsigned long)address);
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Answers

static void sent(void* rma) {
  mpii_rma_release(rma);
}

/// Send what `head` requests: directly from the window or, if they were copied, from `packed`.
static void reply_long(mpii_rma_t* rma, bool ordered) {
  mpit_place_t from;
  if (rma->packed != NULL) {
    mpit_contiguous(&from, rma->packed, rma->bytes);
  } else {
    mpii_strip_place(&rma->strips[0], &from);
  }
  mpii_rma_send(rma, &from, ordered, true, sent);
}

static mpii_rma_t* keep(mpii_win_t* win, const mpii_rma_head_t* head, const mpii_strip_t* strips) {
  mpii_rma_t* rma = mpii_rma_new(win, (int)head->rank);
  rma->head = *head;
  memcpy(rma->strips, strips, head->strips * sizeof *strips);
  rma->bytes = head->bytes;
  return rma;
}

/// What waits until the long messages of a process are there.
static void settle(mpii_win_t* win, int rank, mpii_rma_kind_t kind) {
  mpii_peer_t* peer = &win->peers[rank];
  if (peer->arriving != 0) {
    peer->asks |= 1u << kind;
    return;
  }
  if (kind == MPII_RMA_COMPLETE) {
    peer->complete += 1;
    return;
  }
  if (kind == MPII_RMA_UNLOCK) mpii_rma_unlock(win, rank);
  mpii_rma_signal(win, rank, MPII_RMA_ANSWER, 0);
}

mpii_rma_t* mpii_rma_expected(mpii_win_t* win, int rank) {
  for (mpii_rma_t** place = &win->expected; *place != NULL; place = &(*place)->next) {
    mpii_rma_t* rma = *place;
    if (rma->rank != rank) continue;
    *place = rma->next;
    return rma;
  }
  mpii_end("bytes from rank %d that it has not announced", rank);
}

static void expect(mpii_rma_t* rma) {
  const bool as_they_lie = rma->head.kind == MPII_RMA_PUT && rma->head.strips == 1;
  if (!as_they_lie) rma->packed = mpii_allocate_aligned(rma->bytes);
  rma->win->peers[rma->rank].arriving += 1;
  mpii_rma_t** place = &rma->win->expected;
  while (*place != NULL) place = &(*place)->next;
  *place = rma;
}

/// All bytes of a long piece have come.
void mpii_rma_arrived(void* context) {
  mpii_rma_t* rma = context;
  mpii_win_t* win = rma->win;
  const int rank = rma->rank;
  if (rma->head.kind == MPII_RMA_FETCH) {
    uint8_t* before = mpii_allocate_aligned(rma->bytes);
    mpii_rma_apply(&rma->head, rma->strips, rma->packed, before);
    mpii_free(rma->packed);
    rma->packed = before;
    reply_long(rma, true);
  } else {
    if (rma->packed != NULL) mpii_rma_apply(&rma->head, rma->strips, rma->packed, NULL);
    mpii_rma_release(rma);
  }
  mpii_peer_t* peer = &win->peers[rank];
  peer->arriving -= 1;
  if (peer->arriving != 0) return;
  for (uint32_t asks = peer->asks; asks != 0; asks &= asks - 1) {
    peer->asks &= ~(asks & -asks);
    settle(win, rank, (mpii_rma_kind_t)__builtin_ctz(asks));
  }
}

/// What an access wants to have, in a packet.
static void reply(mpii_win_t* win, const mpii_rma_head_t* head, const mpii_strip_t* strips, const uint8_t* bytes) {
  const mpii_rma_head_t answer = {.kind = MPII_RMA_REPLY, .origin = head->origin, .bytes = head->bytes};
  mpii_rma_t* packet = mpii_rma_new(win, (int)head->rank);
  uint8_t* before = mpii_rma_packet(packet, &answer, NULL);
  mpii_rma_apply(head, strips, bytes, before);
  mpii_rma_send_packet(packet, before + head->bytes);
}

static void serve_long(mpii_win_t* win, const mpii_rma_head_t* head, const mpii_strip_t* strips) {
  mpii_rma_t* rma = keep(win, head, strips);
  const bool reads =
      head->kind == MPII_RMA_GET || (head->kind == MPII_RMA_FETCH && MPI_OP_NULL + head->op == MPI_NO_OP);
  if (!reads) {
    expect(rma);
    return;
  }
  if (head->strips != 1 || head->kind == MPII_RMA_FETCH) {
    rma->packed = mpii_allocate_aligned(rma->bytes);
    mpii_rma_apply(head, strips, NULL, rma->packed);
  }
  reply_long(rma, head->kind == MPII_RMA_FETCH);
}

void mpii_rma_serve(mpii_win_t* win, const mpii_rma_head_t* head, const mpii_strip_t* strips, const uint8_t* bytes) {
  const int rank = (int)head->rank;
  mpii_peer_t* peer = &win->peers[rank];
  switch ((mpii_rma_kind_t)head->kind) {
    case MPII_RMA_PUT:
    case MPII_RMA_ACCUMULATE:
      check(win, head, strips);
      if (head->is_long) {
        serve_long(win, head, strips);
      } else {
        mpii_rma_apply(head, strips, bytes, NULL);
      }
      break;
    case MPII_RMA_GET:
    case MPII_RMA_FETCH:
    case MPII_RMA_SWAP:
      check(win, head, strips);
      if (head->is_long) {
        serve_long(win, head, strips);
      } else {
        reply(win, head, strips, bytes);
      }
      break;
    case MPII_RMA_REPLY:
      mpii_rma_reply(head->origin, bytes);
      break;
    case MPII_RMA_LOCK:
      mpii_rma_lock(win, rank, head->op);
      break;
    case MPII_RMA_GRANT:
      peer->unlocked = 0;
      break;
    case MPII_RMA_UNLOCK:
    case MPII_RMA_FLUSH:
    case MPII_RMA_COMPLETE:
      settle(win, rank, (mpii_rma_kind_t)head->kind);
      break;
    case MPII_RMA_ANSWER:
      peer->answers -= 1;
      break;
    case MPII_RMA_POST:
      peer->posted += 1;
      break;
  }
}
