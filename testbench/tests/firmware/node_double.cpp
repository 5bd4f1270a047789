// SPDX-License-Identifier: Apache-2.0
#include "testbench/tests/firmware/node_double.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "drivers/bgl/lockbox.h"

namespace toroid::testing {

namespace {

[[noreturn]] void fail(const char* what, std::uintptr_t address) {
  std::fprintf(stderr, "node double: %s at 0x%llx\n", what, static_cast<unsigned long long>(address));
  std::abort();
}

}  // namespace

void NodeDouble::read(std::uintptr_t address, void* to, unsigned bytes) const {
  if (!is_scratchpad(address) || address % bytes != 0) fail("read", address);
  std::memcpy(to, &bytes_[address - BGL_SRAM_BASE], bytes);
}

void NodeDouble::write(std::uintptr_t address, const void* from, unsigned bytes) {
  if (!is_scratchpad(address) || address % bytes != 0) fail("write", address);
  std::memcpy(&bytes_[address - BGL_SRAM_BASE], from, bytes);
  ++writes;
}

std::uint32_t NodeDouble::read_word(std::uintptr_t address) {
  std::uint32_t word = 0;
  if (is_scratchpad(address)) {
    read(address, &word, sizeof word);
    return word;
  }
  const auto lock = static_cast<unsigned>((address - BGL_LOCKBOX_BASE) / BGL_LOCKBOX_GROUP_STRIDE);
  if (lock >= locks_.size()) fail("read", address);
  switch ((address - BGL_LOCKBOX_BASE) % BGL_LOCKBOX_GROUP_STRIDE) {
    case BGL_LOCKBOX_ACQUIRE_OFFSET:
      if (locks_[lock]) fail("a lock is held for ever", address);
      locks_[lock] = true;
      return 0;
    case BGL_LOCKBOX_QUERY_OFFSET:
      return locks_[lock];
    default:
      return 0;  // the barrier: the other process is there already
  }
}

void NodeDouble::write_word(std::uintptr_t address, std::uint32_t word) {
  if (is_scratchpad(address)) {
    write(address, &word, sizeof word);
    return;
  }
  const auto lock = static_cast<unsigned>((address - BGL_LOCKBOX_BASE) / BGL_LOCKBOX_GROUP_STRIDE);
  if (lock >= locks_.size()) fail("write", address);
  if ((address - BGL_LOCKBOX_BASE) % BGL_LOCKBOX_GROUP_STRIDE == BGL_LOCKBOX_ACQUIRE_OFFSET) locks_[lock] = word != 0;
}

}  // namespace toroid::testing
