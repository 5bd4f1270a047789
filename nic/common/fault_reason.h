// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tlm>

namespace toroid {

/// Carries back why a device answered an access with an error response, for the report of the program that made it.
///
/// Ignorable: an initiator that wants the reason puts one on its payload; a device that finds it fills it in whenever
/// it sets an error response. The text is one sentence without a full stop: what was done, where, and what would be
/// right.
struct FaultReason : tlm::tlm_extension<FaultReason> {
  std::string text;

  tlm::tlm_extension_base* clone() const override { return new FaultReason(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { text = static_cast<const FaultReason&>(other).text; }
};

}  // namespace toroid
