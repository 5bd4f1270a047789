// SPDX-License-Identifier: Apache-2.0
#include "hw/machine/parameters.h"

#include <algorithm>
#include <utility>

namespace toroid {

namespace {

/// The value as a number: of a choice, its index. Throws ParameterError.
double number_of(const ParameterInfo& info, const Parameters::Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr && info.choices.empty()) {
    check_range(info, std::get<double>(value));
    return std::get<double>(value);
  }
  if (text != nullptr && !info.choices.empty()) {
    const auto found = std::find(info.choices.begin(), info.choices.end(), *text);
    if (found != info.choices.end()) return static_cast<double>(found - info.choices.begin());
  }
  const std::string given = text == nullptr ? "a number" : "'" + *text + "'";
  throw ParameterError(info.name, "is " + given + "; it must be " + info.expected());
}

}  // namespace

void Parameters::set_origin(const std::string& name, const std::string& origin) {
  const auto found = entries_.find(name);
  if (found != entries_.end()) found->second.origin = origin;
}

double Parameters::Reader::visit(const ParameterInfo& info, double) {
  const auto found = parameters_.entries_.find(info.name);
  if (found == parameters_.entries_.end()) {
    const std::string unit = info.unit;
    throw ConfigurationError(parameters_.description_ + ": parameter " + info.name + " is missing, " + info.expected() +
                             (unit.empty() ? "" : " in " + unit) + ": " + info.meaning);
  }
  found->second.used = true;
  try {
    return number_of(info, found->second.value);
  } catch (const ParameterError& error) {
    throw parameters_.refusal(error);
  }
}

ConfigurationError Parameters::refusal(const ParameterError& error) const {
  const auto found = entries_.find(error.parameter());
  const std::string origin = found == entries_.end() ? "" : found->second.origin;
  return ConfigurationError((origin.empty() ? "parameter " : origin + ": ") + error.what());
}

void Parameters::require_all_used() const {
  for (const auto& [name, entry] : entries_) {
    if (!entry.used) throw refusal(ParameterError(name, "means nothing to this machine"));
  }
}

}  // namespace toroid
