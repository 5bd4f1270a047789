// SPDX-License-Identifier: Apache-2.0
/// What Blue Gene/P adds to torus packets: the two bits of the hardware's part of the header that Blue Gene/L leaves to
/// software, and the software's part, which the DMA reads and writes. Plain C11 and C++17, shared by device and driver.
///
/// A packet is 1 to 8 chunks of 32 bytes. Its first 16 bytes are the header, four big-endian words: two for the torus
/// (nic/torus/torus_packet.h) and two for the DMA. The comments give IBM's numbering, bit 0 = most significant, in
/// square brackets.
///
/// Source: the header of the machine's own packets (DMA_Packet.h of its SPI and of its Linux driver, devtorus.c of Plan
/// 9), by their field names and places.
#ifndef TOROID_NIC_BGP_DMA_PACKET_H_
#define TOROID_NIC_BGP_DMA_PACKET_H_

#include "nic/torus/torus_packet.h"

/// Bytes of payload that a packet of `chunks` carries.
#define BGP_DMA_PAYLOAD_BYTES(chunks) ((uint32_t)(chunks)*TORUS_CHUNK_BYTES - TORUS_HEADER_BYTES)

// Header word 0: the bits that are Blue Gene/P's own. --------------------------------------------------------------

/// [15] Pid0: upper bit of the pid, which chooses the row of the map of reception FIFOs at the destination. It also is
/// the torus reception FIFO group: TORUS_HEADER0_PID.
#define BGP_DMA_HEADER0_PID0_SHIFT 16
#define BGP_DMA_HEADER0_PID0_MASK 0x00010000u
/// [19] Pid1: lower bit of the pid.
#define BGP_DMA_HEADER0_PID1_SHIFT 12
#define BGP_DMA_HEADER0_PID1_MASK 0x00001000u
/// [20] Dm: 1 = direct put or remote get, 0 = memory FIFO.
#define BGP_DMA_HEADER0_DM_SHIFT 11
#define BGP_DMA_HEADER0_DM_MASK 0x00000800u

// Header words 2 and 3, direct put and remote get (Dm 1). ----------------------------------------------------------

/// Word 2: Put_Offset, bytes from the base of the reception counter. The DMA adds to it what earlier packets of the
/// message carry.
/// Word 3 [0:7] rDMA_Counter: reception counter, group x 64 + counter.
#define BGP_DMA_HEADER3_COUNTER_SHIFT 24
#define BGP_DMA_HEADER3_COUNTER_MASK 0xFF000000u
/// [8:15] Payload_Bytes: bytes of the payload that count. Filled in by the DMA.
#define BGP_DMA_HEADER3_BYTES_SHIFT 16
#define BGP_DMA_HEADER3_BYTES_MASK 0x00FF0000u
/// [16:23] Flags: BGP_DMA_FLAG_.
#define BGP_DMA_HEADER3_FLAGS_SHIFT 8
#define BGP_DMA_HEADER3_FLAGS_MASK 0x0000FF00u
/// [24:31] iDMA_FIFO_ID, remote get: the injection FIFO of the destination that gets the descriptors, group x 32 +
/// FIFO.
#define BGP_DMA_HEADER3_FIFO_SHIFT 0
#define BGP_DMA_HEADER3_FIFO_MASK 0x000000FFu

#define BGP_DMA_FLAG_REMOTE_GET 0x01u  ///< the payload is descriptors, 32 bytes each
#define BGP_DMA_FLAG_PACING 0x02u      ///< carried, without effect

// Header words 2 and 3, memory FIFO (Dm 0). ------------------------------------------------------------------------

/// Word 2: offset, unique in its message: the descriptor's word plus the bytes that earlier packets of the message
/// carry. Word 3 [0:23] SW_Arg: software's own.
#define BGP_DMA_HEADER3_ARGUMENT_SHIFT 8
#define BGP_DMA_HEADER3_ARGUMENT_MASK 0xFFFFFF00u
/// [24:31] Func_Id: number of the function that takes the packet.
#define BGP_DMA_HEADER3_FUNCTION_SHIFT 0
#define BGP_DMA_HEADER3_FUNCTION_MASK 0x000000FFu

