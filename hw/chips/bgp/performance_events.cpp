// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgp/performance_events.h"

#include <systemc>

#include "hw/core/core.h"
#include "nic/bgp/dma.h"
#include "nic/collective/tree_fifo.h"

namespace toroid {
namespace {

constexpr unsigned kCoreEvents = 35, kBufferEvents = 32;
// Where counters begin, in mode 0 and, of the buffers, in mode 1.
constexpr unsigned kBuffers[] = {72, 132};
constexpr unsigned kLinks = 194, kEndOfLinks = 206, kDmaPackets = 206, kDmaDescriptors = 207, kTreeHeaders = 248;

}  // namespace

ChipEvents::Found ChipEvents::of_core(unsigned core, unsigned counter) const {
  switch (counter) {
    case 15:
      return {&ChipEvents::data_misses, core};
    case 16:
      return {&ChipEvents::data_hits, core};
    case 20:
      return {&ChipEvents::code_misses, core};
    default:
      return {};
  }
}

ChipEvents::Found ChipEvents::of_prefetch_buffer(unsigned core, unsigned counter) const {
  switch (counter) {
    case 0:
      return {&ChipEvents::prefetches, core};
    case 2:
      return {&ChipEvents::prefetch_hits, core};
    case 9:
      return {&ChipEvents::buffer_reads, core};
    default:
      return {};
  }
}

/// A link has two counters; a mesh of fewer dimensions has fewer links.
ChipEvents::Found ChipEvents::of_devices(unsigned counter) const {
  if (counter >= kLinks && counter < kEndOfLinks) {
    const unsigned port = (counter - kLinks) / 2;
    if (port >= network_.ports()) return {};
    return {counter % 2 == 0 ? &ChipEvents::link_packets : &ChipEvents::link_chunks, port};
  }
  if (counter == kDmaPackets) return {&ChipEvents::dma_packets, 0};
  if (counter == kDmaDescriptors) return {&ChipEvents::dma_descriptors, 0};
  if (counter == kTreeHeaders || counter == kTreeHeaders + 1)
    return {&ChipEvents::tree_packets, counter - kTreeHeaders};
  return {};
}

ChipEvents::Found ChipEvents::find(unsigned event) const {
  const unsigned mode = event / PerformanceCounters::kCounters, counter = event % PerformanceCounters::kCounters;
  const unsigned first = mode % 2 * 2;  // of the two cores that a mode shows
  const bool caches = cores_[0]->config().memory.modelled;
  if (counter < 2 * kCoreEvents)
    return caches ? of_core(first + counter / kCoreEvents, counter % kCoreEvents) : Found{};
  if (mode > 1) return {};
  if (counter >= kBuffers[mode] && counter < kBuffers[mode] + 2 * kBufferEvents) {
    const unsigned at = counter - kBuffers[mode];
    return caches ? of_prefetch_buffer(first + at / kBufferEvents, at % kBufferEvents) : Found{};
  }
  return mode == 0 ? of_devices(counter) : Found{};
}

bool ChipEvents::counts(unsigned event) const {
  return event % PerformanceCounters::kCounters == PerformanceCounters::kElapsedTime || find(event).source != nullptr;
}

std::uint64_t ChipEvents::count(unsigned event, std::uint64_t now) const {
  if (event % PerformanceCounters::kCounters == PerformanceCounters::kElapsedTime) return now;
  const Found found = find(event);
  return (this->*found.source)(found.argument);
}

std::uint64_t ChipEvents::data_misses(unsigned core) const {
  return cores_[core]->counters().memory.l1_misses;
}

std::uint64_t ChipEvents::data_hits(unsigned core) const {
  return cores_[core]->counters().memory.l1_hits;
}

std::uint64_t ChipEvents::code_misses(unsigned core) const {
  return cores_[core]->counters().memory.l1_code_misses;
}

std::uint64_t ChipEvents::prefetches(unsigned core) const {
  return cores_[core]->counters().memory.prefetches;
}

std::uint64_t ChipEvents::prefetch_hits(unsigned core) const {
  return cores_[core]->counters().memory.prefetch_hits;
}

std::uint64_t ChipEvents::buffer_reads(unsigned core) const {
  return data_misses(core) + code_misses(core);
}

std::uint64_t ChipEvents::link_packets(unsigned port) const {
  clock_.sync_to(sc_core::sc_time_stamp());
  return network_.link(node_, port).packets;
}

std::uint64_t ChipEvents::link_chunks(unsigned port) const {
  clock_.sync_to(sc_core::sc_time_stamp());
  return network_.link(node_, port).chunks;
}

std::uint64_t ChipEvents::dma_packets(unsigned) const {
  clock_.sync_to(sc_core::sc_time_stamp());
  return dma_.counters().packets_injected;
}

std::uint64_t ChipEvents::dma_descriptors(unsigned) const {
  clock_.sync_to(sc_core::sc_time_stamp());
  return dma_.counters().descriptors;
}

std::uint64_t ChipEvents::tree_packets(unsigned channel) const {
  clock_.sync_to(sc_core::sc_time_stamp());
  return tree_.counters().packets_injected[channel];
}

}  // namespace toroid
