// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <systemc>

#include "nic/bgp/byte_counters.h"
#include "nic/bgp/dma_config.h"
#include "nic/bgp/dma_dcr.h"
#include "nic/bgp/dma_errors.h"
#include "nic/bgp/dma_observer.h"
#include "nic/bgp/injection_rings.h"
#include "nic/bgp/reception_rings.h"
#include "nic/common/memory_port.h"
#include "nic/torus/torus_dcr.h"
#include "nic/torus/torus_packet.h"
#include "torus/base/network_clock.h"
#include "torus/torus/families/blue_gene_lp_network.h"

namespace toroid {

/// What stands outside the engine: the device with its sockets and events.
class DmaOutside {
 public:
  /// To the router: a packet that is in torus injection FIFO `fifo` at `at`; chunks of torus reception FIFO `fifo` that
  /// are free at `at`.
  virtual void send_packet(Packet& packet, unsigned fifo, Cycle at) = 0;
  virtual void return_tokens(unsigned fifo, unsigned chunks, Cycle at) = 0;
  /// A violation of a rule whose fatal enable is set.
  virtual void fault(DmaFault fault) = 0;
  /// The engine has done what is to be done in this cycle: what has changed can be announced.
  virtual void settled() = 0;
  /// Asks for DmaEngine::settle() in cycle `at`, later than the present one.
  virtual void wake(Cycle at) = 0;

 protected:
  ~DmaOutside() = default;
};

/// What the parts of a DMA engine share.
struct DmaState {
  DmaState(const DmaConfig& parameters, TorusNetwork& torus, std::uint32_t number, NetworkClock& network_clock,
           DmaOutside& device)
      : config(parameters),
        network(torus),
        clock(network_clock),
        node(number),
        outside(device),
        torus_dcr(torus, number) {}

  const DmaConfig config;
  TorusNetwork& network;
  NetworkClock& clock;
  const std::uint32_t node;
  DmaOutside& outside;
  MemoryPort* reads = nullptr;
  MemoryPort* writes = nullptr;
  DmaObserver* observer = nullptr;  ///< nullptr if there is no observer

  TorusDcr torus_dcr;
  DmaDcr dcr;
  DmaErrors errors{dcr};
  InjectionRings injection_rings{dcr};
  ReceptionRings reception_rings{dcr};
  ByteCounters injection_counters;
  ByteCounters reception_counters;
  DmaCounters counted;
  std::uint32_t changed_pages = 0;   ///< bit g: something in the page of group g but the values of counters
  std::uint32_t changed_values = 0;  ///< bit g: values of counters of group g
  bool changed_lines = false;        ///< something that interrupts may follow
  sc_core::sc_time last_active;      ///< when a packet was last read or written
  std::function<void(unsigned fifo, const Packet& packet)>
      packet_watch;  ///< of packets in reception FIFOs; may be none

  Cycle now() const { return network.wheel().now(); }
  sc_core::sc_time when() const { return clock.time_of(now()); }
  /// The time of a request to memory that is made in the present cycle. The network waits for memory's answer there.
  sc_core::sc_time request_time() {
    const Cycle at = now() + config.memory_latency;
    network.wheel().hold(at);
    return clock.time_of(at);
  }

  void changed(unsigned group) {
    changed_pages |= 1u << group;
    changed_values |= 1u << group;
    changed_lines = true;
  }
  void announced() { changed_pages = changed_values = 0, changed_lines = false; }
  void changed_everywhere() { changed_pages = changed_values = 0xF, changed_lines = true; }

  /// `text()` says what was violated: it is called only if somebody will read it.
  template <typename Text>
  void violated(DmaRule rule, unsigned group, Text text) {
    ++counted.refused;
    changed_lines = true;
    DmaFault fault{rule, group, {}};
    if (errors.wants_text(rule)) fault.text = text() + " (" + DmaErrors::name(rule) + ")";
    if (errors.report(fault, when())) outside.fault(std::move(fault));
  }

  /// The engine has changed a counter.
  void counter_changed(DmaObserver::Side side, unsigned counter, const ByteCounters::Decrement& change);
  /// The engine has moved a ring.
  void fifo_changed(DmaObserver::Side side, unsigned fifo) {
    if (observer == nullptr) return;
    const DmaRing& ring =
        side == DmaObserver::Side::injection ? injection_rings.ring(fifo) : reception_rings.ring(fifo);
    observer->on_fifo(node, side, fifo, ring.used() * TORUS_QUAD_BYTES, now());
  }

  std::string node_text(std::uint32_t number) const {
    return coordinates_text(network.topology().coordinates(number), network.topology().dimensions());
  }
};

/// "0x01a40".
std::string dma_address_text(std::uint64_t address);
/// "START 0x1000, END 0x1400, HEAD 0x1000, TAIL 0x1020".
std::string ring_text(const DmaRing& ring);

}  // namespace toroid
