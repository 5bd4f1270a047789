// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "nic/bgq/mu_config.h"
#include "nic/bgq/mu_descriptor_text.h"
#include "nic/bgq/mu_errors.h"
#include "nic/bgq/mu_layout.h"
#include "nic/bgq/mu_observer.h"
#include "nic/common/access_under_way.h"
#include "nic/common/fault_teller.h"
#include "nic/common/memory_port.h"
#include "nic/common/packet_watch.h"
#include "nic/common/pending_work.h"
#include "nic/common/watched_device.h"
#include "torus/base/network_clock.h"
#include "torus/torus/link.h"
#include "torus/torus/network.h"

namespace toroid {

class CollectiveNetwork;
class MuBarriers;
class MuEngine;
class MuPages;
class MuRegisters;

/// Which of the network's reception FIFOs each reception engine empties, by the network's numbers.
struct MuNetworkMap {
  static constexpr std::uint8_t kNone = 0xFF;
  std::array<std::uint8_t, kMuEngines> reception_fifo;
  /// Routers of Blue Gene/Q: a FIFO for each link, then those of high priority, of the system, and two for what the
  /// node sends to itself.
  static MuNetworkMap of_blue_gene_q();
};

/// The Messaging Unit of one Blue Gene/Q node: between the node's bus and memory, and the torus.
///
/// Towards the bus it is a target of accesses of 8 bytes: to the pages of 68 subgroups and to its control registers
/// (mu_regs.h), at the addresses that users have or, MuRegisters::kPrivileged behind, at the kernel's. Towards memory
/// it is three bus masters. Towards its router it is an initiator that hands over packets and a target that receives
/// packets. The unit itself works on the network's wheel (mu_engine.h).
///
/// Time. An access to a register takes effect at its own time: the device runs the network up to that time, and waits
/// for it unless nothing else can act before. What it starts begins in the next cycle of the network.
///
/// Errors of accesses, each with a FaultReason:
///   not 8 bytes                     TLM_BURST_ERROR_RESPONSE
///   wrong direction                 TLM_COMMAND_ERROR_RESPONSE
///   no register there               TLM_ADDRESS_ERROR_RESPONSE
///   not allowed to a user           TLM_GENERIC_ERROR_RESPONSE
/// Everything else that software does wrong violates a rule (mu_errors.h): it shows in the control registers, stops the
/// FIFO or drops the packet, and is told to on_fault().
class MuDevice : public sc_core::sc_module, public PendingWorkSource, private LinkForward, private LinkBackward {
 public:
  /// Accesses of 8 bytes, physical addresses; takes any number of masters: pages and control registers lie apart.
  tlm_utils::multi_passthrough_target_socket<MuDevice, 32> bus_in;
  LinkInitiatorSocket injection_out;  ///< packets to the router
  LinkTargetSocket reception_in;      ///< packets from the router

  /// The device of node `node`. Throws std::invalid_argument if the configuration or the network does not suit it.
  MuDevice(const sc_core::sc_module_name& name, const MuConfig& config, AnyTorusNetwork& network,
           const MuNetworkMap& map, std::uint32_t node, NetworkClock& clock);
  ~MuDevice() override;

  // Memory: before the simulation starts, one port after the other, as in
  //   for (unsigned port = 0; port < kMuMasters; ++port) mu.connect_memory(port,
  //   arbiter.add_master(mu.memory_client()));
  MemoryClient& memory_client();
  void connect_memory(unsigned port, MemoryPort& memory);
  /// The collective units of the network; without, collective packets are refused.
  void connect_collectives(CollectiveNetwork& collectives);
  /// The node's global interrupts; without, the node is alone.
  void connect_barriers(MuBarriers& barriers);
  /// Something about the global interrupts changes at `when`.
  void barriers_changed(sc_core::sc_time when);

  /// The pages as a device that cores may be parked at.
  const WatchedDevice& pages() const;

