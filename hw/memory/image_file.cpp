// SPDX-License-Identifier: Apache-2.0
#include "hw/memory/image_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

namespace toroid {
namespace {

constexpr std::uint64_t kPage = 4096;

/// All of it, or false.
bool write_at(int file, const std::uint8_t* bytes, std::uint64_t size, std::uint64_t offset) {
  while (size != 0) {
    const ssize_t done = pwrite(file, bytes, size, static_cast<off_t>(offset));
    if (done <= 0) return false;
    bytes += done;
    offset += static_cast<std::uint64_t>(done);
    size -= static_cast<std::uint64_t>(done);
  }
  return true;
}

std::uint64_t next_number() {
  static std::uint64_t numbers = 0;
  return ++numbers;
}

}  // namespace

ImageFile::ImageFile(const std::vector<std::uint8_t>& bytes, std::uint64_t address)
    : bytes_(bytes),
      number_(next_number()),
      in_page_(address % kPage),
      file_(memfd_create("toroid program", MFD_CLOEXEC)) {
  if (file_ >= 0 && !write_at(file_, bytes.data(), bytes.size(), in_page_)) {
    close(file_);
    file_ = -1;
  }
}

ImageFile::~ImageFile() {
  if (file_ >= 0) close(file_);
}

void ImageFile::place(std::uint8_t* host) const {
  // Offsets in the file, which begins with the page of the first byte.
  const std::uint64_t end = in_page_ + bytes_.size();
  std::uint64_t first = (in_page_ + kPage - 1) / kPage * kPage;
  std::uint64_t last = std::max(first, end / kPage * kPage);
  if (first != last) {
    void* const pages = host + (first - in_page_);
    const int flags = MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE;
    if (file_ < 0 || mmap(pages, last - first, PROT_READ | PROT_WRITE, flags, file_, static_cast<off_t>(first)) ==
                         MAP_FAILED) {  // which leaves what was there
      first = last = end;
    } else {
      madvise(pages, last - first, MADV_DONTFORK);  // as the rest of a node memory
    }
  }
  if (first > end) first = last = end;
  const auto copy = [&](std::uint64_t from, std::uint64_t to) {
    std::copy(bytes_.begin() + static_cast<std::ptrdiff_t>(from - in_page_),
              bytes_.begin() + static_cast<std::ptrdiff_t>(to - in_page_), host + (from - in_page_));
  };
  copy(in_page_, first);
  copy(last, end);
}

}  // namespace toroid
