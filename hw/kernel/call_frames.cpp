// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/call_frames.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <libelf.h>

#include <cstdlib>
#include <memory>
#include <sstream>

namespace toroid {
namespace {

constexpr std::size_t kMostOperations = 3;  // what libdw makes of a rule that is no expression of the program's

/// What is at an offset from the frame's base; nullopt if the rule says anything else.
std::optional<std::int64_t> offset_of(Dwarf_Frame* frame, unsigned which) {
  Dwarf_Op memory[kMostOperations];
  Dwarf_Op* rule = nullptr;
  std::size_t count = 0;
  if (dwarf_frame_register(frame, static_cast<int>(which), memory, &rule, &count) != 0 || count == 0 || count > 2 ||
      rule[0].atom != DW_OP_call_frame_cfa)
    return std::nullopt;
  if (count == 1) return 0;
  if (rule[1].atom != DW_OP_plus_uconst) return std::nullopt;
  return static_cast<std::int64_t>(rule[1].number);
}

bool find_base(Dwarf_Frame* frame, CallFrame& result) {
  Dwarf_Op* rule = nullptr;
  std::size_t count = 0;
  if (dwarf_frame_cfa(frame, &rule, &count) != 0 || count != 1) return false;
  if (rule->atom >= DW_OP_breg0 && rule->atom <= DW_OP_breg31) {
    result.base_register = rule->atom - DW_OP_breg0;
    result.base_offset = static_cast<std::int64_t>(rule->number);
    return true;
  }
  result.base_register = static_cast<unsigned>(rule->number);
  result.base_offset = static_cast<std::int64_t>(rule->number2);
  return rule->atom == DW_OP_bregx;
}

}  // namespace

std::string CallFrame::text() const {
  std::ostringstream text;
  text << base_register << ' ' << base_offset << ' ' << return_address;
  for (const auto& [which, offset] : saved) text << ' ' << which << ' ' << offset;
  return text.str();
}

std::optional<CallFrame> CallFrame::from_text(const std::string& text) {
  std::istringstream words(text);
  CallFrame frame;
  if (!(words >> frame.base_register >> frame.base_offset >> frame.return_address)) return std::nullopt;
  std::pair<unsigned, std::int64_t> each;
  while (words >> each.first >> each.second) frame.saved.push_back(each);
  return frame;
}

CallFrames::CallFrames(const std::vector<std::uint8_t>& file) {
  elf_version(EV_CURRENT);
  // libelf wants to write where it may; it opens this to read.
  auto* image = reinterpret_cast<char*>(const_cast<std::uint8_t*>(file.data()));
  elf_ = elf_memory(image, file.size());
  frames_ = elf_ == nullptr ? nullptr : dwarf_getcfi_elf(elf_);
}

CallFrames::~CallFrames() {
  if (frames_ != nullptr) dwarf_cfi_end(frames_);
  elf_end(elf_);
}

std::optional<CallFrame> CallFrames::at(std::uint64_t address, unsigned registers) {
  Dwarf_Frame* found = nullptr;
  if (frames_ == nullptr || dwarf_cfi_addrframe(frames_, address, &found) != 0) return std::nullopt;
  const std::unique_ptr<Dwarf_Frame, void (*)(void*)> frame(found, std::free);
  CallFrame result;
  const int back = dwarf_frame_info(frame.get(), nullptr, nullptr, nullptr);
  const auto return_address = back < 0 ? std::nullopt : offset_of(frame.get(), static_cast<unsigned>(back));
  if (!return_address || !find_base(frame.get(), result)) return std::nullopt;
  result.return_address = *return_address;
  for (unsigned which = 0; which < registers; ++which) {
    if (const auto offset = offset_of(frame.get(), which)) result.saved.emplace_back(which, *offset);
  }
  return result;
}

}  // namespace toroid
