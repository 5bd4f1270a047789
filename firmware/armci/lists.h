// SPDX-License-Identifier: Apache-2.0
/// Operations on lists of segments, as transfer.h for patches.
#ifndef TOROID_FIRMWARE_ARMCI_LISTS_H
#define TOROID_FIRMWARE_ARMCI_LISTS_H

#include "firmware/armci/completion.h"

/// Segments of one size.
typedef struct {
  void* const* local;
  void* const* remote;
  uint32_t count;
  size_t bytes;
} armcii_list_t;

void armcii_put_list(uint32_t target, const armcii_list_t* list, armcii_completion_t* completion);
void armcii_get_list(uint32_t target, const armcii_list_t* list, armcii_completion_t* completion);
void armcii_acc_list(uint32_t target, int operation, const void* scale, const armcii_list_t* list,
                     armcii_completion_t* completion);

#endif
