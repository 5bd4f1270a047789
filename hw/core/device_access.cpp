// SPDX-License-Identifier: Apache-2.0
//
// A core's accesses to devices: pieces into transactions, transactions into time, and parking.
#include <algorithm>
#include <string>

#include "hw/core/core.h"
#include "hw/memory/byte_order.h"
#include "nic/common/bus_master.h"
#include "nic/common/fault_reason.h"
#include "torus/base/clock.h"

namespace toroid {

using sc_core::sc_time;
using sc_core::sc_time_stamp;

namespace {

std::string name_of_response(tlm::tlm_response_status status) {
  switch (status) {
    case tlm::TLM_ADDRESS_ERROR_RESPONSE:
      return "no such register";
    case tlm::TLM_COMMAND_ERROR_RESPONSE:
      return "access in a direction the register does not have";
    case tlm::TLM_BURST_ERROR_RESPONSE:
      return "access of a size the register does not have";
    case tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE:
      return "byte enables the register does not have";
    case tlm::TLM_INCOMPLETE_RESPONSE:
      return "no answer";
    default:
      return "refused by the device";
  }
}

}  // namespace

const Core::Window* Core::window_at(std::uint64_t address) const {
  for (const Window& window : windows_) {
    if (address >= window.base && address - window.base < window.size) return &window;
  }
  const auto page = std::upper_bound(watched_pages_.begin(), watched_pages_.end(), address,
                                     [](std::uint32_t at, const Window& window) { return at < window.base; });
  return page == watched_pages_.begin() || address - (page - 1)->base >= (page - 1)->size ? nullptr : &*(page - 1);
}

std::uint64_t Core::bus_address(std::uint64_t address) const {
  if (watched_pages_.empty()) return address;
  const Window* const window = window_at(address);
  return window == nullptr ? address : address - window->base + window->physical;
}

// The engine's PC is exact at block boundaries only, but its general purpose registers always are: the instruction at
// work is one whose effective address, from the registers as they are, covers the accessed one. A block's accesses to
// devices come in program order, so the first such instruction from `from` on is it.
//
// An instruction that has run already matches by mistake where it has accessed memory through a register that holds the
// device's address only since then. Exact addresses therefore win over accesses that merely reach over the address
// (misaligned ones, lmw, the far end of a page), and quads over smaller ones: a quad's address is a device's on
// purpose. An instruction whose address the code alone tells is told apart by that, whatever its register holds now: it
// comes next where it is this address, as it would have been seen before, and not at all where it is another. What
// remains open is a lone small load in one block with a quad load of the same address, which comes in a register.
Core::Located Core::locate(std::uint64_t from, std::uint64_t address, bool store) const {
  Located small;
  Located covering;
  if (block_ == nullptr) return covering;
  for (const AccessSite& site : block_->accesses) {
    const MemoryOperand& access = site.operand;
    if (site.pc < from || (store ? !access.store : !access.load)) continue;
    const std::uint64_t at = site.constant ? *site.constant : address_now(access);
    const unsigned size = access.size == 0 ? 4 : access.size;
    if (at == address) {
      const Located exact{true, access.vector, site.pc, site.next, at, size};
      if (access.vector) return exact;
      if (!small.found) small = exact;
      if (site.constant) return small;
      continue;
    }
    // The engine cuts a misaligned access into aligned pieces: the first begins before the effective address.
    const std::uint64_t begin = size <= 8 ? at & ~std::uint64_t{size - 1} : at;
    if (!covering.found && address - begin < size + (at - begin))
      covering = {true, access.vector, site.pc, site.next, at, size};
  }
  return small.found ? small : covering;
}

std::uint64_t Core::address_now(const MemoryOperand& operand) const {
  const auto read = [this](unsigned number) { return engine_->read(config_.isa->general_register(number)); };
  return config_.isa->word_bytes() == 8 ? effective_address<std::uint64_t>(operand, read)
                                        : effective_address<std::uint32_t>(operand, read);
}

bool Core::continues(std::uint64_t address, bool store) const {
  return wide_.left != 0 && wide_.store == store && address == wide_.address + wide_.size - wide_.left;
}

bool Core::begin_access(std::uint64_t address, unsigned size, bool store) {
  wide_.store = store;
  wide_.address = address;
  wide_.size = size;
  const Located located = locate(cursor_, address, store);
  access_pc_ = located.found ? located.pc : cursor_;
  if (located.found && (located.size <= 8 || located.vector)) {
    cursor_ = located.next;
    wide_.address = located.address;
    wide_.size = located.size;
  }
  const Window* const window = window_at(wide_.address);
  if (window != nullptr && window->kernels) {
    cursor_ = block_->address;
    raise(FaultKind::device_error, wide_.address, "this window is the kernel's own");
    return false;
  }
  if (wide_.address % wide_.size != 0 && window != nullptr && window->memory) {
    // Each piece is an access of its own.
    wide_.address = address;
    wide_.size = size;
    cursor_ = located.pc;
  }
  if (wide_.address % wide_.size != 0) {
    cursor_ = block_->address;
    raise(FaultKind::device_error, wide_.address,
          "misaligned " + std::to_string(wide_.size) + "-byte access to a device");
    return false;
  }
  wide_.left = wide_.size;
  return true;
}

std::uint64_t Core::on_device_read(std::uint64_t address, unsigned size) {
  if (stopping_) return 0;
  if (!continues(address, false)) {
    if (!begin_access(address, size, false)) return 0;
    wide_.data.fill(0);
    read_device(wide_.address, wide_.size, wide_.data.data());
  }
  wide_.left -= std::min(size, wide_.left);
  const std::uint8_t* piece = wide_.data.data() + (address - wide_.address);
  return load_number(piece, size, config_.isa->byte_order());
}

void Core::on_device_write(std::uint64_t address, unsigned size, std::uint64_t value) {
  if (stopping_) return;
  if (!continues(address, true) && !begin_access(address, size, true)) return;
  std::uint8_t* piece = wide_.data.data() + (address - wide_.address);
  store_number(piece, value, size, config_.isa->byte_order());
  wide_.left -= std::min(size, wide_.left);
  if (wide_.left == 0) write_device(wide_.address, wide_.size, wide_.data.data());
}

namespace {

/// A payload and its extensions, which it must let go of however the access ends.
class Transaction {
 public:
  Transaction(tlm::tlm_command command, std::uint64_t address, unsigned size, std::uint8_t* data, unsigned core) {
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data);
    payload.set_data_length(size);
    payload.set_streaming_width(size);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    master_.core = core;
    payload.set_extension(&reason);
    payload.set_extension(&master_);
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction() {
    payload.clear_extension(&master_);
    payload.clear_extension(&reason);
  }

