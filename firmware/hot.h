// SPDX-License-Identifier: Apache-2.0
/// Where code lies in memory.
#ifndef TOROID_FIRMWARE_HOT_H
#define TOROID_FIRMWARE_HOT_H

/// Before the definition of a function that most messages pass: the linker puts these beside each other, in this order,
/// so that no message's way is spread over more memory than a small first-level cache of instructions holds
/// (docs/decisions/0059-functions-of-messages-lie-together.md).
#define HOT_OF_PUTS __attribute__((section(".text.sorted.1_puts")))
#define HOT_OF_GETS __attribute__((section(".text.sorted.2_gets")))
#define HOT_OF_RMA __attribute__((section(".text.sorted.3_rma")))  ///< of both
#define HOT __attribute__((section(".text.sorted.4_all")))
#define HOT_OF_SENDS __attribute__((section(".text.sorted.5_sends")))              ///< active messages
#define HOT_OF_ACCUMULATES __attribute__((section(".text.sorted.6_accumulates")))  ///< and patches, and fences
#define HOT_OF_COLLECTIVES __attribute__((section(".text.sorted.7_collectives")))

/// Before the definition of a function that is called a few times in a program: it lies before the others, so that they
/// and what follows them stay where they are among the lines of the cache.
#define RARE __attribute__((cold))

#endif
