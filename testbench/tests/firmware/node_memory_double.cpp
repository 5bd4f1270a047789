// SPDX-License-Identifier: Apache-2.0
#include "testbench/tests/firmware/node_memory_double.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#endif

namespace toroid::testing {

namespace {
constexpr std::size_t kPage = 1 << 20;  // of the machine's memory map
constexpr std::size_t kGap = 64;        // between two allocations
}  // namespace

NodeMemoryDouble::NodeMemoryDouble(std::uint32_t physical, std::size_t bytes)
    : bytes_((bytes + kPage - 1) / kPage * kPage), physical_(physical) {
  void* memory =
      mmap(nullptr, bytes_ + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  start_ = static_cast<char*>(memory) + (kPage - address % kPage) % kPage;
  munmap(memory, static_cast<std::size_t>(start_ - static_cast<char*>(memory)));
  ASAN_POISON_MEMORY_REGION(start_, bytes_);
}

NodeMemoryDouble::NodeMemoryDouble(NodeMemoryDouble&& other) noexcept
    : start_(std::exchange(other.start_, nullptr)),
      bytes_(other.bytes_),
      used_(other.used_),
      physical_(other.physical_) {}

NodeMemoryDouble::~NodeMemoryDouble() {
  if (start_ == nullptr) return;
  ASAN_UNPOISON_MEMORY_REGION(start_, bytes_);
  munmap(start_, bytes_);
}

void* NodeMemoryDouble::allocate(std::size_t bytes, std::size_t alignment, std::size_t beside) {
  used_ = (used_ + kGap + alignment - 1) / alignment * alignment + beside;
  if (used_ + bytes > bytes_) {
    std::fprintf(stderr, "memory double: no room for %zu bytes more\n", bytes);
    std::abort();
  }
  char* memory = start_ + used_;
  ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
  used_ += bytes;
  return memory;
}

char* NodeMemoryDouble::at(std::uint32_t physical, std::uint32_t bytes) const {
  const std::uint32_t offset = physical - physical_;
  return offset < bytes_ && bytes <= bytes_ - offset ? start_ + offset : nullptr;
}

std::uint32_t NodeMemoryDouble::physical(const void* memory, std::size_t bytes) const {
  const auto offset = static_cast<std::size_t>(static_cast<const char*>(memory) - start_);
  return offset < bytes_ && bytes <= bytes_ - offset ? physical_ + static_cast<std::uint32_t>(offset) : 0;
}

}  // namespace toroid::testing
