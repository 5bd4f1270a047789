// SPDX-License-Identifier: Apache-2.0
/// The runtime of a process.
///
/// All of it is guarded by one lock (lock.h). DCMF calls its callbacks while it advances, which only happens with the
/// lock held, so callbacks need no lock of their own; they never advance.
#ifndef TOROID_FIRMWARE_OSPRI_DCMF_STATE_H
#define TOROID_FIRMWARE_OSPRI_DCMF_STATE_H

#include <dcmf.h>
#include <dcmf_globalcollectives.h>
#include <stdbool.h>
#include <stdint.h>

#include "firmware/ospri/dcmf/settings.h"
#include "firmware/ospri/dcmf/wire.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Counts what an operation, or several, still wait for.
typedef struct ospri_handle {
  volatile unsigned pending;
  void (*told)(void* context);  ///< called when nothing is pending any more; NULL: nobody waits so
  void* context;
  bool ordered;  ///< of a blocking call: the order of the settings holds
  bool used;     ///< of those that programs allocate
} ospri_handle_t;

/// DCMF's request of an operation that uses the program's own memory.
typedef struct ospri_request {
  DCMF_Request_t dcmf;
  struct ospri_request* next;
  ospri_handle_t* handle;
  void* result;  ///< of atomic operations: where it goes
} ospri_request_t;

struct ospri_pool;

/// A message of packed blocks.
typedef struct ospri_buffer {
  DCMF_Request_t dcmf;
  struct ospri_buffer* next;
  struct ospri_pool* pool;
  ospri_handle_t* handle;  ///< that waits for it to be sent; NULL: none
  char* data;              ///< aligned to 16 bytes
} ospri_buffer_t;

typedef struct ospri_pool {
  ospri_buffer_t* free;
  unsigned bytes;  ///< of a buffer
} ospri_pool_t;

/// What has been sent to a process since the last flush.
typedef struct {
  uint32_t puts;
  uint32_t sends;  ///< with OSPRI_PACKED_PUTS; in unordered operation those that are not acknowledged
} ospri_target_t;

/// Among the sends there are packed puts: later direct puts would overtake them.
#define OSPRI_PACKED_PUTS 0x80000000u

typedef enum { OSPRI_LOCK_NONE, OSPRI_LOCK_DCMF, OSPRI_LOCK_ATOMIC } ospri_lock_kind_t;

struct ospri_confirmation;
struct ospri_receive;
struct ospri_late_flush;
struct ospri_late_request;
struct ospri_reply;
struct ospri_task;
struct ospri_mutexes;

typedef struct {
  ospri_settings_t settings;
  unsigned initialised;  ///< how often
  unsigned rank, size;
  unsigned node, nodes;
  bool owns_dcmf;  ///< and finalises it

  ospri_lock_kind_t lock_kind;
  uint32_t lock_tickets;  ///< that threads have drawn for the atomic lock
  uint32_t lock_word;     ///< the ticket whose thread has it, or of the next one
  bool several_callers;   ///< threads of the program may call at the same time
  volatile bool stop_helper, helper_runs;

  DCMF_Protocol_t send, packet_send, control, put, get;
  DCMF_Protocol_t barrier, broadcast, allreduce;
  DCMF_Consistency consistency;

  DCMF_Memregion_t region;    ///< all of this process's memory
  DCMF_Memregion_t* regions;  ///< of all processes
  ospri_target_t* targets;
  bool flushing;                             ///< a thread flushes
  unsigned flushes;                          ///< confirmations that it waits for
  struct ospri_confirmation* confirmations;  ///< that are free

  ospri_request_t* free_requests;
  ospri_pool_t put_pool, get_pool, accumulate_pool;
  void* memory[5];  ///< of requests, pools and confirmations

  ospri_handle_t* handles;

  struct ospri_receive *receives, *spare_receives;
  uint32_t receive_number;
  struct ospri_late_flush* late_flushes;
  struct ospri_reply *replies, *last_reply;
  struct ospri_task *tasks, *last_task;
  bool running_task;

  struct ospri_mutexes* mutexes;

  /// A library above, and its requests that have to wait.
  void (*on_request)(unsigned source, const void* header, unsigned header_bytes, const void* data, size_t bytes);
  struct ospri_late_request* late_requests;

  unsigned shares;        ///< values of an exchange that have come
  unsigned char* shared;  ///< those values
} ospri_state_t;

#ifdef OSPRI_SEVERAL_PROCESSES
// Tests run several processes in one; who runs at present is for them to say.
extern ospri_state_t* ospri_instance;
#define ospri (*ospri_instance)
#else
extern ospri_state_t ospri;
#endif

/// Whether `target` is this process and needs no network: its processor does what is to be done.
static inline bool ospri_bypasses(unsigned target) {
  return target == ospri.rank && ospri.settings.bypass;
}

#ifdef __cplusplus
}
#endif

#endif
