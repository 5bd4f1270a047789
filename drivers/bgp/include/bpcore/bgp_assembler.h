/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loads and stores of the double FPU (lfpdx and its like) are unknown to the assembler of today: assembler macros
 * make the words of them. They stand for the whole translation unit, so that inline assembly of a program may use the
 * mnemonics as well. A program whose headers are not ours has them by -include bpcore/bgp_assembler.h.
 */
#ifndef _BGP_ASSEMBLER_H_
#define _BGP_ASSEMBLER_H_

#if !defined(__ASSEMBLY__) && defined(__powerpc__)
/* Primary opcode 31; extended opcodes 462, 494, 974, 1006 (the table of Dyninst). An operand is a register's number. */
__asm__(
    ".ifndef _bgp_double_fpu\n\t.set _bgp_double_fpu, 1\n"
    "\t.macro _bgp_fpu_x op, frt, ra, rb\n"
    "\t.long (31 << 26) | ((\\frt) << 21) | ((\\ra) << 16) | ((\\rb) << 11) | ((\\op) << 1)\n\t.endm\n"
    "\t.macro lfpdx frt, ra, rb\n\t_bgp_fpu_x 462, \\frt, \\ra, \\rb\n\t.endm\n"
    "\t.macro lfpdux frt, ra, rb\n\t_bgp_fpu_x 494, \\frt, \\ra, \\rb\n\t.endm\n"
    "\t.macro stfpdx frt, ra, rb\n\t_bgp_fpu_x 974, \\frt, \\ra, \\rb\n\t.endm\n"
    "\t.macro stfpdux frt, ra, rb\n\t_bgp_fpu_x 1006, \\frt, \\ra, \\rb\n\t.endm\n"
    "\t.endif\n");
#endif

#endif
