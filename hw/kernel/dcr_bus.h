// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace toroid {

/// Device control registers of a chip, by number: the privileged bus that the kernel's calls reach.
class DcrBus {
 public:
  virtual ~DcrBus() = default;
  /// nullopt: not readable. The core has synchronised: it happens at sc_time_stamp().
  virtual std::optional<std::uint32_t> read_dcr(std::uint32_t number) = 0;
  /// False: not writable.
  virtual bool write_dcr(std::uint32_t number, std::uint32_t value) = 0;
  /// For debuggers: the value as of now; reading it changes nothing. nullopt: there is no such register.
  virtual std::optional<std::uint32_t> peek_dcr(std::uint32_t number) = 0;
  /// What the register belongs to: "torus".
  virtual std::string name_of_dcr(std::uint32_t number) const = 0;
};

}  // namespace toroid
