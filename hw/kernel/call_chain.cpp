// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/call_chain.h"

#include "hw/kernel/printable.h"
#include "hw/memory/byte_order.h"

namespace toroid {
namespace {

constexpr unsigned kFrames = 16;

/// Where the functions return to that have led to `pc`, the innermost first, as the program's call frames tell.
std::vector<std::uint64_t> returns_by_frames(std::uint64_t pc, Core& core, const AddressSpace& space,
                                             Symboliser& symbols) {
  const Isa& isa = *core.config().isa;
  const std::vector<Register> registers = isa.frame_registers();
  std::vector<std::uint64_t> values;
  for (const Register which : registers) values.push_back(core.engine().read(which));
  const auto word_at = [&](std::uint64_t address) {
    const std::uint8_t* const here = space.readable(address, isa.word_bytes());
    return here == nullptr ? std::nullopt : std::optional(load_number(here, isa.word_bytes(), isa.byte_order()));
  };
  std::vector<std::uint64_t> returns;
  while (!registers.empty() && returns.size() < kFrames) {
    const std::uint64_t at = returns.empty() ? pc : returns.back() - isa.code_alignment();
    const auto frame = symbols.frame_at(at, static_cast<unsigned>(registers.size()));
    if (!frame || frame->base_register >= values.size()) break;
    const std::uint64_t base = values[frame->base_register] + static_cast<std::uint64_t>(frame->base_offset);
    const auto saved_at = [&](std::int64_t offset) { return word_at(base + static_cast<std::uint64_t>(offset)); };
    const std::optional<std::uint64_t> back = saved_at(frame->return_address);
    if (!back || !space.is_executable(*back, isa.code_alignment())) break;
    for (std::size_t i = 0; i < registers.size(); ++i) {
      if (registers[i] == isa.roles().stack_pointer) values[i] = base;
    }
    for (const auto& [which, offset] : frame->saved) {
      if (which < values.size()) values[which] = saved_at(offset).value_or(0);
    }
    returns.push_back(*back);
  }
  return returns;
}

/// The same, as the stack tells by itself.
std::vector<std::uint64_t> returns_by_stack(Core& core, const AddressSpace* space) {
  const Isa& isa = *core.config().isa;
  std::vector<std::uint64_t> addresses{isa.return_address(core.engine(), core.view())};
  if (space != nullptr) {
    const auto readable = [space](std::uint64_t address, std::uint64_t size) { return space->readable(address, size); };
    const std::vector<std::uint64_t> callers = isa.callers(core.engine(), readable, kFrames);
    for (const std::uint64_t each : callers) {
      // A signal's handler returns to where no code is.
      if (space->is_executable(each, isa.code_alignment())) addresses.push_back(each);
    }
  }
  return addresses;
}

/// The calls that led to `pc`, where the core stands, the innermost first.
std::vector<std::uint64_t> calls(std::uint64_t pc, Core& core, const AddressSpace* space, Symboliser& symbols) {
  std::vector<std::uint64_t> addresses;
  if (space != nullptr) addresses = returns_by_frames(pc, core, *space, symbols);
  if (addresses.empty()) addresses = returns_by_stack(core, space);
  // The instruction that calls ends where the function returns to.
  for (std::uint64_t& address : addresses) address -= core.config().isa->code_alignment();
  return addresses;
}

}  // namespace

std::string callers_of(Core& core, const AddressSpace* space, Symboliser& symbols) {
  std::string text;
  for (const std::uint64_t call : calls(core.pc(), core, space, symbols)) {
    const std::string function = symbols.function_and_line_at(call);
    text += (text.empty() ? "" : ", ") + (function.empty() ? hex(call) : function);
  }
  return text;
}

std::vector<std::string> names_leading_to(std::uint64_t pc, Core& core, const AddressSpace* space,
                                          Symboliser& symbols) {
  std::vector<std::string> names{symbols.function_at(pc)};
  for (const std::uint64_t call : calls(pc, core, space, symbols)) {
    if (names.back() == "main") break;
    names.push_back(symbols.function_at(call));
  }
  return names;
}

std::string functions_leading_to(std::uint64_t pc, Core& core, const AddressSpace* space, Symboliser& symbols) {
  std::string latest = symbols.function_at(pc);
  std::string text;
  for (const std::uint64_t call : calls(pc, core, space, symbols)) {
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
