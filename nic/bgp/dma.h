// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "nic/bgp/dma_config.h"
#include "nic/bgp/dma_errors.h"
#include "nic/bgp/dma_observer.h"
#include "nic/common/access_under_way.h"
#include "nic/common/fault_teller.h"
#include "nic/common/memory_port.h"
#include "nic/common/packet_watch.h"
#include "nic/common/pending_work.h"
#include "nic/common/watched_device.h"
#include "nic/torus/torus_dcr.h"
#include "torus/base/network_clock.h"
#include "torus/torus/families/blue_gene_lp_network.h"
#include "torus/torus/link.h"

namespace toroid {

class DmaEngine;
class DmaRegisters;

/// The DMA engine of one Blue Gene/P node: between the node's bus and memory, and the torus.
///
/// Towards the bus it is a target of word accesses to four pages, one a group (dma_regs.h). Towards memory it is two
/// bus masters: one reads descriptors and messages, one writes what arrives. Towards its router it is an initiator that
/// hands over packets and a target that receives packets. The engine itself works on the network's wheel
/// (dma_engine.h).
///
/// Time. An access to a register takes effect at its own time: the device runs the network up to that time, and waits
/// for it unless nothing else can act before. What it starts begins in the next cycle of the network.
///
/// Errors of accesses, each with a FaultReason:
///   not a word                      TLM_BURST_ERROR_RESPONSE
///   wrong direction                 TLM_COMMAND_ERROR_RESPONSE
///   no register there               TLM_ADDRESS_ERROR_RESPONSE
/// Everything else that software does wrong violates a rule (dma_errors.h): it shows in the control registers and
/// interrupts, stops the ring or drops the packet, and is told to on_fault().
class DmaDevice : public sc_core::sc_module, public PendingWorkSource, private LinkForward, private LinkBackward {
 public:
  static constexpr unsigned kGroups = 4;

  tlm_utils::simple_target_socket<DmaDevice, 32> bus_in;  ///< word accesses, physical addresses from BGP_DMA_BASE
  LinkInitiatorSocket injection_out;                      ///< packets to the router
  LinkTargetSocket reception_in;                          ///< packets from the router

  /// The device of node `node`. Throws std::invalid_argument if the configuration is invalid.
  DmaDevice(const sc_core::sc_module_name& name, const DmaConfig& config, TorusNetwork& network, std::uint32_t node,
            NetworkClock& clock);
  ~DmaDevice() override;

  // Memory: before the simulation starts, as in
  //   dma.connect_memory(arbiter.add_master(dma.reader()), arbiter.add_master(dma.writer()));
  MemoryClient& reader();  ///< descriptors and messages
  MemoryClient& writer();  ///< packets received
  void connect_memory(MemoryPort& reads, MemoryPort& writes);

  /// The page of a group as a device that cores may be parked at. A page that nobody reads announces nothing.
  const WatchedDevice& group(unsigned group) const;

  /// The engine's interrupt lines at SystemC's present time: the bits (IBM's numbering, bit 0 = most significant) of
  /// group 1, 2 or 3 of the interrupt controller, with those of the torus; 0 for other groups.
  std::uint32_t interrupts(unsigned bic_group);
  /// Announces that interrupts() has changed since it was last asked for.
  const WatchedDevice& interrupt_source() const;

  /// mfdcr and mtdcr: of the block of the torus (from BGP_TORUS_DCR_BASE) and of the DMA's (from BGP_DMA_DCR_BASE), by
  /// the machine's numbers. Returns false if there is no such register (or it cannot be written), with a `reason`.
  bool read_dcr(unsigned number, std::uint32_t& value, sc_core::sc_time& delay, std::string& reason);
  bool write_dcr(unsigned number, std::uint32_t value, sc_core::sc_time& delay, std::string& reason);
  /// For debuggers: the present value, or nullopt if there is no such register.
  std::optional<std::uint32_t> peek_dcr(unsigned number);
  /// For the kernel, at SystemC's present time: the register must exist.
  void set_dcr(unsigned number, std::uint32_t value);
  std::uint32_t dcr(unsigned number);

  /// For the kernel: a word of a group's page, `offset` as in dma_regs.h, at SystemC's present time. The register must
  /// exist.
  void set_register(unsigned group, unsigned offset, std::uint32_t value);
  std::uint32_t register_value(unsigned group, unsigned offset) const;

  /// From now on, calls `tell` at SystemC's time for each violation of a rule whose fatal enable is set: what
  /// owns DmaFault::group is to end.
  void on_fault(std::function<void(const DmaFault& fault)> tell);
  /// Messages that are being sent and packets that wait to be written.
  std::uint64_t in_flight() const;
  std::vector<PendingWork> pending_work(const std::string& node) const override;
  /// From now on, tells `observer` of descriptors, counters and FIFOs; nullptr: nobody any more.
  void observe(DmaObserver* observer);
  /// From now on, calls `watch` for descriptors that are there (injection: I0 to I31) and packets that have come to
  /// reception FIFOs (R0 to R7, RH).
  void watch_packets(PacketWatch& watch);
  /// Lines for a person: the state of what `words` names ("fifo 0 5", "counter rec 0 3", nothing for a summary).
  /// Returns nullopt if there is no such thing.
  std::optional<std::string> describe(const std::vector<std::string>& words) const;

  const DmaCounters& counters() const;

 private:
  class View;
  class Page;
  class Outside;

  void b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& access);
  tlm::tlm_sync_enum nb_transport_fw(LinkPayload& payload, LinkPhase& phase, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_bw(LinkPayload& payload, LinkPhase& phase, sc_core::sc_time& delay) override;
  /// Runs the network up to the caller's time, and waits for that time unless nothing else can act before.
  void synchronise(sc_core::sc_time& delay);
  /// Announces what has changed at `when` to cores that may be parked; `core` has made the change, if any has.
  void announce(sc_core::sc_time when, std::optional<unsigned> core);
  void tell_watch(unsigned fifo);
  std::vector<PendingWork> pending_injection(const std::string& node) const;
  std::vector<PendingWork> pending_reception(const std::string& node) const;

  TorusNetwork& network_;
  NetworkClock& clock_;
  const std::uint32_t node_;
  std::unique_ptr<Outside> outside_;
  std::unique_ptr<DmaEngine> engine_;
  std::unique_ptr<DmaRegisters> registers_;
  std::vector<std::unique_ptr<Page>> pages_;  ///< of the groups
  std::unique_ptr<View> line_view_;           ///< the interrupt lines
  bool is_read_ = false;                      ///< some view has been read since it last announced a change
  std::array<std::uint32_t, 4> lines_{};      ///< as they were asked for last
  FaultTeller<DmaFault> faults_;
  PacketWatch* packet_watch_ = nullptr;  ///< nullptr unless a debugger is attached
  unsigned watched_as_ = 0;              ///< network of the watch
  AccessUnderWay access_;
};

}  // namespace toroid
