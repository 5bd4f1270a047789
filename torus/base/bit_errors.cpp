// SPDX-License-Identifier: Apache-2.0
#include "torus/base/bit_errors.h"

#include <cmath>

#include "torus/base/random.h"

namespace toroid {

BitErrors::BitErrors(double rate, std::uint64_t seed)
    : log_good_(std::log1p(-rate)), random_(seed), good_bits_(draw_gap()) {}

/// Bits that pass before one is hit: geometric.
std::uint64_t BitErrors::draw_gap() {
  const double gap = std::floor(std::log(next_unit(random_)) / log_good_);
  return gap < 1e18 ? static_cast<std::uint64_t>(gap) : std::uint64_t{1} << 60;
}

bool BitErrors::hit(unsigned bits) {
  hits_.clear();
  std::uint64_t at = 0;
  while (good_bits_ < bits - at) {
    at += good_bits_;
    hits_.push_back(static_cast<unsigned>(at));
    ++at;
    good_bits_ = draw_gap();
  }
  good_bits_ -= bits - at;
  return !hits_.empty();
}

}  // namespace toroid
