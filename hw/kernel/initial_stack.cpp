// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/initial_stack.h"

#include <elf.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "hw/memory/big_endian.h"

namespace toroid {
namespace {

constexpr std::uint32_t kHardwareCapabilities = 0x9000'0000;  // PPC_FEATURE_32 | PPC_FEATURE_HAS_ALTIVEC
constexpr std::uint32_t kCacheBlock = 32;
constexpr std::uint32_t kClockTicks = 100;

}  // namespace

std::uint32_t build_initial_stack(AddressSpace& space, const ElfImage& image, const KernelConfig& config,
                                  RandomStream& random_words) {
  std::vector<std::uint32_t> words{static_cast<std::uint32_t>(config.arguments.size())};
  std::uint32_t at = space.stack_top() - 16;
  std::uint64_t room = config.stack_size / 2;
  MemoryView memory = space.view();
  bool fits = true;
  const auto push = [&](const void* bytes, std::size_t size) {
    if (size > room) {
      fits = false;
      return std::uint32_t{0};
    }
    room -= size;
    at -= static_cast<std::uint32_t>(size);
    std::memcpy(memory.host(at), bytes, size);
    return at;
  };
  for (const std::string& argument : config.arguments) words.push_back(push(argument.c_str(), argument.size() + 1));
  words.push_back(0);
  for (const std::string& variable : config.environment) words.push_back(push(variable.c_str(), variable.size() + 1));
  words.push_back(0);
  std::uint8_t random[16];
  store_be64(random, random_words.word());
  store_be64(random + 8, random_words.word());
  const std::uint32_t random_at = push(random, sizeof random);
  const std::uint32_t platform_at = push("ppc440", 7);

  const std::uint32_t auxiliary[][2] = {
      {AT_PHDR, image.program_headers()},
      {AT_PHENT, image.program_header_size()},
      {AT_PHNUM, image.program_header_count()},
      {AT_PAGESZ, kPageSize},
      {AT_ENTRY, image.entry()},
      {AT_HWCAP, kHardwareCapabilities},
      {AT_PLATFORM, platform_at},
      {AT_CLKTCK, kClockTicks},
      {AT_DCACHEBSIZE, kCacheBlock},
      {AT_ICACHEBSIZE, kCacheBlock},
      {AT_UCACHEBSIZE, 0},
      {AT_UID, 0},
      {AT_EUID, 0},
      {AT_GID, 0},
      {AT_EGID, 0},
      {AT_SECURE, 0},
      {AT_RANDOM, random_at},
      {AT_NULL, 0},
  };
  for (const auto& [type, value] : auxiliary) {
    words.push_back(type);
    words.push_back(value);
  }
  if (!fits || words.size() * 4 + 64 > room) return 0;
  at = (at - static_cast<std::uint32_t>(words.size() * 4)) & ~std::uint32_t{15};
  for (std::size_t i = 0; i < words.size(); ++i)
    store_be32(memory.host(at + static_cast<std::uint32_t>(4 * i)), words[i]);
  return at;
}

}  // namespace toroid
