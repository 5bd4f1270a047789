# SPDX-License-Identifier: Apache-2.0
#
# Mnemonics of the double FPU's loads and stores, which the assembler of today does not know, as macros that make
# their words. The compiler driver gives this file to the assembler before each source (firmware/bgp/toolchain.json),
# so that programs use them in inline assembly and in files of assembly. Operands are numbers of registers.

# Primary opcode 31; extended opcodes 462, 494, 974, 1006 (the table of Dyninst).
	.macro	fp2_indexed op, frt, ra, rb
	.long	(31 << 26) | ((\frt) << 21) | ((\ra) << 16) | ((\rb) << 11) | ((\op) << 1)
	.endm
	.macro	lfpdx frt, ra, rb
	fp2_indexed 462, \frt, \ra, \rb
	.endm
	.macro	lfpdux frt, ra, rb
	fp2_indexed 494, \frt, \ra, \rb
	.endm
	.macro	stfpdx frt, ra, rb
	fp2_indexed 974, \frt, \ra, \rb
	.endm
	.macro	stfpdux frt, ra, rb
	fp2_indexed 1006, \frt, \ra, \rb
	.endm
