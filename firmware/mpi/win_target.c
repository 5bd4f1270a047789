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
static void combine_pair(bglmpi_combine_t combine, bglmpi_basic_t basic, const uint8_t* bytes, uint8_t* at) {
  uint8_t first[ELEMENT_MAX] __attribute__((aligned(16))) = {0}, second[ELEMENT_MAX] __attribute__((aligned(16))) = {0};
  const uint32_t size = bglmpi_basic_size(basic);
  if (bglmpi_basic_has_gap(basic)) {
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

static void combine(const bglmpi_rma_head_t* head, const uint8_t* bytes, uint8_t* at, uint32_t count) {
  const MPI_Op op = MPI_OP_NULL + head->op;
  const bglmpi_basic_t basic = (bglmpi_basic_t)head->basic;
  if (op == MPI_NO_OP) return;
  const uint32_t size = bglmpi_basic_size(basic);
  if (op == MPI_REPLACE) {
    if (!bglmpi_basic_has_gap(basic)) {
      memcpy(at, bytes, count);
      return;
    }
    memcpy(at, bytes, sizeof(short));
    memcpy(at + sizeof(int), bytes + sizeof(short), sizeof(int));
    return;
  }
  const bglmpi_combine_t function = bglmpi_combine(op, basic);
  const bool pair = basic >= BGLMPI_FLOAT_INT && basic <= BGLMPI_2DOUBLE;
  if (!pair) {
    function(bytes, at, count / size);
    return;
  }
  for (uint32_t done = 0; done < count; done += size) combine_pair(function, basic, bytes + done, at + done);
}

static void fetch(const bglmpi_rma_head_t* head, const uint8_t* at, uint8_t* to, uint32_t count) {
  if (head->kind != BGLMPI_RMA_GET && bglmpi_basic_has_gap((bglmpi_basic_t)head->basic)) {
    memcpy(to, at, sizeof(short));
    memcpy(to + sizeof(short), at + sizeof(int), sizeof(int));
  } else {
    memcpy(to, at, count);
  }
}

void bglmpi_rma_apply(const bglmpi_rma_head_t* head, const bglmpi_strip_t* strips, const uint8_t* bytes,
                      uint8_t* before) {
  for (uint32_t number = 0; number < head->strips; ++number) {
    const bglmpi_strip_t* strip = &strips[number];
    uint8_t* at = (uint8_t*)(uintptr_t)strip->address;
    for (uint32_t i = 0; i < strip->count; ++i, at += strip->stride) {
      if (before != NULL) {
        fetch(head, at, before, strip->bytes);
        before += strip->bytes;
      }
      if (head->kind == BGLMPI_RMA_GET) continue;
      if (head->kind == BGLMPI_RMA_PUT) {
        memcpy(at, bytes, strip->bytes);
      } else if (head->kind == BGLMPI_RMA_SWAP) {
        if (memcmp(at, bytes, strip->bytes) == 0) memcpy(at, bytes + strip->bytes, strip->bytes);
      } else {
        combine(head, bytes, at, strip->bytes);
      }
      if (bytes != NULL) bytes += strip->bytes;
    }
  }
}

/// Origins check what they access, but cannot know what is attached to a dynamic window.
static void check(const bglmpi_win_t* win, const bglmpi_rma_head_t* head, const bglmpi_strip_t* strips) {
  if (win->flavor != MPI_WIN_FLAVOR_DYNAMIC) return;
  for (uint32_t number = 0; number < head->strips; ++number) {
    uint32_t address = strips[number].address;
    for (uint32_t i = 0; i < strips[number].count; ++i, address += (uint32_t)strips[number].stride) {
      if (bglmpi_win_covers(win, address, strips[number].bytes)) continue;
      bglmpi_end("rank %u of %s accesses %u bytes at address 0x%x, which is not in memory attached to it", head->rank,
                 win->comm->name[0] != '\0' ? win->comm->name : "a window without a name", strips[number].bytes,
                 address);
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Answers

static void sent(void* rma) {
  bglmpi_rma_release(rma);
}

/// Send what `head` asks for: from the window as it lies, or, where `bytes` are given, from there.
static void reply_long(bglmpi_rma_t* rma, bool ordered) {
  const bglmpi_strip_t* strip = &rma->strips[0];
  if (rma->packed != NULL) {
    bglmpi_rma_send(rma, rma->packed, NULL, ordered, true, sent);
  } else if (strip->count == 1) {
    bglmpi_rma_send(rma, (const void*)(uintptr_t)strip->address, NULL, ordered, true, sent);
  } else {
    rma->layout = bglml_layout_vector(strip->count, strip->bytes, strip->stride);
    bglmpi_rma_send(rma, (const void*)(uintptr_t)strip->address, &rma->layout, ordered, true, sent);
  }
}

static bglmpi_rma_t* keep(bglmpi_win_t* win, const bglmpi_rma_head_t* head, const bglmpi_strip_t* strips) {
  bglmpi_rma_t* rma = bglmpi_rma_new(win, (int)head->rank);
  rma->head = *head;
  memcpy(rma->strips, strips, head->strips * sizeof *strips);
  rma->bytes = head->bytes;
  return rma;
}

/// What waits until the long messages of a process are there.
static void settle(bglmpi_win_t* win, int rank, bglmpi_rma_kind_t kind) {
  bglmpi_peer_t* peer = &win->peers[rank];
  if (peer->arriving != 0) {
    peer->asks |= 1u << kind;
    return;
  }
  if (kind == BGLMPI_RMA_COMPLETE) {
    peer->complete += 1;
    return;
  }
  if (kind == BGLMPI_RMA_UNLOCK) bglmpi_rma_unlock(win, rank);
  bglmpi_rma_signal(win, rank, BGLMPI_RMA_ANSWER, 0);
}

bglmpi_rma_t* bglmpi_rma_expected(bglmpi_win_t* win, int rank) {
  for (bglmpi_rma_t** place = &win->expected; *place != NULL; place = &(*place)->next) {
    bglmpi_rma_t* rma = *place;
    if (rma->rank != rank) continue;
    *place = rma->next;
    return rma;
  }
  bglmpi_end("bytes from rank %d that it has not announced", rank);
}

static void expect(bglmpi_rma_t* rma) {
  const bool as_they_lie = rma->head.kind == BGLMPI_RMA_PUT && rma->head.strips == 1;
  if (!as_they_lie) rma->packed = bglmpi_allocate_aligned(rma->bytes);
  rma->win->peers[rma->rank].arriving += 1;
  bglmpi_rma_t** place = &rma->win->expected;
  while (*place != NULL) place = &(*place)->next;
  *place = rma;
}

/// All bytes of a long piece have come.
void bglmpi_rma_arrived(void* context) {
  bglmpi_rma_t* rma = context;
  bglmpi_win_t* win = rma->win;
  const int rank = rma->rank;
  if (rma->head.kind == BGLMPI_RMA_FETCH) {
    uint8_t* before = bglmpi_allocate_aligned(rma->bytes);
    bglmpi_rma_apply(&rma->head, rma->strips, rma->packed, before);
    bglmpi_free(rma->packed);
    rma->packed = before;
    reply_long(rma, true);
  } else {
    if (rma->packed != NULL) bglmpi_rma_apply(&rma->head, rma->strips, rma->packed, NULL);
    bglmpi_rma_release(rma);
  }
  bglmpi_peer_t* peer = &win->peers[rank];
  peer->arriving -= 1;
  if (peer->arriving != 0) return;
  for (uint32_t asks = peer->asks; asks != 0; asks &= asks - 1) {
    peer->asks &= ~(asks & -asks);
    settle(win, rank, (bglmpi_rma_kind_t)__builtin_ctz(asks));
  }
}

/// What an access wants to have, in a packet.
static void reply(bglmpi_win_t* win, const bglmpi_rma_head_t* head, const bglmpi_strip_t* strips,
                  const uint8_t* bytes) {
  uint8_t before[BGLML_ONE_PACKET_MAX] __attribute__((aligned(16)));
  bglmpi_rma_apply(head, strips, bytes, before);
  const bglmpi_rma_head_t answer = {.kind = BGLMPI_RMA_REPLY, .origin = head->origin, .bytes = head->bytes};
  bglmpi_rma_packet(bglmpi_rma_new(win, (int)head->rank), &answer, NULL, before, head->bytes);
}

static void serve_long(bglmpi_win_t* win, const bglmpi_rma_head_t* head, const bglmpi_strip_t* strips) {
  bglmpi_rma_t* rma = keep(win, head, strips);
  const bool reads =
      head->kind == BGLMPI_RMA_GET || (head->kind == BGLMPI_RMA_FETCH && MPI_OP_NULL + head->op == MPI_NO_OP);
  if (!reads) {
    expect(rma);
    return;
  }
  if (head->strips != 1 || head->kind == BGLMPI_RMA_FETCH) {
    rma->packed = bglmpi_allocate_aligned(rma->bytes);
    bglmpi_rma_apply(head, strips, NULL, rma->packed);
  }
  reply_long(rma, head->kind == BGLMPI_RMA_FETCH);
}

void bglmpi_rma_serve(bglmpi_win_t* win, const bglmpi_rma_head_t* head, const bglmpi_strip_t* strips,
                      const uint8_t* bytes) {
  const int rank = (int)head->rank;
  bglmpi_peer_t* peer = &win->peers[rank];
  switch ((bglmpi_rma_kind_t)head->kind) {
    case BGLMPI_RMA_PUT:
    case BGLMPI_RMA_ACCUMULATE:
      check(win, head, strips);
      if (head->is_long) {
        serve_long(win, head, strips);
      } else {
        bglmpi_rma_apply(head, strips, bytes, NULL);
      }
      break;
    case BGLMPI_RMA_GET:
    case BGLMPI_RMA_FETCH:
    case BGLMPI_RMA_SWAP:
      check(win, head, strips);
      if (head->is_long) {
        serve_long(win, head, strips);
      } else {
        reply(win, head, strips, bytes);
      }
      break;
    case BGLMPI_RMA_REPLY:
      bglmpi_rma_reply(head->origin, bytes);
      break;
    case BGLMPI_RMA_LOCK:
      bglmpi_rma_lock(win, rank, head->op);
      break;
    case BGLMPI_RMA_GRANT:
      peer->unlocked = 0;
      break;
    case BGLMPI_RMA_UNLOCK:
    case BGLMPI_RMA_FLUSH:
    case BGLMPI_RMA_COMPLETE:
      settle(win, rank, (bglmpi_rma_kind_t)head->kind);
      break;
    case BGLMPI_RMA_ANSWER:
      peer->answers -= 1;
      break;
    case BGLMPI_RMA_POST:
      peer->posted += 1;
      break;
  }
}
