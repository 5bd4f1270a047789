// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/ppc32/trampoline.h"

#include <array>

#include "hw/isa/power/registers.h"
#include "hw/memory/big_endian.h"

namespace toroid::ppc32 {
namespace {

using power::gpr, power::kCtr;

/// GCC's. Two words of it are data: the function, and its parent's frame for r11.
constexpr std::array<std::uint32_t, kTrampolineBytes / 4> kTrampoline = {
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

std::optional<Trampoline> find_trampoline(const std::uint8_t* code) {
  std::array<std::uint32_t, kTrampoline.size()> words{};
  for (unsigned i = 0; i < words.size(); ++i) words[i] = load_be32(code + 4 * i);
  const Trampoline trampoline{words[kFunction], words[kFrame], kInstructions};
  words[kFunction] = words[kFrame] = 0;
  if (words != kTrampoline) return std::nullopt;
  return trampoline;
}

void enter_by(const Trampoline& trampoline, Engine& engine) {
  engine.write(gpr(0), trampoline.function);
  engine.write(gpr(11), trampoline.frame);
  engine.write(kCtr, trampoline.function);
}

}  // namespace toroid::ppc32
