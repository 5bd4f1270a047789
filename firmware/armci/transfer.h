// SPDX-License-Identifier: Apache-2.0
/// Puts, gets and accumulates of patches: directly, or packed into requests. With the lock held; pieces that are not
/// complete when the function returns are counted in the completion.
#ifndef TOROID_FIRMWARE_ARMCI_TRANSFER_H
#define TOROID_FIRMWARE_ARMCI_TRANSFER_H

#include "firmware/armci/completion.h"
#include "firmware/armci/patch.h"

// A bottom that does better has its own (firmware/ospri/armci).
#define ARMCII_REPLACEABLE __attribute__((weak))

void armcii_put_patch(uint32_t target, const armcii_patch_t* patch, armcii_completion_t* completion);
/// Behind all that was written to the target before, wherever: for flags.
void armcii_put_last(uint32_t target, const armcii_patch_t* patch, armcii_completion_t* completion);
void armcii_get_patch(uint32_t target, const armcii_patch_t* patch, armcii_completion_t* completion);
/// Whole elements a row; `scale` is copied.
void armcii_acc_patch(uint32_t target, int operation, const void* scale, const armcii_patch_t* patch,
                      armcii_completion_t* completion);

/// Who adds what is accumulated to what is there: the target's library, or this process, which gets the data, adds, and
/// puts the sums, chunk by chunk or, pipelined, a chunk while others are on their way. The same in all processes.
typedef enum { ARMCII_BY_TARGET, ARMCII_BY_SOURCE, ARMCII_PIPELINED } armcii_accumulates_t;
extern armcii_accumulates_t armcii_accumulates;
/// By this process; all is complete when it returns, but for the confirmation of the puts.
void armcii_acc_here(uint32_t target, int operation, const void* scale, const armcii_patch_t* patch);
/// No process but the one that has locked a target's accumulates changes its memory by them.
void armcii_lock_accumulates(uint32_t target);
/// Follows the data of puts that were started before.
void armcii_unlock_accumulates(uint32_t target);

/// Whether segments of a region, of so many bytes, go directly; `several`: there is more than one.
bool armcii_goes_directly(uint32_t target, const armcii_region_t* region, size_t bytes, bool several);

/// One piece of contiguous memory, directly; the caller has seen to the order.
void armcii_put_piece(uint32_t target, const void* local, uintptr_t remote, size_t bytes,
                      armcii_completion_t* completion);
void armcii_get_piece(uint32_t target, void* local, uintptr_t remote, size_t bytes, armcii_completion_t* completion);

/// What a get by request waits with for its data, in a buffer of armcii_buffer_for().
typedef struct armcii_pull {
  armcii_completion_t* completion;
  void (*arrived)(struct armcii_pull* pull, const void* data);
} armcii_pull_t;

/// Send a get's request; waits if there are too many that have not been answered.
void armcii_send_pull(uint32_t target, const void* header, size_t header_bytes, const void* payload, size_t bytes,
                      armcib_done_t done, void* context);

/// Answer one.
void armcii_send_data(uint32_t target, uint64_t cookie, const void* data, size_t bytes, armcib_done_t done,
                      void* context);

#endif
