// SPDX-License-Identifier: Apache-2.0
/// Interrupts from the networks, delivered to a function of the process.
///
/// The function is called with the groups of lines that are up (TOROID_INTERRUPT_ of hw/kernel/kernel_abi.h), on a
/// stack of its own, between two basic blocks of the interrupted code. It may access devices and memory that the rest
/// of the program does not use. Like a signal handler, it must not call functions of the C library or the message layer
/// that have state. It is not interrupted itself. Before it returns it must clear the cause of the interrupt (read the
/// FIFO below its watermark, clear the global interrupt), or it is called again at once.
///
/// A process has one handler, which is called on all its cores that have interrupts enabled.
#ifndef TOROID_DRIVERS_BGL_INTERRUPT_H_
#define TOROID_DRIVERS_BGL_INTERRUPT_H_

#include <stdint.h>

#include "drivers/bgl/kernel.h"
#include "nic/bgl/kernel_services.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Enables interrupts of `groups` on this core: `handler` is called for each. `stack` is its stack of `bytes` bytes, a
/// multiple of 16 and at least 1024. Returns 0 or a positive errno.
int bgl_interrupt_start(void (*handler)(uint32_t groups), uint32_t groups, void* stack, uint32_t bytes);

/// Disables interrupts on this core. A handler may call it: it is the last one then.
int bgl_interrupt_stop(void);

/// Sets the watermark of R0..R5 of FIFO group `group`: the torus interrupts when a FIFO holds more chunks than this
/// (0..31; 31: when a FIFO is full, 0: when it is not empty). The other watermarks are set to their reset values.
/// Returns 0 or a positive errno.
int bgl_torus_reception_watermark(unsigned group, unsigned chunks);

#ifdef __cplusplus
}
#endif

#endif  // TOROID_DRIVERS_BGL_INTERRUPT_H_
