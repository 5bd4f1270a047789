// SPDX-License-Identifier: Apache-2.0
//
// By Linux's asm/sigcontext.h, asm/ucontext.h and asm-generic/ucontext.h. struct ucontext begins the frame, struct
// siginfo follows, and then what FXSAVE stores.
#include "hw/kernel/abi/linux_x86_64/signal_frame.h"

#include "hw/kernel/process_core.h"
#include "hw/kernel/signals.h"
#include "hw/memory/byte_order.h"

namespace toroid {
namespace {

constexpr unsigned kMachine = 40, kBlocked = kMachine + 256, kInformation = kBlocked + 8;
constexpr unsigned kFloating = kInformation + guest::kSignalInformationBytes, kBytes = kFloating + 512;
static_assert(kFloating % 16 == 0);
constexpr unsigned kStackFlags = 24;  // of struct ucontext
// Of struct sigcontext.
constexpr unsigned kSegments = kMachine + 18 * 8, kError = kMachine + 19 * 8, kTrap = kError + 8, kOldMask = kTrap + 8,
                   kFaultAddress = kOldMask + 8, kFloatingPointer = kFaultAddress + 8;
// What FXSAVE stores.
constexpr unsigned kTags = kFloating + 4, kMxcsrMask = kFloating + 28, kX87 = kFloating + 32, kSse = kFloating + 160;

/// Which registers of the x87 unit hold something, a bit each, from the unit's tags of two bits.
std::uint8_t abridged(std::uint16_t tags) {
  unsigned filled = 0;
  for (unsigned i = 0; i < 8; ++i) filled |= static_cast<unsigned>((tags >> 2 * i & 3) != 3) << i;
  return static_cast<std::uint8_t>(filled);
}

struct Exception {
  unsigned number = 0, error = 0;
  bool has_address = false;
};

Exception exception_of(const HandledFault& fault) {
  constexpr unsigned kDivision = 0, kDebug = 1, kBreakpoint = 3, kInvalid = 6, kProtection = 13, kPage = 14;
  constexpr unsigned kPresent = 1, kWrite = 2, kUser = 4, kFetch = 16;  // of a page fault's error code
  switch (fault.kind) {
    case FaultKind::division:
      return {kDivision};
    case FaultKind::step:
      return {kDebug};
    case FaultKind::trap:
      return {kBreakpoint};
    case FaultKind::privileged_instruction:
    case FaultKind::misaligned_read:
    case FaultKind::misaligned_write:
      return {kProtection};
    case FaultKind::read_unmapped:
    case FaultKind::write_unmapped:
    case FaultKind::fetch_unmapped:
    case FaultKind::read_protected:
    case FaultKind::write_protected:
    case FaultKind::fetch_protected:
      return {kPage,
              kUser | (fault.code == guest::kSegvAccessError ? kPresent : 0) | (is_store(fault.kind) ? kWrite : 0) |
                  (is_fetch(fault.kind) ? kFetch : 0),
              true};
    default:
      return {kInvalid};
  }
}

void complete(std::uint8_t* frame, const SignalFrameFacts& facts) {
  constexpr ByteOrder kOrder = ByteOrder::little;
  constexpr std::uint64_t kStackSegmentKept = 6;  // UC_SIGCONTEXT_SS, UC_STRICT_RESTORE_SS
  constexpr std::uint32_t kNoOtherStack = 2;      // SS_DISABLE
  constexpr std::uint64_t kCode = 0x33, kData = 0x2B;
  store_u64(frame, kStackSegmentKept, kOrder);
  store_u32(frame + kStackFlags, kNoOtherStack, kOrder);
  store_u64(frame + kSegments, kCode | kData << 48, kOrder);
  if (facts.fault != nullptr) {
    const Exception exception = exception_of(*facts.fault);
    store_u64(frame + kError, exception.error, kOrder);
    store_u64(frame + kTrap, exception.number, kOrder);
    if (exception.has_address) store_u64(frame + kFaultAddress, facts.fault->address, kOrder);
  }
  store_u64(frame + kOldMask, facts.blocked, kOrder);
  store_u64(frame + kFloatingPointer, facts.address + kFloating, kOrder);
  store_u16(frame + kTags, abridged(load_u16(frame + kTags, kOrder)), kOrder);
  store_u32(frame + kMxcsrMask, 0xFFFF, kOrder);
}

}  // namespace

SignalFrame linux_x86_64_signal_frame() {
  SignalFrame frame;
  frame.bytes = kBytes;
  frame.information = kInformation;
  frame.blocked = kBlocked;
  frame.has_restorer = true;
  frame.complete = &complete;
  unsigned at = kMachine;
  for (const char* const name : {"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rdi", "rsi", "rbp", "rbx",
                                 "rdx", "rax", "rcx", "rsp", "rip"}) {
    frame.registers.push_back({name, at, 8, true});
    at += 8;
  }
  constexpr std::uint64_t kFlags = 0xDD5;  // carry to overflow, trap and direction; not those of the system
  frame.registers.push_back({"eflags", at, 8, true, kFlags});
  frame.registers.push_back({"fctrl", kFloating, 2});
  frame.registers.push_back({"fstat", kFloating + 2, 2});
  frame.registers.push_back({"ftag", kTags, 2});
  frame.registers.push_back({"fop", kFloating + 6, 2});
  frame.registers.push_back({"mxcsr", kFloating + 24, 4});
  for (unsigned i = 0; i < 8; ++i) frame.registers.push_back({"st" + std::to_string(i), kX87 + 16 * i, 10});
  for (unsigned i = 0; i < 16; ++i) frame.registers.push_back({"xmm" + std::to_string(i), kSse + 16 * i, 16, true});
  return frame;
}

}  // namespace toroid
