// SPDX-License-Identifier: Apache-2.0
/// This process, what it has on its way to each other process, and waiting. For the library's own files.
#ifndef TOROID_FIRMWARE_ARMCI_PROCESS_H
#define TOROID_FIRMWARE_ARMCI_PROCESS_H

#include "firmware/armci/bottom.h"
#include "firmware/armci/include/parmci.h"
#include "firmware/armci/regions.h"

/// A public function is PARMCI_name(); programs call ARMCI_name(), which a profiling library may define instead.
#define ARMCII_PUBLIC(name) extern __typeof__(PARMCI_##name) ARMCI_##name __attribute__((weak, alias("PARMCI_" #name)))

/// What an operation counts down when its pieces complete. One that begins holds a count of its own until all of its
/// pieces have been started.
typedef struct armcii_completion {
  uint32_t pending;
  uint32_t generation;  ///< of a handle's: how many operations it has seen to their end, which makes old handles void
  int target;           ///< of a handle's: the only target, or -1
  bool of_handle;
  uint32_t number;  ///< of a handle's
  struct armcii_completion* next_free;
} armcii_completion_t;

/// What this process has on its way to a process. Counts only grow; what is not confirmed may not be there yet.
typedef struct {
  armcii_completion_t implicit;  ///< of non-blocking operations without a handle
  uint32_t puts, puts_asked, puts_confirmed;
  uint32_t requests, requests_asked, requests_confirmed;  ///< requests that change the target's memory
  uint32_t notified;                                      ///< notifications to it,
  uint32_t notifications, awaited;                        ///< by it, and how many of them have been waited for
  bool listed;                                            ///< in armcii_active
} armcii_target_t;

extern uint32_t armcii_self, armcii_size;
extern armcii_target_t* armcii_targets;
/// The processes with which there have been operations.
extern uint32_t *armcii_active, armcii_active_count;

/// Bytes of a segment from which a strided operation, or one by a list, goes directly and not packed into requests.
extern size_t armcii_pack_below;
/// Requests are carried out while the target is outside ARMCI.
extern bool armcii_served;

/// FAIL2 unless it is the rank of a process.
static inline int armcii_check(int process) {
  return (uint32_t)process < armcii_size ? 0 : FAIL2;
}
/// The same for functions that cannot return an error: ends the job.
uint32_t armcii_checked(int process, const char* function);

/// Take the lock, if the library is running; otherwise end the job with an error that names the function.
void armcii_enter(const char* function);

armcii_target_t* armcii_target(uint32_t target);

// Order. --------------------------------------------------------------------------------------------------------------

/// To be called before a direct put to a region, or get from it: wait for earlier operations that it could overtake.
void armcii_order_put(uint32_t target, const armcii_region_t* region);
void armcii_order_get(uint32_t target, const armcii_region_t* region);

/// What this process has done, for ARMCI_STATISTICS.
typedef struct {
  int puts, gets;  ///< pieces that went directly
  int requests;    ///< that change a target's memory
  int waits;       ///< for earlier writes that a direct operation could have overtaken
  int follows;     ///< operations that became requests to follow them
} armcii_statistics_t;
extern armcii_statistics_t armcii_statistics;

/// Send a request that changes the target's memory. Advances; waits if too many are not confirmed.
void armcii_send_change(uint32_t target, const void* header, size_t header_bytes, const void* payload, size_t bytes,
                        armcib_done_t done, void* context);

/// Wait until all earlier operations on the target's memory have taken effect.
void armcii_fence(uint32_t target);
void armcii_fence_all(void);

#endif
