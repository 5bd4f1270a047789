// SPDX-License-Identifier: Apache-2.0
//
// A configuration struct lists its parameters once, in visit_parameters(): name, unit, range and meaning of each. The
// list is what a machine description is read by, what values are checked against, and what the schema is made from.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace toroid {

/// What a parameter is, whatever its value.
struct ParameterInfo {
  const char* name;  ///< in machine descriptions: "torus.buffer_chunks"
  const char* unit;  ///< of the value in a description; empty for a choice
  double minimum = 0;
  double maximum = 0;
  bool whole = true;
  std::vector<const char*>
      choices;  ///< of a choice, or the names of a text; minimum and maximum are the first and last index
  const char* meaning;
  const char* form = nullptr;     ///< of a text, in words: "same, or ..."
  const char* pattern = nullptr;  ///< of a text, as a regular expression
  bool truth = false;             ///< a choice of false and true, which a description writes without quotes

  /// "a whole number from 1 to 255", "parity or plus".
  std::string expected() const;
};

/// A value that a parameter cannot have.
class ParameterError : public std::invalid_argument {
 public:
  /// `what` follows the parameter's name.
  ParameterError(const std::string& parameter, const std::string& what)
      : std::invalid_argument(parameter + " " + what), parameter_(parameter) {}

  const std::string& parameter() const { return parameter_; }

 private:
  std::string parameter_;
};

/// Throws ParameterError for a parameter that makes no sense beside others.
inline void require(bool good, const char* parameter, const std::string& what) {
  if (!good) throw ParameterError(parameter, what);
}

/// Throws ParameterError for a value outside the parameter's range.
void check_range(const ParameterInfo& info, double value);

/// Visits every parameter of a configuration struct and may set it.
class ParameterVisitor {
 public:
  virtual ~ParameterVisitor() = default;

  /// A name whose meaning the configuration struct checks; `known`: those that there are.
  void name(std::string& field, const char* name, const std::vector<const char*>& known, const char* form,
            const char* meaning) {
    field = visit_text({name, "", 0, 0, false, known, meaning, form, "^[a-z0-9_]+$"}, field);
  }

  /// All dimensions in some order, by their letters; `as_named`: as the machine names them.
  template <std::size_t N>
  void order(std::array<std::uint8_t, N>& field, const char* name, const char* meaning) {
    const ParameterInfo info = {
        name, "", 0, 0, true, {}, meaning, "as_named, or the letter of each dimension once", "^(as_named|[A-Z]{1,5})$"};
    const std::vector<unsigned> set = visit_order(info, {field.begin(), field.end()});
    std::copy(set.begin(), set.end(), field.begin());
  }

  /// Up to N groups of dimensions by their letters, a bit per dimension each, 0 behind the last; `by_shape`: none.
  template <std::size_t N>
  void masks(std::array<std::uint8_t, N>& field, const char* name, const char* meaning) {
    const ParameterInfo info = {name,
                                "",
                                0,
                                0,
                                true,
                                {},
                                meaning,
                                "by_shape, or groups of dimensions that together name each, such as 'AB CD E'",
                                "^(by_shape|[A-Z]{1,5}( [A-Z]{1,5}){0,4})$"};
    const std::vector<unsigned> set = visit_masks(info, {field.begin(), field.end()});
    std::copy(set.begin(), set.end(), field.begin());
  }

  struct Range {
    double minimum;
    double maximum;
  };

  /// A whole number. `scale`: what one unit of the description is in the field, such as 1024 for KiB in bytes.
  template <typename Field>
  void count(Field& field, const char* name, const char* unit, Range range, const char* meaning,
             std::uint64_t scale = 1) {
    const auto now = static_cast<double>(static_cast<std::uint64_t>(field) / scale);
    const double set = visit({name, unit, range.minimum, range.maximum, true, {}, meaning}, now);
    field = static_cast<Field>(static_cast<std::uint64_t>(set) * scale);
  }

  /// Any number.
  void number(double& field, const char* name, const char* unit, Range range, const char* meaning) {
    field = visit({name, unit, range.minimum, range.maximum, false, {}, meaning}, field);
  }

  /// Whole numbers of single directions, 0 where there is none: "X:4 Z+:2", or `same` without any.
  template <std::size_t N>
  void directions(std::array<std::uint16_t, N>& field, const char* name, const char* unit, Range range,
                  const char* meaning) {
    const ParameterInfo info = {name,
                                unit,
                                range.minimum,
                                range.maximum,
                                true,
                                {},
                                meaning,
                                "same, or values of single dimensions or directions such as 'X:4 Z+:2'",
                                "^(same|[A-Z][+-]?:[0-9]{1,5}( [A-Z][+-]?:[0-9]{1,5})*)$"};
    const std::vector<unsigned> set = visit_directions(info, {field.begin(), field.end()});
    for (std::size_t i = 0; i < N; ++i) field[i] = static_cast<std::uint16_t>(set[i]);
  }

  /// One of several names, in the order of the enumeration's values from 0.
  template <typename Enumeration>
  void choice(Enumeration& field, const char* name, std::vector<const char*> names, const char* meaning) {
    const auto last = static_cast<double>(names.size() - 1);
    const double set = visit({name, "", 0, last, true, std::move(names), meaning}, static_cast<double>(field));
    field = static_cast<Enumeration>(static_cast<unsigned>(set));
  }

  /// Whether something is so.
  void flag(bool& field, const char* name, const char* meaning) {
    const ParameterInfo info = {name, "", 0, 1, true, {"false", "true"}, meaning, nullptr, nullptr, true};
    field = visit(info, field ? 1 : 0) != 0;
  }

 private:
  /// Returns the value that the field gets, in the unit of the description; of a choice, its index.
  virtual double visit(const ParameterInfo& info, double value) = 0;
  virtual std::string visit_text(const ParameterInfo& info, const std::string& value) = 0;
  /// Returns as many numbers of dimensions as it is given.
  virtual std::vector<unsigned> visit_order(const ParameterInfo& info, const std::vector<unsigned>& value) = 0;
  /// Returns as many masks as it is given, 0 behind the last.
  virtual std::vector<unsigned> visit_masks(const ParameterInfo& info, const std::vector<unsigned>& value) = 0;
  /// Returns as many widths as it is given: of each dimension's plus and minus direction, 0 where none is named.
  virtual std::vector<unsigned> visit_directions(const ParameterInfo& info, const std::vector<unsigned>& value) = 0;
};

/// Throws ParameterError for the first field of a configuration struct that is out of range.
template <typename Config>
void check_ranges(Config config) {
  class Check final : public ParameterVisitor {
    double visit(const ParameterInfo& info, double value) override {
      check_range(info, value);
      return value;
    }
    std::string visit_text(const ParameterInfo&, const std::string& value) override { return value; }
    std::vector<unsigned> visit_order(const ParameterInfo&, const std::vector<unsigned>& value) override {
      return value;
    }
    std::vector<unsigned> visit_masks(const ParameterInfo&, const std::vector<unsigned>& value) override {
      return value;
    }
    std::vector<unsigned> visit_directions(const ParameterInfo& info, const std::vector<unsigned>& value) override {
      for (const unsigned of_direction : value) {
        if (of_direction != 0) check_range(info, of_direction);
      }
      return value;
    }
  } check;
  config.visit_parameters(check);
}

}  // namespace toroid