/// The pid of a packet, 0..3, from word 0 of its header.
static inline unsigned bgp_dma_pid(uint32_t word0) {
  return (word0 & BGP_DMA_HEADER0_PID0_MASK) >> (BGP_DMA_HEADER0_PID0_SHIFT - 1) |
         (word0 & BGP_DMA_HEADER0_PID1_MASK) >> BGP_DMA_HEADER0_PID1_SHIFT;
}
/// The pid bits of word 0: the convention is pid = group of the reception FIFO or counter.
static inline uint32_t bgp_dma_pid_bits(unsigned pid) {
  return (uint32_t)(pid >> 1 & 1u) << BGP_DMA_HEADER0_PID0_SHIFT | (uint32_t)(pid & 1u) << BGP_DMA_HEADER0_PID1_SHIFT;
}
/// Direct put or remote get, from word 0.
static inline int bgp_dma_is_direct(uint32_t word0) {
  return (word0 & BGP_DMA_HEADER0_DM_MASK) != 0;
}

/// The smallest packet for a message of `bytes`, in chunks; 8 for messages of more than one packet.
static inline unsigned bgp_dma_packet_chunks(uint32_t bytes) {
  const uint32_t most = TORUS_PAYLOAD_BYTES;
  const uint32_t first = bytes < most ? bytes : most;
  return (unsigned)((first + TORUS_HEADER_BYTES + TORUS_CHUNK_BYTES - 1u) / TORUS_CHUNK_BYTES);
}

/// Word 3 of a direct put or a remote get.
static inline uint32_t bgp_dma_put_word3(unsigned counter, unsigned bytes, unsigned flags, unsigned fifo) {
  return ((uint32_t)counter << BGP_DMA_HEADER3_COUNTER_SHIFT & BGP_DMA_HEADER3_COUNTER_MASK) |
         ((uint32_t)bytes << BGP_DMA_HEADER3_BYTES_SHIFT & BGP_DMA_HEADER3_BYTES_MASK) |
         ((uint32_t)flags << BGP_DMA_HEADER3_FLAGS_SHIFT & BGP_DMA_HEADER3_FLAGS_MASK) |
         ((uint32_t)fifo << BGP_DMA_HEADER3_FIFO_SHIFT & BGP_DMA_HEADER3_FIFO_MASK);
}
/// Word 3 of a memory FIFO packet.
static inline uint32_t bgp_dma_fifo_word3(uint32_t argument, unsigned function) {
  return (argument << BGP_DMA_HEADER3_ARGUMENT_SHIFT & BGP_DMA_HEADER3_ARGUMENT_MASK) |
         ((uint32_t)function << BGP_DMA_HEADER3_FUNCTION_SHIFT & BGP_DMA_HEADER3_FUNCTION_MASK);
}

static inline unsigned bgp_dma_counter3(uint32_t word3) {
  return word3 >> BGP_DMA_HEADER3_COUNTER_SHIFT;
}
static inline unsigned bgp_dma_bytes3(uint32_t word3) {
  return (word3 & BGP_DMA_HEADER3_BYTES_MASK) >> BGP_DMA_HEADER3_BYTES_SHIFT;
}
static inline unsigned bgp_dma_flags3(uint32_t word3) {
  return (word3 & BGP_DMA_HEADER3_FLAGS_MASK) >> BGP_DMA_HEADER3_FLAGS_SHIFT;
}
static inline unsigned bgp_dma_fifo3(uint32_t word3) {
  return word3 & BGP_DMA_HEADER3_FIFO_MASK;
}
static inline uint32_t bgp_dma_argument3(uint32_t word3) {
  return word3 >> BGP_DMA_HEADER3_ARGUMENT_SHIFT;
}
static inline unsigned bgp_dma_function3(uint32_t word3) {
  return word3 & BGP_DMA_HEADER3_FUNCTION_MASK;
}

#endif  // TOROID_NIC_BGP_DMA_PACKET_H_
