// SPDX-License-Identifier: Apache-2.0
#include "hw/core/core.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "hw/memory/byte_order.h"

namespace toroid {

using sc_core::sc_time;
using sc_core::sc_time_stamp;

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
      time_(config, number, ledger_),
      registers_(isa_of(config).word_bytes()),
      device_bus_(bus, windows_, time_, number),
      access_(isa_of(config), ledger_),
      interrupts_(number),
      parking_(view_, isa_of(config).word_bytes(), isa_of(config).roles(), time_, counters_, run_, interrupts_),
      foreign_writes_(memory.size()) {}

Core::~Core() = default;

Engine& Core::engine() {
  if (engine_) return *engine_;
  engine_ = config_.isa->make_engine(*this, observers_.wanted());
  emulator_ = config_.isa->make_emulator();
  if (config_.memory.modelled) {
    path_ = std::make_unique<MemoryPath>(config_.memory, config_.isa->word_bytes(), counters_.memory);
    path_->set_view(view_);
    path_->set_prefetch(prefetch_);
    path_->show_lines(ledger_);
    if (blocks_ != nullptr) path_->set_program(*blocks_);
  }
  if (config_.reservation_bytes != 0) {
    reservation_ = std::make_unique<ReservedGranule>(config_.reservation_bytes, *engine_, view_);
    parking_.set_reservation(*reservation_);
  }
  show_memory();
  if (writes_ != nullptr) writes_->observe(*this);
  for (const DeviceWindows::Window& window : windows_.all()) {
    if (config_.isa->word_bytes() == 4 && window.base >> 32 != 0) continue;  // no instruction reaches it
    if (!engine_->map_device(window.base, window.size))
      throw std::runtime_error(std::string(this->name()) + ": cannot map a device window at " +
                               std::to_string(window.base));
  }
  return *engine_;
}

void Core::set_view(const MemoryView& view) {
  view_ = view;
  show_memory();
  if (path_) path_->set_view(view_);
}

void Core::set_issue_group(IssueGroup& group) {
  issue_ = std::make_unique<IssueShare>(group, time_, ledger_, static_cast<IssueShare::Client&>(*this));
  parking_.set_issue(*issue_);
}

void Core::on_issue_change() {
  ledger_.until = 0;
  if (run_.state == CoreState::parked) parking_.wake();
}

void Core::share_memory(TimeGrid grid, bool polls_memory, bool hidden) {
  if (!grid.is_used() && issue_ && issue_->group().has_several_processes())
    grid = TimeGrid::each(issue_->group().apart());
  if (time_.shared() == grid && polls_memory_ == polls_memory && hidden_ == hidden) return;
  if (run_.state == CoreState::parked) parking_.wake();
  if (time_.shared() != grid) time_.share(grid);
  polls_memory_ = polls_memory;
  hidden_ = hidden;
  parking_.watch_memory(polls_memory_ && config_.park, hidden_);
  parking_.forget_loop();
}

void Core::flush_data_cache() {
  if (path_) time_.spend(path_->flush_data(time_.now()));
  if (observers_.accesses() != nullptr) observers_.accesses()->on_flush(*this);
}

// Starting and ending. ------------------------------------------------------------------------------------------------

void Core::end_of_elaboration() {
  if (software_ == nullptr) return;
  run_.state = CoreState::running;
  has_thread_ = true;
  if (issue_) issue_->begin(software_);
  SC_THREAD(main);
}

void Core::start(Software& software, const sc_time& at) {
  software_ = &software;
  run_.state = CoreState::running;
  run_.stopping = false;
  fault_.reset();
  parking_.restart();
  leave_block();
  time_.restart_at(time_.first_cycle_at(at));
  go_on_issuing();
  mark();
  if (has_thread_) {
    started_.notify(sc_core::SC_ZERO_TIME);
    return;
  }
  has_thread_ = true;
  sc_core::sc_spawn([this] { main(); }, (std::string(basename()) + "_thread").c_str());
}

void Core::halt() {
  if (run_.state != CoreState::running) return;
  run_.state = CoreState::idle;
  stop_issuing();
  run_.tell();
  run_.stopping = true;
  engine().stop();
}

void Core::finish() {
  if (run_.state == CoreState::running) run_.state = CoreState::finished;
  run_.stopping = true;
  stop_issuing();
  engine().stop();
}

void Core::stop() {
  if (run_.state == CoreState::parked) {
    if (parking_.reads_devices()) look_ = {parking_.counters_now(), parking_.last_read()};
  } else if (run_.state != CoreState::running && run_.state != CoreState::waiting &&
             run_.state != CoreState::sleeping) {
    return;
  }
  run_.state = CoreState::finished;
  run_.stopped = run_.stopping = true;
  if (issue_) issue_->fall_asleep(sc_time_stamp());
  if (engine_) engine_->stop();
}

void Core::main() {
  while (true) {
    run_once();
    if (run_.state != CoreState::idle && run_.state != CoreState::running) break;
    while (run_.state == CoreState::idle) wait(started_);
  }
  ended_.notify(sc_core::SC_ZERO_TIME);
}

void Core::run_once() {
  if (issue_ && issue_->group().has_several_processes()) share_memory(time_.shared(), polls_memory_, hidden_);
  time_.begin_quantum();
  blocks_ = &software_->blocks();
  if (path_) path_->set_program(*blocks_);
  const std::optional<EngineFault> fault = run_engine();
  const bool told_by_engine = fault && !run_.stopping;
  if (told_by_engine) fault_ = resolved(*fault);
  end_block();
  drain_stores();
  synchronise();
  parking_.before_wait();
  if (!run_.stopped) end_run(told_by_engine);
}

std::optional<EngineFault> Core::run_engine() {
  time_.stop_code();
  const std::uint64_t pc = software_->start(*this);
  std::optional<EngineFault> fault = run_.stopping ? std::nullopt : engine().run(pc);
  while (fault && !run_.stopping) {
    time_.stop_code();
    std::optional<std::uint64_t> there;
    if (fault->kind == FaultKind::fetch_protected) there = software_->on_jump_to_data(*this, fault->address);
    if (!there && is_fetch(fault->kind)) there = sent_elsewhere(fault->address);
    // A debugger's user is shown the fault.
    if (!there && !run_.stopping && debugger() == nullptr) there = sent_to_handler(*fault);
    if (!there) break;
    fault = engine().run(*there);
  }
  return fault;
}

std::optional<std::uint64_t> Core::sent_to_handler(const EngineFault& fault) {
  const Software::FaultHandler enter_handler = software_->handler_of(*this, resolved(fault));
  if (!enter_handler) return std::nullopt;
  // As a system call: what the handler does takes effect in the order of simulated time.
  parking_.forget_loop();
  end_block();
  drain_stores();
  synchronise();
  if (run_.stopping) return std::nullopt;
  mark();
  leave_block();
  return enter_handler();
}

std::optional<std::uint64_t> Core::sent_elsewhere(std::uint64_t pc) {
  if (debugger() == nullptr) return std::nullopt;
  const Register counter = config_.isa->roles().pc;
  engine_->write(counter, pc);
  debugger()->on_instruction(*this, pc);
  const std::uint64_t there = engine_->read(counter);
  return run_.stopping || there == pc ? std::nullopt : std::optional(there);
}

CoreFault Core::resolved(const EngineFault& fault) {
  CoreFault resolved;
  resolved.kind = fault.kind;
  resolved.pc = fault.pc;
  resolved.address = fault.address;
  if (is_data_access(fault.kind)) {
    const GeneralRegisters& registers = registers_.of(*engine_);
    const auto found = access_.instruction_at(registers, fault.address, is_store(fault.kind));
    resolved.pc = found.value_or(fault.pc);
    resolved.exact = found && access_.is_told_apart(registers, fault.address, is_store(fault.kind));
  }
  const bool privileged = fault.kind == FaultKind::privileged_instruction;
  if (privileged || fault.kind == FaultKind::misaligned_read || fault.kind == FaultKind::misaligned_write) {
    const auto access = blocks_->code().upcoming_access(fault.pc, *engine_);
    // Some processors tell by one exception of what is privileged and of 16 bytes that lie anywhere.
    if (access && (!privileged || (access->size == 16 && access->address % 16 != 0))) {
      if (privileged) resolved.kind = FaultKind::misaligned_read;
      resolved.address = access->address;
      resolved.detail = "what it moves must lie at a multiple of its size";
    }
  }
  if (fault.kind == FaultKind::other_exception) resolved.detail = "exception " + std::to_string(fault.exception);
  return resolved;
}

void Core::end_run(bool told_by_engine) {
  if (told_by_engine && debugger() != nullptr) debugger()->on_fault(*this, *fault_);
  if (run_.stopped) return;
  if (fault_) {
    run_.state = CoreState::faulted;
    software_->on_fault(*this, *fault_);
  } else if (run_.state == CoreState::timed_out) {
    software_->on_timeout(*this);
  }
}

// Instructions and system calls. --------------------------------------------------------------------------------------

void Core::on_instruction(std::uint64_t pc) {
  observers_.on_instruction(*this, blocks_->code(), pc, run_.stopping);
}

void Core::on_access(std::uint64_t address, unsigned size, bool store) {
  if (!run_.stopping) observers_.on_access(*this, address, size, store);
}

void Core::on_system_call() {
  time_.stop_code();
  if (run_.stopping) return;
  parking_.forget_loop();
  end_block();
  drain_stores();
  software_->on_system_call(*this);
}

void Core::on_machine_instruction(std::uint64_t pc, const InstructionBytes& instruction) {
  time_.stop_code();
  if (run_.stopping) return;
  parking_.forget_loop();
  end_block();
  software_->on_machine_instruction(*this, pc, instruction);
}

// Device accesses. ----------------------------------------------------------------------------------------------------

bool Core::begin_access(std::uint64_t address, unsigned size, bool store) {
  const std::optional<std::string> wrong = access_.begin(registers_.of(*engine_), windows_, address, size, store);
  if (wrong) raise(FaultKind::device_error, access_.address(), *wrong);
  return !wrong;
}

std::uint64_t Core::on_device_read(std::uint64_t address, unsigned size) {
  time_.stop_code();
  if (run_.stopping) return 0;
  if (!access_.continues(address, false)) {
    if (!begin_access(address, size, false)) return 0;
    read_device(access_.window(), access_.address(), access_.size(), access_.data());
  }
  return access_.take(address, size);
}

void Core::on_device_write(std::uint64_t address, unsigned size, std::uint64_t value) {
  time_.stop_code();
  if (run_.stopping) return;
  if (!access_.continues(address, true) && !begin_access(address, size, true)) return;
  if (access_.put(address, size, value))
    write_device(access_.window(), access_.address(), access_.size(), access_.data());
}

DeviceBus::Answer Core::transport(tlm::tlm_command command, std::uint64_t address, unsigned size, std::uint8_t* data) {
  parking_.before_wait();  // the device may let others run
  const DeviceBus::Answer answer = device_bus_.access(command, address, size, data);
  see_masters();
  if (answer.refused) {
    access_.refuse();
    raise(FaultKind::device_error, address, device_bus_.refusal());
  }
  return answer;
}

void Core::combine_stores(std::uint64_t base, unsigned buffers, std::uint64_t seed) {
  windows_.combine(base);
  if (combining_ != nullptr) return;
  combining_ =
      std::make_unique<WriteCombining>(buffers, seed, [this](std::uint64_t address, std::uint8_t* data, unsigned size) {
        if (run_.stopping) return false;
        transport(tlm::TLM_WRITE_COMMAND, address, size, data);
        time_.spend(windows_.at(address)->cost.write);
        return !run_.stopping;
      });
}

/// The instruction at `pc` accesses a device: fences of the block before it have been executed.
void Core::pass_fences(std::uint64_t pc) {
  if (combining_ == nullptr || ledger_.block == nullptr) return;
  const std::vector<std::uint64_t>& fences = ledger_.block->fences;
  const auto passed = static_cast<std::size_t>(
      std::count_if(fences.begin(), fences.end(), [pc](std::uint64_t fence) { return fence <= pc; }));
  if (passed > fences_passed_) combining_->drain();
  fences_passed_ = passed;
}

void Core::end_block_stores() {
  if (!holds_stores()) return;
  const bool fenced = ledger_.block != nullptr && fences_passed_ < ledger_.block->fences.size();
  fenced ? combining_->drain() : combining_->send_closed();
}

void Core::write_device(const DeviceWindows::Window* window, std::uint64_t address, unsigned size, std::uint8_t* data) {
  parking_.forget_loop();
  awaits_device_ = true;
  ++counters_.device_writes;
  pass_fences(access_.pc());
  if (window != nullptr && window->combining) return combining_->store(address, data, size);
  drain_stores();
  const CoreCycle cost = window == nullptr ? CoreCycle{0} : window->cost.write;
  time_.be_watchful();
  transport(tlm::TLM_WRITE_COMMAND, address, size, data);
  time_.spend(cost);
}

void Core::read_device(const DeviceWindows::Window* window, std::uint64_t address, unsigned size, std::uint8_t* data) {
  pass_fences(access_.pc());
  drain_stores();
  time_.issue_load();
  time_.be_watchful();
  ++counters_.device_reads;
  const CoreCycle latency = window == nullptr ? CoreCycle{0} : window->cost.read_latency;
  const WatchedDevice* device = window == nullptr ? nullptr : window->device;
  const bool pure = device != nullptr && device->is_pure_read(windows_.bus_address(address));
  if (pure) device = &device->part(windows_.bus_address(address));
  if (!pure) awaits_device_ = true;
  const sc_time at = watched_memory_ == nullptr ? sc_core::SC_ZERO_TIME : time();
  if (config_.park && pure && (!polls_memory_ || parking_.watches_memory())) {
    transport_pure(*device, address, size, data);
  } else {
    parking_.forget_loop();
    transport(tlm::TLM_READ_COMMAND, address, size, data);
  }
  if (pure && !run_.stopping) mark(at);
  time_.load_returns_after(latency);
}

void Core::transport_pure(const WatchedDevice& device, std::uint64_t address, unsigned size, std::uint8_t* data) {
  if (parking_.answer(data, size)) return;
  parking_.before_read({access_.pc(), address, cache_changes(), *ledger_.block, *blocks_}, *engine_);
  const DeviceBus::Answer answer = transport(tlm::TLM_READ_COMMAND, address, size, data);
  parking_.after_read(device, windows_.bus_address(address), answer.delay, data, size);
}

void Core::raise(FaultKind kind, std::uint64_t address, const std::string& detail) {
  if (run_.stopping) return;
  fault_ = CoreFault{kind, access_.faulting_pc(registers_.of(*engine_), address), address, detail};
  run_.stopping = true;
  engine_->stop();
  if (debugger() != nullptr) debugger()->on_fault(*this, *fault_);
}

// Of the software. ----------------------------------------------------------------------------------------------------

void Core::store_device(std::uint64_t address, const std::uint8_t* data, unsigned size) {
  std::array<std::uint8_t, 16> copy{};
  std::copy_n(data, size, copy.begin());
  write_device(windows_.at(address), address, size, copy.data());
}

void Core::load_device(std::uint64_t address, std::uint8_t* data, unsigned size) {
  time_.issue_load();
  ++counters_.device_reads;
  transport(tlm::TLM_READ_COMMAND, address, size, data);
  const DeviceWindows::Window* window = windows_.at(address);
  time_.load_returns_after(window == nullptr ? CoreCycle{0} : window->cost.read_latency);
}

void Core::accept_interrupts(bool accept) {
  interrupts_.accept(accept);
  if (accept && run_.state == CoreState::waiting) accepts_.notify(sc_core::SC_ZERO_TIME);
}

void Core::call_at(CoreCycle cycle) {
  time_.call_at(cycle);
  if (run_.state == CoreState::parked) parking_.wake();
  if (run_.state == CoreState::waiting) accepts_.notify(sc_core::SC_ZERO_TIME);
}

void Core::sleep(CoreCycle cycles) {
  stop_issuing();
  run_.state = CoreState::sleeping;
  run_.tell();
  time_.sleep(cycles);
  if (run_.stopping) return;
  run_.state = CoreState::running;
  run_.tell();
  go_on_issuing();
}

template <typename Events>
bool Core::wait_until(const Events& changed, CoreCycle end) {
  run_.state = CoreState::waiting;
  run_.tell();
  time_.wait(changed, end);
  if (run_.stopping) return false;
  run_.state = CoreState::running;
  return true;
}

bool Core::poll_device(std::uint64_t address, const std::function<bool(std::uint32_t)>& enough) {
  const DeviceWindows::Window* window = windows_.at(address);
  finish_loads();
  while (true) {
    std::array<std::uint8_t, 4> word{};
    const CoreCycle issued = time_.now();
    load_device(address, word.data(), word.size());
    const sc_time looked = sc_time_stamp();
    finish_loads();
    if (run_.stopping) return false;
    if (enough(load_u32(word.data(), config_.isa->byte_order()))) return true;
    if (time_.is_over()) return false;
    if (!config_.park) continue;
    const CoreCycle turn = std::max(time_.now() - issued, CoreCycle{1});  // a load may take no time
    while (window->device->last_change() <= looked && sc_time_stamp() < time_.end()) {
      if (!wait_until(window->device->changed(), time_.limit())) return false;
    }
    // The next load is the first that can see the change.
    const CoreCycle visible = std::min(time_.limit(), time_.first_cycle_at(sc_time_stamp()));
    const std::uint64_t turns = visible > time_.now() ? (visible - time_.now() + turn - 1) / turn : 0;
    time_.spend(turns * turn);
    counters_.device_reads += turns;
    run_.tell();
    if (time_.is_over()) return false;
  }
}

bool Core::wait_for(const sc_core::sc_event& changed, const std::function<bool()>& enough, CoreCycle until) {
  synchronise();
  if (until != LocalTime::kForever) until = std::min(until, time_.last_cycle());
  stop_issuing();
  while (!enough() && time_.now() < until) {
    if (time_.is_over() || run_.stopping || !wait_until(changed, std::min(until, time_.limit()))) return false;
    time_.reach(time_.first_cycle_at(sc_time_stamp()));
    run_.tell();
  }
  go_on_issuing();
  return !run_.stopping;
}

bool Core::wait_for_or_interrupt(const sc_core::sc_event& changed, const std::function<bool()>& enough,
                                 CoreCycle until) {
  synchronise();
  if (until != LocalTime::kForever) until = std::min(until, time_.last_cycle());
  stop_issuing();
  // The software's own waits look at the time of its call, and those of instructions may end for no reason.
  while (!enough() && !is_interrupted() && time_.now() < std::min(until, time_.called_at())) {
    if (time_.is_over() || run_.stopping) return false;
    sc_core::sc_event_or_list awaited = changed | accepts_;
    for (const WatchedDevice* source : interrupts_.sources()) awaited |= source->changed();
    awaited_.swap(awaited);
    if (!wait_until(awaited_, std::min({until, time_.limit(), time_.called_at()}))) return false;
    time_.reach(time_.first_cycle_at(sc_time_stamp()));
    run_.tell();
  }
  go_on_issuing();
  return !run_.stopping;
}

// Memory that bus masters write. --------------------------------------------------------------------------------------

void Core::add_watched_page(std::uint64_t address, std::uint64_t physical, const WatchedDevice& page) {
  show_memory();
  const std::uint32_t size = WatchedMemory::kPageBytes;
  windows_.add_page({address, size, &page, watched_cost_, false, physical, true});
  on_memory_write(physical, size);  // no cache holds it from now on
}

/// A core that is parked would have looked already, if it reads devices; where nothing of this is in its caches,
/// nothing changes. Without caches, what its loop reads is not known.
void Core::on_memory_write(std::uint64_t address, std::uint32_t bytes) {
  if (!engine_ || run_.state == CoreState::idle) return;
  if (awaits_loss_) reservation_->look(sc_time_stamp());
  if (run_.state == CoreState::parked) {
    parking_.look(sc_time_stamp());
    if (parking_.reads_devices()) {
      if (path_ && !path_->holds(address, bytes)) return;
      parking_.wake();
    }
  }
  if (path_) foreign_writes_.add(address, bytes);
}

void Core::see_foreign_writes(const sc_time& seen) {
  watched_memory_->settle();
  if (path_) foreign_writes_.see(seen, *path_);
}

// Observers. ----------------------------------------------------------------------------------------------------------

std::vector<std::string> Core::polled() const {
  return run_.state == CoreState::parked ? parking_.polled() : std::vector<std::string>{};
}

std::uint64_t Core::pc() {
  return run_.state == CoreState::parked ? parking_.pc() : engine().read(config_.isa->roles().pc);
}

void Core::forget_loops() {
  run_.state == CoreState::parked ? parking_.wake() : parking_.forget_loop();
}

}  // namespace toroid
