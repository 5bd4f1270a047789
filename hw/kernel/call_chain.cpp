// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/call_chain.h"

#include <vector>

#include "hw/kernel/printable.h"
#include "hw/memory/big_endian.h"

namespace toroid {
namespace {

/// Where functions return to, the innermost first.
std::vector<std::uint32_t> return_addresses(Core& core, const AddressSpace* space) {
  constexpr unsigned kFrames = 16;
  const Isa& isa = *core.config().isa;
  std::vector<std::uint32_t> addresses{static_cast<std::uint32_t>(isa.return_address(core.engine(), core.view()))};
  // A frame's first word points to its caller's frame, whose second word is where the callee returns to.
  auto frame = static_cast<std::uint32_t>(core.engine().read(isa.roles().stack_pointer));
  for (unsigned i = 0; i < kFrames && space != nullptr; ++i) {
    const std::uint8_t* here = space->readable(frame, 4);
    if (here == nullptr) break;
    const std::uint32_t caller = load_be32(here);
    const std::uint8_t* above = space->readable(caller, 8);
    if (caller <= frame || above == nullptr) break;
    const std::uint32_t back = load_be32(above + 4);
    if (back != 0) addresses.push_back(back);
    frame = caller;
  }
  return addresses;
}

}  // namespace

std::string callers_of(Core& core, const AddressSpace* space, Symboliser& symbols) {
  std::string text;
  for (const std::uint32_t back : return_addresses(core, space)) {
    const std::string function = symbols.function_and_line_at(back - 4);
    text += (text.empty() ? "" : ", ") + (function.empty() ? hex(back - 4) : function);
  }
  return text;
}

std::string functions_leading_to(std::uint32_t pc, Core& core, const AddressSpace* space, Symboliser& symbols) {
  std::string latest = symbols.function_at(pc);
  std::string text;
  for (const std::uint32_t back : return_addresses(core, space)) {
    if (latest == "main") break;
    const std::string function = symbols.function_at(back - 4);
    if (function.rfind("__libc_start", 0) == 0) break;
    if (function.empty() || function == latest) continue;
    text += (text.empty() ? "" : ", ") + symbols.function_and_line_at(back - 4);
    latest = function;
  }
  return text;
}

}  // namespace toroid
