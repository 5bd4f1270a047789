// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "hw/memory/big_endian.h"
#include "hw/memory/memory_arbiter.h"
#include "nic/common/fault_reason.h"
#include "nic/common/register_bank.h"
#include "nic/common/time_offset.h"

namespace toroid {

/// A DMA device for tests: writes numbered messages to memory, each into the next slot of a ring and into a buffer, and
/// then their number to a counter. A second master of its own keeps the memory busy, if it is told to. Addresses are
/// physical ones.
class ToyDma : public sc_core::sc_module, public MemoryClient {
 public:
  static constexpr std::uint32_t kBase = 0xB200'0000;
  static constexpr std::uint32_t kSize = 4096;
  static constexpr unsigned kSlots = 8, kSlotBytes = 64, kBufferBytes = 1024;

  tlm_utils::simple_target_socket<ToyDma, 32> bus;

  ToyDma(const sc_core::sc_module_name& name, MemoryArbiter& arbiter)
      : sc_module(name), bus("bus"), port_(arbiter.add_master(*this)), noise_(arbiter) {
    bus.register_b_transport(this, &ToyDma::b_transport);
    bank().reset(values_.data());
  }

  void memory_done(const MemoryAnswer& answer) override {
    answered_ += std::to_string(answer.tag) + " at " + std::to_string(answer.when.value()) + "\n";
    value_of(kBefore) = static_cast<std::uint32_t>(answer.before);
  }
  /// "3 at 51000" lines: tag and picoseconds of each answer.
  const std::string& answered() const { return answered_; }

  void synchronise(sc_core::sc_time& delay) { wait_out(delay); }

 private:
  using Bank = DeviceRegisterBank<ToyDma>;
  static constexpr std::uint32_t kAll = 0xFFFF'FFFF;
  static constexpr RegisterBlock kBlock{kBase, 1, 0, 8};
  // name, offset, count, stride, bytes, place, reset, stored, cleared, readable, writable, pure
  static constexpr RegisterDescription kCounter{"COUNTER", 0, 1, 0, 4, 0, 0, kAll, 0, true, true, true};
  static constexpr RegisterDescription kRing{"RING", 4, 1, 0, 4, 1, 0, kAll, 0, true, true, true};
  static constexpr RegisterDescription kBuffer{"BUFFER", 8, 1, 0, 4, 2, 0, kAll, 0, true, true, true};
  static constexpr RegisterDescription kPeriod{"PERIOD", 12, 1, 0, 4, 3, 0, kAll, 0, true, true, true};
  static constexpr RegisterDescription kNoise{"NOISE", 16, 1, 0, 4, 4, 0, kAll, 0, true, true, true};
  static constexpr RegisterDescription kStart{"START", 20, 1, 0, 4, 5, 0, kAll, 0, false, true, true};
  static constexpr RegisterDescription kAdd{"ADD", 24, 1, 0, 4, 6, 0, kAll, 0, false, true, true};
  static constexpr RegisterDescription kBefore{"BEFORE", 28, 1, 0, 4, 7, 0, 0, 0, true, false, true};

  static const Bank& bank() {
    using Entry = Bank::Register;
    static const Bank registers(
        kBlock, {"the toy's registers", "a register of the toy", "", ""},
        {Entry(kCounter), Entry(kRing), Entry(kBuffer), Entry(kPeriod), Entry(kNoise),
         Entry(kStart).writes(&ToyDma::start), Entry(kAdd).writes(&ToyDma::add), Entry(kBefore)});
    return registers;
  }
  std::uint32_t& value_of(const RegisterDescription& which) { return values_[which.place]; }

  /// Reads what lies behind the ring, again and again.
  class Noise : public MemoryClient {
   public:
    explicit Noise(MemoryArbiter& arbiter) : port_(arbiter.add_master(*this)) {}
    void read(std::uint32_t times) {
      left_ = times;
      if (left_ != 0) port_.read(0, data_.data(), data_.size(), sc_core::sc_time_stamp(), 0);
    }
    void memory_done(const MemoryAnswer&) override { read(left_ - 1); }

   private:
    MemoryPort& port_;
    std::uint32_t left_ = 0;
    std::array<std::uint8_t, 2000> data_{};
  };

  /// Sends `messages`, PERIOD nanoseconds apart.
  void start(unsigned, std::uint32_t messages) {
    noise_.read(value_of(kNoise));
    for (std::uint32_t number = 1; number <= messages; ++number) {
      const auto after = static_cast<double>(value_of(kPeriod)) * number;
      const sc_core::sc_time at = sc_core::sc_time_stamp() + sc_core::sc_time(after, sc_core::SC_NS);
      data_.emplace_back(kBufferBytes);
      std::vector<std::uint8_t>& bytes = data_.back();
      for (unsigned i = 0; i < kBufferBytes; i += 4) store_be32(bytes.data() + i, number * 0x01000193u + i);
      if (value_of(kRing) != 0) {
        port_.write(value_of(kRing) + (number - 1) % kSlots * kSlotBytes, bytes.data(), kSlotBytes, at, 3 * number);
      }
      if (value_of(kBuffer) != 0) port_.write(value_of(kBuffer), bytes.data(), kBufferBytes, at, 3 * number + 1);
      data_.emplace_back(4);
      store_be32(data_.back().data(), number);
      port_.write(value_of(kCounter), data_.back().data(), 4, at, 3 * number + 2);
    }
  }

  void add(unsigned, std::uint32_t operand) {
    port_.atomic(value_of(kCounter), {MemoryOperation::Kind::add, 4, operand, 0}, sc_core::sc_time_stamp(), 1);
  }

  void b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay) {
    std::string reason;
    access.set_response_status(bank().serve(*this, values_.data(), access, delay, reason));
    if (auto* carried = access.get_extension<FaultReason>()) carried->text = reason;
  }

  MemoryPort& port_;
  Noise noise_;
  std::array<std::uint32_t, kBlock.words> values_{};
  std::deque<std::vector<std::uint8_t>> data_;  ///< of all requests
  std::string answered_;
};

}  // namespace toroid
