// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "torus/torus/packet.h"

namespace toroid {

/// A packet as it stands on a wire: its chunks, then a 24-bit CRC and a marker byte. The sender fills in the link's
/// sequence number (byte 6) and the CRC-8 of the header (byte 7). Made for packets that an error hits, to see whether
/// the receiver notices.
class WireImage {
 public:
  static constexpr unsigned kTrailerBytes = 4;
  static constexpr unsigned kHeaderBytes = 8;

  WireImage(const Packet& packet, std::uint8_t sequence, unsigned chunk_bytes);

  /// The bytes of a packet before its link fills in what is the link's: its contents or, when it carries none, a header
  /// made of its fields and zeros.
  static void put_bytes(const Packet& packet, unsigned chunk_bytes, std::uint8_t* bytes);

  /// Of a packet of `bytes` and its trailer.
  static unsigned bits(unsigned bytes) { return (bytes + kTrailerBytes) * 8; }
  void flip(unsigned bit) { bytes_[bit / 8] ^= static_cast<std::uint8_t>(0x80 >> bit % 8); }

  /// Puts the image's payload into the packet's contents.
  void copy_contents(Packet& packet) const;

  /// What the receiver checks.
  bool header_good() const;
  bool packet_good() const;
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  unsigned size_;  ///< bytes before the trailer
  std::vector<std::uint8_t> bytes_;
};

}  // namespace toroid
