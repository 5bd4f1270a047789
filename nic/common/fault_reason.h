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

/// Answers an access. Returns false if the response is an error, whose reason the access then carries back.
inline bool respond(tlm::tlm_generic_payload& access, tlm::tlm_response_status response, const std::string& reason) {
  access.set_response_status(response);
  if (response == tlm::TLM_OK_RESPONSE) return true;
  if (auto* carried = access.get_extension<FaultReason>()) carried->text = reason;
  return false;
}

}  // namespace toroid
