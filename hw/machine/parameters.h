// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>

namespace toroid {

/// A mistake in what the user gave us: what is wrong, where, and what would be right, in one line.
class ConfigurationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The machine description's numbers by dotted name ("torus.buffer_chunks"), in the units of the description file.
///
/// Every number must be asked for: a name nobody knows is the user's misspelling, not something to pass over.
class Parameters {
 public:
  void set(const std::string& name, double value) { values_[name] = value; }

  /// The parameter's value. Throws ConfigurationError where it is missing or below `minimum`.
  double number(const std::string& name, double minimum = 0) const;
  /// The same for counts. Throws where it is not a whole number in [minimum, maximum].
  std::uint64_t count(const std::string& name, std::uint64_t minimum = 0, std::uint64_t maximum = 0xFFFF'FFFF) const;
  /// Throws ConfigurationError naming the first parameter that was set and never asked for.
  void require_all_used() const;

 private:
  std::map<std::string, double> values_;
  mutable std::set<std::string> used_;
};

}  // namespace toroid
