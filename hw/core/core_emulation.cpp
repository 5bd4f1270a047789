// SPDX-License-Identifier: Apache-2.0
//
// What a core does for instructions that its engine does not execute. What they cost is part of their block's cost.
#include <algorithm>
#include <array>

#include "hw/core/core.h"
#include "hw/memory/byte_order.h"

namespace toroid {

void Core::add_control_registers(std::uint64_t base, std::uint32_t count, const WatchedDevice* device,
                                 const DeviceCost& cost) {
  control_ = {base, count};
  add_device(base, std::uint64_t{count} * sizeof(std::uint32_t), device, cost, true);
}

bool Core::on_unknown_instruction(std::uint64_t pc, const InstructionBytes& instruction) {
  time_.stop_code();
  if (run_.stopping) return true;
  access_.stand_at(pc);
  return emulator_ != nullptr && emulator_->execute(instruction, *engine_, *this);
}

/// As if it had waited for nothing where what would end the wait cannot be told.
void Core::wait_for(Event event) {
  const bool can_end = event == Event::reservation_loss ? reservation_ && readers_ != nullptr && reservation_->is_held()
                       : event == Event::of_chip        ? wake_ups_ != nullptr
                                                        : accepts_interrupts();
  if (!can_end) return;
  parking_.forget_loop();
  end_block();
  drain_stores();
  switch (event) {
    case Event::reservation_loss:
      return wait_for_reservation_loss();
    case Event::of_chip:
      return wait_for_wake_up();
    case Event::interrupt:
      wait_for_or_interrupt(never_, [] { return false; });
  }
}

void Core::wait_for_reservation_loss() {
  readers_->add(*reservation_);
  awaits_loss_ = true;
  wait_for_or_interrupt(reservation_->lost(), [this] {
    reservation_->look();
    return !reservation_->is_held();
  });
  awaits_loss_ = false;
  readers_->remove(*reservation_);
}

void Core::wait_for_wake_up() {
  synchronise();  // what can be seen now is no news
  const sc_core::sc_event& changed = wake_ups_->begin_wait(number_);
  wait_for_or_interrupt(changed, [this] { return wake_ups_->is_up(number_); });
  wake_ups_->end_wait(number_);
}

bool Core::check_emulated(std::uint64_t address, unsigned size, bool is_store, const DeviceWindows::Window* window) {
  if (address % size != 0) {
    raise(is_store ? FaultKind::misaligned_write : FaultKind::misaligned_read, address,
          std::to_string(size) + " bytes must lie at a multiple of as many");
    return false;
  }
  if (window != nullptr && window->kernels) {
    raise(FaultKind::device_error, address, "this window is the kernel's own");
    return false;
  }
  return true;
}

std::uint8_t* Core::emulated_memory(std::uint64_t address, unsigned size, bool is_store) {
  std::uint8_t* const memory = software_->memory_for(address, size, is_store);
  if (memory != nullptr) return memory;
  const bool read_only = is_store && software_->memory_for(address, size, false) != nullptr;
  raise(!is_store   ? FaultKind::read_unmapped
        : read_only ? FaultKind::write_protected
                    : FaultKind::write_unmapped,
        address, "");
  return nullptr;
}

bool Core::load(std::uint64_t address, std::uint8_t* data, unsigned size) {
  const DeviceWindows::Window* const window = windows_.at(address);
  if (!check_emulated(address, size, false, window)) return false;
  if (window != nullptr) {
    read_device(window, address, size, data);
    return !run_.stopping;
  }
  const std::uint8_t* const memory = emulated_memory(address, size, false);
  if (memory == nullptr) return false;
  std::copy_n(memory, size, data);
  return true;
}

bool Core::store(std::uint64_t address, const std::uint8_t* data, unsigned size) {
  const DeviceWindows::Window* const window = windows_.at(address);
  if (!check_emulated(address, size, true, window)) return false;
  if (window != nullptr) {
    store_device(address, data, size);
    return !run_.stopping;
  }
  std::uint8_t* const memory = emulated_memory(address, size, true);
  if (memory == nullptr) return false;
  std::copy_n(data, size, memory);
  return true;
}

std::optional<std::uint64_t> Core::control_address(std::uint32_t number) {
  const std::uint64_t address = control_.base + std::uint64_t{number} * sizeof(std::uint32_t);
  if (number < control_.count) return address;
  raise(FaultKind::device_error, address, "there is no control register " + std::to_string(number));
  return std::nullopt;
}

bool Core::load_control(std::uint32_t number, std::uint32_t& value) {
  const std::optional<std::uint64_t> address = control_address(number);
  if (!address) return false;
  std::array<std::uint8_t, sizeof value> word{};
  read_device(windows_.at(*address), *address, word.size(), word.data());
  value = load_u32(word.data(), config_.isa->byte_order());
  return !run_.stopping;
}

bool Core::store_control(std::uint32_t number, std::uint32_t value) {
  const std::optional<std::uint64_t> address = control_address(number);
  if (!address) return false;
  std::array<std::uint8_t, sizeof value> word{};
  store_u32(word.data(), value, config_.isa->byte_order());
  store_device(*address, word.data(), word.size());
  return !run_.stopping;
}

}  // namespace toroid
