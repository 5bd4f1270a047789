// SPDX-License-Identifier: Apache-2.0
//
// Packet layer of the Blue Gene/L tree: thin and without state. It reads a virtual channel's status, writes packets
// into its injection FIFOs and reads packets out of its reception FIFOs. Which class a packet belongs to, and who takes
// part in that, is the kernel's to set (hw/kernel/kernel_abi.h) and the caller's to keep to: all members send the
// packets of a class in the same order.
//
//   vc        virtual channel: 0 in programs. 1 is the kernel's, and a program that touches it ends with a report.
//   header    made by the functions of nic/bgl/tree_packet.h.
//   payload   256 bytes a packet, always; what is shorter is filled up with zeroes.
//
// Misuse. Nothing here checks its arguments. A full injection FIFO written or an empty reception FIFO read ends the
// program with a report. A packet whose like the other members do not send waits for ever; the machine's report then
// names node and class.
//
// Sources: register places and status layout bl_tree.h; header and FIFO sizes BGL_TreePktSPI.h.
#ifndef TOROID_DRIVERS_BGL_TREE_H_
#define TOROID_DRIVERS_BGL_TREE_H_

#include <stdint.h>

#include "drivers/bgl/access.h"
#include "nic/bgl/tree_packet.h"

#ifdef __cplusplus
extern "C" {
#endif

// Packets that each FIFO holds.
#define BGL_TREE_FIFO_PACKETS 8u

static inline uintptr_t bgl_tree_register(unsigned vc, unsigned offset) {
  return BGL_TREE_BASE + vc * BGL_TREE_GROUP_STRIDE + offset;
}

// The status word of a virtual channel, which the functions below take apart: one read answers for all.
static inline uint32_t bgl_tree_status(unsigned vc) {
  bgl_access_barrier();
  return bgl_access_read_word(bgl_tree_register(vc, BGL_TREE_STATUS_OFFSET));
}

// How many packets may be written now.
static inline unsigned bgl_tree_room(uint32_t status) {
  const unsigned headers = (status & BGL_TREE_STATUS_INJECTION_HEADERS_MASK) >> BGL_TREE_STATUS_INJECTION_HEADERS_SHIFT;
  const unsigned quads = (status & BGL_TREE_STATUS_INJECTION_QUADS_MASK) >> BGL_TREE_STATUS_INJECTION_QUADS_SHIFT;
  const unsigned by_payload = BGL_TREE_FIFO_PACKETS - (quads + BGL_TREE_PAYLOAD_QUADS - 1u) / BGL_TREE_PAYLOAD_QUADS;
  const unsigned by_header = BGL_TREE_FIFO_PACKETS - headers;
  return by_payload < by_header ? by_payload : by_header;
}

// How many packets may be read now.
static inline unsigned bgl_tree_arrived(uint32_t status) {
  const unsigned headers = (status & BGL_TREE_STATUS_RECEPTION_HEADERS_MASK) >> BGL_TREE_STATUS_RECEPTION_HEADERS_SHIFT;
  const unsigned quads = (status & BGL_TREE_STATUS_RECEPTION_QUADS_MASK) >> BGL_TREE_STATUS_RECEPTION_QUADS_SHIFT;
  const unsigned packets = quads / BGL_TREE_PAYLOAD_QUADS;
  return packets < headers ? packets : headers;
}

// Writes a packet whose 256 bytes begin at `payload`, a multiple of 16.
void bgl_tree_inject(unsigned vc, uint32_t header, const void* payload);

// Writes a packet of `bytes` (0..256) bytes from any address, and zeroes behind them.
void bgl_tree_inject_bytes(unsigned vc, uint32_t header, const void* payload, unsigned bytes);

// Reads a packet's 256 bytes to `payload`, a multiple of 16, and returns its header.
uint32_t bgl_tree_receive(unsigned vc, void* payload);

// Reads a packet, of which the first `bytes` (0..256) bytes go to `payload`, any address. Returns its header.
uint32_t bgl_tree_receive_bytes(unsigned vc, void* payload, unsigned bytes);

#ifdef __cplusplus
}
#endif

#endif  // TOROID_DRIVERS_BGL_TREE_H_
