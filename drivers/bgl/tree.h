// SPDX-License-Identifier: Apache-2.0
/// Packet layer of the Blue Gene/L tree: thin and stateless. It reads the status of a virtual channel, writes packets
/// to its injection FIFOs and reads packets from its reception FIFOs. The kernel sets up the classes and their members
/// (hw/kernel/kernel_abi.h). The caller must use them accordingly: all members send the packets of a class in the same
/// order.
///
///   vc        virtual channel: 0 in programs. 1 belongs to the kernel; a program that accesses it ends with a report.
///   header    made by the functions of nic/collective/tree_packet.h.
///   payload   always 256 bytes for each packet; shorter payloads are padded with zeroes.
///
/// Misuse. The functions do not check their arguments. A write to a full injection FIFO or a read from an empty
/// reception FIFO ends the program with a report. If other members do not send a matching packet, a packet waits for
/// ever; the machine's report then names node and class.
///
/// Sources: register addresses and status layout bl_tree.h; header and FIFO sizes BGL_TreePktSPI.h.
#ifndef TOROID_DRIVERS_BGL_TREE_H_
#define TOROID_DRIVERS_BGL_TREE_H_

#include <stdint.h>

#include "drivers/bgl/access.h"
#include "drivers/bgl/names.h"
#include "nic/bgl/addresses.h"
#include "nic/bgl/kernel_services.h"
#include "nic/collective/tree_packet.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Packets that each FIFO holds.
#define BGL_TREE_FIFO_PACKETS 8u

static inline uintptr_t bgl_tree_register(unsigned vc, unsigned offset) {
  return BGL_TREE_BASE + vc * TREE_GROUP_STRIDE + offset;
}

/// The status word of a virtual channel, whose fields the functions below extract: one read serves them all.
static inline uint32_t bgl_tree_status(unsigned vc) {
  bgl_access_barrier();
  return bgl_access_read_word(bgl_tree_register(vc, TREE_STATUS_OFFSET));
}

/// Number of packets that may be written now.
static inline unsigned bgl_tree_room(uint32_t status) {
  const unsigned headers = (status & TREE_STATUS_INJECTION_HEADERS_MASK) >> TREE_STATUS_INJECTION_HEADERS_SHIFT;
  const unsigned quads = (status & TREE_STATUS_INJECTION_QUADS_MASK) >> TREE_STATUS_INJECTION_QUADS_SHIFT;
  const unsigned by_payload = BGL_TREE_FIFO_PACKETS - (quads + TREE_PAYLOAD_QUADS - 1u) / TREE_PAYLOAD_QUADS;
  const unsigned by_header = BGL_TREE_FIFO_PACKETS - headers;
  return by_payload < by_header ? by_payload : by_header;
}

/// Number of packets that may be read now.
static inline unsigned bgl_tree_arrived(uint32_t status) {
  const unsigned headers = (status & TREE_STATUS_RECEPTION_HEADERS_MASK) >> TREE_STATUS_RECEPTION_HEADERS_SHIFT;
  const unsigned quads = (status & TREE_STATUS_RECEPTION_QUADS_MASK) >> TREE_STATUS_RECEPTION_QUADS_SHIFT;
  const unsigned packets = quads / TREE_PAYLOAD_QUADS;
  return packets < headers ? packets : headers;
}

/// Writes a packet whose 256 bytes begin at `payload`, a multiple of 16.
void bgl_tree_inject(unsigned vc, uint32_t header, const void* payload);

/// Writes a packet of `bytes` (0..256) bytes from any address, padded with zeroes.
void bgl_tree_inject_bytes(unsigned vc, uint32_t header, const void* payload, unsigned bytes);

/// Reads a packet's 256 bytes to `payload`, a multiple of 16, and returns its header.
uint32_t bgl_tree_receive(unsigned vc, void* payload);

/// Reads a packet and stores its first `bytes` (0..256) bytes at `payload`, any address. Returns its header.
uint32_t bgl_tree_receive_bytes(unsigned vc, void* payload, unsigned bytes);

#ifdef __cplusplus
}
#endif

#endif  // TOROID_DRIVERS_BGL_TREE_H_
