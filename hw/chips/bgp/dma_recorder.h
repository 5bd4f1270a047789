// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/trace/writer.h"
#include "nic/bgp/dma_observer.h"

namespace toroid {

/// Records what DMA engines do: descriptors, the packets that they become, counters, and how full their FIFOs are.
class DmaRecorder final : public DmaObserver {
 public:
  DmaRecorder(trace::Writer& writer, unsigned clock_mhz) : writer_(writer), clock_mhz_(clock_mhz) {}

  void on_descriptor(const Message& message, Cycle at) override;
  void on_message_read(std::uint32_t node, std::uint32_t number, Cycle at) override;
  void on_packet(std::uint32_t node, std::uint32_t serial, std::uint32_t number, Cycle at) override;
  void on_counter(std::uint32_t node, Side side, unsigned counter, std::uint32_t value, bool hit_zero, bool error,
                  Cycle at) override;
  void on_fifo(std::uint32_t node, Side side, unsigned fifo, std::uint32_t bytes, Cycle at) override;

 private:
  std::uint64_t time(Cycle cycle) const;

  trace::Writer& writer_;
  const unsigned clock_mhz_;
};

}  // namespace toroid
