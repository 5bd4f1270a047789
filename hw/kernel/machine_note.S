/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For which machine a program has been linked: TOROID_MACHINE is its name. The kernel refuses the program on another one
 * (ElfImage::machine()). The note is not loaded, so it moves nothing in memory.
 */
#include "hw/kernel/machine_note.h"

  .section TOROID_NOTE_SECTION, "", @note
  .balign 4
  .4byte 2f - 1f, 4f - 3f, TOROID_NOTE_MACHINE
1:
  .asciz TOROID_NOTE_OWNER
2:
  .balign 4
3:
  .asciz TOROID_MACHINE
4:
  .balign 4

  .section .note.GNU-stack, "", @progbits
