/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ELF note that names the machine which a program has been linked for: its descriptor is the name, with a zero
 * behind it. For the kernel and for the assembler.
 */
#ifndef TOROID_HW_KERNEL_MACHINE_NOTE_H
#define TOROID_HW_KERNEL_MACHINE_NOTE_H

#define TOROID_NOTE_SECTION .note.toroid
#define TOROID_NOTE_OWNER "Toroid"
#define TOROID_NOTE_MACHINE 2 /* type: NT_ARCH */

#endif
