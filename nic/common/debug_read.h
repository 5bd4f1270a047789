// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <tlm>

#include "nic/common/fault_reason.h"

namespace toroid {

/// Serves TLM's debug transport for a device whose registers are `kUnit` bytes at multiples of that: calls
/// `peek(address, bytes, reason)` for each register that the access touches. Returns the bytes that were read, as far
/// as the first register that `peek` does not give; where that is none, the access's FaultReason says why.
///
/// A debug read takes no time and changes nothing, so a register whose read has a side effect is not given.
template <unsigned kUnit, typename Peek>
unsigned debug_read(tlm::tlm_generic_payload& access, Peek&& peek) {
  std::string reason = "a debugger does not write devices";
  unsigned done = 0;
  while (access.is_read() && done < access.get_data_length()) {
    const std::uint64_t at = access.get_address() + done;
    const auto skipped = static_cast<unsigned>(at % kUnit);
    const unsigned bytes = std::min(kUnit - skipped, access.get_data_length() - done);
    std::array<std::uint8_t, kUnit> unit{};
    if (!peek(at - skipped, unit.data(), reason)) break;
    std::copy_n(unit.begin() + skipped, bytes, access.get_data_ptr() + done);
    done += bytes;
  }
  if (done == 0) {
    if (auto* carried = access.get_extension<FaultReason>()) carried->text = reason;
  }
  return done;
}

}  // namespace toroid