  tlm::tlm_generic_payload payload;
  FaultReason reason;

 private:
  BusMaster master_;
};

}  // namespace

CoreCycle Core::transport(tlm::tlm_command command, std::uint64_t address, unsigned size, std::uint8_t* data) {
  const sc_time at = time();
  sc_time delay = at > sc_time_stamp() ? at - sc_time_stamp() : sc_core::SC_ZERO_TIME;
  Transaction transaction(command, bus_address(address), size, data, number_);
  bus->b_transport(transaction.payload, delay);
  const CoreCycle issued = local_;
  local_ = std::max(local_, first_cycle_at(sc_time_stamp() + delay));
  if (transaction.payload.is_response_error()) {
    cursor_ = access_pc_;
    const std::string& why = transaction.reason.text;
    raise(FaultKind::device_error, address,
          why.empty() ? name_of_response(transaction.payload.get_response_status()) : why);
  }
  return local_ - issued;
}

void Core::write_device(std::uint64_t address, unsigned size, std::uint8_t* data) {
  spin_.reset();
  ++counters_.device_writes;
  transport(tlm::TLM_WRITE_COMMAND, address, size, data);
  const Window* window = window_at(address);
  if (window != nullptr) local_ += window->cost.write;
}

void Core::read_device(std::uint64_t address, unsigned size, std::uint8_t* data) {
  local_ = std::max(local_, returns_[oldest_]);
  ++counters_.device_reads;
  const Window* window = window_at(address);
  const WatchedDevice* device = window == nullptr ? nullptr : window->device;
  const bool pure = device != nullptr && device->is_pure_read(bus_address(address));
  const sc_time at = watched_memory_ == nullptr ? sc_core::SC_ZERO_TIME : time();
  if (config_.park && shared_ == 0 && pure) {
    transport_pure(*device, address, size, data);
  } else {
    spin_.reset();
    transport(tlm::TLM_READ_COMMAND, address, size, data);
  }
  if (pure && !stopping_) mark(at);
  returns_[oldest_] = local_ + (window == nullptr ? 0 : window->cost.read_latency);
  oldest_ = oldest_ + 1 == config_.outstanding_reads ? 0 : oldest_ + 1;
  loads_in_flight_ = true;
}

void Core::transport_pure(const WatchedDevice& device, std::uint64_t address, unsigned size, std::uint8_t* data) {
  // Behind a parking: what is read before the change is what every turn read there.
  if (local_ < replay_until_ && replay_next_ < spin_.turn().size()) {
    const SpinDetector::Read& read = spin_.turn()[replay_next_++];
    std::copy_n(read.data.begin(), size, data);
    local_ += read.delay;
    return;
  }
  if (replay_until_ != 0) {
    replay_until_ = 0;
    spin_.reset();
  }

  SpinDetector::Head head;
  engine_->read_snapshot(head.registers);
  head.pc = access_pc_;
  head.address = address;
  head.time = local_;
  head.cache_changes = path_->changes();
  head.instructions_left = instructions_done_ > local_ ? instructions_done_ - local_ : 0;
  head.counters = counters_;
  for (unsigned i = 0; i < config_.outstanding_reads; ++i) {
    const CoreCycle at = returns_[(oldest_ + i) % config_.outstanding_reads];
    head.in_flight[i] = at > local_ ? at - local_ : 0;
  }
  const bool closes = spin_.at_read(head, *block_, *blocks_);
  const CoreCycle delay = transport(tlm::TLM_READ_COMMAND, address, size, data);
  if (closes && !stopping_) {
    const std::vector<SpinDetector::Read>& turn = spin_.turn();
    const sc_time begin = begin_of(spin_.turn_start().time);
    const bool steady =
        std::equal(data, data + size, turn.front().data.begin()) && delay == turn.front().delay &&
        std::all_of(turn.begin(), turn.end(),
                    [&begin](const SpinDetector::Read& read) { return read.device->last_change() <= begin; }) &&
        !interrupt_changed_since(begin);
    if (steady) {
      park(head);
    } else {
      spin_.reset();
    }
    return;
  }
  if (spin_.verifying()) {
    SpinDetector::Read read;
    read.offset = head.time - spin_.turn_start().time;
    read.delay = delay;
    read.address = bus_address(address);
    read.device = &device;
    read.counters = counters_;
    std::copy_n(data, size, read.data.begin());
    spin_.record(read);
  }
}

unsigned Core::peek_device(std::uint64_t address, std::uint8_t* data, unsigned size, std::string& reason) {
  Transaction transaction(tlm::TLM_READ_COMMAND, bus_address(address), size, data, number_);
  const unsigned done = bus->transport_dbg(transaction.payload);
  const std::string& why = transaction.reason.text;
  if (done == 0) reason = why.empty() ? "there is no register that can be read without a side effect" : why;
  return done;
}

bool Core::interrupt_changed_since(const sc_time& time) const {
  if (!accepts_interrupts_) return false;
  const std::vector<const WatchedDevice*>& sources = interrupt_line_->sources();
  return std::any_of(sources.begin(), sources.end(),
                     [&time](const WatchedDevice* source) { return source->last_change() > time; });
}

// Of the software. ----------------------------------------------------------------------------------------------------

void Core::store_device(std::uint64_t address, const std::uint8_t* data, unsigned size) {
  std::array<std::uint8_t, 16> copy{};
  std::copy_n(data, size, copy.begin());
  write_device(address, size, copy.data());
}

void Core::load_device(std::uint64_t address, std::uint8_t* data, unsigned size) {
  local_ = std::max(local_, returns_[oldest_]);
  ++counters_.device_reads;
  transport(tlm::TLM_READ_COMMAND, address, size, data);
  const Window* window = window_at(address);
  returns_[oldest_] = local_ + (window == nullptr ? 0 : window->cost.read_latency);
  oldest_ = oldest_ + 1 == config_.outstanding_reads ? 0 : oldest_ + 1;
  loads_in_flight_ = true;
}

void Core::finish_loads() {
  end_block();
}

bool Core::wait_until(const sc_core::sc_event& changed, CoreCycle end) {
  state_ = CoreState::waiting;
  tell_state();
  if (end == kForever) {
    wait(changed);
  } else if (const sc_time at = begin_of(end); at > sc_time_stamp()) {
    wait(at - sc_time_stamp(), changed);
  }
  if (stopping_) return false;
  state_ = CoreState::running;
  return true;
}

bool Core::poll_device(std::uint64_t address, const std::function<bool(std::uint32_t)>& enough) {
  const Window* window = window_at(address);
  finish_loads();
  while (true) {
    std::array<std::uint8_t, 4> word{};
    const CoreCycle issued = local_;
    load_device(address, word.data(), word.size());
    const sc_time looked = sc_time_stamp();
    finish_loads();
    if (stopping_) return false;
    if (enough(load_u32(word.data(), config_.isa->byte_order()))) return true;
    if (local_ >= limit_) return false;
    if (!config_.park) continue;
    const CoreCycle turn = local_ - issued;
    const sc_time end = limit_ == kForever ? sc_core::sc_max_time() : begin_of(limit_);
    while (window->device->last_change() <= looked && sc_time_stamp() < end) {
      if (!wait_or_limit(window->device->changed())) return false;
    }
    // The next load is the first that can see the change.
    const CoreCycle visible = std::min(limit_, first_cycle_at(sc_time_stamp()));
    const std::uint64_t turns = visible > local_ ? (visible - local_ + turn - 1) / turn : 0;
    local_ += turns * turn;
    counters_.device_reads += turns;
    tell_state();
    if (local_ >= limit_) return false;
  }
}

bool Core::wait_for(const sc_core::sc_event& changed, const std::function<bool()>& enough, CoreCycle until) {
  synchronise();
  if (until != kForever) until = std::min(until, last_cycle());
  while (!enough() && local_ < until) {
    if (local_ >= limit_ || stopping_ || !wait_until(changed, std::min(until, limit_))) return false;
    local_ = std::max(local_, first_cycle_at(sc_time_stamp()));
    tell_state();
  }
  return !stopping_;
}

std::vector<std::string> Core::polled() const {
  std::vector<std::string> names;
  if (state_ != CoreState::parked) return names;
  for (const SpinDetector::Read& read : spin_.turn()) {
    std::string name = read.device->name_of(read.address);
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

// The core stands behind the head's read; the turn begins with that read.
void Core::park(const SpinDetector::Head& head) {
  const std::vector<SpinDetector::Read>& turn = spin_.turn();
  const SpinDetector::Head& before = spin_.turn_start();
  const CoreCycle length = head.time - before.time;

  std::vector<const WatchedDevice*>& devices = parked_devices_;
  sc_core::sc_event_or_list& changes = parked_changes_;
  devices.clear();
  {  // the list before is freed here: a core that stays parked to the end never leaves this function
    sc_core::sc_event_or_list none;
    changes.swap(none);
  }
  const auto watch = [&devices](const WatchedDevice* device) {
    if (std::find(devices.begin(), devices.end(), device) == devices.end()) devices.push_back(device);
  };
  for (const SpinDetector::Read& read : turn) watch(read.device);
  if (accepts_interrupts_) {
    for (const WatchedDevice* source : interrupt_line_->sources()) watch(source);
  }
  for (const WatchedDevice* device : devices) changes |= device->changed();
  if (debugger_ != nullptr || watched_memory_ != nullptr) changes |= woken_;
  const sc_time begin = begin_of(before.time);

  state_ = CoreState::parked;
  parked_pc_ = head.pc;
  parked_head_ = &head;
  ++times_parked_;
  tell_state();
  CoreCycle visible = limit_;
  while (true) {
    if (limit_ == kForever) {
      wait(changes);
    } else {
      const sc_time end = begin_of(limit_);
      if (end <= sc_time_stamp()) break;
      wait(end - sc_time_stamp(), changes);
    }
    if (stopping_) return;  // by another core, meanwhile
    bool changed = false;
    for (const WatchedDevice* device : devices) {
      const sc_time at = device->last_change();
      if (at <= begin) continue;
      changed = true;
      visible = std::min(visible, first_cycle_at(at));
    }
    if (wake_) {
      wake_ = false;
      changed = true;
      visible = std::min(visible, first_cycle_at(sc_time_stamp()));
    }
    if (changed) break;
  }
  state_ = CoreState::running;

  // The turn that goes on is the last one whose head's read came before the change could be seen, or before the limit.
  const std::uint64_t turns = visible > head.time ? (visible - 1 - head.time) / length : 0;
  const CoreCycle skipped = turns * length;
  local_ += skipped;
  instructions_done_ += skipped;
  entered_ += skipped;
  for (CoreCycle& at : returns_) at += skipped;
  counters_.add_turns(turns, before.counters, head.counters);
  synchronise_at_ = next_synchronisation();
  replay_until_ = visible;
  replay_next_ = 1;
  spin_.reset();
  tell_state();
}

}  // namespace toroid
