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
#include "nic/bgl/torus_dcr.h"
#include "nic/bgl/torus_fifo_config.h"
#include "nic/common/change_log.h"
#include "nic/common/packet_watch.h"
#include "nic/common/pending_work.h"
#include "nic/common/watched_device.h"
#include "torus/base/network_clock.h"
#include "torus/torus/link.h"
#include "torus/torus/network.h"

namespace toroid {

/// The Blue Gene/L torus FIFOs of one node: what its cores see of the torus.
///
/// Towards the bus it is a target of quad accesses to two windows (torus_regs.h); towards its router it is an initiator
/// that hands over packets and a target that packets come to. Costs of accesses are the core's; the device only says
/// what an access at a time does.
///
/// Time. An access carries its initiator's local offset. The device synchronises (waits the offset out, and runs the
/// network up to now) only where the answer can depend on the network: every status read and DCR access, a write that
/// does not surely fit, a read of a FIFO that looks empty. Everything else takes effect at its own time without
/// waiting: changes are kept with their times, and each reader sees those up to its own.
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

  /// The device of node `node`. Throws std::invalid_argument where the configuration makes no sense.
  TorusFifoDevice(const sc_core::sc_module_name& name, const TorusFifoConfig& config, TorusNetwork& network,
                  std::uint32_t node, NetworkClock& clock);

  // WatchedDevice.
  bool is_pure_read(std::uint64_t address) const override;
  const sc_core::sc_event& changed() const override { return changes_.changed(); }
  sc_core::sc_time last_change() const override { return changes_.last(); }
  std::string name_of(std::uint64_t address) const override;

  std::vector<PendingWork> pending_work(const std::string& node) const override;
  /// Tells `watch` of packets from now on.
  void watch_packets(PacketWatch& watch) { packet_watch_ = &watch; }

  /// mfdcr and mtdcr: `number` counts from 0, so the block begins at BGL_TORUS_DCR_BASE. False where there is no such
  /// register (or it cannot be written); `reason` then says so.
  bool read_dcr(unsigned number, std::uint32_t& value, sc_core::sc_time& delay, std::string& reason);
  bool write_dcr(unsigned number, std::uint32_t value, sc_core::sc_time& delay, std::string& reason);
  /// For debuggers: the value as of now, nullopt where there is no such register.
  std::optional<std::uint32_t> peek_dcr(unsigned number);

  /// The watermark interrupt lines now, as in the register of them.
  std::uint32_t watermark_interrupts() const;

  const TorusFifoCounters& counters() const { return counters_; }
  /// Chunks in a FIFO now, for reports: `fifo` counts over both groups.
  unsigned injection_chunks(unsigned fifo) const { return injection_[fifo].chunks(sc_core::sc_time_stamp()); }
  unsigned reception_chunks(unsigned fifo) const { return reception_[fifo].chunks(sc_core::sc_time_stamp()); }

 private:
  /// What an address in the windows means.
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
  void read_status(unsigned group, std::uint8_t* quad, sc_core::sc_time& delay);
  void status(unsigned group, std::uint8_t* quad) const;
  void hand_over(unsigned fifo);
  void give_back(unsigned fifo, unsigned chunks, sc_core::sc_time when);
  void reset(std::uint32_t parts);

  // From the router. Both speak of a cycle later than the one that runs.
  tlm::tlm_sync_enum nb_transport_fw(LinkPayload& payload, LinkPhase& phase, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_bw(LinkPayload& payload, LinkPhase& phase, sc_core::sc_time& delay) override;

  /// Brings the caller's time and the network to the same point.
  void synchronise(sc_core::sc_time& delay);
  /// Tells parked cores of a change that the router makes at cycle `at`, or that a core makes at `at`.
  void announce(Cycle at);
  void announce(sc_core::sc_time at);

  const TorusFifoConfig config_;
  TorusNetwork& network_;
  NetworkClock& clock_;
  const std::uint32_t node_;
  TorusDcr dcr_;
  ChangeLog changes_;
  std::vector<InjectionFifo> injection_;  ///< by group * kInjectionFifos + FIFO
  std::vector<ReceptionFifo> reception_;  ///< by group * kReceptionFifos + FIFO
  TorusFifoCounters counters_;
  PacketWatch* packet_watch_ = nullptr;  ///< nullptr unless somebody debugs
  std::uint32_t serial_ = 0;             ///< of the next packet
};

}  // namespace toroid
