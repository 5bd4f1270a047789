// SPDX-License-Identifier: Apache-2.0
/// What the core of OSPRI needs of a machine: operations on one process's memory, their completion, and their order.
///
/// All functions are called with the lock held (lock.h) and arguments checked. Operations add what they wait for to the
/// handle; an operation of a handle that is `ordered` first does what the order among blocking calls demands.
#ifndef TOROID_FIRMWARE_OSPRI_DCMF_DEVICE_H
#define TOROID_FIRMWARE_OSPRI_DCMF_DEVICE_H

#include "firmware/ospri/dcmf/scaling.h"
#include "firmware/ospri/dcmf/state.h"
#include "firmware/ospri/dcmf/strided.h"

#ifdef __cplusplus
extern "C" {
#endif

// life.c
void ospri_start(int thread_level);
void ospri_stop(void);

// progress.c
/// A turn of a waiting loop. Other threads may have had the lock meanwhile.
void ospri_progress(void);
void ospri_wait(const ospri_handle_t* handle);

// put.c, get.c
void ospri_put(unsigned target, void* source, void* place, size_t bytes, ospri_handle_t* handle);
/// Always by the network, and without regard to the order.
void ospri_put_remote(unsigned target, void* source, void* place, size_t bytes, ospri_handle_t* handle);
void ospri_get(unsigned target, void* source, void* place, size_t bytes, ospri_handle_t* handle);
void ospri_get_remote(unsigned target, void* source, void* place, size_t bytes, ospri_handle_t* handle);
/// By this processor, in the order among blocking calls, if `target` is this process and so many bytes need no network.
/// Returns whether it has been done.
bool ospri_copy_here(unsigned target, const void* source, void* place, size_t bytes, const ospri_handle_t* handle);

// strided_put.c, strided_get.c
void ospri_put_strided(unsigned target, const ospri_strided_t* strided, ospri_handle_t* handle);
void ospri_get_strided(unsigned target, const ospri_strided_t* strided, ospri_handle_t* handle);

// accumulate.c
void ospri_accumulate(unsigned target, void* source, void* place, size_t bytes, const ospri_scaling_t* scaling,
                      ospri_handle_t* handle);
/// Without regard to the order.
void ospri_accumulate_now(unsigned target, void* source, void* place, size_t bytes, const ospri_scaling_t* scaling,
                          ospri_handle_t* handle);
void ospri_accumulate_strided(unsigned target, const ospri_strided_t* strided, const ospri_scaling_t* scaling,
                              ospri_handle_t* handle);
/// Bitwise exclusive or.
void ospri_combine(unsigned target, void* source, void* place, size_t bytes, ospri_handle_t* handle);

// handoff.c
/// Leaves an operation to the helper thread. `scaling` is NULL for puts and gets.
typedef enum { OSPRI_TASK_PUT, OSPRI_TASK_GET, OSPRI_TASK_ACCUMULATE } ospri_task_kind_t;
bool ospri_hands_off(unsigned target);
void ospri_hand_off(ospri_task_kind_t kind, unsigned target, const ospri_strided_t* strided,
                    const ospri_scaling_t* scaling, ospri_handle_t* handle);
/// Does the first of the operations that have been left to it.
void ospri_run_task(void);

// rmw.c
void ospri_rmw(unsigned target, const void* operand, void* result, void* place, unsigned bytes, unsigned operation,
               unsigned type, ospri_handle_t* handle);

// mutex.c
/// Collective. counts[i]: what process i has; NULL is possible. Returns false if there are mutexes already.
bool ospri_create_mutexes(unsigned count, int* counts);
void ospri_destroy_mutexes(void);
/// *acquired is told when the handle is complete. Waits for the mutex unless `only_try`.
void ospri_lock_mutex(unsigned mutex, unsigned owner, bool only_try, bool* acquired, ospri_handle_t* handle);
bool ospri_is_mutex(int mutex, int owner);
void ospri_unlock_mutex(unsigned mutex, unsigned owner);

// flush.c
void ospri_flush(unsigned target);
void ospri_flush_all(void);
/// Returns memory that the caller owns.
void* ospri_make_confirmations(void);
typedef enum {
  OSPRI_HERE,       ///< this processor does it, in its own memory
  OSPRI_DIRECT,     ///< the network writes the target's memory
  OSPRI_BY_MESSAGE  ///< the target's processor does it
} ospri_way_t;
/// How a strided operation is done.
ospri_way_t ospri_way(ospri_task_kind_t kind, unsigned target, const ospri_strided_t* strided);
/// Does what has to be done before an operation of `handle`, by the order among blocking calls.
void ospri_keep_order(unsigned target, const ospri_handle_t* handle, ospri_way_t way);

// collective.c
void ospri_barrier(void);
/// Collective: all[i * bytes] is what process i gave as `mine`; at most OSPRI_VALUE_BYTES.
void ospri_share(const void* mine, unsigned bytes, void* all);
bool ospri_broadcast(unsigned root, void* buffer, size_t bytes);
/// root -1: all get the result.
bool ospri_reduce(int root, void* in, void* out, unsigned count, DCMF_Dt type, DCMF_Op operation);

#ifdef __cplusplus
}
#endif

#endif
