// SPDX-License-Identifier: Apache-2.0
#include "nic/bgp/dma_state.h"

#include <cstdio>

namespace toroid {

std::string dma_address_text(std::uint64_t address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%05llx", static_cast<unsigned long long>(address));
  return text;
}

std::string ring_text(const DmaRing& ring) {
  const auto text = [](std::uint32_t quads) { return dma_address_text(std::uint64_t{quads} << 4); };
  return "START " + text(ring.start) + ", END " + text(ring.end) + ", HEAD " + text(ring.head) + ", TAIL " +
         text(ring.tail);
}

void DmaState::counter_changed(DmaObserver::Side side, unsigned counter, const ByteCounters::Decrement& change) {
  const bool injection = side == DmaObserver::Side::injection;
  if (change.hit_zero) {
    changed_everywhere();  // every page has the group status
  } else {
    changed_values |= 1u << counter / 64;
  }
  const std::uint32_t value = (injection ? injection_counters : reception_counters).value(counter);
  if (observer != nullptr) observer->on_counter(node, side, counter, value, change.hit_zero, change.underflow, now());
  if (!change.underflow) return;
  ++counted.counter_errors;
  dcr.at(bgp_dma_dcr::kBadCounter) = counter + (injection ? 0 : ByteCounters::kCounters);
  violated(injection ? DmaRule::injection_underflow : DmaRule::reception_underflow, counter / 64, [&] {
    return std::string("DMA ") + (injection ? "injection" : "reception") + " counter " + std::to_string(counter % 64) +
           " of group " + std::to_string(counter / 64) +
           " went below zero: more bytes were moved than software had added to it";
  });
}

}  // namespace toroid
