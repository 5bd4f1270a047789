// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace toroid::unicorn {

/// The code that the processors of one instance execute, each piece of it once: they share its translations.
///
/// Pieces lie in one area of host memory, whose offsets are never used for something else: a translation is found by
/// the place of its code.
class CodeImages {
 public:
  /// Throws std::runtime_error if the host has no room for addresses.
  CodeImages();
  CodeImages(const CodeImages&) = delete;
  CodeImages& operator=(const CodeImages&) = delete;
  ~CodeImages();

  /// The whole area. Only what add() has filled is memory.
  std::uint8_t* area() const { return area_; }
  std::uint64_t area_bytes() const { return kAreaBytes; }

  /// Where in the area `size` bytes lie that processors see at `address`: where they lie already, if they are part of
  /// what was added before. nullopt if the area is full.
  std::optional<std::uint64_t> add(std::uint64_t address, const std::uint8_t* bytes, std::uint64_t size);

 private:
  static constexpr std::uint64_t kAreaBytes = std::uint64_t{4} << 30;
  struct Image {
    std::uint64_t address;
    std::uint64_t size;
    std::uint64_t offset;
  };

  std::uint8_t* area_ = nullptr;
  std::uint64_t used_ = 0;
  std::vector<Image> images_;
};

}  // namespace toroid::unicorn
