// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace toroid {

/// Which bits of a link flip, drawn so that each is hit with the same chance by itself.
class BitErrors {
 public:
  /// `rate` per bit, above 0 and below 1.
  BitErrors(double rate, std::uint64_t seed);

  /// Sends `bits` bits; true where one or more flip.
  bool hit(unsigned bits);
  /// Those of the latest hit() that flipped, counted from 0.
  const std::vector<unsigned>& hits() const { return hits_; }

 private:
  std::uint64_t draw_gap();

  double log_good_;  ///< log(1 - rate)
  std::uint64_t random_;
  std::uint64_t good_bits_;  ///< bits until the next one that flips
  std::vector<unsigned> hits_;
};

}  // namespace toroid
