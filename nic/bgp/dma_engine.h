// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "nic/bgp/dma_local_fifo.h"
#include "nic/bgp/dma_state.h"
#include "nic/bgp/injector.h"
#include "nic/bgp/receiver.h"
#include "nic/bgp/torus_injection.h"
#include "torus/base/wheel.h"

namespace toroid {

/// The DMA engine of a node, without what connects it to SystemC: a unit on the network's wheel.
///
/// Everything that happens in a cycle - answers of memory, packets that come and go - only marks what has to be done;
/// settle() then does it in an order of its own. So nothing depends on the order of a cycle's events. Accesses of
/// software come between cycles, and what they start begins in the next one. An engine with nothing to do has posted
/// nothing.
class DmaEngine : public WheelUnit {
 public:
  /// What has been posted for it.
  enum Event : std::uint32_t { kSettle, kTaken, kRead, kWritten };

  DmaEngine(const DmaConfig& config, TorusNetwork& network, std::uint32_t node, NetworkClock& clock,
            DmaOutside& outside);

  DmaState state;
  TorusInjection torus_injection;
  DmaLocalFifo local;
  Receiver receiver;
  Injector injector;

  // Memory. At SystemC's present time.
  MemoryClient& reader() { return reader_; }
  MemoryClient& writer() { return writer_; }

  // The router, ahead of the cycle of which it speaks.
  void packet_received(Packet& packet, unsigned fifo) { receiver.arrived(packet, fifo); }
  void injection_taken(unsigned fifo, unsigned chunks, Cycle at);

  // Control registers, by the machine's numbers, of the torus and of the DMA.
  std::optional<std::uint32_t> read_dcr(unsigned number) const;
  bool write_dcr(unsigned number, std::uint32_t value);

  /// Interrupt lines of a group of the interrupt controller.
  std::uint32_t interrupts(unsigned bic_group) const;

  void on_event(std::uint32_t what, std::uint32_t arg) override;
  void settle() override;

 private:
  /// Memory's answers come outside the wheel.
  class Answers final : public MemoryClient {
   public:
    Answers(DmaEngine& engine, Event event) : engine_(engine), event_(event) {}
    void memory_done(const MemoryAnswer& answer) override;

   private:
    DmaEngine& engine_;
    const Event event_;
  };

  void reset();
  std::uint32_t torus_watermarks() const;
  std::uint32_t threshold_lines() const;
  std::uint32_t counter_lines() const;

  Answers reader_{*this, kRead};
  Answers writer_{*this, kWritten};
  std::array<std::uint16_t, TorusInjection::kFifos> taken_chunks_{};
  std::uint32_t taken_ = 0;  ///< bit f: the packet of torus FIFO f is out, this cycle
  Cycle settles_ = kNever;   ///< the cycle in which settle() has been asked for
};

}  // namespace toroid
