// SPDX-License-Identifier: Apache-2.0
//
// A core's accesses to devices: pieces into transactions, transactions into time, and parking.
#include <algorithm>
#include <string>

#include "hw/core/core.h"
#include "hw/memory/big_endian.h"
#include "nic/fault_reason.h"
#include "torus/clock.h"

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

const Core::Window* Core::window_at(std::uint32_t address) const {
  for (const Window& window : windows_) {
    if (address >= window.base && address - window.base < window.size) return &window;
  }
  return nullptr;
}

// The engine's PC is exact at block boundaries only, but its general purpose registers always are: the instruction at
// work is one whose effective address, from the registers as they are, covers the accessed one.
// Exact addresses win over accesses that merely reach over the address (misaligned ones, lmw, the far end of a page).
Core::Located Core::locate(const RegisterFile& registers, std::uint32_t from, std::uint32_t address, bool store) const {
  Located exact;
  Located covering;
  if (block_ == nullptr) return exact;
  const auto read_gpr = [&registers](unsigned number) { return registers.gpr[number]; };
  for (std::uint32_t pc = from; pc < block_->address + block_->size; pc += 4) {
    const MemoryAccess access = decode_instruction(blocks_->word_at(pc)).memory;
    if (store ? !access.store : !access.load) continue;
    const std::uint32_t at = effective_address(access, read_gpr);
    const std::uint32_t size = access.size == 0 ? 4 : access.size;
    // The engine cuts a misaligned access into aligned pieces: the first begins before the effective address.
    const std::uint32_t begin = size <= 8 ? at & ~(size - 1) : at;
    if (address - begin >= size + (at - begin)) continue;
    Located& found = at == address ? exact : covering;
    if (found.matches++ != 0) continue;
    found.pc = pc;
    found.address = at;
    found.size = size;
  }
  return exact.matches != 0 ? exact : covering;
}

// lvx and stvx are watched: they announce themselves with their exact address before their first piece. lfd and stfd
// are told by their effective address, in blocks that have one.
void Core::on_watched_instruction(std::uint32_t address) {
  const MemoryAccess access = decode_instruction(blocks_->word_at(address)).memory;
  const auto read_gpr = [this](unsigned number) { return engine_->read(gpr(number)); };
  quad_address_ = effective_address(access, read_gpr);
  quad_pc_ = address;
  quad_announced_ = window_at(quad_address_) != nullptr;
}

bool Core::begin_access(std::uint32_t address, unsigned size, bool store) {
  wide_.store = store;
  wide_.address = address;
  wide_.size = size;
  if (quad_announced_) {
    quad_announced_ = false;
    wide_.address = quad_address_;
    wide_.size = 16;
    cursor_ = quad_pc_ + 4;
  } else {
    RegisterFile registers;
    engine_->read_registers(registers);
    const Located located = locate(registers, cursor_, address, store);
    if (located.matches != 0 && located.size <= 8) {
      cursor_ = located.pc + 4;
      wide_.address = located.address;
      wide_.size = located.size;
    }
    if (wide_.address % wide_.size != 0) {
      cursor_ = block_->address;
      raise(FaultKind::device_error, wide_.address,
            "misaligned " + std::to_string(wide_.size) + "-byte access to a device");
      return false;
    }
  }
  wide_.left = wide_.size;
  return true;
}

std::uint32_t Core::on_device_read(std::uint32_t address, unsigned size) {
  if (stopping_) return 0;
  if (wide_.left == 0) {
    if (!begin_access(address, size, false)) return 0;
    wide_.data.fill(0);
    read_device(wide_.address, wide_.size, wide_.data.data());
  }
  wide_.left -= std::min(size, wide_.left);
  const std::uint8_t* piece = wide_.data.data() + (address - wide_.address);
  return size == 4 ? load_be32(piece) : size == 2 ? load_be16(piece) : *piece;
}

void Core::on_device_write(std::uint32_t address, unsigned size, std::uint32_t value) {
  if (stopping_) return;
  if (wide_.left == 0 && !begin_access(address, size, true)) return;
  std::uint8_t* piece = wide_.data.data() + (address - wide_.address);
  if (size == 4) {
    store_be32(piece, value);
  } else if (size == 2) {
    store_be16(piece, static_cast<std::uint16_t>(value));
  } else {
    *piece = static_cast<std::uint8_t>(value);
  }
  wide_.left -= std::min(size, wide_.left);
  if (wide_.left == 0) write_device(wide_.address, wide_.size, wide_.data.data());
}

Cycle Core::transport(tlm::tlm_command command, std::uint32_t address, unsigned size, std::uint8_t* data) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(data);
  payload.set_data_length(size);
  payload.set_streaming_width(size);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  const sc_time at = time();
  sc_time delay = at > sc_time_stamp() ? at - sc_time_stamp() : sc_core::SC_ZERO_TIME;
  FaultReason reason;
  payload.set_extension(&reason);
  bus->b_transport(payload, delay);
  payload.clear_extension(&reason);
  const Cycle issued = local_;
  local_ = std::max(local_, cycle_at(sc_time_stamp() + delay, config_.clock_mhz));
  if (payload.is_response_error()) {
    cursor_ = cursor_ == block_->address ? cursor_ : cursor_ - 4;
    raise(FaultKind::device_error, address,
          reason.text.empty() ? name_of_response(payload.get_response_status()) : reason.text);
  }
  return local_ - issued;
}

