// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/power/power_isa.h"

#include <algorithm>
#include <utility>

#include "hw/isa/power/decoder.h"
#include "hw/isa/power/instruction.h"
#include "hw/isa/power/unicorn_engine.h"
#include "hw/memory/big_endian.h"
#include "hw/memory/byte_order.h"

namespace toroid::power {
namespace {

constexpr std::uint32_t kSummaryOverflow = 0x1000'0000;  // CR0.SO: a system call has failed
constexpr unsigned kFirstArgument = 3;                   // the System V ABI's registers
constexpr unsigned kCallNumber = 0;                      // Linux's

// mffs, and the bits of it in which newer processors' mffsce, mffscdrn, mffscdrni, mffscrn, mffscrni and mffsl differ.
// Processors without these ignore the bits, which the C library relies on; the engine does nothing at all.
constexpr std::uint32_t kStatusRead = 0xFC00'048E, kStatusReadTarget = 0x03E0'0001, kNewerStatusReads = 0x001F'F800;

bool is_newer_status_read(std::uint32_t word) {
  return (word & ~(kStatusReadTarget | kNewerStatusReads)) == kStatusRead && (word & kNewerStatusReads) != 0;
}

}  // namespace

std::unique_ptr<Engine> PowerIsa::make_engine(EngineClient& client, Observation observation) const {
  return make_unicorn_engine(client, observation, width_);
}

std::unique_ptr<BlockDecoder> PowerIsa::make_pipeline_decoder(std::vector<CodeSpan> code) const {
  return std::make_unique<Decoder>(pipeline_, width_, std::move(code));
}

std::vector<ReplacedInstruction> PowerIsa::replace_instructions(
    std::uint8_t* code, std::uint64_t address, std::uint64_t size,
    const std::function<bool(std::uint64_t)>& is_code) const {
  // The engine has no time base, its processor's version and number are not the machine's (and privileged, though
  // kernels let programs read them), and the kernel's special registers are those of another processor.
  std::vector<ReplacedInstruction> replaced;
  for (std::uint64_t offset = -address & (kInstructionBytes - 1); offset + kInstructionBytes <= size;
       offset += kInstructionBytes) {
    std::uint8_t* const bytes = code + offset;
    // Constants among the code may look like anything.
    const std::uint32_t word = load_be32(bytes);
    const SpecialRegister which = special_register(word);
    const bool reads_status = is_newer_status_read(word);
    const bool kept = which == SpecialRegister::user && !keeps_user_register_;
    if (!reads_status && (which == SpecialRegister::none || kept)) continue;
    if (!is_code(address + offset)) continue;
    ReplacedInstruction& instruction = replaced.emplace_back();
    instruction.address = address + offset;
    instruction.size = kInstructionBytes;
    std::copy_n(bytes, kInstructionBytes, instruction.original.begin());
    store_be32(bytes, reads_status ? word & ~kNewerStatusReads : kSystemCallInstruction);
  }
  return replaced;
}

void PowerIsa::emulate(const ReplacedInstruction& instruction, Engine& engine, std::uint64_t cycles,
                       CoreIdentity& identity) const {
  const std::uint32_t word = load_be32(instruction.original.data());
  const Register general = gpr(word >> 21 & 31);
  const SpecialRegister which = special_register(word);
  if (writes_special_register(word)) {
    identity.registers[static_cast<unsigned>(which)] = engine.read(general);
    return;
  }
  switch (which) {
    case SpecialRegister::time_base_lower:
      engine.write(general, width_ == Width::wide ? cycles : static_cast<std::uint32_t>(cycles));
      break;
    case SpecialRegister::time_base_upper:
      engine.write(general, cycles >> 32);
      break;
    case SpecialRegister::processor:
      engine.write(general, identity.number);
      break;
    case SpecialRegister::version:
      engine.write(general, identity.version);
      break;
    default: {
      const auto found = identity.registers.find(static_cast<unsigned>(which));
      engine.write(general, found == identity.registers.end() ? 0 : found->second);
      break;
    }
  }
}

SystemCallRequest PowerIsa::system_call(const Engine& engine) const {
  static_assert(kFirstArgument + kMostCallArguments - 1 <= 12, "registers that a call may change");
  SystemCallRequest request;
  request.number = engine.read(gpr(kCallNumber));
  for (unsigned i = 0; i < request.arguments.size(); ++i) request.arguments[i] = engine.read(gpr(kFirstArgument + i));
  return request;
}

void PowerIsa::return_from_system_call(Engine& engine, std::int64_t result) const {
  const bool failed = result < 0 && result >= -4095;
  const std::uint64_t cr = engine.read(kCr);
  engine.write(gpr(kFirstArgument), static_cast<std::uint64_t>(failed ? -result : result));
  engine.write(kCr, failed ? cr | kSummaryOverflow : cr & ~std::uint64_t{kSummaryOverflow});
}

std::uint64_t PowerIsa::enter_function(Engine& engine, MemoryView& memory, std::uint64_t function, std::uint64_t stack,
                                       std::initializer_list<std::uint64_t> arguments) const {
  // The end of the back chain, and room for what a function saves in its caller's frame: condition and link register.
  std::fill_n(memory.host(stack), (width_ == Width::wide ? 3 : 2) * word_bytes(), std::uint8_t{0});
  engine.write(gpr(kStackPointer), stack);
  unsigned number = kFirstArgument;
  for (const std::uint64_t argument : arguments) engine.write(gpr(number++), argument);
  engine.write(kLr, 0);
  return function;
}

std::vector<std::uint64_t> PowerIsa::callers(const Engine& engine, const ReadableMemory& memory, unsigned most) const {
  // A frame's first word points to its caller's frame. Of 32 bits, that one's second word is where the callee returns
  // to; of 64 bits it is the third.
  const unsigned size = word_bytes(), back_at = width_ == Width::wide ? 2 * size : size;
  std::vector<std::uint64_t> addresses;
  std::uint64_t frame = engine.read(gpr(kStackPointer));
  for (unsigned i = 0; i < most; ++i) {
    const std::uint8_t* const here = memory(frame, size);
    if (here == nullptr) break;
    const std::uint64_t caller = load_number(here, size, ByteOrder::big);
    const std::uint8_t* const above = memory(caller, back_at + size);
    if (caller <= frame || above == nullptr) break;
    const std::uint64_t back = load_number(above + back_at, size, ByteOrder::big);
    if (back != 0) addresses.push_back(back);
    frame = caller;
  }
  return addresses;
}

}  // namespace toroid::power
