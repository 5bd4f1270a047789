// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/threads.h"

#include <algorithm>

#include "hw/kernel/process.h"
#include "hw/kernel/signals.h"

namespace toroid {
namespace {

constexpr int kKilled = 128 + guest::kSigAbrt;

}  // namespace

void Threads::begin(ProcessCore& own, std::uint32_t id) {
  own.thread = {};
  own.thread.id = id;
  ++live_;
}

void Threads::start(ProcessCore& own, const Core& caller) {
  ++live_;
  adjust_cores();
  own.core->start(process_, caller.time());
}

std::uint64_t Threads::enter(ProcessCore& own) {
  Engine& engine = own.core->engine();
  const Isa& isa = process_.isa();
  own.start.registers->restore(*own.core);
  own.start.registers.reset();
  if (own.start.moved) return own.start.entry;
  isa.set_thread_registers(engine, own.start.thread);
  engine.write(isa.roles().stack_pointer, own.start.stack);
  isa.return_from_system_call(engine, 0);
  return own.start.entry;
}

ProcessCore* Threads::free_core() {
  std::vector<ProcessCore>& cores = process_.cores();
  const std::size_t depth = std::min<std::size_t>(process_.config().thread_depth, cores.size());
  const std::size_t breadth = cores.size() / depth;
  for (std::size_t i = 0; i < cores.size(); ++i) {
    ProcessCore& each = cores[i % depth * breadth + i / depth];
    if (each.thread.id == 0 && !each.expects && each.core->state() == CoreState::idle) return &each;
  }
  return nullptr;
}

void Threads::stay(ProcessCore& own) {
  if (own.thread.moves_to != nullptr) own.thread.moves_to->expects = false;
  own.thread.moves_to = nullptr;
}

bool Threads::move(ProcessCore& own, ProcessCore& to, const ProcessCore& caller) {
  if (&place_of(own) == &to) return true;
  if (&to != &own && (to.thread.id != 0 || to.expects || to.core->state() != CoreState::idle)) return false;
  stay(own);
  if (&to == &own) return true;
  own.thread.moves_to = &to;
  to.expects = true;
  if (&own != &caller) process_.signals().call(own, caller);
  return true;
}

bool Threads::leave_core(ProcessCore& own, std::uint64_t pc) {
  if (own.thread.moves_to == nullptr) return false;
  ProcessCore& to = *own.thread.moves_to;
  stay(own);
  to.start = {};
  to.start.entry = pc;
  to.start.stack = own.start.stack;
  to.start.registers.emplace(*own.core);
  to.start.moved = true;
  to.thread = std::exchange(own.thread, {});
  process_.signals().leave(own);
  own.core->share_memory({}, false);
  own.core->halt();
  adjust_cores();
  to.core->start(process_, own.core->time());
  if (process_.signals().is_due(to)) process_.signals().call(to, own);
  return true;
}

void Threads::finish(ProcessCore& own) {
  stay(own);
  if (const std::uint64_t word = own.thread.cleared_at; word != 0) {
    if (std::uint8_t* const to = process_.memory()->writable(word, 4); to != nullptr) {
      store_u32(to, 0, process_.words().order);
      wake(word, 1);
    }
  }
  own.thread = {};
  --live_;
  process_.signals().leave(own);
  if (all_asleep(own)) {
    report_deadlock(*own.core);
    return;
  }
  own.core->share_memory({}, false);
  own.core->halt();
  adjust_cores();
}

const ProcessCore* Threads::find(std::uint32_t id) const {
  const std::vector<ProcessCore>& cores = process_.cores();
  const auto found =
      std::find_if(cores.begin(), cores.end(), [id](const ProcessCore& each) { return each.thread.id == id; });
  return id == 0 || found == cores.end() ? nullptr : &*found;
}

Threads::Wait Threads::wait(ProcessCore& own, std::uint64_t word, std::uint32_t bits, std::optional<CoreCycle> cycles,
                            const char* what) {
  Core& core = *own.core;
  const bool alone = live_ == 1 && !may_be_interrupted();
  if (alone && !cycles) {
    process_.kill(core, kKilled, "waits for ever for " + std::string(what) + ", called by " + process_.callers(core));
    return Wait::stopped;
  }
  if (alone) {
    core.sleep(*cycles);
    return Wait::timed_out;
  }
  if (!cycles && all_asleep(own)) {
    report_deadlock(core);
    return Wait::stopped;
  }
  if (own.woken == nullptr) own.woken = std::make_unique<sc_core::sc_event>();
  const Place waiter = waiters_.insert(waiters_.end(), Waiter{&own, word, bits, std::nullopt});
  if (cycles) waiter->until = core.now() + *cycles;
  return wait(waiter);
}

bool Threads::was_interrupted(const ProcessCore& own) const {
  return !own.handler.running && interrupted_.count(&own) != 0;
}

Threads::Wait Threads::go_on_waiting(ProcessCore& own) {
  const auto found = interrupted_.find(&own);
  const Place waiter = found->second;
  interrupted_.erase(found);
  return wait(waiter);
}

Threads::Wait Threads::wait(Place waiter) {
  ProcessCore& own = *waiter->own;
  Core& core = *own.core;
  const CoreCycle until = waiter->until.value_or(LocalTime::kForever);
  own.thread.asleep = !waiter->until && !waiter->woken;
  adjust_cores();
  const auto sleep = [&] {
    return core.wait_for_or_interrupt(
        *own.woken, [waiter] { return waiter->woken || waiter->looks; }, std::min(until, core.called_at()));
  };
  bool goes_on = sleep();
  while (goes_on && !waiter->woken && core.now() < until) {
    if (waiter->looks || core.now() >= core.called_at()) {
      waiter->looks = false;
      if (look_for_signals(own)) {
        waiters_.erase(waiter);
        own.thread.asleep = false;
        adjust_cores();
        return process_.how_ended() == ProcessEnd::running ? Wait::signalled : Wait::stopped;
      }
      own.thread.asleep = !waiter->until && !waiter->woken;
      adjust_cores();
      goes_on = waiter->woken || sleep();
      continue;
    }
    if (!core.is_interrupted()) break;
    core.mark();
    if (process_.on_interrupt(core, core.pc() - process_.isa().system_call_bytes())) {
      own.resumed = true;
      own.thread.asleep = false;
      adjust_cores();
      interrupted_[&own] = waiter;
      return Wait::interrupted;
    }
    core.spend(InterruptSampler::kCycles);  // nobody was called: as if it were looked at in the running
    goes_on = sleep();
  }
  const bool woken = waiter->woken;
  waiters_.erase(waiter);
  own.thread.asleep = false;
  if (!goes_on) return Wait::stopped;
  return woken ? Wait::woken : Wait::timed_out;
}

bool Threads::look_for_signals(ProcessCore& own) {
  Core& core = *own.core;
  if (core.now() >= core.called_at()) {
    core.mark();
    core.call_at(LocalTime::kForever);
    process_.signals().called(own);
  }
  return process_.how_ended() != ProcessEnd::running || process_.signals().is_due(own);
}

bool Threads::look(const ProcessCore& own) {
  for (Waiter& each : waiters_) {
    if (each.own != &own || each.woken) continue;
    each.looks = true;
    each.own->thread.asleep = false;
    adjust_cores();
    own.woken->notify(sc_core::SC_ZERO_TIME);
    return true;
  }
  return false;
}

std::uint32_t Threads::wake(std::uint64_t word, std::uint32_t most, std::uint32_t bits) {
  std::uint32_t woken = 0;
  for (Waiter& each : waiters_) {
    if (woken == most) break;
    if (each.woken || each.word != word || (each.bits & bits) == 0) continue;
    each.woken = true;
    each.own->thread.asleep = false;
    each.own->woken->notify(sc_core::SC_ZERO_TIME);
    ++woken;
  }
  if (woken != 0) adjust_cores();
  return woken;
}

std::uint32_t Threads::requeue(std::uint64_t from, std::uint32_t most, std::uint64_t to) {
  std::uint32_t moved = 0;
  std::list<Waiter> behind;  // those that wait at `to` already come first
  for (auto each = waiters_.begin(); each != waiters_.end() && moved < most;) {
    const auto waiter = each++;
    if (waiter->woken || waiter->word != from) continue;
    waiter->word = to;
    behind.splice(behind.end(), waiters_, waiter);
    ++moved;
  }
  waiters_.splice(waiters_.end(), behind);
  return moved;
}

void Threads::adjust_cores() {
  std::vector<ProcessCore>& cores = process_.cores();
  const auto runs = [](const ProcessCore& each) {
    return each.thread.id != 0 || each.core->state() != CoreState::idle;
  };
  const auto goes_on = [&runs](const ProcessCore& each) { return runs(each) && !each.thread.asleep; };
  const bool alone = std::count_if(cores.begin(), cores.end(), goes_on) <= 1;
  const bool several = !alone || process_.shares_node_memory();
  // A core that accepts interrupts may be called at any time, idle or asleep: how far the others have come by then must
  // not depend on the quantum.
  const auto may_go_on = [&goes_on](const ProcessCore& each) {
    return goes_on(each) || each.core->accepts_interrupts() || each.core->called_at() != LocalTime::kForever;
  };
  const bool undisturbed = std::count_if(cores.begin(), cores.end(), may_go_on) <= 1;
  const CoreCycle apart = process_.config().cores_apart;
  TimeGrid grid;
  if (several || !undisturbed) grid = TimeGrid::each(apart);
  // Beside devices, nobody writes what it reads.
  if (grid.is_used() && undisturbed && process_.machine().processes_per_node == 1)
    grid.calm_cycles = std::max(apart, process_.config().devices_apart / apart * apart);
  // Machines whose kernels have threads keep caches coherent.
  for (const ProcessCore& each : cores) {
    if (runs(each))
      each.core->share_memory(grid, several && process_.config().threads, alone && !process_.shows_own_memory());
  }
}

bool Threads::may_be_interrupted() const {
  if (process_.signals().timer_is_set()) return true;
  const std::vector<ProcessCore>& cores = process_.cores();
  return std::any_of(cores.begin(), cores.end(),
                     [](const ProcessCore& each) { return each.handler.running || each.core->accepts_interrupts(); });
}

bool Threads::all_asleep(const ProcessCore& but) const {
  if (may_be_interrupted()) return false;
  const std::vector<ProcessCore>& cores = process_.cores();
  return std::all_of(cores.begin(), cores.end(), [&but](const ProcessCore& each) {
    return &each == &but || each.thread.id == 0 || each.thread.asleep;
  });
}

void Threads::report_deadlock(Core& caller) {
  constexpr unsigned kMostTold = 8;
  std::string text = "all threads wait for ever";
  unsigned told = 0;
  for (const ProcessCore& each : process_.cores()) {
    if (each.thread.id == 0) continue;
    if (++told > kMostTold) continue;
    text +=
        std::string(told == 1 ? ": " : "; ") + process_.thread_text(each) + " at " + process_.describe(each.core->pc());
    if (const std::string functions = process_.functions_to(*each.core); !functions.empty())
      text += ", called by " + functions;
  }
  if (told > kMostTold) text += "; and " + std::to_string(told - kMostTold) + " more";
  process_.kill(caller, kKilled, text);
}

}  // namespace toroid
