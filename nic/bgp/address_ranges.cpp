// SPDX-License-Identifier: Apache-2.0
#include "nic/bgp/address_ranges.h"

namespace toroid {

bool AddressRanges::allow(std::uint64_t address, std::uint64_t bytes) const {
  if (bytes == 0) return true;
  for (unsigned range = 0; range < least_->count; ++range) {
    if ((dcr_->at(*attributes_) & ibm_bit(range)) == 0) continue;
    const std::uint64_t begin = std::uint64_t{dcr_->at(*least_, range)} << 4;
    const std::uint64_t end = (std::uint64_t{dcr_->at(*greatest_, range)} << 4) + 16;
    if (address >= begin && address < end && bytes <= end - address) return true;
  }
  return false;
}

}  // namespace toroid
