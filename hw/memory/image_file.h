// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace toroid {

/// A part of an image, which has the same bytes wherever it lies.
struct ImagePart {
  std::uint64_t image = 0;   ///< ImageFile::number(); 0: of none
  std::uint64_t offset = 0;  ///< from the beginning of the page in which the image's first byte lies
};

/// Bytes that many node memories begin with. The host holds them once: a page takes memory of a node's own when it is
/// first written to.
class ImageFile {
 public:
  /// `address`: where nodes have the first of the bytes, which must outlive this. Where the host makes no such file,
  /// each node gets a copy.
  ImageFile(const std::vector<std::uint8_t>& bytes, std::uint64_t address);
  ImageFile(const ImageFile&) = delete;
  ImageFile& operator=(const ImageFile&) = delete;
  ~ImageFile();

  std::uint64_t size() const { return bytes_.size(); }
  /// No other image ever has this number; not 0.
  std::uint64_t number() const { return number_; }
  /// Replaces what lies at `host`, where a node has the first of the bytes, in a private mapping.
  void place(std::uint8_t* host) const;

 private:
  const std::vector<std::uint8_t>& bytes_;
  const std::uint64_t number_;
  const std::uint64_t in_page_;  ///< of the first byte
  int file_ = -1;
};

}  // namespace toroid
