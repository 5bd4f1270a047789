// SPDX-License-Identifier: Apache-2.0
#include "drivers/bgl/interrupt.h"

#include <errno.h>

#include "nic/torus/dcr_regs.h"

enum { LEAST_STACK = 1024 };

// Called by the entry point below.
__attribute__((used)) void (*bgl_interrupt_function)(uint32_t groups);

void bgl_interrupt_entry(void);

// Entry point of the handler. The kernel saves the general purpose registers and CR, LR, CTR; this code saves the other
// registers that C code may change: v0 to v19, f0 to f13, the floating-point status and XER. It passes r3 on to the
// function.
__asm__(
    "\t.text\n"
    "\t.align 2\n"
    "\t.globl bgl_interrupt_entry\n"
    "\t.type bgl_interrupt_entry,@function\n"
    "bgl_interrupt_entry:\n"
    "\tstwu 1,-464(1)\n"
    "\t.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19\n"
    "\tli 11,16+16*\\n\n"
    "\tstvx \\n,11,1\n"
    "\t.endr\n"
    "\t.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13\n"
    "\tstfd \\n,336+8*\\n(1)\n"
    "\t.endr\n"
    "\tmffs 0\n"
    "\tstfd 0,448(1)\n"
    "\tmfxer 11\n"
    "\tstw 11,456(1)\n"
    "\tlis 12,bgl_interrupt_function@ha\n"
    "\tlwz 12,bgl_interrupt_function@l(12)\n"
    "\tmtctr 12\n"
    "\tbctrl\n"
    "\tlfd 0,448(1)\n"
    "\tmtfsf 255,0\n"
    "\t.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13\n"
    "\tlfd \\n,336+8*\\n(1)\n"
    "\t.endr\n"
    "\t.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19\n"
    "\tli 11,16+16*\\n\n"
    "\tlvx \\n,11,1\n"
    "\t.endr\n"
    "\tlwz 11,456(1)\n"
    "\tmtxer 11\n"
    "\tli 0,1009\n"
    "\tsc\n"
    "\ttrap\n"
    "\t.size bgl_interrupt_entry,.-bgl_interrupt_entry\n");

_Static_assert(TOROID_SYS_INTERRUPT_RETURN == 1009, "the number in the entry");

int bgl_interrupt_start(void (*handler)(uint32_t groups), uint32_t groups, void* stack, uint32_t bytes) {
  uint32_t none;
  if (bytes < LEAST_STACK || (uintptr_t)stack % 16 != 0) return EINVAL;
  bgl_interrupt_function = handler;
  const uint32_t top = ((uint32_t)(uintptr_t)stack + bytes - 16u) & ~UINT32_C(15);
  return bgl_system_call(TOROID_SYS_SET_INTERRUPT_HANDLER, (uint32_t)(uintptr_t)bgl_interrupt_entry, top, groups,
                         &none);
}

int bgl_interrupt_stop(void) {
  uint32_t none;
  return bgl_system_call(TOROID_SYS_SET_INTERRUPT_HANDLER, 0, 0, 0, &none);
}

int bgl_torus_reception_watermark(unsigned group, unsigned chunks) {
  if (group > 1 || chunks > TORUS_DCR_WATERMARK_RECEPTION_MASK >> TORUS_DCR_WATERMARK_RECEPTION_SHIFT) return EINVAL;
  return bgl_torus_dcr_write(TORUS_DCR_WATERMARK_OFFSET + group * TORUS_DCR_WATERMARK_STRIDE,
                             (TORUS_DCR_WATERMARK_RESET & ~TORUS_DCR_WATERMARK_RECEPTION_MASK) |
                                 (uint32_t)chunks << TORUS_DCR_WATERMARK_RECEPTION_SHIFT);
}
