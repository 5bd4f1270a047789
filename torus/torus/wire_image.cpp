// SPDX-License-Identifier: Apache-2.0
#include "torus/torus/wire_image.h"

#include <algorithm>

#include "torus/base/crc.h"

namespace toroid {
namespace {
constexpr std::uint8_t kValid = 0xA5;
}

void WireImage::put_bytes(const Packet& packet, unsigned chunk_bytes, std::uint8_t* bytes) {
  const unsigned size = packet.chunks * chunk_bytes;
  if (packet.data != nullptr) {
    std::copy_n(packet.data, size, bytes);
    return;
  }
  std::fill_n(bytes, size, std::uint8_t{0});
  bytes[0] = static_cast<std::uint8_t>(packet.hints >> 8);
  bytes[1] = static_cast<std::uint8_t>(packet.hints);
  bytes[2] = static_cast<std::uint8_t>((packet.chunks - 1) << 5 | packet.dynamic << 2 | packet.channel);
  for (unsigned d = 0; d < 3; ++d) bytes[3 + d] = packet.destination[d];
}

WireImage::WireImage(const Packet& packet, std::uint8_t sequence, unsigned chunk_bytes)
    : size_(packet.chunks * chunk_bytes), bytes_(size_ + kTrailerBytes) {
  put_bytes(packet, chunk_bytes, bytes_.data());
  bytes_[6] = sequence;
  bytes_[7] = crc8(bytes_.data(), kHeaderBytes - 1);
  const std::uint32_t crc = crc24(bytes_.data(), size_);
  bytes_[size_] = static_cast<std::uint8_t>(crc >> 16);
  bytes_[size_ + 1] = static_cast<std::uint8_t>(crc >> 8);
  bytes_[size_ + 2] = static_cast<std::uint8_t>(crc);
  bytes_[size_ + 3] = kValid;
}

void WireImage::copy_contents(Packet& packet) const {
  if (packet.data == nullptr) return;
  std::copy(bytes_.begin() + kHeaderBytes, bytes_.begin() + size_, packet.data + kHeaderBytes);
}

bool WireImage::header_good() const {
  return crc8(bytes_.data(), kHeaderBytes - 1) == bytes_[7];
}

bool WireImage::packet_good() const {
  const std::uint32_t crc = crc24(bytes_.data(), size_);
  return bytes_[size_] == (crc >> 16) && bytes_[size_ + 1] == (crc >> 8 & 0xFF) && bytes_[size_ + 2] == (crc & 0xFF) &&
         bytes_[size_ + 3] == kValid;
}

}  // namespace toroid
