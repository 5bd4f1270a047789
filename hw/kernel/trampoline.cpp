// SPDX-License-Identifier: Apache-2.0
//
// Nested functions' trampolines. A pointer to a function of C or Fortran that uses its parent's variables points to
// code which the compiler has put on the stack. Memory that can be written is not executed here; the kernel does
// instead what that code would do.
#include <algorithm>
#include <array>

#include "hw/isa/ppc32/registers.h"
#include "hw/kernel/process.h"
#include "hw/memory/big_endian.h"

namespace toroid {
namespace {

/// GCC's for 32-bit PowerPC. Two words of it are data: the function, and its parent's frame for r11.
constexpr std::array<std::uint32_t, 10> kTrampoline = {
    0x7C0802A6,  // mflr r0
    0x429F000D,  // bcl 20,31: over the data
    0,           // the function
    0,           // the frame
    0x7D6802A6,  // mflr r11
    0x7C0803A6,  // mtlr r0
    0x800B0000,  // lwz r0,0(r11)
    0x816B0004,  // lwz r11,4(r11)
    0x7C0903A6,  // mtctr r0
    0x4E800420,  // bctr
};
constexpr unsigned kFunction = 2, kFrame = 3, kInstructions = kTrampoline.size() - 2;

}  // namespace

std::optional<std::uint64_t> Process::on_jump_to_data(Core& core, std::uint64_t address) {
  if (end_ != ProcessEnd::running || !program_->image().executable_stack()) return std::nullopt;
  const std::uint8_t* bytes = address % 4 == 0 ? space_->readable(address, 4 * kTrampoline.size()) : nullptr;
  if (bytes == nullptr) return std::nullopt;
  std::array<std::uint32_t, kTrampoline.size()> words;
  for (unsigned i = 0; i < words.size(); ++i) words[i] = load_be32(bytes + 4 * i);
  const std::uint32_t function = words[kFunction], frame = words[kFrame];
  words[kFunction] = words[kFrame] = 0;
  if (words != kTrampoline || !space_->is_executable(function, 4)) return std::nullopt;
  core.engine().write(ppc32::gpr(0), function);
  core.engine().write(ppc32::gpr(11), frame);
  core.engine().write(ppc32::kCtr, function);
  core.spend(CoreCycle{kInstructions});
  return function;
}

}  // namespace toroid
