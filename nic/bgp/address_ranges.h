// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "nic/bgp/dma_dcr.h"

namespace toroid {

/// The addresses that one side of the DMA may use: eight ranges of the control registers.
class AddressRanges {
 public:
  static AddressRanges injection(const DmaDcr& dcr) {
    return {dcr, bgp_dma_dcr::kInjRangeMin, bgp_dma_dcr::kInjRangeMax, bgp_dma_dcr::kInjRangeAttributes};
  }
  static AddressRanges reception(const DmaDcr& dcr) {
    return {dcr, bgp_dma_dcr::kRecRangeMin, bgp_dma_dcr::kRecRangeMax, bgp_dma_dcr::kRecRangeAttributes};
  }

  /// Whether one range holds all of [address, address + bytes). No bytes lie anywhere.
  bool allow(std::uint64_t address, std::uint64_t bytes) const;

 private:
  AddressRanges(const DmaDcr& dcr, const RegisterDescription& least, const RegisterDescription& greatest,
                const RegisterDescription& attributes)
      : dcr_(&dcr), least_(&least), greatest_(&greatest), attributes_(&attributes) {}

  const DmaDcr* dcr_;
  const RegisterDescription* least_;
  const RegisterDescription* greatest_;
  const RegisterDescription* attributes_;
};

}  // namespace toroid
