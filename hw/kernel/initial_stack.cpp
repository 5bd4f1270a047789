// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/initial_stack.h"

#include <elf.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "hw/isa/block.h"
#include "hw/memory/big_endian.h"
#include "hw/memory/byte_order.h"

namespace toroid {
namespace {

constexpr std::uint64_t kClockTicks = 100;
constexpr std::uint64_t kAlignment = 16;

/// Bytes that are laid down from the top of the stack downwards.
class Strings {
 public:
  Strings(const MemoryView& memory, std::uint64_t top, std::uint64_t room) : memory_(memory), at_(top), room_(room) {}

  /// Returns where they begin; 0 if there is no room for them.
  std::uint64_t push(const void* bytes, std::size_t size) {
    if (size > room_) {
      fit_ = false;
      return 0;
    }
    room_ -= size;
    at_ -= size;
    std::memcpy(memory_.host(at_), bytes, size);
    return at_;
  }
  std::uint64_t push(const std::string& text) { return push(text.c_str(), text.size() + 1); }
  /// Where `size` further bytes begin, aligned; 0 if anything does not fit.
  std::uint64_t below(std::uint64_t size) const {
    return fit_ && size + 4 * kAlignment <= room_ ? (at_ - size) & ~(kAlignment - 1) : 0;
  }

 private:
  MemoryView memory_;
  std::uint64_t at_;
  std::uint64_t room_;
  bool fit_ = true;
};

}  // namespace

std::uint64_t build_initial_stack(AddressSpace& space, const ElfImage& image, const Isa& isa, LineSize code_line,
                                  const KernelConfig& config, RandomStream& random_words) {
  Strings strings(space.view(), space.stack_top() - kAlignment, config.stack_size / 2);
  std::vector<std::uint64_t> words{config.arguments.size()};
  for (const std::string& argument : config.arguments) words.push_back(strings.push(argument));
  words.push_back(0);
  for (const std::string& variable : config.environment) words.push_back(strings.push(variable));
  words.push_back(0);
  std::uint8_t random[16];
  store_be64(random, random_words.word());
  store_be64(random + 8, random_words.word());
  const std::uint64_t random_at = strings.push(random, sizeof random);
  const std::uint64_t platform_at = strings.push(isa.platform());

  const std::uint64_t auxiliary[][2] = {
      {AT_PHDR, image.program_headers()},
      {AT_PHENT, image.program_header_size()},
      {AT_PHNUM, image.program_header_count()},
      {AT_PAGESZ, kPageSize},
      {AT_ENTRY, image.entry()},
      {AT_HWCAP, isa.hardware_capabilities()},
      {AT_PLATFORM, platform_at},
      {AT_CLKTCK, kClockTicks},
      {AT_DCACHEBSIZE, isa.data_line_bytes()},
      {AT_ICACHEBSIZE, code_line.bytes()},
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
  const unsigned size = isa.word_bytes();
  const std::uint64_t at = strings.below(words.size() * size);
  if (at == 0) return 0;
  MemoryView memory = space.view();
  std::uint8_t* const host = memory.host(at);
  for (std::size_t i = 0; i < words.size(); ++i) store_number(host + i * size, words[i], size, isa.byte_order());
  return at;
}

}  // namespace toroid
