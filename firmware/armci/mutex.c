// SPDX-License-Identifier: Apache-2.0
// Mutexes: each process keeps its own, with a queue of those who wait.
#include <stdlib.h>

#include "firmware/armci/process.h"
#include "firmware/armci/requests.h"
#include "firmware/armci/team.h"
#include "firmware/armci/transfer.h"

typedef struct waiter {
  struct waiter* next;
  uint32_t process;
  uint64_t cookie;
} waiter_t;

enum { NOBODY = -1 };
typedef struct {
  int64_t owner;
  waiter_t *first, *last;
} mutex_t;
static mutex_t* mutexes;
/// The locks of this process's memory, and of accumulates to it, which are always there.
enum { MEMORY = -1, ACCUMULATES = -2 };
static mutex_t memory_mutex = {.owner = NOBODY}, accumulates_mutex = {.owner = NOBODY};
static int mutex_count;
/// How many each process has; NULL: there are none now.
static int* counts;

static mutex_t* mutex_of(const armcii_word_t* word) {
  if (word->value == MEMORY) return &memory_mutex;
  return word->value == ACCUMULATES ? &accumulates_mutex : &mutexes[word->value];
}

static void grant(uint32_t process, uint64_t cookie) {
  const armcii_word_t word = {.kind = ARMCII_GRANT, .cookie = cookie};
  armcib_request(process, &word, sizeof word, NULL, 0, NULL, NULL);
}

void armcii_handle_lock(uint32_t source, const armcii_word_t* word) {
  mutex_t* const mutex = mutex_of(word);
  if (mutex->owner == NOBODY) {
    mutex->owner = source;
    grant(source, word->cookie);
    return;
  }
  waiter_t* const waiter = armcii_buffer_for(sizeof *waiter);
  *waiter = (waiter_t){.process = source, .cookie = word->cookie};
  if (mutex->first == NULL) {
    mutex->first = waiter;
  } else {
    mutex->last->next = waiter;
  }
  mutex->last = waiter;
}

void armcii_handle_grant(const armcii_word_t* word) {
  *(volatile bool*)(uintptr_t)word->cookie = true;
}

void armcii_handle_unlock(uint32_t source, const armcii_word_t* word) {
  mutex_t* const mutex = mutex_of(word);
  if (mutex->owner != source) {
    armcii_fail("ARMCI_Unlock: process %u unlocks mutex %d, which it does not hold", source, word->value);
  }
  waiter_t* const next = mutex->first;
  if (next == NULL) {
    mutex->owner = NOBODY;
    return;
  }
  mutex->owner = next->process;
  mutex->first = next->next;
  grant(next->process, next->cookie);
  armcii_buffer_free(next);
}

int PARMCI_Create_mutexes(int count) {
  if (count < 0) return FAIL3;
  armcii_enter("ARMCI_Create_mutexes");
  if (counts != NULL) {
    armcib_exit();
    return FAIL8;
  }
  mutexes = count != 0 ? malloc((size_t)count * sizeof *mutexes) : NULL;
  counts = calloc(armcii_size, sizeof *counts);
  if ((count != 0 && mutexes == NULL) || counts == NULL) armcii_fail("there is no memory for %d mutexes", count);
  for (int i = 0; i < count; ++i) mutexes[i] = (mutex_t){.owner = NOBODY};
  mutex_count = count;
  counts[armcii_self] = count;
  // When a process knows the others' numbers, they have their mutexes.
  armcii_team_t all;
  armcii_team_all(&all);
  armcii_reduce_to_all(&all, counts, (int)armcii_size, "+", ARMCI_INT);
  armcib_exit();
  return 0;
}
ARMCII_PUBLIC(Create_mutexes);

int PARMCI_Destroy_mutexes(void) {
  armcii_enter("ARMCI_Destroy_mutexes");
  if (counts == NULL) {
    armcib_exit();
    return FAIL8;
  }
  // No unlock is on its way behind this.
  armcii_fence_all();
  armcii_team_t all;
  armcii_team_all(&all);
  armcii_barrier(&all);
  for (int i = 0; i < mutex_count; ++i) {
    if (mutexes[i].owner != NOBODY) armcii_fail("ARMCI_Destroy_mutexes: mutex %d is locked", i);
  }
  free(mutexes);
  free(counts);
  mutexes = NULL;
  counts = NULL;
  mutex_count = 0;
  armcib_exit();
  return 0;
}
ARMCII_PUBLIC(Destroy_mutexes);

static uint32_t checked(int mutex, int process, const char* function) {
  const uint32_t target = armcii_checked(process, function);
  const int count = counts == NULL ? 0 : counts[target];
  if (mutex < 0 || mutex >= count) {
    armcii_fail("%s: process %d has %d mutexes, and none of number %d", function, process, count, mutex);
  }
  return target;
}

/// Also of the own process, so that it waits in the same queue.
static void lock(int mutex, uint32_t target) {
  volatile bool granted = false;
  const armcii_word_t word = {.kind = ARMCII_LOCK, .value = mutex, .cookie = (uintptr_t)&granted};
  armcib_request(target, &word, sizeof word, NULL, 0, NULL, NULL);
  while (!granted) armcib_advance();
}

static void unlock(int mutex, uint32_t target) {
  const armcii_word_t word = {.kind = ARMCII_UNLOCK, .value = mutex};
  armcii_send_change(target, &word, sizeof word, NULL, 0, NULL, NULL);
}

void PARMCI_Lock(int mutex, int process) {
  armcii_enter("ARMCI_Lock");
  lock(mutex, checked(mutex, process, "ARMCI_Lock"));
  armcib_exit();
}
ARMCII_PUBLIC(Lock);

void PARMCI_Unlock(int mutex, int process) {
  armcii_enter("ARMCI_Unlock");
  unlock(mutex, checked(mutex, process, "ARMCI_Unlock"));
  armcib_exit();
}
ARMCII_PUBLIC(Unlock);

void armcii_lock_accumulates(uint32_t target) {
  lock(ACCUMULATES, target);
}

void armcii_unlock_accumulates(uint32_t target) {
  unlock(ACCUMULATES, target);
}

// ---------------------------------------------------------------------------------------------------------------
// The memory of a process, all of it at a time

static uint32_t locked_process;

void armci_lockmem(void* begin, void* end, int process) {
  (void)begin;
  (void)end;
  armcii_enter("armci_lockmem");
  const uint32_t target = armcii_checked(process, "armci_lockmem");
  lock(MEMORY, target);
  locked_process = target;
  armcib_exit();
}

void armci_unlockmem(void) {
  armcii_enter("armci_unlockmem");
  unlock(MEMORY, locked_process);
  armcib_exit();
}
