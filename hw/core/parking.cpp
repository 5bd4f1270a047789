// SPDX-License-Identifier: Apache-2.0
#include "hw/core/parking.h"

#include <algorithm>
#include <utility>

#include "hw/memory/big_endian.h"

namespace toroid {

using sc_core::sc_time;
using sc_core::sc_time_stamp;

bool Parking::answer(std::uint8_t* data, unsigned size) {
  if (replays() && replay_next_ < spin_.turn().size()) {
    const SpinDetector::Read& read = spin_.turn()[replay_next_++];
    std::copy_n(read.data.begin(), size, data);
    time_.spend(read.delay);
    return true;
  }
  if (replay_until_ != 0) restart();
  return false;
}

void Parking::before_read(const Place& place, const Engine& engine) {
  closes_ = false;
  if (spin_.verifies_from_block()) spin_.reset();
  if (spin_.passes(place.pc, place.address, place.cache_changes)) {
    head_.time = time_.now();  // of the read that the turn may contain
    return;
  }
  engine.read_snapshot(head_.registers);
  head_.pc = place.pc;
  head_.address = place.address;
  head_.time = time_.now();
  head_.cache_changes = place.cache_changes;
  head_.instructions_left = time_.instructions_left();
  head_.counters = counters_;
  head_.in_flight = time_.in_flight();
  closes_ = spin_.at_read(head_, place.block, place.blocks);
}

void Parking::after_read(const WatchedDevice& device, std::uint64_t address, CoreCycle delay, const std::uint8_t* data,
                         unsigned size) {
  if (closes_ && !run_.stopping) {
    // The device may have answered without waiting.
    if (const sc_time at = time_.time(); at > sc_time_stamp()) {
      before_wait();
      sc_core::wait(at - sc_time_stamp());
    }
    if (run_.stopping) return;
    is_steady(data, size, delay) ? park() : forget_loop();
    return;
  }
  if (!spin_.verifying()) return;
  SpinDetector::Read read;
  read.offset = head_.time - spin_.turn_start().time;
  read.delay = delay;
  read.address = address;
  read.device = &device;
  read.counters = counters_;
  std::copy_n(data, size, read.data.begin());
  spin_.record(read);
}

bool Parking::is_steady(const std::uint8_t* data, unsigned size, CoreCycle delay) const {
  const std::vector<SpinDetector::Read>& turn = spin_.turn();
  const sc_time begin = time_.begin_of(spin_.turn_start().time);
  // Others may have run while the device was asked.
  return (!watches_ || spin_.memory_unchanged()) && std::equal(data, data + size, turn.front().data.begin()) &&
         delay == turn.front().delay &&
         std::all_of(turn.begin(), turn.end(),
                     [&begin](const SpinDetector::Read& read) { return read.device->last_change() <= begin; }) &&
         may_park();
}

void Parking::at_block(std::uint64_t pc, const Block* previous, std::uint64_t cache_changes, const Engine& engine) {
  if (!spin_.verifies_from_block()) {
    // A loop that reads devices is found at these. Its turn may pass the grid many times between two of them.
    if (std::exchange(reads_at_grid_, counters_.device_reads) != counters_.device_reads) quiet_ = 0;
    if (quiet_++ < (spin_.has_read() ? kQuiet : 1)) return;
  }
  engine.read_snapshot(head_.registers);
  head_.pc = pc;
  head_.address = SpinDetector::kAtBlock;
  head_.time = time_.now();
  head_.cache_changes = cache_changes;
  head_.instructions_left = 0;
  head_.counters = counters_;
  head_.in_flight = time_.in_flight();
  head_.previous = previous;
  if (spin_.at_block(head_)) may_park() ? park() : forget_loop();
}

// The core stands behind the head's read, and the turn begins with that read; or before the head's block.
void Parking::park() {
  watch_devices();
  looks_ = watches_;
  if (looks_) {
    spin_.tell_own_memory(memory_.base(), memory_.end());
    readers_->add(*this);
  }
  run_.state = CoreState::parked;
  ++times_;
  run_.tell();
  CoreCycle visible = std::min(time_.limit(), time_.called_at());
  const TimeGrid grid = time_.shared();
  const bool goes_on = sleep(visible);
  if (looks_) readers_->remove(*this);
  if (!goes_on) return;
  run_.state = CoreState::running;
  if (looks_) hold_back();
  skip_turns(visible, grid);
  run_.tell();
}

void Parking::watch_devices() {
  devices_.clear();
  {  // the list before is freed here: a core that stays parked to the end never leaves park()
    sc_core::sc_event_or_list none;
    changes_.swap(none);
  }
  const auto watch = [this](const WatchedDevice* device) {
    if (std::find(devices_.begin(), devices_.end(), device) == devices_.end()) devices_.push_back(device);
  };
  for (const SpinDetector::Read& read : spin_.turn()) watch(read.device);
  for (const WatchedDevice* source : interrupts_.sources()) watch(source);
  for (const WatchedDevice* device : devices_) changes_ |= device->changed();
  changes_ |= woken_;
}

bool Parking::sleep(CoreCycle& visible) {
  // Until it parked, no device of the turn had changed since its start, and no interrupt line since the last look. A
  // turn that begins at a block reads no device, and the core may be ahead of SystemC's time there.
  sc_time begin = interrupts_.looked();
  if (!spin_.begins_at_block()) begin = std::max(begin, time_.begin_of(spin_.turn_start().time));
  bool changed = false;
  while (!changed) {
    if (!time_.wait(changes_)) return true;
    if (run_.stopping) return false;  // by another core, meanwhile
    for (const WatchedDevice* device : devices_) {
      const sc_time at = device->last_change();
      if (at <= begin) continue;
      changed = true;
      visible = std::min(visible, time_.first_cycle_at(at));
    }
    if (std::exchange(wake_, false)) {
      changed = true;
      visible = std::min(visible, time_.first_cycle_at(wake_at_));
    }
  }
  return true;
}

/// The turn that goes on is the last one whose head's read came before the change could be seen, or before the limit.
/// Until the change can be seen, the core synchronises as before it: the change may have been that others run, or no
/// longer.
void Parking::skip_turns(CoreCycle visible, const TimeGrid& grid) {
  const CoreCycle length = turn_length();
  const std::uint64_t turns = visible > head_.time ? (visible - 1 - head_.time) / length : 0;
  const CoreCycle skipped = turns * length;
  time_.skip(skipped, reads_devices());
  interrupts_.skip(skipped);
  counters_.add_turns(turns, spin_.turn_start().counters, head_.counters);
  time_.resume(visible, grid, spin_.begins_at_block());
  replay_until_ = visible;
  replay_next_ = spin_.begins_at_block() ? 0 : 1;
  spin_.reset();
}

// Memory that other cores write.
// ---------------------------------------------------------------------------------------

void Parking::look(const sc_time& at) {
  look_after(own_memory(), at);
}

void Parking::look_after(std::uint64_t own, const sc_time& at) {
  if (reservation_ != nullptr) reservation_->look_asleep();
  if (wake_ || !looks_) return;
  const bool unchanged = own == own_memory() ? spin_.memory_unchanged() : spin_.shared_unchanged();
  if (!unchanged) wake(at);
}

void Parking::before_wait() {
  if (readers_ == nullptr) return;                           // cores of this machine do not park at memory
  if (reservation_ != nullptr) reservation_->before_wait();  // with what the core has seen
  restore_memory();
  readers_->look_after(own_memory(), time_.acts_at());
}

void Parking::hold_back() {
  MemoryView memory = memory_;
  spin_.each_changed([&](std::uint64_t address, std::uint32_t old_value) {
    held_.push_back({address, old_value, load_be32(memory.host(address))});
    store_be32(memory.host(address), old_value);
  });
}

/// Byte by byte: what the core itself has stored to others of the word stays.
void Parking::restore_memory() {
  if (held_.empty()) return;
  MemoryView memory = memory_;
  for (const Held& held : held_) {
    std::array<std::uint8_t, 4> before{}, now{};
    store_be32(before.data(), held.old_value);
    store_be32(now.data(), held.new_value);
    for (unsigned byte = 0; byte < now.size(); ++byte) {
      if (before[byte] != now[byte]) memory.host(held.address)[byte] = now[byte];
    }
  }
  held_.clear();
}

void Parking::wake(const sc_time& at) {
  wake_ = true;
  wake_at_ = at;
  woken_.notify(at - sc_time_stamp());
}

std::vector<std::string> Parking::polled() const {
  std::vector<std::string> names;
  for (const SpinDetector::Read& read : spin_.turn()) {
    std::string name = read.device->name_of(read.address);
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

/// Cycles since the head's read.
CoreCycle Parking::passed() const {
  return time_.first_cycle_at(sc_time_stamp()) - 1 - head_.time;
}

/// The turn's last read that comes at most `passed` cycles behind a head's.
const SpinDetector::Read& Parking::read_at(CoreCycle passed) const {
  const std::vector<SpinDetector::Read>& turn = spin_.turn();
  const CoreCycle offset = passed % turn_length();
  return *std::find_if(turn.rbegin(), turn.rend(),
                       [offset](const SpinDetector::Read& read) { return read.offset <= offset; });
}

CoreCounters Parking::counters_now() const {
  CoreCounters now = counters_;
  now.add_turns(passed() / turn_length(), spin_.turn_start().counters, head_.counters);
  now.add_turns(1, spin_.turn().front().counters, read_at(passed()).counters);
  return now;
}

CoreCycle Parking::last_read() const {
  const SpinDetector::Read& read = read_at(passed());
  return head_.time + passed() / turn_length() * turn_length() + read.offset + read.delay;
}

}  // namespace toroid
