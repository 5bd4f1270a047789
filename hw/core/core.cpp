// SPDX-License-Identifier: Apache-2.0
#include "hw/core/core.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "hw/core/longest_run.h"
#include "torus/base/clock.h"

namespace toroid {

using sc_core::sc_time;
using sc_core::sc_time_stamp;

const char* name_of(CoreState state) {
  switch (state) {
    case CoreState::idle:
      return "idle";
    case CoreState::running:
      return "running";
    case CoreState::waiting:
      return "waiting";
    case CoreState::parked:
      return "parked";
    case CoreState::finished:
      return "finished";
    case CoreState::faulted:
      return "faulted";
    case CoreState::timed_out:
      return "timed out";
  }
  return "unknown";
}

namespace {

const Isa& isa_of(const CoreConfig& config) {
  if (config.isa == nullptr) throw std::invalid_argument("a core needs an instruction set");
  return *config.isa;
}

}  // namespace

Core::Core(const sc_core::sc_module_name& name, const CoreConfig& config, NodeMemory& memory, unsigned number)
    : sc_module(name),
      bus("bus"),
      config_(config),
      memory_(memory),
      view_(memory),
      number_(number),
      phase_(sc_time::from_value(number)),
      spin_(view_, isa_of(config).word_bytes()) {
  if (config.outstanding_reads < 1 || config.outstanding_reads > kMaxOutstandingReads)
    throw std::invalid_argument("outstanding device reads of a core must be 1 to " +
                                std::to_string(kMaxOutstandingReads) + ", not " +
                                std::to_string(config.outstanding_reads));
}

Core::~Core() = default;

void Core::end_of_elaboration() {
  if (software_ == nullptr) return;
  state_ = CoreState::running;
  has_thread_ = true;
  SC_THREAD(main);
}

void Core::start(Software& software, const sc_time& at) {
  software_ = &software;
  state_ = CoreState::running;
  stopping_ = false;
  fault_.reset();
  spin_.reset();
  replay_until_ = 0;
  block_ = nullptr;
  local_ = instructions_done_ = std::max(local_, first_cycle_at(at));
  mark();
  if (has_thread_) {
    started_.notify(sc_core::SC_ZERO_TIME);
    return;
  }
  has_thread_ = true;
  sc_core::sc_spawn([this] { main(); }, (std::string(basename()) + "_thread").c_str());
}

void Core::halt() {
  if (state_ != CoreState::running) return;
  state_ = CoreState::idle;
  tell_state();
  stopping_ = true;
  engine().stop();
}

void Core::add_device(std::uint64_t base, std::uint64_t size, const WatchedDevice* device, const DeviceCost& cost,
                      bool kernels) {
  windows_.push_back({base, size, device, cost, kernels, base});
}

std::string Core::device_in(std::uint64_t begin, std::uint64_t end) const {
  for (const Window& window : windows_) {
    const std::uint64_t last = window.base + window.size;
    if (window.base >= end || begin >= last) continue;
    char text[64];
    std::snprintf(text, sizeof text, "0x%08llx to 0x%08llx", static_cast<unsigned long long>(window.base),
                  static_cast<unsigned long long>(last - 1));
    return text;
  }
  return {};
}

Engine& Core::engine() {
  if (engine_) return *engine_;
  engine_ = config_.isa->make_engine(*this);
  path_ = std::make_unique<MemoryPath>(config_.memory, config_.isa->word_bytes(), counters_.memory);
  path_->set_view(view_);
  if (observer_ != nullptr) {
    engine_->observe();
  } else if (debugger_ != nullptr) {
    engine_->observe_instructions();
  }
  for (const Window& window : windows_) {
    if (!engine_->map_device(window.base, window.size))
      throw std::runtime_error(std::string(this->name()) + ": cannot map a device window at " +
                               std::to_string(window.base));
  }
  return *engine_;
}

void Core::set_view(const MemoryView& view) {
  view_ = view;
  if (path_) path_->set_view(view_);
}

sc_time Core::begin_of(CoreCycle cycle) const {
  return time_of(cycle, config_.clock_mhz) + phase_;
}

CoreCycle Core::first_cycle_at(const sc_time& time) const {
  return time > phase_ ? cycle_at<CoreCycle>(time - phase_, config_.clock_mhz) : 0;
}

sc_time Core::time() const {
  return begin_of(local_);
}

void Core::synchronise() {
  const sc_time at = time();
  if (at > sc_time_stamp()) wait(at - sc_time_stamp());
  synchronise_at_ = next_synchronisation();
}

CoreCycle Core::next_synchronisation() const {
  const CoreCycle at = shared_ == 0 ? local_ + config_.quantum : (local_ / shared_ + 1) * shared_;
  return std::min(at, limit_);
}

void Core::share_memory(CoreCycle cycles) {
  if (shared_ == cycles) return;
  shared_ = cycles;
  spin_.reset();
  synchronise_at_ = std::min(synchronise_at_, next_synchronisation());
}

void Core::flush_data_cache() {
  local_ += path_->flush_data(local_);
  if (observer_ != nullptr) observer_->on_flush(*this);
}

void Core::accept_interrupts(bool accept) {
  accepts_interrupts_ = accept && interrupt_line_ != nullptr;
  look_at_once_ = accepts_interrupts_;
}

bool Core::take_interrupt(std::uint64_t pc) {
  const bool due = look_at_once_ || local_ / kInterruptCycles != entered_ / kInterruptCycles;
  entered_ = local_;
  look_at_once_ = false;
  if (!due) return false;
  synchronise();
  if (stopping_ || !interrupt_line_->interrupts(number_)) return stopping_;
  mark();
  spin_.reset();
  block_ = nullptr;
  instructions_done_ = local_;
  software_->on_interrupt(*this, pc);
  instructions_done_ = local_;
  return true;
}

CoreCycle Core::last_cycle() const {
  return cycle_at<CoreCycle>(sc_time::from_value(kLongestRunNs * 1000), config_.clock_mhz) + 1;
}

void Core::sleep(CoreCycle cycles) {
  const CoreCycle end = std::min(limit_, last_cycle());
  local_ = cycles > end - std::min(local_, end) ? std::max(local_, end) : local_ + cycles;
  synchronise();
}

void Core::finish() {
  if (state_ == CoreState::running) state_ = CoreState::finished;
  stopping_ = true;
  engine().stop();
}

void Core::stop() {
  if (state_ == CoreState::parked) {
    // The last read that the loop would have made by now.
    const std::vector<SpinDetector::Read>& turn = spin_.turn();
    const SpinDetector::Head& before = spin_.turn_start();
    const CoreCycle length = parked_head_->time - before.time;
    const CoreCycle passed = first_cycle_at(sc_time_stamp()) - 1 - parked_head_->time;
    const auto read = std::find_if(turn.rbegin(), turn.rend(), [passed, length](const SpinDetector::Read& candidate) {
      return candidate.offset <= passed % length;
    });
    look_ = {counters_, parked_head_->time + passed / length * length + read->offset + read->delay};
    look_.counters.add_turns(passed / length, before.counters, parked_head_->counters);
    look_.counters.add_turns(1, turn.front().counters, read->counters);
  } else if (state_ != CoreState::running && state_ != CoreState::waiting) {
    return;
  }
  state_ = CoreState::finished;
  stopped_ = stopping_ = true;
  if (engine_) engine_->stop();
}

void Core::main() {
  while (true) {
    run_once();
    if (state_ != CoreState::idle && state_ != CoreState::running) break;
    while (state_ == CoreState::idle) wait(started_);
  }
  ended_.notify(sc_core::SC_ZERO_TIME);
}

void Core::run_once() {
  synchronise_at_ = next_synchronisation();
  blocks_ = &software_->blocks();
  const std::uint64_t pc = software_->start(*this);
  std::optional<EngineFault> engine_fault = stopping_ ? std::nullopt : engine().run(pc);
  while (engine_fault && !stopping_ && engine_fault->kind == FaultKind::fetch_protected) {
    const std::optional<std::uint64_t> there = software_->on_jump_to_data(*this, engine_fault->address);
    if (!there) break;
    engine_fault = engine().run(*there);
  }
  const bool told_by_engine = engine_fault && !stopping_;
  if (told_by_engine) {
    CoreFault fault;
    fault.kind = engine_fault->kind;
    fault.pc = engine_fault->pc;
    fault.address = engine_fault->address;
    if (is_data_access(fault.kind)) {
      const Located located = locate(block_ == nullptr ? 0 : block_->address, fault.address, is_store(fault.kind));
      if (located.found) fault.pc = located.pc;
    }
    if (fault.kind == FaultKind::other_exception) fault.detail = "exception " + std::to_string(engine_fault->exception);
    fault_ = fault;
  }
  end_block();
  synchronise();
  if (stopped_) return;
  if (told_by_engine && debugger_ != nullptr) debugger_->on_fault(*this, *fault_);
  if (stopped_) return;
  if (fault_) {
    state_ = CoreState::faulted;
    software_->on_fault(*this, *fault_);
  } else if (state_ == CoreState::timed_out) {
    software_->on_timeout(*this);
  }
}

void Core::end_block() {
  local_ = std::max(local_, instructions_done_);
  if (!loads_in_flight_) return;
  loads_in_flight_ = false;
  for (unsigned slot = 0; slot < config_.outstanding_reads; ++slot) local_ = std::max(local_, returns_[slot]);
}

GeneralRegisters Core::find_registers() {
  gpr_ = engine_->general_registers();
  if (gpr_) return gpr_;
  engine_->read_snapshot(registers_);
  if (config_.isa->word_bytes() == 8) return GeneralRegisters(registers_.values.data());
  std::transform(registers_.values.begin(), registers_.values.begin() + narrow_.size(), narrow_.begin(),
                 [](std::uint64_t value) { return static_cast<std::uint32_t>(value); });
  return GeneralRegisters(narrow_.data());
}

void Core::on_block(std::uint64_t address, std::uint32_t size) {
  // Where device loads are waited for, everything else has come as well.
  const Block* const previous = loads_in_flight_ ? nullptr : block_;
  end_block();
  if (local_ >= synchronise_at_) {
    if (local_ >= limit_) {
      if (!stopping_) {
        state_ = CoreState::timed_out;
        stopping_ = true;
        engine_->stop();
      }
      return;
    }
    synchronise();
    if (stopping_) return;  // by another core, meanwhile
  }
  if (accepts_interrupts_ && take_interrupt(address)) return;
  const Block& block = blocks_->find(address, size);
  const CoreCycle cycles{blocks_->cycles_behind(previous, block)};
  block_ = &block;
  cursor_ = access_pc_ = address;
  wide_.left = 0;
  instructions_done_ = local_ + cycles + path_->enter(block, gpr_at_entry(), local_, cycles);
  counters_.instructions += block.instructions;
  if (observer_ != nullptr) observer_->on_block(*this, block);
  if (core_observer_ != nullptr) core_observer_->on_block(*this, block, gpr_at_entry());
  if (spin_.verifying()) {
    RegisterSnapshot registers;
    engine_->read_snapshot(registers);
    spin_.on_block(block, registers);
  }
}

void Core::on_instruction(std::uint64_t pc) {
  if (debugger_ != nullptr && !stopping_) debugger_->on_instruction(*this, pc);
  if (observer_ == nullptr) return;
  observed_pc_ = pc;
  const std::optional<UpcomingAccess> access = blocks_->code().upcoming_access(pc, *engine_);
  told_here_ = access && access->hidden;
  if (!told_here_ || stopping_) return;
  if (is_cache_instruction(access->kind)) {
    observer_->on_cache_instruction(*this, pc, access->address, access->kind);
  } else if (access->size != 0) {
    observer_->on_access(*this, pc, access->address, access->size, access->kind == AccessKind::store);
  }
}

void Core::on_access(std::uint64_t address, unsigned size, bool store) {
  if (!told_here_ && !stopping_) observer_->on_access(*this, observed_pc_, address, size, store);
}

void Core::on_system_call() {
  if (stopping_) return;
  spin_.reset();
  end_block();
  software_->on_system_call(*this);
}

void Core::raise(FaultKind kind, std::uint64_t address, const std::string& detail) {
  if (stopping_) return;
  const Located located = locate(cursor_, address, wide_.store);
  CoreFault fault;
  fault.kind = kind;
  fault.address = address;
  fault.pc = located.found ? located.pc : block_->address;
  fault.detail = detail;
  fault_ = fault;
  stopping_ = true;
  engine_->stop();
  if (debugger_ != nullptr) debugger_->on_fault(*this, fault);
}

std::uint64_t Core::pc() {
  return state_ == CoreState::parked ? parked_pc_ : engine().read(config_.isa->roles().pc);
}

void Core::forget_loops() {
  if (state_ != CoreState::parked) {
    spin_.reset();
    return;
  }
  wake_ = true;
  woken_.notify(sc_core::SC_ZERO_TIME);
}

}  // namespace toroid
