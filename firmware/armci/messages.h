// SPDX-License-Identifier: Apache-2.0
/// Messages between processes. With the lock held.
#ifndef TOROID_FIRMWARE_ARMCI_MESSAGES_H
#define TOROID_FIRMWARE_ARMCI_MESSAGES_H

#include <stddef.h>
#include <stdint.h>

/// Messages of one channel are not received in another.
typedef enum { ARMCII_PROGRAM, ARMCII_COLLECTIVE } armcii_channel_t;

enum { ARMCII_ANY = -1 };

/// Returns when the buffer may be changed.
void armcii_send(armcii_channel_t channel, int tag, const void* buffer, size_t bytes, uint32_t to);
/// Receives the first message with the tag of a process, or of any; returns its size. `sender` may be NULL.
size_t armcii_receive(armcii_channel_t channel, int tag, void* buffer, size_t bytes, int64_t from, uint32_t* sender);

#endif
