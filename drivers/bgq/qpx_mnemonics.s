# SPDX-License-Identifier: Apache-2.0
#
# Mnemonics of the quad processing extension, which the assembler of today does not know, as macros that make the words
# of them. The compiler driver gives this file to the assembler before each source (firmware/bgq/toolchain.json), so that
# inline assembly of a program may use them as it does on the machine. Operands are numbers of registers. These are
# the instructions that the machine's system software uses and that the cores have (hw/isa/ppc64).
#
# Encodings: LLVM's test/MC/PowerPC/ppc64-encoding-qpx.

# Loads and stores: primary opcode 31, the address is the sum of two registers.
	.macro bgq_quad_memory operation, frt, ra, rb
	.long 31 << 26 | (\frt) << 21 | (\ra) << 16 | (\rb) << 11 | (\operation) << 1
	.endm
# Arithmetic: primary opcode 4, with up to three sources.
	.macro bgq_quad operation, frt, fra=0, frb=0, frc=0
	.long 4 << 26 | (\frt) << 21 | (\fra) << 16 | (\frb) << 11 | (\frc) << 6 | (\operation) << 1
	.endm

	.macro qvlfdx frt, ra, rb
	bgq_quad_memory 583, \frt, \ra, \rb
	.endm
	.macro qvlfdux frt, ra, rb
	bgq_quad_memory 615, \frt, \ra, \rb
	.endm
	.macro qvstfdx frt, ra, rb
	bgq_quad_memory 711, \frt, \ra, \rb
	.endm
	.macro qvstfdux frt, ra, rb
	bgq_quad_memory 743, \frt, \ra, \rb
	.endm

	.macro qvfadd frt, fra, frb
	bgq_quad 21, \frt, \fra, \frb
	.endm
	.macro qvfcmpgt frt, fra, frb
	bgq_quad 32, \frt, \fra, \frb
	.endm
	.macro qvfcmplt frt, fra, frb
	bgq_quad 96, \frt, \fra, \frb
	.endm
	.macro qvfsel frt, fra, frc, frb
	bgq_quad 23, \frt, \fra, \frb, \frc
	.endm
	.macro qvfmr frt, frb
	bgq_quad 72, \frt, 0, \frb
	.endm
