// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "nic/bgl/injection_fifo.h"
#include "nic/bgl/reception_fifo.h"
#include "nic/bgl/torus_fifo_config.h"
#include "nic/bgl/torus_regs.h"
#include "nic/common/change_log.h"
#include "nic/common/packet_watch.h"
#include "nic/common/pending_work.h"
#include "nic/common/watched_device.h"
#include "nic/torus/torus_dcr.h"
#include "torus/base/network_clock.h"
#include "torus/torus/families/blue_gene_lp_network.h"
#include "torus/torus/link.h"

namespace toroid {

/// The Blue Gene/L torus FIFOs of one node: the cores' interface to the torus.
///
/// Towards the bus it is a target of quad accesses to two windows (torus_regs.h); towards its router it is an initiator
/// that hands over packets and a target that receives packets. The core accounts for the cost of accesses; the device
/// only models the effect of an access at a given time.
///
/// Time. An access carries its initiator's local offset. The device synchronises (runs the network up to that time, and
/// waits for it unless nothing else can act before) only if the answer can depend on the network: for every status read
/// and DCR access, a write that might not fit, a read of a FIFO that seems empty. All other accesses take effect at
/// their own time without waiting: changes are stored with their times, and each reader sees the changes up to its own
/// time.
///
/// Errors, each with a FaultReason and its bit in the DCRs:
///   not 16 bytes at a multiple of 16     TLM_BURST_ERROR_RESPONSE
///   wrong direction                      TLM_COMMAND_ERROR_RESPONSE
///   no register there                    TLM_ADDRESS_ERROR_RESPONSE
///   full, empty, malformed header        TLM_GENERIC_ERROR_RESPONSE
class TorusFifoDevice : public sc_core::sc_module,
                        public WatchedDevice,
                        public PendingWorkSource,
                        private LinkForward,
                        private LinkBackward {
 public:
  static constexpr unsigned kGroups = BGL_TORUS_GROUP_COUNT;
  static constexpr unsigned kInjectionFifos = 4;  ///< of a group; the last has priority
  static constexpr unsigned kReceptionFifos = 7;  ///< of a group; the last has priority

  tlm_utils::simple_target_socket<TorusFifoDevice, 32> bus_in;  ///< quad accesses, physical addresses
  LinkInitiatorSocket injection_out;                            ///< packets to the router
  LinkTargetSocket reception_in;                                ///< packets from the router

  /// The device of node `node`. Throws std::invalid_argument if the configuration is invalid.
  TorusFifoDevice(const sc_core::sc_module_name& name, const TorusFifoConfig& config, TorusNetwork& network,
                  std::uint32_t node, NetworkClock& clock);

  // WatchedDevice.
  bool is_pure_read(std::uint64_t address) const override;
  const sc_core::sc_event& changed() const override { return changes_.changed(); }
  sc_core::sc_time last_change() const override { return changes_.last(); }
  std::string name_of(std::uint64_t address) const override;

  std::vector<PendingWork> pending_work(const std::string& node) const override;
  /// From now on, calls `watch` for packets.
  void watch_packets(PacketWatch& watch);

  /// mfdcr and mtdcr: `number` counts from 0, so the block begins at BGL_TORUS_DCR_BASE. Returns false if there is no
  /// such register (or it cannot be written), with a `reason`.
  bool read_dcr(unsigned number, std::uint32_t& value, sc_core::sc_time& delay, std::string& reason);
  bool write_dcr(unsigned number, std::uint32_t value, sc_core::sc_time& delay, std::string& reason);
  /// For debuggers: the present value, or nullopt if there is no such register.
  std::optional<std::uint32_t> peek_dcr(unsigned number);

  /// The present watermark interrupt lines, in the format of their register.
  std::uint32_t watermark_interrupts();

  const TorusFifoCounters& counters() const { return counters_; }
  /// The present number of chunks in a FIFO, for reports: `fifo` is counted over both groups.
  unsigned injection_chunks(unsigned fifo) const { return injection_[fifo].chunks(sc_core::sc_time_stamp()); }
  unsigned reception_chunks(unsigned fifo) const { return reception_[fifo].chunks(sc_core::sc_time_stamp()); }

 private:
  /// The meaning of an address in the windows.
  struct Place {
    enum class Kind { none, injection, reception, status } kind = Kind::none;
    unsigned number = 0;  ///< FIFO over both groups; group, for a status quad
  };
  Place place_of(std::uint64_t address) const;

  void b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay);
  bool write_quad(unsigned fifo, tlm::tlm_generic_payload& access, sc_core::sc_time& delay, std::string& reason);
  unsigned transport_dbg(tlm::tlm_generic_payload& access);
  bool peek(std::uint64_t address, std::uint8_t* quad, std::string& reason);
  std::string node_text(std::uint32_t node) const;
  void tell_watch(PacketWatch::Event event, unsigned fifo, unsigned core, sc_core::sc_time when, const Packet& packet);
  bool begin_packet(unsigned fifo, const std::uint8_t* quad, std::string& reason);
  bool read_quad(unsigned fifo, tlm::tlm_generic_payload& access, sc_core::sc_time& delay, std::string& reason);
  void read_status(unsigned group, unsigned core, std::uint8_t* quad, sc_core::sc_time& delay);
  void status(unsigned group, std::uint8_t* quad) const;
  void hand_over(unsigned fifo);
  void give_back(unsigned fifo, unsigned chunks, sc_core::sc_time when, unsigned core);
  void reset(std::uint32_t parts);

  // Called by the router. Both announce a cycle later than the present one.
  tlm::tlm_sync_enum nb_transport_fw(LinkPayload& payload, LinkPhase& phase, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_bw(LinkPayload& payload, LinkPhase& phase, sc_core::sc_time& delay) override;

  /// Synchronises the caller's time and the network.
  void synchronise(sc_core::sc_time& delay);
  /// Runs the network up to the caller's time, which is the delay's end afterwards as before.
  void run_network(sc_core::sc_time& delay);
  /// Announces to parked cores a change that the router makes at cycle `at`, or that `core` makes at time `at`.
  void announce(Cycle at);
  void announce(sc_core::sc_time at, unsigned core);
  /// From now on these cores (a bit each) may be parked, and want to know what others do to the FIFOs.
  void add_readers(unsigned cores);

  const TorusFifoConfig config_;
  TorusNetwork& network_;
  NetworkClock& clock_;
  const std::uint32_t node_;
  TorusDcr dcr_;
  ChangeLog changes_;
  unsigned readers_ = 0;                  ///< bit c: core c has read a status
  std::vector<InjectionFifo> injection_;  ///< by group * kInjectionFifos + FIFO
  std::vector<ReceptionFifo> reception_;  ///< by group * kReceptionFifos + FIFO
  TorusFifoCounters counters_;
  PacketWatch* packet_watch_ = nullptr;  ///< nullptr unless a debugger is attached
  unsigned watched_as_ = 0;              ///< network of the watch
  std::uint32_t serial_ = 0;             ///< of the next packet
};

}  // namespace toroid
