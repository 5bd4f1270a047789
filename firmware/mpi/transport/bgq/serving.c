// SPDX-License-Identifier: Apache-2.0
// Serving passive targets while their program is outside MPI: PAMI's asynchronous progress, by a thread on a hardware
// thread that computes nothing. It advances the context while nobody holds the library's lock, which is why a window
// that may be locked gives its process the lock, whatever level of threads the program has. The process keeps it.
//
// The thread may share its hardware thread with one of the program that is in the middle of malloc(), so that what it
// does for MPI is an interrupt's work (interrupted.h).
#include "firmware/mpi/transport/bgq/bgq.h"

typedef void (*async_hook_t)(pami_context_t context, void* cookie);
typedef pami_result_t (*async_register_t)(pami_context_t context, async_hook_t progress, async_hook_t suspend,
                                          async_hook_t resume, void* cookie);
typedef pami_result_t (*async_switch_t)(pami_context_t context, int kind);
enum { ASYNC_ALL = 0 };

static pami_extension_t extension;
static uint32_t users;  ///< calls of mpit_serve_begin() without their mpit_serve_end()

bool mpit_bgq_served(void) {
  return users != 0;
}

static void* function(const char* name) {
  void* const found = PAMI_Extension_symbol(extension, name);
  if (found == NULL) mpii_end("PAMI's asynchronous progress has no function '%s'", name);
  return found;
}

static bool open_extension(void) {
  if (extension != NULL) return true;
  if (PAMI_Extension_open(mpit_bgq_client, "EXT_async_progress", &extension) != PAMI_SUCCESS) return false;
  mpit_bgq_check(((async_register_t)function("register"))(mpit_bgq_context, NULL, NULL, NULL, NULL),
                 "register of EXT_async_progress");
  return true;
}

bool mpit_serve_begin(void) {
  if (users != 0) {
    users += 1;
    return true;
  }
  if (!open_extension()) return false;
  // Whoever called MPI releases the lock at the end of the call, now that there is one.
  const bool first_lock = !mpit_bgq_multiple;
  mpit_bgq_multiple = true;
  if (first_lock) mpit_lock();
  // A process may have no hardware thread left.
  if (((async_switch_t)function("enable"))(mpit_bgq_context, ASYNC_ALL) == PAMI_SUCCESS) {
    users = 1;
    return true;
  }
  if (first_lock) {
    mpit_unlock();
    mpit_bgq_multiple = false;
  }
  return false;
}

void mpit_serve_end(void) {
  users -= 1;
  if (users != 0) return;
  mpit_bgq_check(((async_switch_t)function("disable"))(mpit_bgq_context, ASYNC_ALL), "disable of EXT_async_progress");
}
