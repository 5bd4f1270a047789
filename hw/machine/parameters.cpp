// SPDX-License-Identifier: Apache-2.0
#include "hw/machine/parameters.h"

#include <algorithm>
#include <numeric>
#include <regex>
#include <sstream>
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

const Parameters::Value& Parameters::Reader::find(const ParameterInfo& info) const {
  const auto found = parameters_.entries_.find(info.name);
  if (found == parameters_.entries_.end()) {
    const std::string unit = info.unit;
    throw ConfigurationError(parameters_.description_ + ": parameter " + info.name + " is missing, " + info.expected() +
                             (unit.empty() ? "" : " in " + unit) + ": " + info.meaning);
  }
  found->second.used = true;
  return found->second.value;
}

double Parameters::Reader::visit(const ParameterInfo& info, double) {
  const Value& value = find(info);
  try {
    return number_of(info, value);
  } catch (const ParameterError& error) {
    throw parameters_.refusal(error);
  }
}

void Parameters::Reader::refuse(const ParameterInfo& info, const std::string& what) const {
  throw parameters_.refusal(ParameterError(info.name, what));
}

std::string Parameters::Reader::text(const ParameterInfo& info) const {
  const Value& value = find(info);
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) refuse(info, "is a number; it must be " + info.expected());
  if (!std::regex_match(*text, std::regex(info.pattern))) {
    refuse(info, "is '" + *text + "'; it must be " + info.expected());
  }
  return *text;
}

std::string Parameters::Reader::visit_text(const ParameterInfo& info, const std::string&) {
  return text(info);
}

std::vector<unsigned> Parameters::Reader::visit_order(const ParameterInfo& info, const std::vector<unsigned>& value) {
  const std::string letters = text(info);
  std::vector<unsigned> order(value.size());
  std::iota(order.begin(), order.end(), 0u);
  if (letters == "as_named") return order;
  if (!std::is_permutation(letters.begin(), letters.end(), parameters_.dimensions_.begin(),
                           parameters_.dimensions_.end())) {
    refuse(info,
           "is " + letters + "; it must be " + info.expected() + ": " + parameters_.dimensions_ + " in some order");
  }
  for (std::size_t i = 0; i < letters.size(); ++i) {
    order[i] = static_cast<unsigned>(parameters_.dimensions_.find(letters[i]));
  }
  return order;
}

std::vector<unsigned> Parameters::Reader::visit_masks(const ParameterInfo& info, const std::vector<unsigned>& value) {
  const std::string groups = text(info);
  std::vector<unsigned> masks(value.size(), 0);
  if (groups == "by_shape") return masks;
  std::istringstream words(groups);
  unsigned named = 0;
  unsigned count = 0;
  for (std::string word; words >> word; ++count) {
    for (const char letter : word) {
      const std::size_t dimension = parameters_.dimensions_.find(letter);
      if (dimension == std::string::npos) {
        refuse(info, std::string("names the dimension ") + letter + "; the machine has " + parameters_.dimensions_);
      }
      masks[count] |= 1u << dimension;
    }
    named |= masks[count];
  }
  if (named != (1u << parameters_.dimensions_.size()) - 1) {
    refuse(info, "is " + groups + "; it must name each dimension of " + parameters_.dimensions_);
  }
  return masks;
}

std::vector<unsigned> Parameters::Reader::visit_directions(const ParameterInfo& info,
                                                           const std::vector<unsigned>& value) {
  const std::string widths = text(info);
  std::vector<unsigned> found(value.size(), 0);
  if (widths == "same") return found;
  std::istringstream words(widths);
  for (std::string word; words >> word;) {
    const std::size_t dimension = parameters_.dimensions_.find(word.front());
    if (dimension == std::string::npos) {
      refuse(info, std::string("names the dimension ") + word.front() + "; the machine has " + parameters_.dimensions_);
    }
    const auto of_direction = static_cast<unsigned>(std::stoul(word.substr(word.find(':') + 1)));
    try {
      check_range(info, of_direction);
    } catch (const ParameterError& error) {
      throw parameters_.refusal(error);
    }
    for (const char sign : {'+', '-'}) {
      unsigned& width = found[2 * dimension + (sign == '-')];
      if (word[1] != ':' && word[1] != sign) continue;
      if (width != 0) refuse(info, "names the direction " + std::string{word.front(), sign} + " twice");
      width = of_direction;
    }
  }
  return found;
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
