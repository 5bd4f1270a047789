// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "hw/kernel/node_services.h"
#include "hw/kernel/process.h"
#include "hw/memory/big_endian.h"
#include "nic/common/interrupt_line.h"
#include "nic/common/watched_device.h"

namespace toroid {

/// Control registers for tests.
///
///     0x10  0 until 100 us, then 1; pure
///     0x11  a word that keeps what is written
///     others  TLM_ADDRESS_ERROR_RESPONSE
class ToyControlRegisters : public sc_core::sc_module, public WatchedDevice {
 public:
  SC_HAS_PROCESS(ToyControlRegisters);
  static constexpr std::uint64_t kBase = std::uint64_t{1} << 32;  // no load reaches them
  static constexpr std::uint32_t kCount = 0x400;

  tlm_utils::simple_target_socket<ToyControlRegisters, 32> bus;

  explicit ToyControlRegisters(const sc_core::sc_module_name& name) : sc_module(name), bus("bus") {
    bus.register_b_transport(this, &ToyControlRegisters::b_transport);
    SC_THREAD(run);
  }

  bool is_pure_read(std::uint64_t address) const override { return address == kBase + 4 * kStatus; }
  const sc_core::sc_event& changed() const override { return changed_; }
  sc_core::sc_time last_change() const override { return last_change_; }

 private:
  static constexpr std::uint64_t kStatus = 0x10, kWord = 0x11;

  void run() {
    wait(100, sc_core::SC_US);
    status_ = 1;
    last_change_ = sc_core::sc_time_stamp();
    changed_.notify(sc_core::SC_ZERO_TIME);
  }

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t number = (payload.get_address() - kBase) / 4;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (number == kStatus && payload.is_read()) {
      wait(delay);
      wait(sc_core::SC_ZERO_TIME);  // whatever changes in this instant has changed before it is read
      delay = sc_core::SC_ZERO_TIME;
      store_be32(payload.get_data_ptr(), status_);
    } else if (number == kWord && payload.is_read()) {
      store_be32(payload.get_data_ptr(), word_);
    } else if (number == kWord) {
      word_ = load_be32(payload.get_data_ptr());
    } else {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
  }

  std::uint32_t status_ = 0, word_ = 0;
  sc_core::sc_time last_change_;
  sc_core::sc_event changed_;
};

/// An interrupt line that is up.
class ToyInterruptLine final : public InterruptLine {
 public:
  std::uint32_t interrupts(unsigned) override { return 1; }
  bool may_interrupt(unsigned) const override { return true; }
  bool enable(unsigned, std::uint32_t) override { return true; }
  const std::vector<const WatchedDevice*>& sources() const override { return sources_; }

 private:
  const std::vector<const WatchedDevice*> sources_;
};

/// What a machine's own kernel keeps for a node: here, how to end its processes, and that it calls nobody when a line
/// is up.
class ToyServices final : public NodeServices {
 public:
  static constexpr unsigned kFirstSprg = 260;  // SPRG4

  /// SPRG4 to 7 tell the process's rank, the core's number, and their numbers.
  void begin(Process& process, ProcessCore& core) override {
    for (unsigned i = 0; i < 4; ++i)
      core.identity.registers[kFirstSprg + i] = 0x10000 * process.rank() + 0x100 * core.core->number() + 4 + i;
  }
  void add(unsigned process, std::function<void(const std::string&)> kill) {
    if (kills_.size() <= process) kills_.resize(process + 1);
    kills_[process] = std::move(kill);
  }
  bool interrupt(Process&, ProcessCore&, std::uint64_t) override {
    ++interrupts_;
    return true;
  }
  /// How often nobody has been called.
  std::uint32_t interrupts() const { return interrupts_; }
  void raise_line(Core& core) {
    core.set_interrupt_line(line_);
    core.accept_interrupts(true);
  }
  /// A device finds fault with the process in a microsecond.
  void fault_soon(unsigned process) {
    sc_core::sc_spawn([this, process] {
      sc_core::wait(1, sc_core::SC_US);
      kills_.at(process)("toy device: a descriptor that nobody waits for is wrong");
    });
  }

 private:
  std::vector<std::function<void(const std::string&)>> kills_;
  ToyInterruptLine line_;
  std::uint32_t interrupts_ = 0;
};

namespace toy_calls {

/// The sum of nine arguments, each times its number from 1 on.
inline CallResult weigh(const Call& call) {
  std::uint32_t sum = 0;
  for (unsigned i = 0; i < kMostCallArguments; ++i) sum += (i + 1) * call.word(i);
  return sum;
}
inline CallResult fault_soon(const Call& call) {
  static_cast<ToyServices&>(*call.process.node()).fault_soon(call.process.place().t);
  return 0;
}
/// Raises the core's interrupt line, if its argument is not 0. Returns how often nobody has been called before.
inline CallResult raise_line(const Call& call) {
  auto& services = static_cast<ToyServices&>(*call.process.node());
  if (call.word(0) != 0) services.raise_line(call.core);
  return services.interrupts();
}

inline constexpr SystemCall kCalls[] = {
    {1024, "weigh", weigh}, {1025, "fault_soon", fault_soon}, {1026, "raise_line", raise_line}};

}  // namespace toy_calls

}  // namespace toroid
