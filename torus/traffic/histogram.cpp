// SPDX-License-Identifier: Apache-2.0
#include "torus/traffic/histogram.h"

#include <algorithm>
#include <cmath>

namespace toroid {

unsigned Histogram::bucket(std::uint64_t value) {
  if (value < (std::uint64_t{2} << kBits)) return static_cast<unsigned>(value);
  const unsigned shift = 63 - static_cast<unsigned>(__builtin_clzll(value)) - kBits;
  return static_cast<unsigned>((std::uint64_t{shift} << kBits) + (value >> shift));
}

std::uint64_t Histogram::upper_end(unsigned bucket) {
  if (bucket < (2u << kBits)) return bucket;
  const unsigned shift = (bucket >> kBits) - 1;
  const std::uint64_t lower = (std::uint64_t{bucket} & ((1u << kBits) - 1)) | (1u << kBits);
  return ((lower + 1) << shift) - 1;
}

void Histogram::add(std::uint64_t value) {
  ++counts_[bucket(value)];
  ++count_;
  sum_ += value;
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
}

std::uint64_t Histogram::percentile(double share) const {
  const auto needed =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_))));
  std::uint64_t seen = 0;
  for (unsigned i = 0; i < counts_.size(); ++i) {
    seen += counts_[i];
    if (count_ && seen >= needed) return std::min(upper_end(i), max_);
  }
  return 0;
}

}  // namespace toroid
