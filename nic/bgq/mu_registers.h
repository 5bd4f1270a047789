// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "nic/bgq/mu_engine.h"
#include "nic/common/register_bank.h"

namespace toroid {

/// The global interrupts of a node, as its network has them.
class MuBarriers {
 public:
  /// What this node contributes to `number`, 3 bits.
  virtual void set_control(unsigned number, unsigned bits) = 0;
  virtual unsigned control(unsigned number) const = 0;
  /// What any node contributes.
  virtual unsigned status(unsigned number) const = 0;

 protected:
  ~MuBarriers() = default;
};

/// Where a register of the pages lies.
struct MuPlace {
  std::uint64_t offset;  ///< in its page
  unsigned subgroup;
  bool privileged;
};

/// The pages of the 68 subgroups: what software reads there and what its writes start.
class MuRegisters {
 public:
  static constexpr std::uint64_t kPrivileged = 0x200000000;  ///< of addresses: the kernel's alias

  /// `synchronise` runs the network up to the time of an access; `tail_written` is called for each write of a TAIL of
  /// an injection FIFO.
  MuRegisters(MuEngine& engine, std::function<void(sc_core::sc_time& delay)> synchronise,
              std::function<void(unsigned fifo)> tail_written)
      : engine_(engine), synchronise_(std::move(synchronise)), tail_written_(std::move(tail_written)) {}

  /// nullopt if there is no page.
  static std::optional<MuPlace> place_of(std::uint64_t address);
  /// A read there has no side effect.
  static bool is_pure(const MuPlace& place);

  tlm::tlm_response_status serve(const MuPlace& place, tlm::tlm_generic_payload& access, sc_core::sc_time& delay,
                                 std::string& reason);
  bool peek(const MuPlace& place, std::uint8_t* bytes, std::string& reason) const;
  std::uint64_t read(const MuPlace& place) const;
  void write(const MuPlace& place, std::uint64_t value);

  void connect(MuBarriers& barriers) { barriers_ = &barriers; }

 private:
  /// The registers of a group, for its bank: indices count through the group's subgroups.
  class Group;
  using Bank = DeviceRegisterBank<Group, std::uint64_t>;
  static const Bank& bank();
  static std::uint64_t address_of(const MuPlace& place);

  struct Refusal {
    MuRule rule;
    std::string text;
  };
  /// Why software may not make an access to a register that exists.
  std::optional<Refusal> refusal(const MuPlace& place, bool write, std::uint64_t value) const;
  std::optional<Refusal> refused_write(const MuPlace& place, std::uint64_t value) const;

  MuState& state() { return engine_.state; }
  const MuState& state() const { return engine_.state; }

  MuEngine& engine_;
  std::function<void(sc_core::sc_time& delay)> synchronise_;
  std::function<void(unsigned fifo)> tail_written_;
  MuBarriers* barriers_ = nullptr;                          ///< nullptr: the node is alone
  std::array<std::uint8_t, kMuClasses> barrier_control_{};  ///< of a node that is alone
};

}  // namespace toroid
