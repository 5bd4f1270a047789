// SPDX-License-Identifier: Apache-2.0
//
// The toy machine's only device: words of 4 bytes, for the host and for programs. A program reaches it at these
// addresses.
#ifndef TOY_DOORBELL_REGS_H
#define TOY_DOORBELL_REGS_H

#define TOY_BASE 0xb1150000u
#define TOY_BYTES 4096u
#define TOY_NODE 0x00u  /* read: number of this node */
#define TOY_NODES 0x04u /* read: nodes of the ring */
#define TOY_RING 0x08u  /* write: sends the word to the next node of the ring */
#define TOY_COUNT 0x0cu /* read: words that have come and not been taken */
#define TOY_WORD 0x10u  /* read: takes the oldest word; there must be one */

#endif
