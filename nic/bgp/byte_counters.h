// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "nic/bgp/dma_dcr.h"

namespace toroid {

/// The byte counters of one side of the DMA, of all groups: 32-bit numbers that software adds to and the DMA subtracts
/// from, modulo 2^32.
///
/// The DMA sets a counter's hit-zero bit when it brings the counter to zero; only software clears it. What software
/// writes sets no bit.
class ByteCounters {
 public:
  static constexpr unsigned kCounters = 256;   ///< group x 64 + counter
  static constexpr unsigned kWords = 8;        ///< of bits: group x 2 + word
  static constexpr unsigned kOfASubgroup = 8;  ///< counters

  std::uint32_t value(unsigned counter) const { return values_[counter]; }
  void set_value(unsigned counter, std::uint32_t value) { values_[counter] = value; }
  /// Returns false if the sum is 2^32 or more.
  bool increment(unsigned counter, std::uint32_t by) { return (values_[counter] += by) >= by; }

  struct Decrement {
    bool hit_zero;
    bool underflow;
  };
  Decrement decrement(unsigned counter, std::uint32_t by) {
    const bool underflow = by > values_[counter];
    values_[counter] -= by;
    const bool zero = by != 0 && values_[counter] == 0;
    if (zero) hit_zero_[counter / 32] |= ibm_bit(counter % 32);
    return {zero, underflow};
  }

  /// Physical addresses >> 4.
  std::uint32_t base(unsigned counter) const { return bases_[counter]; }
  void set_base(unsigned counter, std::uint32_t base) { bases_[counter] = base; }
  std::uint32_t maximum(unsigned counter) const { return maxima_[counter]; }
  void set_maximum(unsigned counter, std::uint32_t maximum) { maxima_[counter] = maximum; }

  bool is_enabled(unsigned counter) const { return (enabled_[counter / 32] & ibm_bit(counter % 32)) != 0; }
  std::uint32_t enabled(unsigned word) const { return enabled_[word]; }
  void enable(unsigned word, std::uint32_t bits) { enabled_[word] |= bits; }
  void disable(unsigned word, std::uint32_t bits) { enabled_[word] &= ~bits; }
  std::uint32_t hit_zero(unsigned word) const { return hit_zero_[word]; }
  void clear_hit_zero(unsigned word, std::uint32_t bits) { hit_zero_[word] &= ~bits; }

  /// A bit a subgroup: one of its enabled counters has hit zero.
  std::uint32_t group_status() const {
    std::uint32_t status = 0;
    for (unsigned word = 0; word < kWords; ++word) {
      const std::uint32_t zeros = hit_zero_[word] & enabled_[word];
      if (zeros == 0) continue;
      for (unsigned subgroup = 0; subgroup < 32 / kOfASubgroup; ++subgroup) {
        if ((zeros & 0xFF000000u >> kOfASubgroup * subgroup) != 0)
          status |= ibm_bit(word * 32 / kOfASubgroup + subgroup);
      }
    }
    return status;
  }

 private:
  std::array<std::uint32_t, kCounters> values_{};
  std::array<std::uint32_t, kCounters> bases_{};
  std::array<std::uint32_t, kCounters> maxima_{};
  std::array<std::uint32_t, kWords> enabled_{};
  std::array<std::uint32_t, kWords> hit_zero_{};
};

}  // namespace toroid
