// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "nic/bgq/mu_bank.h"
#include "nic/bgq/mu_layout.h"
#include "nic/common/register_bank.h"

namespace toroid {

/// The values of the Messaging Unit's control registers. What a write starts is the engine's (MuEngine).
class MuDcr {
 public:
  using Bank = DeviceRegisterBank<MuDcr, std::uint64_t>;

  MuDcr() { reset(); }
  void reset();

  /// By address, in the user's window.
  static const Bank& bank();
  static bool exists(std::uint64_t address) { return bank().exists(address); }
  std::optional<std::uint64_t> read(std::uint64_t address) const { return bank().read(*this, values_.data(), address); }
  /// Returns false if there is no writable register.
  bool write(std::uint64_t address, std::uint64_t value);

  std::uint64_t at(const RegisterDescription& is, unsigned index = 0) const { return values_[is.place + index]; }
  std::uint64_t& at(const RegisterDescription& is, unsigned index = 0) { return values_[is.place + index]; }

  /// By place: registers of a group of errors follow each other.
  std::uint64_t& word(unsigned place) { return values_[place]; }
  std::uint64_t word(unsigned place) const { return values_[place]; }

  // What the engines ask for at every step.
  bool injects(unsigned engine) const {
    return works() && (at(bgq_mu_dcr::kImeEnable) >> (63 - engine) & 1) != 0 &&
           (at(bgq_mu_dcr::kReset) >> (15 - engine) & 1) == 0;
  }
  bool receives(unsigned engine) const {
    return works() && (at(bgq_mu_dcr::kRmeEnable) >> (63 - engine) & 1) != 0 &&
           (at(bgq_mu_dcr::kReset) >> (31 - engine) & 1) == 0;
  }
  /// No part that all engines need is held in reset.
  bool works() const {
    using namespace bgq_mu_dcr::reset;
    constexpr std::uint64_t kNeeded =
        kMasters.mask | kIcsram.mask | kMcsram.mask | kRcsram.mask | kRputsram.mask | kTop.mask;
    return (at(bgq_mu_dcr::kReset) & kNeeded) == 0;
  }
  bool injection_is_system(unsigned fifo) const { return injection(bgq_mu_dcr::kImfifoSystem, fifo); }
  bool takes_gets(unsigned fifo) const { return injection(bgq_mu_dcr::kImfifoRget, fifo); }
  bool reception_enabled(unsigned fifo) const { return reception(bgq_mu_dcr::kRmfifoEnable, fifo); }
  bool reception_is_system(unsigned fifo) const { return reception(bgq_mu_dcr::kRmfifoSystem, fifo); }
  bool bases_are_system(unsigned subgroup) const {
    const auto& word = subgroup < 64 ? bgq_mu_dcr::kRputbaseSystem0 : bgq_mu_dcr::kRputbaseSystem1;
    return (at(word) >> (63 - subgroup % 64) & 1) != 0;
  }
  bool class_is_system(unsigned number) const { return (at(bgq_mu_dcr::kSysBarrier) >> (15 - number) & 1) != 0; }

  /// Whether the ranges of one side's packets hold all of [address, address + bytes), for reading or also for writing.
  bool allows(std::uint64_t address, std::uint64_t bytes, bool system, bool to_write) const;

 private:
  bool injection(const RegisterDescription& is, unsigned fifo) const {
    return (at(is, fifo / kMuInjectionOfAGroup) & mu_injection_bit(fifo)) != 0;
  }
  bool reception(const RegisterDescription& is, unsigned fifo) const {
    return (at(is, fifo / kMuReceptionOfAGroup) & mu_reception_bit(fifo)) != 0;
  }
  bool in_range(std::uint64_t mebibyte, bool system, bool to_write) const;

  std::array<std::uint64_t, bgq_mu_dcr::kBlock.words> values_;
};

}  // namespace toroid
