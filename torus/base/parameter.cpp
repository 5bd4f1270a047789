// SPDX-License-Identifier: Apache-2.0
#include "torus/base/parameter.h"

#include <cmath>
#include <sstream>

namespace toroid {

namespace {

/// As people type numbers.
std::string shown(double value) {
  std::ostringstream text;
  text.precision(15);
  text << value;
  return text.str();
}

}  // namespace

std::string ParameterInfo::expected() const {
  if (form != nullptr) return form;
  if (choices.empty()) {
    return (whole ? "a whole number from " : "a number from ") + shown(minimum) + " to " + shown(maximum);
  }
  std::string names = choices.front();
  for (std::size_t i = 1; i < choices.size(); ++i) {
    names += (i + 1 == choices.size() ? " or " : ", ") + std::string(choices[i]);
  }
  return names;
}

void check_range(const ParameterInfo& info, double value) {
  // Written so that it refuses NaN.
  const bool good = value >= info.minimum && value <= info.maximum && (!info.whole || value == std::floor(value));
  if (good) return;
  const std::string unit = info.unit;
  const std::string given = shown(value) + (unit.empty() || unit == "count" ? "" : " " + unit);
  ParameterInfo number = info;
  number.form = nullptr;
  throw ParameterError(info.name, "is " + given + "; it must be " + number.expected());
}

}  // namespace toroid
