// SPDX-License-Identifier: Apache-2.0
//
// Interrupts: delivered to the process by the kernel, and the calls for that.
#include <algorithm>
#include <cerrno>
#include <tuple>

#include "hw/kernel/process.h"
#include "hw/memory/big_endian.h"
#include "nic/bgl/bic_regs.h"

namespace toroid {
namespace {

static_assert(TOROID_INTERRUPT_TORUS == BGL_BIC_DCR_PENDING_TORUS_MASK &&
                  TOROID_INTERRUPT_TREE == BGL_BIC_DCR_PENDING_TREE_MASK &&
                  TOROID_INTERRUPT_GLOBAL == BGL_BIC_DCR_PENDING_GLOBAL_MASK,
              "the kernel's groups are the interrupt controller's");

std::uint32_t enable_register(const Core& core) {
  return BGL_BIC_DCR_BASE + BGL_BIC_DCR_ENABLE_OFFSET + core.number();
}

}  // namespace

Process::Result Process::do_set_interrupt_handler(const Arguments& arguments) {
  constexpr std::uint32_t kBelow = 16, kAbove = 8;  // of the stack pointer: room that the first frames take for granted
  const auto [entry, stack, mask] = std::tie(arguments[0], arguments[1], arguments[2]);
  InterruptHandler& handler = handlers_[caller_ == second_ ? 1 : 0];
  if (handler.running) return -EBUSY;
  if (mask != 0) {
    if (entry % 4 != 0 || !space_->is_executable(entry, 4)) return -EFAULT;
    if (stack % 16 != 0 || stack < kBelow || space_->writable(stack - kBelow, kBelow + kAbove) == nullptr)
      return -EFAULT;
  }
  if (dcr_ == nullptr || !dcr_->write_dcr(enable_register(*caller_), mask)) return -EINVAL;
  handler = {};
  if (mask != 0) {
    handler.entry = entry;
    handler.stack = stack;
  }
  caller_->accept_interrupts(mask != 0);
  return 0;
}

void Process::on_interrupt(Core& core, std::uint64_t pc) {
  if (end_ != ProcessEnd::running) return;
  InterruptHandler& handler = handlers_[&core == second_ ? 1 : 0];
  Engine& engine = core.engine();
  engine.read_snapshot(handler.registers);
  handler.pc = pc;
  handler.running = true;
  core.accept_interrupts(false);
  ++calls_["interrupt"];
  const std::uint32_t enabled = dcr_->read_dcr(enable_register(core)).value_or(0);
  const std::uint32_t pending = dcr_->read_dcr(BGL_BIC_DCR_BASE + BGL_BIC_DCR_PENDING_OFFSET).value_or(0);
  // The way back is a call, which takes the rest.
  core.spend(config_.cost_interrupt - std::min(config_.cost_system_call, config_.cost_interrupt));
  MemoryView memory = space_->view();
  program_->isa().enter_function(engine, memory, handler.stack, pending & enabled);
  engine.write(program_->isa().roles().pc, handler.entry);
}

Process::Result Process::do_interrupt_return(const Arguments&) {
  return handlers_[caller_ == second_ ? 1 : 0].running ? 0 : -EINVAL;
}

void Process::restore_interrupted(Core& core) {
  InterruptHandler& handler = handlers_[&core == second_ ? 1 : 0];
  handler.running = false;
  Engine& engine = core.engine();
  engine.write_snapshot(handler.registers);
  engine.write(program_->isa().roles().pc, handler.pc);
  core.accept_interrupts(true);
}

}  // namespace toroid
