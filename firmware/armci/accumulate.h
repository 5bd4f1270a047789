// SPDX-License-Identifier: Apache-2.0
/// dst += scale * src, for the types of ARMCI_ACC_*.
#ifndef TOROID_FIRMWARE_ARMCI_ACCUMULATE_H
#define TOROID_FIRMWARE_ARMCI_ACCUMULATE_H

#include <stddef.h>

/// Bytes of an element; 0: no such operation.
size_t armcii_acc_element(int operation);

/// Whole elements only; addresses need not be aligned.
void armcii_accumulate(int operation, const void* scale, void* to, const void* from, size_t bytes);

#endif
