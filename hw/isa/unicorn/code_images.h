// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "hw/memory/image_file.h"

namespace toroid::unicorn {

/// The code that the processors of one instance execute, each piece of it once: they share its translations.
///
/// Pieces lie in one area of host memory. A translation is found by the place of its code; so a place is used for
/// something else only after reclaim(), when there are no translations of what was there.
class CodeImages {
 public:
  static constexpr std::uint64_t kAreaBytes = std::uint64_t{4} << 30;

  /// Throws std::runtime_error if the host has no room for addresses.
  explicit CodeImages(std::uint64_t area_bytes = kAreaBytes);
  CodeImages(const CodeImages&) = delete;
  CodeImages& operator=(const CodeImages&) = delete;
  ~CodeImages();

  /// The whole area. Only what add() has filled is memory.
  std::uint8_t* area() const { return area_; }
  std::uint64_t area_bytes() const { return area_bytes_; }

  /// Where in the area `size` bytes lie that a processor sees at `address`: where they lie already, if they are part of
  /// what is there. Where `part` names an image, that is known without a look at `bytes`. nullopt if the area is full.
  std::optional<std::uint64_t> add(std::uint64_t address, const std::uint8_t* bytes, std::uint64_t size,
                                   const ImagePart& part);
  /// Undoes one add(), which has returned `offset`. The piece stays until another one needs to be added.
  void remove(std::uint64_t offset);
  /// Makes room of what was removed. No translation of it is left. Returns false if there is none.
  bool reclaim();

 private:
  struct Image {
    std::uint64_t address;
    std::uint64_t size;
    ImagePart part;
    std::uint32_t users;
    bool dropped;  ///< its memory is given back; its place is not free yet
  };
  using Images = std::map<std::uint64_t, Image>;  // by offset

  /// Whether what is looked for is a piece of `image`, which begins `skipped` bytes behind its first one.
  bool holds(const Images::value_type& image, std::uint64_t skipped, const std::uint8_t* bytes, std::uint64_t size,
             const ImagePart& part) const;
  void drop_unused();
  std::optional<std::uint64_t> free_place(std::uint64_t size) const;

  const std::uint64_t area_bytes_;
  std::uint8_t* area_ = nullptr;
  Images images_;
};

}  // namespace toroid::unicorn