void Core::write_device(std::uint32_t address, unsigned size, std::uint8_t* data) {
  spin_.reset();
  ++counters_.device_writes;
  transport(tlm::TLM_WRITE_COMMAND, address, size, data);
  local_ += config_.write_quad;
}

void Core::read_device(std::uint32_t address, unsigned size, std::uint8_t* data) {
  local_ = std::max(local_, returns_[oldest_]);
  ++counters_.device_reads;
  const Window* window = window_at(address);
  const WatchedDevice* device = window == nullptr ? nullptr : window->device;
  if (config_.park && device != nullptr && device->is_pure_read(address)) {
    transport_pure(*device, address, size, data);
  } else {
    spin_.reset();
    transport(tlm::TLM_READ_COMMAND, address, size, data);
  }
  returns_[oldest_] = local_ + config_.read_latency;
  oldest_ = oldest_ + 1 == config_.outstanding_reads ? 0 : oldest_ + 1;
  loads_in_flight_ = true;
}

void Core::transport_pure(const WatchedDevice& device, std::uint32_t address, unsigned size, std::uint8_t* data) {
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
  engine_->read_registers(head.registers);
  const Located located = locate(head.registers, block_->address, address, false);
  head.pc = located.pc;
  head.address = address;
  head.time = local_;
  head.counters = counters_;
  for (unsigned i = 0; i < config_.outstanding_reads; ++i) {
    const Cycle at = returns_[(oldest_ + i) % config_.outstanding_reads];
    head.in_flight[i] = at > local_ ? at - local_ : 0;
  }
  // A head must be one certain instruction.
  const bool closes = located.matches == 1 && spin_.at_read(head, *block_, *blocks_);
  const Cycle delay = transport(tlm::TLM_READ_COMMAND, address, size, data);
  if (closes && !stopping_) {
    const std::vector<SpinDetector::Read>& turn = spin_.turn();
    const sc_time begin = time_of(spin_.turn_start().time, config_.clock_mhz);
    const bool steady = std::equal(data, data + size, turn.front().data.begin()) && delay == turn.front().delay &&
                        std::all_of(turn.begin(), turn.end(), [&begin](const SpinDetector::Read& read) {
                          return read.device->last_change() <= begin;
                        });
    if (steady) {
      park(head, address, size, data);
    } else {
      spin_.reset();
    }
    return;
  }
  if (spin_.verifying()) {
    SpinDetector::Read read;
    read.offset = head.time - spin_.turn_start().time;
    read.delay = delay;
    read.address = address;
    read.device = &device;
    std::copy_n(data, size, read.data.begin());
    spin_.record(read);
  }
}

// The core stands behind the head's read, whose answer is `data`; the turn begins with that read.
void Core::park(const SpinDetector::Head& head, std::uint32_t address, unsigned size, std::uint8_t* data) {
  const std::vector<SpinDetector::Read>& turn = spin_.turn();
  const SpinDetector::Head& before = spin_.turn_start();
  const Cycle length = head.time - before.time;

  std::vector<const WatchedDevice*> devices;
  sc_core::sc_event_or_list changes;
  for (const SpinDetector::Read& read : turn) {
    if (std::find(devices.begin(), devices.end(), read.device) != devices.end()) continue;
    devices.push_back(read.device);
    changes |= read.device->changed();
  }
  const sc_time begin = time_of(before.time, config_.clock_mhz);

  state_ = CoreState::parked;
  parked_pc_ = head.pc;
  ++times_parked_;
  Cycle visible = limit_;
  while (true) {
    if (limit_ == kForever) {
      wait(changes);
    } else {
      const sc_time end = time_of(limit_, config_.clock_mhz);
      if (end <= sc_time_stamp()) break;
      wait(end - sc_time_stamp(), changes);
    }
    bool changed = false;
    for (const WatchedDevice* device : devices) {
      const sc_time at = device->last_change();
      if (at <= begin) continue;
      changed = true;
      visible = std::min(visible, cycle_at(at, config_.clock_mhz));
    }
    if (changed) break;
  }
  state_ = CoreState::running;

  // Whole turns that were over before the change could be seen.
  const Cycle turns = visible > head.time ? (visible - head.time) / length : 0;
  const Cycle skipped = turns * length;
  local_ += skipped;
  for (Cycle& at : returns_) at += skipped;
  counters_.add_turns(turns, before.counters, head.counters);
  synchronise_at_ = std::min(local_ + config_.quantum, limit_);
  replay_until_ = visible;
  replay_next_ = 1;
  spin_.reset();
  // The head's own read of the turn that has now begun; it is due where the change is visible already.
  if (turns != 0 && head.time + skipped >= visible) {
    local_ = head.time + skipped;
    replay_until_ = 0;
    transport(tlm::TLM_READ_COMMAND, address, size, data);
  }
}

}  // namespace toroid
