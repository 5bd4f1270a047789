// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/signal_delivery.h"

#include <algorithm>

#include "hw/kernel/calls/stack_check.h"
#include "hw/kernel/printable.h"
#include "hw/kernel/process.h"
#include "hw/kernel/way_back.h"

namespace toroid {
namespace {

// Of struct siginfo: where its code and what depends on the signal lie.
constexpr unsigned kCode = 8;
unsigned details(const WordLayout& words) {
  return words.bytes == 8 ? 16 : 12;
}

unsigned lowest(std::uint64_t signals) {
  return static_cast<unsigned>(__builtin_ctzll(signals)) + 1;
}

}  // namespace

Signals::Information Signals::information(const ProcessCore& own, unsigned signal) const {
  constexpr std::uint32_t kByThread = static_cast<std::uint32_t>(-6);  // SI_TKILL
  const WordLayout words = process_.words();
  const bool directed = (own.thread.directed & bit_of(signal)) != 0;
  Information told{};
  store_u32(told.data(), signal, words.order);
  store_u32(told.data() + kCode, directed ? kByThread : signal == guest::kSigAlrm ? guest::kByKernel : 0, words.order);
  store_u32(told.data() + details(words), process_.rank() + 1, words.order);
  return told;
}

bool Signals::is_ignored(unsigned signal) const {
  const std::uint64_t handler = actions_[signal - 1].handler;
  const bool by_default =
      signal == guest::kSigChld || signal == guest::kSigCont || signal == guest::kSigUrg || signal == guest::kSigWinch;
  return handler == Action::kIgnore || (handler == Action::kDefault && by_default);
}

void Signals::end_by(ProcessCore& own, unsigned signal, const std::string& sender) {
  const int number = static_cast<int>(signal);
  if (const HandledFault* const fault = fault_at_work(own, signal)) {  // its handler passes the signal on
    process_.kill(*own.core, 128 + number, std::string(fault->report));
    return;
  }
  process_.kill(*own.core, 128 + number,
                (number == guest::kSigAbrt ? "aborted" : sender + " signal " + std::to_string(number)) +
                    ", called by " + process_.callers(*own.core));
}

void Signals::send(ProcessCore& caller, ProcessCore* to, unsigned signal, const std::string& sender) {
  const std::uint64_t bit = bit_of(signal);
  std::vector<ProcessCore>& cores = process_.cores();
  const auto takes = [&](const ProcessCore& each) {
    return each.thread.id != 0 && (to == nullptr || &each == to) && (each.thread.blocked & bit) == 0;
  };
  const auto taker = std::find_if(cores.begin(), cores.end(), takes);
  if (taker != cores.end() && is_ignored(signal)) return;
  (to == nullptr ? pending_ : to->thread.pending) |= bit;
  if (to != nullptr) to->thread.directed |= bit;
  if (process_.threads().wake(kWaitsForSignals, 1, signal_wait_bits(bit)) != 0 || taker == cores.end()) return;
  if (!has_handler(signal)) {
    end_by(caller, signal, sender);
    return;
  }
  pending_ &= ~bit;
  taker->thread.pending |= bit;
  if (&*taker != &caller) call(*taker, caller);
}

void Signals::unblocked(ProcessCore& own) {
  for (std::uint64_t left = due(own); left != 0; left &= left - 1) {
    const unsigned signal = lowest(left);
    if (has_handler(signal)) continue;
    if (!is_ignored(signal)) {
      end_by(own, signal, "killed itself with");
      return;
    }
    take(own, bit_of(signal));
  }
}

unsigned Signals::next(const ProcessCore& own) const {
  if (own.handler.running || own.thread.id == 0) return 0;  // an interrupt's handler is not interrupted
  for (std::uint64_t left = due(own); left != 0; left &= left - 1) {
    if (has_handler(lowest(left))) return lowest(left);
  }
  return 0;
}

bool Signals::is_due(const ProcessCore& own) const {
  return process_.how_ended() == ProcessEnd::running && next(own) != 0;
}

bool Signals::restarts(const ProcessCore& own) const {
  const unsigned signal = next(own);
  return signal != 0 && (actions_[signal - 1].flags & kRestart) != 0;
}

void Signals::deliver(ProcessCore& own, std::uint64_t pc) {
  const unsigned signal = next(own);
  const Information told = information(own, signal);
  take(own, bit_of(signal));
  enter(own, signal, told, pc, nullptr);
}

bool Signals::can_handle_fault(const ProcessCore& own, unsigned signal) const {
  return !own.handler.running && own.thread.id != 0 && has_handler(signal) &&
         (own.thread.blocked & bit_of(signal)) == 0 && next_frame(own) != 0 &&
         is_function(process_, actions_[signal - 1].handler);
}

void Signals::handle_fault(ProcessCore& own, HandledFault fault, std::uint64_t pc) {
  const WordLayout words = process_.words();
  Information told{};
  store_u32(told.data(), fault.signal, words.order);
  store_u32(told.data() + kCode, fault.code, words.order);
  words.store(told.data() + details(words), 0, fault.address);
  enter(own, fault.signal, told, pc, &fault);
  if (process_.how_ended() == ProcessEnd::running) own.thread.interrupted.back().fault = std::move(fault);
}

const HandledFault* Signals::fault_at_work(const ProcessCore& own, unsigned signal) const {
  const std::uint64_t stack = own.core->engine().read(process_.isa().roles().stack_pointer);
  for (const InterruptedThread& each : own.thread.interrupted) {
    if (each.fault && each.fault->signal == signal && stack <= each.frame) return &*each.fault;
  }
  return nullptr;
}

const SignalFrames& Signals::frames() const {
  if (frames_ == nullptr) frames_ = std::make_unique<SignalFrames>(process_.abi().signal_frame, process_.isa());
  return *frames_;
}

std::uint64_t Signals::next_frame(const ProcessCore& own) const {
  const Isa& isa = process_.isa();
  const std::uint64_t stack = own.core->engine().read(isa.roles().stack_pointer);
  const std::uint64_t bytes = frames().layout().bytes, needed = bytes + isa.red_zone_bytes();
  const std::uint64_t frame = stack < needed ? 0 : (stack - needed) & ~std::uint64_t{15};
  const bool fits = frame != 0 && is_stack(process_, frame) && process_.memory()->writable(frame, bytes) != nullptr;
  return fits ? frame : 0;
}

void Signals::enter(ProcessCore& own, unsigned signal, const Information& information, std::uint64_t pc,
                    const HandledFault* fault) {
  Action& action = actions_[signal - 1];
  const Action called = action;
  if ((called.flags & kResetAction) != 0) action = {};
  Core& core = *own.core;
  const Isa& isa = process_.isa();
  const std::uint64_t stack = core.engine().read(isa.roles().stack_pointer);
  std::vector<InterruptedThread>& interrupted = own.thread.interrupted;
  while (!interrupted.empty() && stack >= interrupted.back().stack) interrupted.pop_back();  // left by longjmp()

  const std::uint64_t frame = next_frame(own);
  const std::string which = "the handler of signal " + std::to_string(signal);
  if (frame == 0) {
    process_.kill(core, 128 + guest::kSigSegv, which + " does not fit on the stack at " + hex(stack));
    return;
  }
  if (!is_function(process_, called.handler)) {
    process_.kill(core, 128 + guest::kSigSegv, which + " at " + hex(called.handler) + " is no function");
    return;
  }
  const std::uint64_t blocked =
      std::exchange(own.thread.blocked_before_wait, std::nullopt).value_or(own.thread.blocked);
  const SignalFrame& layout = frames().layout();
  std::vector<std::uint8_t> laid = frames().make(core, pc, {frame, signal, called.handler, blocked, fault});
  std::copy(information.begin(), information.end(), laid.data() + layout.information);
  interrupted.push_back({SavedRegisters(core), pc, stack, frame, blocked, std::nullopt});
  own.thread.blocked |= called.mask | ((called.flags & kNotBlocked) != 0 ? 0 : bit_of(signal));
  process_.count("signal");
  const KernelConfig& config = process_.config();
  core.spend(config.cost_interrupt - std::min(config.cost_system_call, config.cost_interrupt));
  MemoryView memory = process_.memory()->view();
  isa.reset_control(core.engine());
  const std::uint64_t entry = isa.enter_function(core.engine(), memory, called.handler, frame,
                                                 {signal, frame + layout.information, frame + layout.context});
  std::copy(laid.begin(), laid.end(), process_.memory()->writable(frame, layout.bytes));
  // In data is no code that is executed: that the handler returns there is seen.
  // The call of a program that steps would be followed by a step: the kernel sees that one's handlers return as well.
  const bool steps = fault != nullptr && fault->kind == FaultKind::step;
  const bool by_program = layout.has_restorer && (called.flags & kRestorer) != 0 && !steps;
  const std::uint64_t back = layout.has_restorer ? 0 : way_back(process_.program().image());
  isa.set_return_address(core.engine(), memory,
                         by_program  ? called.restorer
                         : back != 0 ? back
                                     : frame + layout.returns);
  core.engine().write(isa.roles().pc, entry);
}

bool Signals::has_frame(const ProcessCore& own, std::uint64_t frame) const {
  const std::vector<InterruptedThread>& interrupted = own.thread.interrupted;
  return std::any_of(interrupted.begin(), interrupted.end(),
                     [frame](const InterruptedThread& each) { return each.frame == frame; });
}

std::optional<std::uint64_t> Signals::returned(ProcessCore& own, std::uint64_t address) {
  if (own.thread.interrupted.empty()) return std::nullopt;
  Core& core = *own.core;
  const SignalFrame& layout = frames().layout();
  const bool by_kernel = !layout.has_restorer && address == way_back(process_.program().image());
  const std::uint64_t frame =
      by_kernel ? core.engine().read(process_.isa().roles().stack_pointer) : address - layout.returns;
  if (!has_frame(own, frame)) return std::nullopt;
  // As a call: what the kernel does takes effect in the order of simulated time.
  core.finish_loads();
  core.spend(process_.config().cost_system_call);
  core.synchronise();
  if (process_.how_ended() != ProcessEnd::running) return std::nullopt;
  return leave_handler(own, frame);
}

CallResult Signals::return_by_call(ProcessCore& own) {
  Core& core = *own.core;
  const RegisterRoles& roles = process_.isa().roles();
  const std::uint64_t stack = core.engine().read(roles.stack_pointer);
  if (!has_frame(own, stack)) {
    process_.kill(core, 128 + guest::kSigSegv,
                  "rt_sigreturn with the stack at " + hex(stack) + ", where no signal's handler has its frame");
    return 0;
  }
  if (const std::optional<std::uint64_t> pc = leave_handler(own, stack)) core.engine().write(roles.pc, *pc);
  own.resumed = true;
  return 0;
}

std::optional<std::uint64_t> Signals::leave_handler(ProcessCore& own, std::uint64_t frame) {
  std::vector<InterruptedThread>& interrupted = own.thread.interrupted;
  while (interrupted.back().frame != frame) interrupted.pop_back();  // left by longjmp()
  const InterruptedThread before = std::move(interrupted.back());
  interrupted.pop_back();
  Core& core = *own.core;
  const std::uint8_t* const laid = process_.memory()->readable(frame, frames().layout().bytes);
  if (laid == nullptr) {
    process_.kill(core, 128 + guest::kSigSegv, "the frame of a signal's handler at " + hex(frame) + " cannot be read");
    return std::nullopt;
  }
  before.registers.restore(core);
  const std::uint64_t pc = frames().take(laid, core);
  own.thread.blocked = frames().blocked(laid) & ~kNeverBlocked;
  if (before.fault) {
    const unsigned signal = before.fault->signal;
    const bool ends = (due(own) & bit_of(signal)) != 0 && !has_handler(signal) && !is_ignored(signal);
    if (ends || (!before.fault->exact && pc == before.pc)) {
      process_.kill(core, 128 + static_cast<int>(signal),
                    before.fault->report +
                        (ends ? "" : "; its handler returns, but which of two instructions it was is not known"));
      return std::nullopt;
    }
  }
  unblocked(own);
  if (process_.how_ended() != ProcessEnd::running) return std::nullopt;
  if (!is_due(own)) return pc;
  deliver(own, pc);
  if (process_.how_ended() != ProcessEnd::running) return std::nullopt;
  return core.engine().read(process_.isa().roles().pc);
}

/// The cores of a process have one clock.
CoreCycle Signals::next_look(const ProcessCore& caller) const {
  const CoreCycle apart = process_.config().cores_apart, now = caller.core->now();
  return apart == CoreCycle{0} ? now : (now / apart + 1) * apart;
}

void Signals::call(ProcessCore& target, const ProcessCore& caller) {
  if (process_.threads().look(target)) return;
  target.core->call_at(std::min(target.core->called_at(), next_look(caller)));
}

void Signals::called(ProcessCore& own) {
  if (&own != timer_core_) return;
  if (own.core->now() < timer_at_) {  // called for another reason
    own.core->call_at(timer_at_);
    return;
  }
  if (timer_interval_ == CoreCycle{0}) {
    timer_at_ = LocalTime::kForever;
    timer_core_ = nullptr;
    process_.threads().adjust_cores();
  } else {
    const CoreCycle passed = own.core->now() - timer_at_;
    timer_at_ += (passed / timer_interval_ + 1) * timer_interval_;  // what it has missed is not made up for
    own.core->call_at(timer_at_);
  }
  send(own, nullptr, guest::kSigAlrm, "ended by its timer (alarm, setitimer) and");
}

void Signals::set_timer(ProcessCore& caller, CoreCycle first, CoreCycle interval) {
  if (timer_core_ != nullptr) timer_core_->core->call_at(LocalTime::kForever);
  timer_core_ = nullptr;
  timer_at_ = first == CoreCycle{0} ? LocalTime::kForever : caller.core->now() + first;
  timer_interval_ = first == CoreCycle{0} ? CoreCycle{0} : interval;
  if (timer_is_set()) arm(caller);
  process_.threads().adjust_cores();
}

/// On the core of the thread that gets the signal if it does not block it.
void Signals::arm(ProcessCore& caller) {
  std::vector<ProcessCore>& cores = process_.cores();
  timer_core_ = cores.front().thread.id != 0 ? &cores.front() : &caller;
  Core& core = *timer_core_->core;
  if (timer_core_ == &caller) {
    core.call_at(timer_at_);
    return;
  }
  core.call_at(std::max(timer_at_, next_look(caller)));
  process_.threads().look(*timer_core_);
}

void Signals::leave(ProcessCore& own) {
  own.core->call_at(LocalTime::kForever);
  if (&own != timer_core_) return;
  std::vector<ProcessCore>& cores = process_.cores();
  const auto other = std::find_if(cores.begin(), cores.end(),
                                  [&own](const ProcessCore& each) { return &each != &own && each.thread.id != 0; });
  timer_core_ = &*other;  // the last thread to end has ended the process
  timer_core_->core->call_at(std::max(timer_at_, next_look(own)));
  process_.threads().look(*timer_core_);
}

}  // namespace toroid
