// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "nic/bgp/dma_descriptor.h"
#include "nic/bgp/dma_observer.h"
#include "torus/base/time.h"

namespace toroid {

/// A message in work: its descriptor, and how far its bytes have been read.
struct DmaMessage {
  enum class Stage : std::uint8_t { fetching, starting, ready };
  using Kind = DmaObserver::Kind;

  alignas(32) std::array<std::uint8_t, BGP_DMA_DESCRIPTOR_BYTES> bytes{};  ///< of the descriptor, as in memory
  std::array<std::uint32_t, BGP_DMA_DESCRIPTOR_WORDS> words{};
  std::uint32_t place = 0;       ///< of the descriptor, in quads
  std::uint32_t generation = 0;  ///< of its ring when it was read
  std::uint16_t fifo = 0;
  Stage stage = Stage::fetching;
  bool dropped = false;  ///< software has moved the ring: nobody wants it any more
  bool local = false;
  Kind kind = Kind::memory_fifo;
  std::uint8_t counter = 0;
  std::uint8_t chunks = 1;    ///< of each packet
  std::uint64_t source = 0;   ///< address of the first byte
  std::uint32_t issued = 0;   ///< bytes in packets that have been asked for
  std::uint32_t packets = 0;  ///< of these, not read yet
  bool all_issued = false;
  std::uint32_t number = 0;  ///< of the message at its node
  Cycle ready{};             ///< stage starting: when that ends

  std::uint32_t length() const { return words[3]; }
  std::uint32_t left() const { return length() - issued; }
  bool begun() const { return issued != 0 || packets != 0; }
  std::uint64_t address() const { return std::uint64_t{place} << 4; }

  /// Takes words and fields from the bytes; `base` is of the counter, physical address >> 4.
  void decode(std::uint32_t base);
  /// "a put of 4096 bytes to (9,0,0)".
  std::string text() const;
};

/// The injection counter that a descriptor names, before it is decoded.
unsigned dma_descriptor_counter(const DmaMessage& message);

/// Messages out of use, kept for the next ones.
class DmaMessagePool {
 public:
  DmaMessage& allocate();
  void release(DmaMessage& message) { free_.push_back(&message); }
  std::size_t in_use() const { return all_.size() - free_.size(); }

 private:
  std::vector<std::unique_ptr<DmaMessage>> all_;
  std::vector<DmaMessage*> free_;
};

}  // namespace toroid
