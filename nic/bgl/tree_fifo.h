// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>

#include "nic/bgl/tree_packet.h"
#include "nic/common/change_log.h"
#include "nic/common/packet_watch.h"
#include "nic/common/pending_work.h"
#include "nic/common/timed_count.h"
#include "nic/common/watched_device.h"
#include "torus/base/network_clock.h"
#include "torus/tree/left_over.h"
#include "torus/tree/network.h"

namespace toroid {

/// What happened at the device since the start.
struct TreeFifoCounters {
  std::array<std::uint64_t, BGL_TREE_VCS> packets_injected{};
  std::array<std::uint64_t, BGL_TREE_VCS> packets_received{};
  std::uint64_t status_reads = 0;
  std::uint64_t errors = 0;  ///< refused accesses of any kind
};

/// The Blue Gene/L tree FIFOs of one node: what its cores see of the tree (tree_regs.h).
///
/// Each virtual channel has a header FIFO and a payload FIFO for injection, and the same for reception. A packet goes
/// to the router when its header and its 16 quads have been written, in whatever order; it can be read when all of it
/// has come. Its place is free for another when header and payload have been read.
///
/// Time is kept as in TorusFifoDevice: an access takes effect at its own time, and the device waits the initiator's
/// offset out only where the answer can depend on the network.
///
/// Errors, each with a FaultReason and its bit in the exception registers:
///   not a quad (payload) or a word (else), or misaligned   TLM_BURST_ERROR_RESPONSE
///   wrong direction                                         TLM_COMMAND_ERROR_RESPONSE
///   no register there                                       TLM_ADDRESS_ERROR_RESPONSE
///   full, empty, or an opcode that does not exist           TLM_GENERIC_ERROR_RESPONSE
class TreeFifoDevice : public sc_core::sc_module,
                       public WatchedDevice,
                       public PendingWorkSource,
                       private TreeLocalPort {
 public:
  static constexpr unsigned kVcs = BGL_TREE_VCS;
  static constexpr unsigned kRegisters = BGL_TREE_DCR_CHECKSUM_OFFSET + BGL_TREE_DCR_CHECKSUM_COUNT;

  /// Physical addresses; as many bindings as the bus has windows.
  tlm_utils::multi_passthrough_target_socket<TreeFifoDevice, 32> bus_in;

  /// The device of node `node`; attaches to its router.
  TreeFifoDevice(const sc_core::sc_module_name& name, TreeNetwork& network, std::uint32_t node, NetworkClock& clock);

  // WatchedDevice.
  bool is_pure_read(std::uint64_t address) const override;
  const sc_core::sc_event& changed() const override { return changes_.changed(); }
  sc_core::sc_time last_change() const override { return changes_.last(); }
  std::string name_of(std::uint64_t address) const override;

  std::vector<PendingWork> pending_work(const std::string& node) const override;
  /// Tells `watch` of packets from now on.
  void watch_packets(PacketWatch& watch) { packet_watch_ = &watch; }

  /// mfdcr and mtdcr: the block begins at BGL_TREE_DCR_BASE. False where there is no such register (or it cannot be
  /// written); `reason` then says so.
  bool read_dcr(unsigned number, std::uint32_t& value, sc_core::sc_time& delay, std::string& reason);
  bool write_dcr(unsigned number, std::uint32_t value, sc_core::sc_time& delay, std::string& reason);
  /// For debuggers: the value as of now, nullopt where there is no such register.
  std::optional<std::uint32_t> peek_dcr(unsigned number);

  /// A header in the reception FIFO of `vc` asks for an interrupt, now.
  bool interrupt_requested(unsigned vc) const { return received_[vc].irqs.at(sc_core::sc_time_stamp()) != 0; }
  const TreeFifoCounters& counters() const { return counters_; }
  /// Packets of `vc` that were written in part or not read. By class.
  std::vector<TreeLeftOver> left_over(unsigned vc) const;

 private:
  enum class Register : std::uint8_t {
    none,
    payload_injection,
    header_injection,
    payload_reception,
    header_reception,
    status
  };
  struct Place {
    Register what = Register::none;
    unsigned vc = 0;
  };
  /// A packet being written.
  struct Writing {
    TreePacket* packet;
    unsigned quads = 0;
    bool header = false;
    sc_core::sc_time latest;  ///< write so far
  };
  struct Injection {
    TimedCount quads;
    TimedCount headers;
    std::deque<Writing> writing;  ///< incomplete, or behind an incomplete one
    std::uint8_t in = 0, out = 0;
  };
  /// A packet being read.
  struct Reading {
    TreePacket* packet;
    sc_core::sc_time complete;
    unsigned quads = 0;  ///< that were read
    bool header = false;
  };
  struct Reception {
    TimedCount quads;
    TimedCount headers;
    TimedCount irqs;
    std::deque<Reading> reading;
    std::uint8_t in = 0, out = 0;
    sc_core::sc_time last_read;
  };

  static Place place_of(std::uint64_t address);
  void b_transport(int binding, tlm::tlm_generic_payload& access, sc_core::sc_time& delay);
  unsigned transport_dbg(int binding, tlm::tlm_generic_payload& access);
  bool peek(std::uint64_t address, std::uint8_t* word, std::string& reason) const;
  tlm::tlm_response_status serve(tlm::tlm_generic_payload& access, sc_core::sc_time& delay, std::string& reason);
  bool write_payload(unsigned vc, const std::uint8_t* quad, sc_core::sc_time& delay, std::string& reason);
  bool write_header(unsigned vc, std::uint32_t header, sc_core::sc_time& delay, std::string& reason);
  bool read_payload(unsigned vc, std::uint8_t* quad, sc_core::sc_time& delay, std::string& reason);
  bool read_header(unsigned vc, std::uint32_t& header, sc_core::sc_time& delay, std::string& reason);
  std::uint32_t read_status(unsigned vc, sc_core::sc_time& delay);
  std::uint32_t status(unsigned vc) const;
  bool has_room(TimedCount& count, unsigned most, sc_core::sc_time& delay);
  Writing& place_to_write(unsigned vc, bool header);
  void send_complete(unsigned vc);
  void tell_watch(PacketWatch::Event event, unsigned vc, sc_core::sc_time when, const TreePacket& packet);
  void finish_read(unsigned vc, sc_core::sc_time when);
  void decode(TreePacket& packet) const;
  void add_checksum(unsigned vc, const TreePacket& packet);
  std::uint32_t watermarks(bool reception) const;

  void packet_received(TreePacket& packet, unsigned vc, Cycle at) override;
  void injection_taken(unsigned vc, Cycle at) override;

  void synchronise(sc_core::sc_time& delay);
  void announce(Cycle at);
  /// A change that the core at work makes. Only a core that has read a status word before can be parked at one.
  void announce(sc_core::sc_time at) {
    if ((readers_ & ~(1u << core_)) != 0) changes_.add(at);
  }
  void meet_reader();

  TreeNetwork& network_;
  NetworkClock& clock_;
  const std::uint32_t node_;
  const unsigned packets_;  ///< depth of each FIFO
  ChangeLog changes_;
  std::array<Injection, kVcs> injected_;
  std::array<Reception, kVcs> received_;
  std::array<std::uint32_t, kRegisters> dcr_{};
  TreeFifoCounters counters_;
  PacketWatch* packet_watch_ = nullptr;  ///< nullptr unless somebody debugs
  unsigned core_ = 0;                    ///< that makes the access being served
  unsigned readers_ = 0;                 ///< bit c: core c has read a status word
};

}  // namespace toroid
