// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/unicorn/code_images.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace toroid::unicorn {

CodeImages::CodeImages() {
  void* const area =
      mmap(nullptr, kAreaBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (area == MAP_FAILED) {
    throw std::runtime_error("the host has no room for the code of an instruction-set engine, which reserves " +
                             std::to_string(kAreaBytes >> 30) + " GiB of addresses: " + std::strerror(errno));
  }
  area_ = static_cast<std::uint8_t*>(area);
}

CodeImages::~CodeImages() {
  munmap(area_, kAreaBytes);
}

std::optional<std::uint64_t> CodeImages::add(std::uint64_t address, const std::uint8_t* bytes, std::uint64_t size) {
  for (const Image& image : images_) {
    const std::uint64_t skipped = address - image.address;
    if (address < image.address || skipped > image.size || size > image.size - skipped) continue;
    if (std::memcmp(area_ + image.offset + skipped, bytes, size) == 0) return image.offset + skipped;
  }
  if (size > kAreaBytes - used_) return std::nullopt;
  std::memcpy(area_ + used_, bytes, size);
  images_.push_back({address, size, used_});
  used_ += size;
  return images_.back().offset;
}

}  // namespace toroid::unicorn
