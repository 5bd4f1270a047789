// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tlm>

#include "nic/collective/global_interrupt_channels.h"

namespace toroid {

/// The registers by which the cores of a node change the four global interrupt channels and read their state, by their
/// numbers; a machine says where they lie, and how wide apart.
///
/// The system view may change everything; the user view only channels that the system view has permitted.
class GlobalInterruptRegisters {
 public:
  static constexpr unsigned kChannels = GlobalInterruptChannels::kChannels;
  enum class View : std::uint8_t { system, user };

  // Numbers; those of arrays are of channel 0.
  static constexpr unsigned kDirect = 0, kReadMode = 4, kReset = 5, kUserPermit = 6, kControl = 8, kType = 12,
                            kRegisters = 16;
  // Places of fields in the status; those of four bits have channel 0 first.
  static constexpr unsigned kModeShift = 28, kInterruptShift = 24, kActiveShift = 20, kTypeShift = 16,
                            kReadModeShift = 15, kReceivedShift = 8, kUserShift = 4, kSentShift = 0;

  GlobalInterruptRegisters(GlobalInterrupts& network, std::uint32_t node, NetworkClock& clock)
      : channels_(network, node, clock) {}

  /// The status, but for what a machine adds.
  std::uint32_t status() const;
  /// The status shows the level that leaves the node, which changes without a word.
  bool is_diagnostic() const { return diagnostic_; }
  /// Writes a register, at SystemC's present time or before the simulation starts. A refusal has a reason:
  ///   no register there, or not for this view or channel              TLM_ADDRESS_ERROR_RESPONSE
  ///   a value that the register does not take, or a direct channel fired   TLM_GENERIC_ERROR_RESPONSE
  tlm::tlm_response_status write(View view, unsigned number, std::uint32_t value, std::string& reason);

  GlobalInterruptChannels& channels() { return channels_; }
  const GlobalInterruptChannels& channels() const { return channels_; }

 private:
  tlm::tlm_response_status check(View view, unsigned number, std::uint32_t value, std::string& reason) const;

  GlobalInterruptChannels channels_;
  std::uint32_t user_ = 0;  ///< bit for each channel, as in the status
  bool diagnostic_ = false;
};

}  // namespace toroid
