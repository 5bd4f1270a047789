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

std::optional<CodeImages::Image> CodeImages::add(std::uint64_t address, const std::uint8_t* bytes, std::uint64_t size) {
  const auto [first, last] = images_.equal_range(address);
  for (auto image = first; image != last; ++image) {
    const Place& place = places_[image->second];
    if (place.size == size && std::memcmp(area_ + place.offset, bytes, size) == 0) return image->second;
  }
  if (size > kAreaBytes - used_) return std::nullopt;
  const auto image = static_cast<Image>(places_.size());
  std::memcpy(area_ + used_, bytes, size);
  places_.push_back({used_, size});
  images_.emplace(address, image);
  used_ += size;
  return image;
}

}  // namespace toroid::unicorn
