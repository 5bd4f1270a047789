// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "nic/bgp/dma_config.h"
#include "torus/base/clock.h"
#include "torus/torus/latency.h"

namespace toroid {

/// What the transfers of a put of one packet take on an idle memory: its descriptor, its bytes out of memory, and into
/// it.
struct DmaTransfers {
  sc_core::sc_time descriptor;
  sc_core::sc_time read;
  sc_core::sc_time write;
};

/// The cycle in which the DMA takes the answer to what it asks memory for in cycle `at`.
inline Cycle memory_answer(const DmaConfig& dma, unsigned clock_mhz, Cycle at, sc_core::sc_time transfer) {
  return cycle_begun(time_of(at + dma.memory_latency, clock_mhz) + transfer, clock_mhz) + 1;
}

/// The cycle in which a reception counter shows a put of one packet of `chunks`, `hops` away, on an idle machine, if
/// the TAIL of its injection FIFO is written in cycle `tail` (the last one that has begun then).
inline Cycle put_shows(const DmaConfig& dma, const TorusConfig& torus, const RouterFamily& family, Cycle tail,
                       unsigned hops, unsigned chunks, const DmaTransfers& transfers) {
  const unsigned mhz = torus.clock_mhz;
  const Cycle descriptor = memory_answer(dma, mhz, tail + 1, transfers.descriptor);
  const Cycle in_fifo = memory_answer(dma, mhz, descriptor + dma.start_cycles, transfers.read);
  const Cycle arrived = in_fifo + zero_load_latency(torus, family, hops, chunks);
  return memory_answer(dma, mhz, arrived + dma.deliver_cycles, transfers.write);
}

}  // namespace toroid
