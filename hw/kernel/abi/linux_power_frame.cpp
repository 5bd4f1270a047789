// SPDX-License-Identifier: Apache-2.0
//
// By Linux's asm/ucontext.h, asm/sigcontext.h, asm/ptrace.h and asm/elf.h. The frame begins as each function's does,
// with the back chain and room for what the handler saves of its caller. Linux's frame had the code that the handler
// returns to, by which GCC's unwinder recognises it, before Linux got a library of its own for that. There is no such
// code here: with it, the unwinder of GCC 10 to 12 ends the program (it takes the column of another register for that
// of the program counter). What tells it the way is in way_back.h.
#include "hw/kernel/abi/linux_power.h"
#include "hw/kernel/process_core.h"
#include "hw/kernel/signals.h"
#include "hw/memory/big_endian.h"

namespace toroid {
namespace {

constexpr std::uint32_t kNoOtherStack = 2;  // SS_DISABLE

// struct pt_regs, in words behind the general purpose registers.
enum Special : unsigned { kPc = 32, kMsr, kFirstArgument, kCtr, kLr, kXer, kCr, kEnabled, kTrap, kAddress, kStatus };
constexpr unsigned kWords = 48;  // of gregset_t, which it begins

namespace narrow {
constexpr unsigned kWord = 4, kInformation = 64 + 16, kContext = kInformation + guest::kSignalInformationBytes;
constexpr unsigned kStackFlags = kContext + 12, kPointer = kContext + 48, kBlocked = kContext + 52;
constexpr unsigned kNumbers = kContext + 192, kFloating = kNumbers + kWords * kWord, kReturn = kFloating + 33 * 8;
constexpr unsigned kVectors = kReturn + 8, kBytes = kVectors + 33 * 16;
static_assert(kVectors % 16 == 0 && kBytes % 16 == 0);
}  // namespace narrow

namespace wide {
constexpr unsigned kWord = 8, kContext = 128, kStackFlags = kContext + 24, kBlocked = kContext + 40;
constexpr unsigned kMachine = kContext + 168;  // struct sigcontext
constexpr unsigned kSignal = kMachine + 32, kHandler = kSignal + 8, kOldMask = kHandler + 8, kPointer = kOldMask + 8;
constexpr unsigned kNumbers = kPointer + 8, kFloating = kNumbers + kWords * kWord, kVectorPointer = kFloating + 33 * 8;
constexpr unsigned kVectorWords = 101, kReturn = kVectorPointer + 8 + kVectorWords * 8 + 2 * 8;
constexpr unsigned kInformationPointer = kReturn + 6 * 4, kContextPointer = kInformationPointer + 8;
constexpr unsigned kInformation = kContextPointer + 8;
constexpr unsigned kBytes = (kInformation + guest::kSignalInformationBytes + 15) / 16 * 16;
}  // namespace wide

/// What the processor's special registers say of a fault: its vector, and where and why of an access.
struct Exception {
  std::uint32_t vector = 0, status = 0;
  std::uint64_t address = 0;
};

Exception exception_of(const HandledFault& fault) {
  constexpr std::uint32_t kData = 0x300, kInstruction = 0x400, kAlignment = 0x600, kProgram = 0x700;
  constexpr std::uint32_t kNotMapped = 0x4000'0000, kProtected = 0x0800'0000, kStore = 0x0200'0000;
  const std::uint32_t store = is_store(fault.kind) ? kStore : 0;
  if (is_data_access(fault.kind))
    return {kData, store | (fault.code == guest::kSegvAccessError ? kProtected : kNotMapped), fault.address};
  if (is_fetch(fault.kind)) return {kInstruction, 0, 0};
  if (fault.kind == FaultKind::misaligned_read || fault.kind == FaultKind::misaligned_write)
    return {kAlignment, fault.kind == FaultKind::misaligned_write ? kStore : 0, fault.address};
  return {kProgram, 0, 0};
}

void complete_narrow(std::uint8_t* frame, const SignalFrameFacts& facts) {
  using namespace narrow;
  const auto place = [&](unsigned at) { return static_cast<std::uint32_t>(facts.address + at); };
  const auto special = [&](Special which) { return frame + kNumbers + which * kWord; };
  store_be32(frame + kStackFlags, kNoOtherStack);
  store_be32(frame + kPointer, place(kNumbers));
  if (facts.fault == nullptr) return;
  const Exception exception = exception_of(*facts.fault);
  store_be32(special(kTrap), exception.vector);
  store_be32(special(kAddress), static_cast<std::uint32_t>(exception.address));
  store_be32(special(kStatus), exception.status);
}

void complete_wide(std::uint8_t* frame, const SignalFrameFacts& facts) {
  using namespace wide;
  const auto special = [&](Special which) { return frame + kNumbers + which * kWord; };
  store_be32(frame + kStackFlags, kNoOtherStack);
  store_be32(frame + kSignal, facts.signal);
  store_be64(frame + kHandler, facts.handler);
  store_be64(frame + kOldMask, facts.blocked);
  store_be64(frame + kPointer, facts.address + kNumbers);
  store_be64(frame + kInformationPointer, facts.address + kInformation);
  store_be64(frame + kContextPointer, facts.address + kContext);
  store_be64(special(kEnabled), 1);
  if (facts.fault == nullptr) return;
  const Exception exception = exception_of(*facts.fault);
  store_be64(special(kTrap), exception.vector);
  store_be64(special(kAddress), exception.address);
  store_be64(special(kStatus), exception.status);
}

}  // namespace

SignalFrame linux_power_signal_frame(unsigned word_bytes) {
  const bool is_wide = word_bytes == wide::kWord;
  const unsigned numbers = is_wide ? wide::kNumbers : narrow::kNumbers;
  const unsigned floating = is_wide ? wide::kFloating : narrow::kFloating;
  SignalFrame frame;
  frame.bytes = is_wide ? wide::kBytes : narrow::kBytes;
  frame.information = is_wide ? wide::kInformation : narrow::kInformation;
  frame.context = is_wide ? wide::kContext : narrow::kContext;
  frame.blocked = is_wide ? wide::kBlocked : narrow::kBlocked;
  frame.returns = is_wide ? wide::kReturn : narrow::kReturn;
  frame.complete = is_wide ? &complete_wide : &complete_narrow;
  std::vector<ContextRegister>& registers = frame.registers;
  registers.push_back({"r1", 0, word_bytes});  // the back chain
  const auto number = [&](const char* name, unsigned which, bool taken = true) {
    registers.push_back({name, numbers + which * word_bytes, word_bytes, taken});
  };
  for (unsigned i = 0; i < 32; ++i) number(("r" + std::to_string(i)).c_str(), i);
  number("pc", kPc);
  number("msr", kMsr, false);
  number("r3", kFirstArgument, false);
  number("ctr", kCtr);
  number("lr", kLr);
  number("xer", kXer);
  number("cr", kCr);
  for (unsigned i = 0; i < 32; ++i) registers.push_back({"f" + std::to_string(i), floating + 8 * i, 8, true});
  registers.push_back({"fpscr", floating + 32 * 8, 8, false});
  if (!is_wide) {
    for (unsigned i = 0; i < 32; ++i)
      registers.push_back({"vr" + std::to_string(i), narrow::kVectors + 16 * i, 16, true});
  }
  return frame;
}

}  // namespace toroid
