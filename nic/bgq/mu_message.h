// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "nic/bgq/mu_observer.h"
#include "nic/bgq/mu_packet.h"
#include "torus/base/time.h"

namespace toroid {

/// A message in work: its descriptor, and how far its bytes have been read.
struct MuMessage {
  enum class Stage : std::uint8_t { fetching, starting, ready };
  using Kind = MuObserver::Kind;

  std::array<std::uint8_t, BGQ_DESCRIPTOR_BYTES> bytes{};  ///< of the descriptor, as in memory
  bgq_descriptor_t descriptor{};
  bgq_network_t network{};
  std::uint64_t place = 0;       ///< of the descriptor
  std::uint32_t generation = 0;  ///< of its ring when it was read
  std::uint16_t fifo = 0;
  std::uint16_t engines = 0;  ///< of the network FIFOs that it may use; engine 0 is the most significant
  Stage stage = Stage::fetching;
  Kind kind = Kind::memory_fifo;
  bool dropped = false;  ///< software has moved the ring: nobody wants it any more
  bool local = false;    ///< inside the node
  bool system = false;
  bool all_issued = false;
  std::uint32_t packets = 0;    ///< asked for and not read yet
  std::uint64_t issued = 0;     ///< bytes in packets that have been asked for
  std::uint32_t number = 0;     ///< of the message at its node
  Cycle ready{};                ///< stage starting: when that ends
  MuMessage* behind = nullptr;  ///< stage starting: the next one

  std::uint64_t length() const { return descriptor.length; }
  std::uint64_t left() const { return length() - issued; }
  bool begun() const { return issued != 0 || packets != 0; }
  bool atomic() const { return (descriptor.payload & BGQ_ATOMIC_ADDRESS) != 0; }
  const std::uint8_t* header() const { return bytes.data() + BGQ_DESCRIPTOR_HEADER; }

  /// Takes the fields from the bytes.
  void decode();
  /// "a put of 4096 bytes to (1,0,0,0,0)".
  std::string text() const;
};

/// Messages out of use, kept for the next ones.
class MuMessagePool {
 public:
  MuMessage& allocate();
  void release(MuMessage& message) { free_.push_back(&message); }
  std::size_t in_use() const { return all_.size() - free_.size(); }

 private:
  std::vector<std::unique_ptr<MuMessage>> all_;
  std::vector<MuMessage*> free_;
};

}  // namespace toroid
