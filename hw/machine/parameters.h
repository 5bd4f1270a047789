// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "torus/base/parameter.h"

namespace toroid {

/// A mistake in what the user gave us: what is wrong, where, and what would be right, in one line.
class ConfigurationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The values of a machine description by dotted name ("torus.buffer_chunks"), in the units of the description, with
/// the places where they stand. What parameters there are, the configuration structs know (ParameterVisitor).
///
/// None has a default, and each must be read: a parameter that is missing, and one that no configuration struct reads,
/// are both errors.
class Parameters {
 public:
  using Value = std::variant<double, std::string>;  ///< a text is a choice, of false and true as well

  void set(const std::string& name, Value value) { entries_[name].value = std::move(value); }
  /// Where the value of a parameter that has been set comes from: "mine.yaml:12:5".
  void set_origin(const std::string& name, const std::string& origin);
  /// What parameters that are missing are missing from.
  void set_description(const std::string& file) { description_ = file; }

  /// A letter for each dimension of the machine.
  void set_dimensions(const std::string& letters) { dimensions_ = letters; }
  const std::string& dimensions() const { return dimensions_; }

  /// A configuration struct with all its parameters. Throws ConfigurationError for one that is missing or out of range.
  template <typename Config>
  Config read() const {
    Config config{};
    read_into(config);
    return config;
  }
  template <typename Config>
  void read_into(Config& config) const {
    Reader reader(*this);
    config.visit_parameters(reader);
  }
  /// Throws ConfigurationError naming the first parameter that was set and never asked for.
  void require_all_used() const;

  /// What is wrong with a value, with the place where it stands.
  ConfigurationError refusal(const ParameterError& error) const;

 private:
  struct Entry {
    Value value;
    std::string origin;
    mutable bool used = false;
  };

  class Reader final : public ParameterVisitor {
   public:
    explicit Reader(const Parameters& parameters) : parameters_(parameters) {}

   private:
    double visit(const ParameterInfo& info, double value) override;
    std::string visit_text(const ParameterInfo& info, const std::string& value) override;
    std::vector<unsigned> visit_order(const ParameterInfo& info, const std::vector<unsigned>& value) override;
    std::vector<unsigned> visit_masks(const ParameterInfo& info, const std::vector<unsigned>& value) override;
    std::vector<unsigned> visit_directions(const ParameterInfo& info, const std::vector<unsigned>& value) override;
    const Value& find(const ParameterInfo& info) const;
    std::string text(const ParameterInfo& info) const;
    [[noreturn]] void refuse(const ParameterInfo& info, const std::string& what) const;
    const Parameters& parameters_;
  };

  std::string dimensions_;
  std::string description_ = "the machine description";
  std::map<std::string, Entry> entries_;
};

}  // namespace toroid
