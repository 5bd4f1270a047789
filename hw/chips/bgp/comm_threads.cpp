// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgp/comm_threads.h"

#include <cerrno>

#include "hw/isa/power/registers.h"
#include "hw/kernel/calls/calls.h"
#include "hw/kernel/calls/stack_check.h"
#include "hw/kernel/interrupts.h"
#include "hw/kernel/process.h"
#include "nic/bgp/kernel_services.h"

namespace toroid {
namespace {

// Values of a class's counter.
constexpr std::uint32_t kEnabled = 0, kDisabled = 1, kMasked = 2;
// By which the kernel interrupts a core on which a communication thread is to begin.
constexpr InterruptRouter::Interrupt kBegin{InterruptRouter::kBetweenCores, InterruptRouter::kLines - 1};
constexpr unsigned kAllCores = (1u << InterruptRouter::kCores) - 1;

InterruptRouter::Interrupt line_of(unsigned interrupt) {
  return {interrupt / InterruptRouter::kLines, interrupt % InterruptRouter::kLines};
}

/// A bit for each core that the opcode names.
unsigned cores_of(std::uint32_t opcode) {
  constexpr unsigned kFirst = 1, kBroadcast = 5;
  const unsigned route = opcode & BGP_COMMTHREAD_ROUTE;
  return route == kBroadcast ? kAllCores : route >= kFirst && route < kBroadcast ? 1u << (route - kFirst) : 0;
}

}  // namespace

void CommThreads::watch_cores() {
  for (unsigned core = 0; core < kCores; ++core) {
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.dont_initialize();
    options.set_sensitivity(&router_.looked(core));
    options.set_sensitivity(&left_[core]);
    sc_core::sc_spawn([this, core] { wake(core); }, sc_core::sc_gen_unique_name("wake"), &options);
  }
}

// Classes of interrupts. ----------------------------------------------------------------------------------------------

std::optional<unsigned> CommThreads::counter_of(const Config& config) const {
  const std::uint32_t offset = config.counter_address - BGP_VA_LOCKBOX;
  const std::uint32_t in_block = offset % BGP_LOCKBOX_GROUP_STRIDE;
  if (offset >= CounterLockbox::kBytes || in_block >= BGP_LOCKBOX_INCREMENT_OFFSET) return std::nullopt;
  return offset / BGP_LOCKBOX_GROUP_STRIDE * CounterLockbox::kCountersABlock + in_block / BGP_LOCKBOX_COUNTER_STRIDE;
}

void CommThreads::mask(unsigned counter, bool masked) {
  for (unsigned interrupt = 0; interrupt < kInterrupts; ++interrupt) {
    const Config& config = configs_[interrupt];
    if (masked_[interrupt] == masked || config.opcode == 0 || counter_of(config) != counter) continue;
    masked_[interrupt] = masked;
    router_.route(line_of(interrupt), masked ? 0 : cores_of(config.opcode));
  }
}

void CommThreads::configure(Process& process, unsigned interrupt, const Config& config) {
  configs_[interrupt] = config;
  const std::optional<unsigned> counter = counter_of(config);
  masked_[interrupt] = counter && lockbox_.value(*counter) == kMasked;
  router_.route(line_of(interrupt), masked_[interrupt] ? 0 : cores_of(config.opcode));
  for (ProcessCore& each : process.cores()) {
    if (!each.handler.running) each.core->accept_interrupts(true);
  }
  process.threads().adjust_cores();
}

void CommThreads::flush() {
  for (const Config& config : configs_) {
    const std::optional<unsigned> counter = config.opcode == 0 ? std::nullopt : counter_of(config);
    if (!counter) continue;
    if (lockbox_.value(*counter) != kDisabled) mask(*counter, lockbox_.value(*counter) != kEnabled);
  }
}

void CommThreads::signal(unsigned line, unsigned cores) {
  for (unsigned core = 0; core < kCores; ++core) {
    if ((cores & 1u << core) != 0) router_.raise(core, line);
  }
}

std::optional<unsigned> CommThreads::next(unsigned core) {
  while (const auto found = router_.first(core)) {
    const unsigned number = found->number();
    if (number == kBegin.number()) return number;
    const Config& config = configs_[number];
    const std::optional<unsigned> counter = counter_of(config);
    const bool called = (config.opcode & BGP_COMMTHREAD_CALLFUNC) != 0 && threads_[core].process != nullptr;
    if (called && (!counter || lockbox_.value(*counter) == kEnabled)) return number;
    if (counter && lockbox_.value(*counter) != kEnabled) {
      lockbox_.set(*counter, kMasked);
      mask(*counter, true);
    } else {
      // Nothing is there to be called: the line would interrupt for ever.
      masked_[number] = true;
      router_.route(line_of(number), 0);
    }
  }
  return std::nullopt;
}

// Threads. ------------------------------------------------------------------------------------------------------------

std::optional<CallResult> CommThreads::create_thread(const Call& call, const calls::CloneArguments& arguments) {
  constexpr std::uint64_t kThreadPointer = 0x8'0000, kTellParent = 0x10'0000, kClearInChild = 0x20'0000;
  Process& process = call.process;
  const auto& registers = process.of(call.core).identity.registers;
  const auto word = registers.find(BGP_SPR_USPRG0);
  if (word == registers.end() || word->second != BGP_COMMTHREAD_MAGIC) return std::nullopt;
  if (!is_stack(process, arguments.stack)) return -EINVAL;
  for (ProcessCore& own : process.cores()) {
    CommThread& thread = threads_[own.core->number()];
    if (thread.process != nullptr) continue;
    const auto ranks = static_cast<std::uint32_t>(process.machine().ranks.size());
    const std::uint32_t id = (kCores + own.core->number()) * ranks + process.rank() + 1;
    if ((arguments.flags & kTellParent) != 0) {
      std::uint8_t* const parent = process.memory()->writable(arguments.parent_id, 4);
      if (parent == nullptr) return -EFAULT;
      store_u32(parent, id, process.words().order);
    }
    thread = {};
    thread.process = &process;
    thread.own = &own;
    thread.start = {call.core.pc(), arguments.stack, 0, process.isa().thread_registers(call.core.engine()),
                    SavedRegisters(call.core)};
    if ((arguments.flags & kThreadPointer) != 0) thread.start.thread[0] = arguments.thread_pointer;
    if ((arguments.flags & kClearInChild) != 0) thread.cleared_at = arguments.child_id;
    if (!own.handler.running) own.core->accept_interrupts(true);
    process.threads().adjust_cores();
    set_beginning(own.core->number(), true);
    return id;
  }
  return -EAGAIN;
}

/// Only a core that is to begin looks out for that: without lines, looks are seldom (InterruptSampler).
void CommThreads::set_beginning(unsigned core, bool begins) {
  beginning_ = begins ? beginning_ | 1u << core : beginning_ & ~(1u << core);
  router_.route(kBegin, beginning_);
  begins ? router_.raise(core, kBegin.line) : router_.clear(core, kBegin.line);
}

/// On the core's engine: what it runs next, on the stack of the communication thread.
void CommThreads::enter(CommThread& thread, unsigned interrupt) {
  const Isa& isa = thread.process->isa();
  Engine& engine = thread.own->core->engine();
  const unsigned core = thread.own->core->number();
  if (interrupt == kBegin.number()) {
    set_beginning(core, false);
    thread.runs = Runs::its_beginning;
    thread.start.registers->restore(*thread.own->core);
    thread.start.registers.reset();
    isa.set_thread_registers(engine, thread.start.thread);
    engine.write(isa.roles().stack_pointer, thread.start.stack);
    isa.return_from_system_call(engine, 0);
    engine.write(isa.roles().pc, thread.start.entry);
    return;
  }
  const Config& config = configs_[interrupt];
  thread.runs = Runs::a_function;
  thread.interrupt = interrupt;
  if (line_of(interrupt).group == InterruptRouter::kBetweenCores) router_.clear(core, line_of(interrupt).line);
  if (const auto counter = counter_of(config); counter && (config.opcode & BGP_COMMTHREAD_DISABLE_ON_ENTRY) != 0)
    lockbox_.set(*counter, kDisabled);
  MemoryView memory = thread.process->memory()->view();
  isa.reset_control(engine);  // not what the interrupted code has chosen
  isa.set_thread_registers(engine, thread.start.thread);
  const std::uint64_t code =
      isa.enter_function(engine, memory, config.function, thread.start.stack,
                         {config.arguments[0], config.arguments[1], config.arguments[2], config.arguments[3]});
  // Where it returns to is no code: that is seen, and taken for a poof.
  engine.write(power::kLr, thread.start.stack);
  engine.write(isa.roles().pc, code);
}

bool CommThreads::interrupt(Process& process, ProcessCore& own, std::uint64_t pc) {
  CommThread& thread = threads_[own.core->number()];
  const std::optional<unsigned> number = next(own.core->number());
  if (!number) return thread.process != nullptr || own.handler.entry == 0;
  begin_interrupt(process, own, pc);
  thread.alone = false;
  thread.interrupted.emplace(*own.core);
  enter(thread, *number);
  return true;
}

/// An idle core.
void CommThreads::wake(unsigned core) {
  CommThread& thread = threads_[core];
  if (thread.process == nullptr || thread.process->how_ended() != ProcessEnd::running ||
      thread.own->core->state() != CoreState::idle)
    return;
  const std::optional<unsigned> number = next(core);
  if (!number) return;
  thread.alone = true;
  thread.interrupt = *number;
  thread.own->start = thread.start;
  if (*number != kBegin.number()) thread.own->start.entry = configs_[*number].function;
  thread.own->core->start(*thread.process, sc_core::sc_time_stamp());
  thread.process->threads().adjust_cores();
}

void CommThreads::begin(Process&, ProcessCore& own) {
  CommThread& thread = threads_[own.core->number()];
  if (thread.process == nullptr || !thread.alone) return;
  own.core->spend(thread.process->config().cost_interrupt);
  own.core->accept_interrupts(false);  // until it gives the core back: its stack has room for one function
  enter(thread, thread.interrupt);
}

// Giving the core back. -----------------------------------------------------------------------------------------------

void CommThreads::leave(CommThread& thread) {
  if (thread.runs == Runs::a_function) {
    const Config& config = configs_[thread.interrupt];
    if (const auto counter = counter_of(config); counter && (config.opcode & BGP_COMMTHREAD_ENABLE_ON_POOF) != 0) {
      lockbox_.set(*counter, kEnabled);
      mask(*counter, false);
    }
  }
  thread.runs = Runs::nothing;
  ProcessCore& own = *thread.own;
  if (!thread.alone) {
    thread.interrupted->restore(*own.core);
    restore_interrupted(own);
    return;
  }
  thread.alone = false;
  own.core->accept_interrupts(true);
  own.core->share_memory({}, false);
  own.core->halt();
  thread.process->threads().adjust_cores();
  // What came meanwhile.
  const sc_core::sc_time now = sc_core::sc_time_stamp(), then = own.core->time();
  left_[own.core->number()].notify(then > now ? then - now : sc_core::SC_ZERO_TIME);
}

bool CommThreads::give_back(Process&, ProcessCore& own) {
  CommThread& thread = threads_[own.core->number()];
  if (thread.process == nullptr || thread.runs == Runs::nothing) return false;
  leave(thread);
  return true;
}

bool CommThreads::end_thread(const Call& call) {
  CommThread& thread = threads_[call.core.number()];
  if (thread.process == nullptr || thread.runs == Runs::nothing) return false;
  if (thread.cleared_at != 0) {
    if (std::uint8_t* const to = call.process.memory()->writable(thread.cleared_at, 4); to != nullptr) {
      store_u32(to, 0, call.process.words().order);
      call.process.threads().wake(thread.cleared_at, 1);
    }
  }
  leave(thread);
  thread = {};
  return true;
}

std::optional<std::uint64_t> CommThreads::returned(Process&, ProcessCore& own, std::uint64_t address) {
  CommThread& thread = threads_[own.core->number()];
  if (thread.process == nullptr || thread.runs != Runs::a_function || address != thread.start.stack)
    return std::nullopt;
  const bool alone = thread.alone;
  // As a call: what the kernel does takes effect in the order of simulated time.
  own.core->finish_loads();
  own.core->spend(thread.process->config().cost_system_call);
  own.core->synchronise();
  if (thread.process->how_ended() != ProcessEnd::running) return std::nullopt;
  leave(thread);
  own.resumed = false;  // no call is under way
  return alone ? std::nullopt : std::optional(own.handler.pc);
}

}  // namespace toroid
