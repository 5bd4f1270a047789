// SPDX-License-Identifier: Apache-2.0
#include "hw/machine/parameters.h"

#include <cmath>
#include <sstream>

namespace toroid {

namespace {

std::string shown(double value) {
  std::ostringstream text;
  text.precision(15);  // numbers as people have typed them
  text << value;
  return text.str();
}

}  // namespace

double Parameters::number(const std::string& name, double minimum) const {
  const auto found = values_.find(name);
  if (found == values_.end())
    throw ConfigurationError("parameter " + name + " is missing from the machine description");
  used_.insert(name);
  if (!std::isfinite(found->second) || found->second < minimum) {
    throw ConfigurationError("parameter " + name + " is " + shown(found->second) + "; it must be at least " +
                             shown(minimum));
  }
  return found->second;
}

std::uint64_t Parameters::count(const std::string& name, std::uint64_t minimum, std::uint64_t maximum) const {
  const double value = number(name);
  if (value != std::floor(value) || value < static_cast<double>(minimum) || value > static_cast<double>(maximum)) {
    throw ConfigurationError("parameter " + name + " is " + shown(value) + "; it must be a whole number from " +
                             std::to_string(minimum) + " to " + std::to_string(maximum));
  }
  return static_cast<std::uint64_t>(value);
}

void Parameters::require_all_used() const {
  for (const auto& [name, value] : values_) {
    if (used_.count(name) == 0) throw ConfigurationError("parameter " + name + " means nothing to this machine");
  }
}

}  // namespace toroid
