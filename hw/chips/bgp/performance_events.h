// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "hw/chips/bgp/performance_counters.h"
#include "torus/base/network_clock.h"
#include "torus/torus/families/blue_gene_lp_network.h"

namespace toroid {

class Core;
class DmaDevice;
class TreeFifoDevice;

/// Which of the unit's events a chip counts, and where: docs/reference/bgp_performance_counters.md.
class ChipEvents final : public PerformanceEvents {
 public:
  using Cores = std::array<const Core*, 4>;

  /// All are kept by reference.
  ChipEvents(const Cores& cores, const DmaDevice& dma, const TreeFifoDevice& tree, const TorusNetwork& network,
             std::uint32_t node, NetworkClock& clock)
      : cores_(cores), dma_(dma), tree_(tree), network_(network), node_(node), clock_(clock) {}

  bool counts(unsigned event) const override;
  /// Networks have run up to now; a core other than the caller's may be ahead by up to its quantum.
  std::uint64_t count(unsigned event, std::uint64_t now) const override;

 private:
  /// What counts an event, or nothing. Arguments: a core, or a port of the torus, or a virtual channel of the tree.
  using Source = std::uint64_t (ChipEvents::*)(unsigned) const;
  struct Found {
    Source source = nullptr;
    unsigned argument = 0;
  };

  Found find(unsigned event) const;
  Found of_core(unsigned core, unsigned counter) const;
  Found of_prefetch_buffer(unsigned core, unsigned counter) const;
  Found of_devices(unsigned counter) const;

  std::uint64_t data_misses(unsigned core) const;
  std::uint64_t data_hits(unsigned core) const;
  std::uint64_t code_misses(unsigned core) const;
  std::uint64_t prefetches(unsigned core) const;
  std::uint64_t prefetch_hits(unsigned core) const;
  std::uint64_t buffer_reads(unsigned core) const;
  std::uint64_t link_packets(unsigned port) const;
  std::uint64_t link_chunks(unsigned port) const;
  std::uint64_t dma_packets(unsigned) const;
  std::uint64_t dma_descriptors(unsigned) const;
  std::uint64_t tree_packets(unsigned channel) const;

  const Cores cores_;
  const DmaDevice& dma_;
  const TreeFifoDevice& tree_;
  const TorusNetwork& network_;
  const std::uint32_t node_;
  NetworkClock& clock_;
};

}  // namespace toroid
