// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/unicorn/debian/find_registers.h"

#include <sys/uio.h>
#include <unicorn/unicorn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace toroid::unicorn {
namespace {

using Registers = std::array<std::uint32_t, 32>;
using Floats = std::array<std::uint64_t, 32>;

constexpr std::size_t kSearched = 256u << 10;  // a CPU with its translation cache is some 100 KiB
constexpr std::size_t kPage = 4096;
constexpr std::size_t kRegisterBytes = 16;  // of a floating-point or vector register, in one array

void write(uc_engine* uc, const Registers& values) {
  for (int i = 0; i < 32; ++i) uc_reg_write(uc, UC_PPC_REG_0 + i, &values[static_cast<unsigned>(i)]);
}

Registers read(uc_engine* uc) {
  Registers values{};
  for (int i = 0; i < 32; ++i) uc_reg_read(uc, UC_PPC_REG_0 + i, &values[static_cast<unsigned>(i)]);
  return values;
}

void write(uc_engine* uc, const Floats& values) {
  for (int i = 0; i < 32; ++i) uc_reg_write(uc, UC_PPC_REG_FPR0 + i, &values[static_cast<unsigned>(i)]);
}

Floats read_floats(uc_engine* uc) {
  Floats values{};
  for (int i = 0; i < 32; ++i) uc_reg_read(uc, UC_PPC_REG_FPR0 + i, &values[static_cast<unsigned>(i)]);
  return values;
}

/// Whether `values` lie at `place` with the stride of the array of registers; all of it is within `bytes`.
bool lies_at(const std::vector<std::uint8_t>& bytes, std::size_t place, const Floats& values) {
  for (unsigned i = 0; i < values.size(); ++i) {
    const std::size_t at = place + i * kRegisterBytes;
    if (std::memcmp(bytes.data() + at, &values[i], sizeof values[i]) != 0) return false;
  }
  return true;
}

/// Reads up to where nothing is mapped, without a fault.
std::vector<std::uint8_t> copy_of(const void* begin, std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  std::size_t done = 0;
  while (done < size) {
    const auto at = reinterpret_cast<std::uintptr_t>(begin) + done;
    const std::size_t chunk = std::min(size - done, kPage - at % kPage);
    const iovec local{bytes.data() + done, chunk};
    const iovec remote{reinterpret_cast<void*>(at), chunk};  // NOLINT(performance-no-int-to-ptr)
    if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) != static_cast<ssize_t>(chunk)) break;
    done += chunk;
  }
  bytes.resize(done);
  return bytes;
}

}  // namespace

const std::uint32_t* find_general_registers(uc_struct* uc, const void* cpu) {
  if (cpu == nullptr) return nullptr;
  const Registers kept = read(uc);
  Registers pattern{};
  for (std::uint32_t i = 0; i < 32; ++i) pattern[i] = 0x9E37'79B9u * (i + 1) ^ 0x5A5A'0000u;
  write(uc, pattern);
  const std::vector<std::uint8_t> bytes = copy_of(cpu, kSearched);
  const std::uint32_t* found = nullptr;
  for (std::size_t at = 0; at + sizeof pattern <= bytes.size(); at += sizeof(std::uint32_t)) {
    if (std::memcmp(bytes.data() + at, pattern.data(), sizeof pattern) != 0) continue;
    found = reinterpret_cast<const std::uint32_t*>(static_cast<const std::uint8_t*>(cpu) + at);
    for (std::uint32_t& value : pattern) value = ~value;
    write(uc, pattern);
    if (std::memcmp(found, pattern.data(), sizeof pattern) == 0) break;
    found = nullptr;
    for (std::uint32_t& value : pattern) value = ~value;
    write(uc, pattern);
  }
  write(uc, kept);
  return found;
}

std::uint64_t* find_float_registers(uc_struct* uc, const void* cpu) {
  if (cpu == nullptr) return nullptr;
  const Floats kept = read_floats(uc);
  Floats pattern{};
  for (std::uint64_t i = 0; i < 32; ++i) pattern[i] = 0x9E37'79B9'7F4A'7C15u * (i + 1);
  Floats inverted = pattern;
  for (std::uint64_t& value : inverted) value = ~value;
  write(uc, pattern);
  const std::vector<std::uint8_t> first = copy_of(cpu, kSearched);
  write(uc, inverted);
  const std::vector<std::uint8_t> second = copy_of(cpu, first.size());
  write(uc, kept);
  constexpr std::size_t kAll = 64 * kRegisterBytes;  // of both kinds
  for (std::size_t at = sizeof(std::uint64_t); at + kAll <= std::min(first.size(), second.size());
       at += sizeof(std::uint64_t)) {
    if (!lies_at(first, at, pattern) || !lies_at(second, at, inverted)) continue;
    // The engine's own state, which its interface lets us write elsewhere.
    auto* const state =
        static_cast<std::uint8_t*>(const_cast<void*>(cpu));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    return reinterpret_cast<std::uint64_t*>(state + at);
  }
  return nullptr;
}

}  // namespace toroid::unicorn
