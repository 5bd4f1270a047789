// SPDX-License-Identifier: Apache-2.0
// Mutexes: each belongs to a process, which keeps those who wait for it in a queue.
#include <stdlib.h>

#include "firmware/ospri/dcmf/device.h"
#include "firmware/ospri/dcmf/fatal.h"
#include "firmware/ospri/dcmf/memory.h"
#include "firmware/ospri/dcmf/receive.h"
#include "firmware/ospri/dcmf/send.h"

typedef struct waiter {
  struct waiter* next;
  unsigned rank;
  void* origin;
} waiter_t;

typedef struct {
  bool held;
  waiter_t *first, *last;
} mutex_t;

typedef struct ospri_mutexes {
  int* counts;  ///< of each process
  mutex_t* own;
} mutexes_t;

bool ospri_create_mutexes(unsigned count, int* counts) {
  if (ospri.mutexes) return false;
  mutexes_t* const mutexes = ospri_allocate(sizeof *mutexes);
  mutexes->counts = ospri_allocate(ospri.size * sizeof *mutexes->counts);
  mutexes->own = ospri_allocate(count * sizeof *mutexes->own);
  ospri.mutexes = mutexes;
  const int own = (int)count;
  ospri_share(&own, sizeof own, mutexes->counts);
  for (unsigned i = 0; counts && i < ospri.size; ++i) counts[i] = mutexes->counts[i];
  return true;
}

void ospri_destroy_mutexes(void) {
  mutexes_t* const mutexes = ospri.mutexes;
  if (!mutexes) return;
  ospri_barrier();
  ospri.mutexes = NULL;
  free(mutexes->counts);
  free(mutexes->own);
  free(mutexes);
}

bool ospri_is_mutex(int mutex, int owner) {
  return ospri.mutexes && owner >= 0 && (unsigned)owner < ospri.size && mutex >= 0 &&
         mutex < ospri.mutexes->counts[owner];
}

/// Tells an asker, which may be this process, whether it has the mutex.
static void answer(unsigned asker, void* origin, bool acquired) {
  if (asker == ospri.rank) {
    ospri_head_t head = {.number = acquired, .origin = origin};
    ospri_receive_locked(&head);
  } else {
    ospri_send_control(asker, OSPRI_LOCKED, acquired, origin);
  }
}

void ospri_receive_lock(unsigned asker, const ospri_head_t* head) {
  mutex_t* const mutex = &ospri.mutexes->own[head->number];
  if (!mutex->held) {
    mutex->held = true;
    answer(asker, head->origin, true);
  } else if (head->kind == OSPRI_TRY_LOCK) {
    answer(asker, head->origin, false);
  } else {
    waiter_t* const waiter = ospri_take_memory(sizeof *waiter);
    *waiter = (waiter_t){NULL, asker, head->origin};
    *(mutex->first ? &mutex->last->next : &mutex->first) = waiter;
    mutex->last = waiter;
  }
}

void ospri_receive_unlock(const ospri_head_t* head) {
  mutex_t* const mutex = &ospri.mutexes->own[head->number];
  waiter_t* const next = mutex->first;
  if (!next) {
    mutex->held = false;
    return;
  }
  mutex->first = next->next;
  answer(next->rank, next->origin, true);
  ospri_give_memory(next);
}

void ospri_receive_locked(const ospri_head_t* head) {
  ospri_request_t* const request = head->origin;
  *(bool*)request->result = head->number != 0;
  ospri_handle_t* const handle = request->handle;
  ospri_give_request(request);
  ospri_piece_done(handle);
}

void ospri_lock_mutex(unsigned mutex, unsigned owner, bool only_try, bool* acquired, ospri_handle_t* handle) {
  ospri_request_t* const request = ospri_take_request(handle);
  request->result = acquired;
  ospri_head_t head = {.kind = only_try ? OSPRI_TRY_LOCK : OSPRI_LOCK, .number = mutex, .origin = request};
  if (owner == ospri.rank) {
    ospri_receive_lock(owner, &head);
  } else {
    ospri_send_head(owner, &head, 0);
  }
}

void ospri_unlock_mutex(unsigned mutex, unsigned owner) {
  ospri_head_t head = {.kind = OSPRI_UNLOCK, .number = mutex};
  if (owner == ospri.rank) {
    ospri_receive_unlock(&head);
  } else {
    ospri_send_head(owner, &head, 0);
  }
}
