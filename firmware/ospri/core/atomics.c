// SPDX-License-Identifier: Apache-2.0
// Read-modify-write, counters and mutexes.
#include <stdlib.h>

#include "firmware/ospri/core/call.h"

static bool bad_rmw(int target, const void* in, const void* out, const void* place, int bytes, A1_atomic_op_t op,
                    A1_datatype_t type) {
  const unsigned element = ospri_type_bytes((int)type);
  return !is_rank(target) || !in || !out || !place || element == 0 || bytes <= 0 || bytes > OSPRI_VALUE_BYTES ||
         (unsigned)bytes % element != 0 || (op != A1_FETCH_AND_ADD && op != A1_SWAP);
}

int A1_Rmw(int target, void* source_ptr_in, void* source_ptr_out, void* target_ptr, int bytes, A1_atomic_op_t op,
           A1_datatype_t a1_type) {
  if (bad_rmw(target, source_ptr_in, source_ptr_out, target_ptr, bytes, op, a1_type)) return A1_ERROR;
  ospri_handle_t handle = ORDERED_HANDLE;
  ospri_enter();
  ospri_keep_order((unsigned)target, &handle, (unsigned)target == ospri.rank ? OSPRI_HERE : OSPRI_BY_MESSAGE);
  ospri_rmw((unsigned)target, source_ptr_in, source_ptr_out, target_ptr, (unsigned)bytes, op, a1_type, &handle);
  return ospri_wait_and_exit(&handle);
}

int A1_NbRmw(int target, void* source_ptr_in, void* source_ptr_out, void* target_ptr, int bytes, A1_atomic_op_t op,
             A1_datatype_t a1_type, A1_handle_t handle) {
  if (bad_rmw(target, source_ptr_in, source_ptr_out, target_ptr, bytes, op, a1_type) || !is_handle(handle)) {
    return A1_ERROR;
  }
  ospri_enter();
  ospri_rmw((unsigned)target, source_ptr_in, source_ptr_out, target_ptr, (unsigned)bytes, op, a1_type, handle);
  ospri_exit();
  return A1_SUCCESS;
}

/// A counter is a word of the last process, and each process's knowledge of where.
typedef struct {
  unsigned owner;
  long* place;
  long value;
} counter_t;

static const A1_datatype_t kLong = sizeof(long) == sizeof(int32_t) ? A1_INT32 : A1_INT64;

int A1_Create_counter(A1_group_t* group, A1_counter_t* counter) {
  if (!is_world(group) || !counter) return A1_ERROR;
  counter_t* const own = calloc(1, sizeof *own);
  long** const places = calloc(ospri.size, sizeof *places);
  if (own && places) {
    ospri_enter();
    long* const mine = &own->value;
    ospri_share(&mine, sizeof mine, places);
    ospri_exit();
    own->owner = ospri.size - 1;
    own->place = places[own->owner];
    *counter = own;
  }
  free(places);
  return own ? A1_SUCCESS : A1_ERROR;
}

int A1_Destroy_counter(A1_group_t* group, A1_counter_t* counter) {
  if (!is_world(group) || !counter || !*counter) return A1_ERROR;
  A1_Barrier_group(group);
  free(*counter);
  *counter = NULL;
  return A1_SUCCESS;
}

int A1_Incr_counter(A1_counter_t counter, long increment, long* original) {
  const counter_t* const own = counter;
  if (!own) return A1_ERROR;
  return A1_Rmw((int)own->owner, &increment, original, own->place, sizeof increment, A1_FETCH_AND_ADD, kLong);
}

int A1_NbIncr_counter(A1_counter_t counter, long* increment, long* original, A1_handle_t handle) {
  const counter_t* const own = counter;
  if (!own) return A1_ERROR;
  return A1_NbRmw((int)own->owner, increment, original, own->place, sizeof *increment, A1_FETCH_AND_ADD, kLong, handle);
}

int A1_Create_mutexes(A1_group_t* group, int mutex_count, int* mutex_count_ar) {
  if (!is_world(group) || mutex_count < 0) return A1_ERROR;
  ospri_enter();
  const bool created = ospri_create_mutexes((unsigned)mutex_count, mutex_count_ar);
  ospri_exit();
  return created ? A1_SUCCESS : A1_ERROR;
}

int A1_Destroy_mutexes(A1_group_t* group) {
  if (!is_world(group)) return A1_ERROR;
  ospri_enter();
  ospri_destroy_mutexes();
  ospri_exit();
  return A1_SUCCESS;
}

static int lock(A1_group_t* group, int mutex, int proc, bool only_try, bool* acquired) {
  if (!is_world(group) || !ospri_is_mutex(mutex, proc)) return A1_ERROR;
  ospri_handle_t handle = ORDERED_HANDLE;
  ospri_enter();
  ospri_lock_mutex((unsigned)mutex, (unsigned)proc, only_try, acquired, &handle);
  return ospri_wait_and_exit(&handle);
}

int A1_Lock_mutex(A1_group_t* group, int mutex, int proc) {
  bool acquired;
  return lock(group, mutex, proc, false, &acquired);
}

int A1_Trylock_mutex(A1_group_t* group, int mutex, int proc, A1_bool_t* acquired) {
  bool got = false;
  if (!acquired || lock(group, mutex, proc, true, &got) != A1_SUCCESS) return A1_ERROR;
  *acquired = got ? A1_TRUE : A1_FALSE;
  return A1_SUCCESS;
}

int A1_Unlock_mutex(A1_group_t* group, int mutex, int proc) {
  if (!is_world(group) || !ospri_is_mutex(mutex, proc)) return A1_ERROR;
  ospri_enter();
  ospri_unlock_mutex((unsigned)mutex, (unsigned)proc);
  ospri_exit();
  return A1_SUCCESS;
}

static bool bad_mutexes(A1_group_t* group, unsigned count, const int* mutexes, const int* procs) {
  if (!is_world(group) || (count > 0 && (!mutexes || !procs))) return true;
  for (unsigned i = 0; i < count; ++i) {
    if (!ospri_is_mutex(mutexes[i], procs[i])) return true;
  }
  return false;
}

int A1_Lock_mutexes(A1_group_t* group, unsigned count, int* mutexes, int* procs) {
  if (bad_mutexes(group, count, mutexes, procs)) return A1_ERROR;
  for (unsigned i = 0; i < count; ++i) A1_Lock_mutex(group, mutexes[i], procs[i]);
  return A1_SUCCESS;
}

int A1_Trylock_mutexes(A1_group_t* group, unsigned count, int* mutexes, int* procs, A1_bool_t** acquired) {
  if (bad_mutexes(group, count, mutexes, procs) || !acquired || (count > 0 && !*acquired)) return A1_ERROR;
  for (unsigned i = 0; i < count; ++i) A1_Trylock_mutex(group, mutexes[i], procs[i], &(*acquired)[i]);
  return A1_SUCCESS;
}

int A1_Unlock_mutexes(A1_group_t* group, unsigned count, int* mutexes, int* procs) {
  if (bad_mutexes(group, count, mutexes, procs)) return A1_ERROR;
  for (unsigned i = 0; i < count; ++i) A1_Unlock_mutex(group, mutexes[i], procs[i]);
  return A1_SUCCESS;
}
