// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/unicorn/code_images.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <string>

namespace toroid::unicorn {

CodeImages::CodeImages(std::uint64_t area_bytes) : area_bytes_(area_bytes) {
  void* const area =
      mmap(nullptr, area_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (area == MAP_FAILED) {
    throw std::runtime_error("the host has no room for the code of an instruction-set engine, which reserves " +
                             std::to_string(area_bytes_ >> 20) + " MiB of addresses: " + std::strerror(errno));
  }
  area_ = static_cast<std::uint8_t*>(area);
}

CodeImages::~CodeImages() {
  munmap(area_, area_bytes_);
}

std::optional<std::uint64_t> CodeImages::add(std::uint64_t address, const std::uint8_t* bytes, std::uint64_t size,
                                             const ImagePart& part) {
  for (auto& known : images_) {
    auto& [offset, image] = known;
    const std::uint64_t skipped = address - image.address;
    if (image.dropped || address < image.address || skipped > image.size || size > image.size - skipped) continue;
    if (!holds(known, skipped, bytes, size, part)) continue;
    ++image.users;
    return offset + skipped;
  }
  drop_unused();
  const std::optional<std::uint64_t> offset = free_place(size);
  if (!offset) return std::nullopt;
  std::memcpy(area_ + *offset, bytes, size);
  images_[*offset] = {address, size, part, 1, false};
  return offset;
}

bool CodeImages::holds(const Images::value_type& image, std::uint64_t skipped, const std::uint8_t* bytes,
                       std::uint64_t size, const ImagePart& part) const {
  // To look at the bytes costs the host a page table, and what it has of the pages, for each node.
  const ImagePart& whole = image.second.part;
  if (part.image != 0 && part.image == whole.image) return part.offset == whole.offset + skipped;
  return std::memcmp(area_ + image.first + skipped, bytes, size) == 0;
}

void CodeImages::remove(std::uint64_t offset) {
  --std::prev(images_.upper_bound(offset))->second.users;
}

void CodeImages::drop_unused() {
  for (auto& [offset, image] : images_) {
    if (image.users != 0 || image.dropped) continue;
    madvise(area_ + offset, image.size, MADV_DONTNEED);
    image.dropped = true;
  }
}

bool CodeImages::reclaim() {
  drop_unused();
  const std::size_t before = images_.size();
  for (auto image = images_.begin(); image != images_.end();)
    image = image->second.dropped ? images_.erase(image) : std::next(image);
  return images_.size() != before;
}

std::optional<std::uint64_t> CodeImages::free_place(std::uint64_t size) const {
  std::uint64_t begin = 0;
  for (const auto& [offset, image] : images_) {
    if (offset - begin >= size) return begin;
    begin = offset + image.size;
  }
  return area_bytes_ - begin >= size ? std::optional(begin) : std::nullopt;
}

}  // namespace toroid::unicorn
