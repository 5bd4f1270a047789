// SPDX-License-Identifier: Apache-2.0
/// The memory that processes have allocated together, and what this process has written there and not yet seen
/// confirmed: which reads and writes have to wait for earlier ones.
///
/// ARMCI keeps operations of a process on one place in their order, and needs no more. So it is enough to wait for
/// those on the same allocated memory (the status cs_mr of A. Vishnu et al., IPDPS 2013, section III-E): in a product
/// of matrices, gets of the factors go ahead of accumulates to the product. ARMCI_CONFLICTS=target keeps one status for
/// all memory of a target (cs_tgt).
#ifndef TOROID_FIRMWARE_ARMCI_REGIONS_H
#define TOROID_FIRMWARE_ARMCI_REGIONS_H

#include "firmware/armci/patch.h"

/// Allocated memory of all processes of a team.
typedef struct armcii_region armcii_region_t;

/// What is in no region, or in more than one: it conflicts with all that is on its way to the target.
#define ARMCII_ANYWHERE ((armcii_region_t*)0)

/// At each start.
void armcii_regions_start(void);

/// Add memory that has been allocated together: of each process its begin and size; without memory, 0 bytes.
typedef struct {
  uint64_t begin, bytes;
} armcii_extent_t;
void armcii_region_add(const armcii_extent_t* extent_of_rank);
/// Forget the region that begins at this address in the own memory, if there is one.
void armcii_region_remove(const void* own_begin);

/// The region of a patch's remote side, or ANYWHERE.
armcii_region_t* armcii_region_of(uint32_t target, const armcii_patch_t* patch);
/// That of segments: the same for all of them, or ANYWHERE.
armcii_region_t* armcii_region_of_list(uint32_t target, void* const* segments, uint32_t count, size_t bytes);

/// How a region of a target is written.
typedef enum { ARMCII_BY_PUT = 1, ARMCII_BY_REQUEST = 2 } armcii_write_t;

/// Note a write; to be called when it has been counted in armcii_targets.
void armcii_region_written(uint32_t target, armcii_region_t* region, armcii_write_t how);
/// Such writes have been confirmed, and armcii_targets says how many: nothing is noted any more when it is all.
void armcii_region_confirmed(uint32_t target, armcii_write_t how);
/// Whether there are such writes of the region that may not be in its memory yet.
bool armcii_region_pending(uint32_t target, const armcii_region_t* region, armcii_write_t how);

#endif
