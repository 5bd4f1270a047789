// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/call_chain.h"

#include "hw/kernel/printable.h"

namespace toroid {
namespace {

/// The calls that led to where the core stands, the innermost first.
std::vector<std::uint64_t> calls(Core& core, const AddressSpace* space) {
  constexpr unsigned kFrames = 16;
  const Isa& isa = *core.config().isa;
  std::vector<std::uint64_t> addresses{isa.return_address(core.engine(), core.view())};
  if (space != nullptr) {
    const auto readable = [space](std::uint64_t address, std::uint64_t size) { return space->readable(address, size); };
    const std::vector<std::uint64_t> callers = isa.callers(core.engine(), readable, kFrames);
    addresses.insert(addresses.end(), callers.begin(), callers.end());
  }
  // The instruction that calls ends where the function returns to.
  for (std::uint64_t& address : addresses) address -= isa.code_alignment();
  return addresses;
}

}  // namespace

std::string callers_of(Core& core, const AddressSpace* space, Symboliser& symbols) {
  std::string text;
  for (const std::uint64_t call : calls(core, space)) {
    const std::string function = symbols.function_and_line_at(call);
    text += (text.empty() ? "" : ", ") + (function.empty() ? hex(call) : function);
  }
  return text;
}

std::vector<std::string> names_leading_to(std::uint64_t pc, Core& core, const AddressSpace* space,
                                          Symboliser& symbols) {
  std::vector<std::string> names{symbols.function_at(pc)};
  for (const std::uint64_t call : calls(core, space)) {
    if (names.back() == "main") break;
    names.push_back(symbols.function_at(call));
  }
  return names;
}

std::string functions_leading_to(std::uint64_t pc, Core& core, const AddressSpace* space, Symboliser& symbols) {
  std::string latest = symbols.function_at(pc);
  std::string text;
  for (const std::uint64_t call : calls(core, space)) {
    if (latest == "main") break;
    const std::string function = symbols.function_at(call);
    if (function.rfind("__libc_start", 0) == 0) break;
    if (function.empty() || function == latest) continue;
    text += (text.empty() ? "" : ", ") + symbols.function_and_line_at(call);
    latest = function;
  }
  return text;
}

}  // namespace toroid
