// SPDX-License-Identifier: Apache-2.0
//
// Interrupts from the networks, delivered to a function of the process.
//
// The function is called with the groups of lines that are up (TOROID_INTERRUPT_ of hw/kernel/kernel_abi.h), on a stack
// of its own, between two blocks of whatever runs. It may touch devices and memory that the rest of the program leaves
// to it; like a signal handler it must not call what the C library or the message layer keeps state for. No interrupt
// comes while it runs. It has to take the line down before it returns (read the FIFO below its watermark, clear the
// global interrupt), or it is called again at once.
//
// A process has one function, which all its cores with interrupts call.
#ifndef TOROID_DRIVERS_BGL_INTERRUPT_H_
#define TOROID_DRIVERS_BGL_INTERRUPT_H_

#include <stdint.h>

#include "drivers/bgl/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

// Calls `handler` from now on, on this core, on interrupts of `groups`, with the `bytes` bytes at `stack`, a multiple
// of 16, at least 1024. Returns 0 or a positive errno.
int bgl_interrupt_start(void (*handler)(uint32_t groups), uint32_t groups, void* stack, uint32_t bytes);

// No interrupts on this core any more.
int bgl_interrupt_stop(void);

// Torus interrupts of FIFO group `group`: above this many chunks in R0..R5 (0..31; 31: when a FIFO is full, 0: when
// there is anything). The other watermarks are as after reset. Returns 0 or a positive errno.
int bgl_torus_reception_watermark(unsigned group, unsigned chunks);

#ifdef __cplusplus
}
#endif

#endif  // TOROID_DRIVERS_BGL_INTERRUPT_H_
