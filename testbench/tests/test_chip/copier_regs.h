// SPDX-License-Identifier: Apache-2.0
//
// The test chip's device, for the host and for programs: it copies memory to memory. All numbers are in the byte order
// of the cores, all addresses are physical ones.
//
// Software writes descriptors into the slots of a ring in memory, one behind the other, and then, to COPIER_DOORBELL,
// how many it has written since the start. For each the device fetches the descriptor, copies the bytes, writes the
// completion word, counts COPIER_COUNT up, and raises its interrupt line, in this order.
#ifndef TEST_COPIER_REGS_H
#define TEST_COPIER_REGS_H

// Registers are words of 4 bytes, but for one. A program reaches them at these addresses.
#define COPIER_BASE 0xb1150000u
#define COPIER_BYTES 4096u
#define COPIER_RING 0x00u      /* read, write: address of the ring */
#define COPIER_SLOTS 0x04u     /* read, write: descriptors that the ring has room for */
#define COPIER_DOORBELL 0x08u  /* write: descriptors written so far, modulo 2^32; never fewer than before */
#define COPIER_COUNT 0x0cu     /* read: descriptors done so far, modulo 2^32 */
#define COPIER_INTERRUPT 0x10u /* read: 1 while the interrupt line is up; write: lowers it */
#define COPIER_NOTE 0x18u      /* read, write: 8 bytes, which the device has no use for */

#define COPIER_INTERRUPT_GROUP 1u /* of the lines that interrupt a core */

// A descriptor.
#define COPIER_DESCRIPTOR_BYTES 40u
#define COPIER_SOURCE 0u      /* 8 bytes */
#define COPIER_DESTINATION 8u /* 8 bytes */
#define COPIER_COMPLETION 16u /* 8 bytes: address of the completion word, of 4 bytes; 0: none */
#define COPIER_LENGTH 24u     /* 4 bytes: of what is copied, also 0 */
#define COPIER_FLAGS 28u      /* 4 bytes */
#define COPIER_VALUE 32u      /* 4 bytes: what is written to the completion word; 4 more are unused */

#define COPIER_FLAG_INTERRUPT 1u /* raise the interrupt line */

#endif
