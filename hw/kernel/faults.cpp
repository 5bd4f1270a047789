// SPDX-License-Identifier: Apache-2.0
//
// What a process must not do, and how it is told.
#include "hw/kernel/faults.h"

#include "hw/kernel/printable.h"
#include "hw/kernel/process.h"
#include "hw/kernel/signals.h"

namespace toroid {
namespace {

constexpr std::uint64_t kLargeFrame = 16 << 10;  // more of it than of the depth of calls

/// "8 MiB", "10 KiB", "1234 bytes".
std::string size_text(std::uint64_t bytes) {
  if (bytes != 0 && bytes % (1 << 20) == 0) return std::to_string(bytes >> 20) + " MiB";
  if (bytes != 0 && bytes % (1 << 10) == 0) return std::to_string(bytes >> 10) + " KiB";
  return std::to_string(bytes) + " bytes";
}

struct Stack {
  std::uint64_t low = 0, top = 0;
  std::string name;
};

/// The stack that a core is on, by what it was given. Of the main one the kernel knows where it ends; others can reach
/// down to the beginning of the memory that they lie in.
Stack stack_of(Process& process, const Core& core) {
  const AddressSpace& space = *process.memory();
  const ProcessCore& own = process.of(core);
  const bool first = &own == &process.cores().front();
  if (first && !own.handler.running) {
    return {space.stack(), space.stack_top(),
            "the stack of " + size_text(space.stack_top() - space.stack()) + " (node.stack_size)"};
  }
  const std::uint64_t top = own.handler.running ? own.handler.stack : own.start.stack;
  return {space.writable_below(top), top,
          (own.handler.running  ? "the interrupt handler's stack, which begins at "
           : own.thread.id != 0 ? "the thread's stack, which begins at "
                                : "the second core's stack, which begins at ") +
              hex(top)};
}

/// As Linux tells of a fault that an instruction set makes one of protection.
void make_general_protection(FaultReport& report) {
  report.signal = guest::kSigSegv;
  report.code = guest::kByKernel;
  report.address = 0;
}

/// Empty if the fault has another cause.
std::string stack_overflow(Process& process, Core& core, const CoreFault& fault) {
  if (!is_data_access(fault.kind)) return {};
  const Stack stack = stack_of(process, core);
  const std::uint64_t pointer = core.engine().read(process.isa().roles().stack_pointer);
  const bool inside = pointer >= stack.low && pointer <= stack.top;
  const bool framing = process.blocks().code().makes_frame(fault.pc);
  const bool by_frame = framing && inside && fault.address < stack.low;
  // Below the main stack is nothing else. Below another is what comes: who touches it must be at the stack's end, or
  // have moved the stack pointer past it before.
  const bool at_end = inside && pointer - stack.low < kPageSize;
  const bool past = pointer < stack.low && stack.low - pointer <= AddressSpace::kGuardSize;
  const bool in_guard = fault.address < stack.low && stack.low - fault.address <= AddressSpace::kGuardSize &&
                        (stack.top == process.memory()->stack_top() || at_end || past);
  // Who moves the stack pointer before the first access of a frame: it stands where nothing is.
  const bool beyond = pointer < stack.low && fault.address < stack.low &&
                      fault.address + AddressSpace::kGuardSize >= pointer &&
                      process.memory()->readable(pointer, 1) == nullptr;
  if (!by_frame && !in_guard && !beyond) return {};
  const bool write = is_store(fault.kind);
  std::string text = std::string("stack overflow: ") + (write ? "write to " : "read of ") + hex(fault.address) +
                     ", below " + stack.name;
  if (const std::uint64_t frame = pointer - fault.address; by_frame && frame >= kLargeFrame)
    text += ", by a frame of " + size_text(frame);
  if (const std::uint64_t frame = stack.low - pointer; beyond && frame >= kLargeFrame)
    text += ", by a frame of more than " + size_text(frame & ~(kPageSize - 1));
  return text;
}

}  // namespace

FaultReport fault_report(Process& process, Core& core, const CoreFault& fault) {
  const std::string at = " at " + process.describe(fault.pc);
  const std::string address = hex(fault.address);
  const std::string instruction = process.blocks().code().encoding_at(fault.pc);
  const bool null = fault.address < kPageSize;
  FaultReport report{{}, fault.pc, guest::kSigSegv, fault.address};
  std::string& what = report.what;
  switch (fault.kind) {
    case FaultKind::illegal_instruction:
      what = "illegal instruction " + instruction + at;
      report.signal = guest::kSigIll;
      report.address = fault.pc;
      break;
    case FaultKind::privileged_instruction:
      what = "privileged instruction " + instruction + at;
      report.signal = guest::kSigIll;
      report.address = fault.pc;
      if (process.isa().has_general_protection()) make_general_protection(report);
      break;
    case FaultKind::trap:
      what = "trap instruction " + instruction + at;
      report.signal = guest::kSigTrap;
      report.address = fault.pc;
      break;
    case FaultKind::step:
      what = "step to the instruction " + instruction + at + ", for which the program's flags ask";
      report.signal = guest::kSigTrap;
      report.address = fault.pc;
      report.code = guest::kTrapTrace;
      break;
    case FaultKind::division:
      what = "integer division by zero, or whose result is too large," + at;
      report.signal = guest::kSigFpe;
      report.address = fault.pc;
      break;
    case FaultKind::read_unmapped:
    case FaultKind::write_unmapped: {
      const bool write = fault.kind == FaultKind::write_unmapped;
      what = std::string(write ? "write to " : "read of ") + address +
             (null ? " (NULL pointer)" : ", which is not mapped") + "," + at;
      break;
    }
    case FaultKind::read_protected:
      what = "read of " + address + ", which may not be read," + at;
      report.code = guest::kSegvAccessError;
      break;
    case FaultKind::write_protected:
      what = "write to " + address + ", which is read-only," + at;
      report.code = guest::kSegvAccessError;
      break;
    case FaultKind::misaligned_read:
    case FaultKind::misaligned_write: {
      const bool write = fault.kind == FaultKind::misaligned_write;
      what = std::string("misaligned ") + (write ? "write to " : "read of ") + address + " by instruction " +
             instruction + ": " + fault.detail + "," + at;
      report.signal = guest::kSigBus;
      if (process.isa().has_general_protection()) make_general_protection(report);
      break;
    }
    case FaultKind::fetch_unmapped:
    case FaultKind::fetch_protected:
      report.from = (process.isa().return_address(core.engine(), core.view()) - 4) & process.words().largest();
      what = "jump to " + process.describe(fault.address) +
             (null                                       ? " (NULL pointer)"
              : fault.kind == FaultKind::fetch_protected ? ", which is data"
                                                         : ", which is not mapped") +
             ", called from " + process.describe(report.from);
      if (fault.kind == FaultKind::fetch_protected) report.code = guest::kSegvAccessError;
      break;
    case FaultKind::device_error:
      what = "bad device access to " + address + ": " + fault.detail + "," + at;
      report.signal = guest::kSigBus;
      break;
    case FaultKind::other_exception:
      what = fault.detail + at;
      report.signal = guest::kSigIll;
      report.address = fault.pc;
      break;
  }
  if (const std::string overflow = stack_overflow(process, core, fault); !overflow.empty()) what = overflow + "," + at;
  return report;
}

}  // namespace toroid
