// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "nic/common/pending_work.h"

namespace toroid {

/// How often each rule of a device has been violated, and what is known of the first time.
class Violations {
 public:
  /// Rules have numbers below `rules`.
  explicit Violations(std::size_t rules) : rules_(rules) {}

  bool none_of(std::size_t rule) const { return first_.empty() || first_[rule].times == 0; }
  /// `text` counts at the first violation of a rule only.
  void add(std::size_t rule, const std::string& text, sc_core::sc_time when);

  std::uint64_t total() const { return total_; }
  /// Each rule's first violation, at `node`, with the number of others.
  std::vector<PendingWork> refused(const std::string& node) const;

 private:
  struct First {
    std::uint64_t times = 0;
    std::string text;
    sc_core::sc_time when;
  };

  const std::size_t rules_;
  std::vector<First> first_;  ///< by rule; empty until one is violated
  std::uint64_t total_ = 0;
};

}  // namespace toroid
