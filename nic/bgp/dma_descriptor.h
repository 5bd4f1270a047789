// SPDX-License-Identifier: Apache-2.0
/// An injection descriptor of Blue Gene/P's DMA: plain C11 and C++17, shared by device and driver.
///
/// 32 bytes, eight big-endian words, at a multiple of 32 bytes in an injection FIFO. It says which bytes are to be sent
/// and holds the header of the packets (dma_packet.h). The comments give IBM's numbering, bit 0 = most significant, in
/// square brackets.
///
/// Source: the descriptor of the machine's own software (DMA_Descriptors.h of its SPI and of its Linux driver, torus.h
/// of Plan 9), by its field names and places.
#ifndef TOROID_NIC_BGP_DMA_DESCRIPTOR_H_
#define TOROID_NIC_BGP_DMA_DESCRIPTOR_H_

#include "nic/bgp/dma_packet.h"

#define BGP_DMA_DESCRIPTOR_BYTES 32
#define BGP_DMA_DESCRIPTOR_QUADS 2
#define BGP_DMA_DESCRIPTOR_WORDS 8

/// Word 0 [0:29] reserved: not looked at.
/// [30] prefetch_only, with local_memcopy: the message is read from memory and goes nowhere.
#define BGP_DMA_DESCRIPTOR0_PREFETCH 0x00000002u
/// [31] local_memcopy: 1 = to the own node by the DMA's local FIFO, 0 = to the torus.
#define BGP_DMA_DESCRIPTOR0_LOCAL 0x00000001u
/// Word 1 [24:31] injection counter, group x 64 + counter; the rest is reserved and not looked at.
#define BGP_DMA_DESCRIPTOR1_COUNTER_MASK 0x000000FFu
/// Word 2: base_offset, bytes from the base of the injection counter to the first byte of the message.
/// Word 3: length of the message in bytes.
/// Words 4 to 7: header of the packets.
#define BGP_DMA_DESCRIPTOR_HEADER_WORD 4

/// As it lies in memory, big-endian. Use torus_be32() to read and write the words.
#ifdef __cplusplus
struct alignas(32) bgp_dma_descriptor_t {
  uint32_t word[BGP_DMA_DESCRIPTOR_WORDS];
};
#else
typedef struct {
  _Alignas(32) uint32_t word[BGP_DMA_DESCRIPTOR_WORDS];
} bgp_dma_descriptor_t;
#endif

// Limits. ------------------------------------------------------------------------------------------------------------

#define BGP_DMA_INJ_FIFO_MIN_BYTES 1024u  ///< least size of an injection FIFO
#define BGP_DMA_REC_FIFO_MIN_BYTES 8704u  ///< least size of a reception FIFO: 512 bytes, and 256 of 32 bytes
#define BGP_DMA_FIFO_RESERVE_BYTES \
  512u  ///< of a reception FIFO that the DMA leaves free; of an injection FIFO AVAILABLE
#define BGP_DMA_REC_FIFO_HEAD_PACKETS 32u      ///< software moves the head at least after so many packets
#define BGP_DMA_REMOTE_GET_MAX_DESCRIPTORS 7u  ///< of one packet

/// Sources of interrupts, as interrupt numbers (group x 32 + bit) of the interrupt controller.
#define BGP_DMA_IRQ_TORUS_ERROR 0x20u  ///< and the next ones: of the torus, as in its TORUS_DCR_INTERRUPT_ERROR
#define BGP_DMA_IRQ_FATAL 0x3Fu
#define BGP_DMA_IRQ_TORUS_WATERMARK 0x40u    ///< and the next ones: as in its TORUS_DCR_INTERRUPT_WATERMARK
#define BGP_DMA_IRQ_READ_DESCRIPTOR 0x56u    ///< invalid address of a descriptor
#define BGP_DMA_IRQ_READ_PAYLOAD 0x57u       ///< invalid address of a message
#define BGP_DMA_IRQ_INJ_THRESHOLD 0x58u      ///< and the next three: injection FIFO thresholds of a group
#define BGP_DMA_IRQ_REC_THRESHOLD 0x5Cu      ///< and the next three: reception FIFO thresholds
#define BGP_DMA_IRQ_INJ_ZERO 0x60u           ///< and the next three: an injection counter has hit zero
#define BGP_DMA_IRQ_REC_ZERO 0x64u           ///< and the next three: a reception counter has hit zero
#define BGP_DMA_IRQ_INJ_COUNTER_ERROR 0x68u  ///< and the next three: underflow, overflow, disabled counter, FIFO
#define BGP_DMA_IRQ_REC_COUNTER_ERROR 0x6Cu  ///< and the next one: underflow, overflow
#define BGP_DMA_IRQ_REC_FULL 0x6Eu           ///< a packet waits for a reception FIFO that is full
#define BGP_DMA_IRQ_WRITE_ERROR 0x6Fu        ///< and the next five: a packet was dropped
#define BGP_DMA_IRQ_LINK_CHECK 0x75u
#define BGP_DMA_IRQ_REMOTE_GET_FULL 0x78u  ///< a remote get waits for an injection FIFO without 512 free bytes

#endif  // TOROID_NIC_BGP_DMA_DESCRIPTOR_H_
