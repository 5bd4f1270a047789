// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace toroid {

/// Counts of cycle numbers, exact below 1024 and to 0.2 % above: 512 buckets for each doubling. Percentiles are the
/// upper ends of their buckets.
class Histogram {
 public:
  void add(std::uint64_t value);

  std::uint64_t count() const { return count_; }
  std::uint64_t min() const { return count_ ? min_ : 0; }
  std::uint64_t max() const { return max_; }
  double mean() const { return count_ ? static_cast<double>(sum_) / static_cast<double>(count_) : 0; }
  /// The smallest value that at least `share` of all do not exceed; 0 when empty.
  std::uint64_t percentile(double share) const;

 private:
  static constexpr unsigned kBits = 9;
  static unsigned bucket(std::uint64_t value);
  static std::uint64_t upper_end(unsigned bucket);

  std::array<std::uint64_t, (64 - kBits) << kBits> counts_{};
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t min_ = ~std::uint64_t{0};
  std::uint64_t max_ = 0;
};

}  // namespace toroid