  /// At SystemC's present time: the four interrupts of a group's core, bit s of subgroup s; those that go to the global
  /// event aggregator; whether an error interrupts.
  std::uint8_t interrupts(unsigned group);
  std::uint8_t aggregated(unsigned group);
  bool has_error();
  /// Announces that these have changed since they were asked for.
  const WatchedDevice& interrupt_source() const;

  /// For the kernel, at SystemC's present time, with its rights: a register of a subgroup's page, `offset` as in
  /// mu_regs.h; a control register, by its offset from BGQ_MU_DCR_BASE. The register must exist.
  void set_register(unsigned subgroup, unsigned offset, std::uint64_t value);
  std::uint64_t register_value(unsigned subgroup, unsigned offset) const;
  void set_dcr(unsigned offset, std::uint64_t value);
  std::uint64_t dcr(unsigned offset) const;
  /// Sum of the packets that went into a network injection FIFO.
  std::uint32_t injection_checksum(unsigned fifo) const;
  /// It begins anew, at SystemC's present time.
  void clear_injection_checksum(unsigned fifo);

  /// From now on, calls `tell` at SystemC's time for each violation of a rule whose state bit is enabled to interrupt:
  /// what owns MuFault::subgroup is to end.
  void on_fault(std::function<void(const MuFault& fault)> tell);
  /// Messages that are being sent and packets that wait to be written.
  std::uint64_t in_flight() const;
  std::vector<PendingWork> pending_work(const std::string& node) const override;
  /// From now on, tells `observer` of descriptors, puts and FIFOs; nullptr: nobody any more.
  void observe(MuObserver* observer);
  /// From now on, calls `watch` for descriptors that are there (injection: I0 to I31) and packets that have come to
  /// reception FIFOs (R0 to R15) of each group.
  void watch_packets(PacketWatch& watch);
  /// Lines for a person: the state of what `words` names ("fifo inj 12 3": of subgroup 12, "fifo rec 12 1", "base 12
  /// 3", nothing for all that is in use), with descriptors, packets and counters as they are in `memory`. One line
  /// that says what would be right if a number is wrong; nullopt if the words are none of these.
  std::optional<std::string> describe(const std::vector<std::string>& words, const MuMemory& memory) const;

  const MuCounters& counters() const;
  /// Host memory of its FIFOs and control registers, in bytes.
  std::size_t memory_bytes() const;

 private:
  class Outside;
  class Collectives;

  void b_transport(int master, tlm::tlm_generic_payload& access, sc_core::sc_time& delay);
  unsigned transport_dbg(int master, tlm::tlm_generic_payload& access);
  tlm::tlm_response_status serve_dcr(tlm::tlm_generic_payload& access, sc_core::sc_time& delay, std::string& reason);
  tlm::tlm_sync_enum nb_transport_fw(LinkPayload& payload, LinkPhase& phase, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_bw(LinkPayload& payload, LinkPhase& phase, sc_core::sc_time& delay) override;
  /// Runs the network up to the caller's time, and waits for that time unless nothing else can act before.
  void synchronise(sc_core::sc_time& delay);
  /// Announces what has changed at `when` to cores that may be parked; `core` has made the change, if any has.
  void announce(sc_core::sc_time when, std::optional<unsigned> core);
  void read_lines();
  void tell_watch(unsigned fifo);
  std::vector<PendingWork> pending_injection(const std::string& node) const;
  std::vector<PendingWork> pending_reception(const std::string& node) const;

  AnyTorusNetwork& network_;
  const std::uint32_t node_;
  NetworkClock& clock_;
  std::array<std::uint8_t, 32> engine_of_fifo_;  ///< by the network's numbers
  const MuNetworkMap map_;
  std::unique_ptr<Outside> outside_;
  std::unique_ptr<Collectives> collectives_;  ///< nullptr: none
  std::unique_ptr<MuEngine> engine_;
  std::unique_ptr<MuRegisters> registers_;
  std::unique_ptr<MuPages> pages_;
  FaultTeller<MuFault> faults_;
  PacketWatch* packet_watch_ = nullptr;  ///< nullptr unless a debugger is attached
  unsigned watched_as_ = 0;              ///< network of the watch
  AccessUnderWay access_;
};

}  // namespace toroid
