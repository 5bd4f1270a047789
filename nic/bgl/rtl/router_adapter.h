// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "nic/bgl/rtl/router_pins.h"
#include "nic/bgl/torus_packet.h"
#include "torus/rtl/clocked_unit.h"
#include "torus/torus/families/blue_gene_lp_network.h"

namespace toroid::rtl {

/// A torus router in Verilog at one node of a network: converts the packets and tokens of the link protocol to bytes on
/// pins, and back.
///
/// Software sees the bytes that come out of the Verilog. The packets inside wait in the state of the model's router
/// (RouterStandIn); when one starts to come out, the pins say from which queue, and the adapter continues with that
/// object. Its contents are those that went in, so that captures can read them at once; each byte that comes out is
/// compared with them, and replaces them if it differs. The hardware bytes of the header change on the route:
/// destination, size, kind and remaining hints must be the packet's, or the router is at fault; the channel, and the
/// hints of a packet that had none, are determined by the router. Packets without contents (traffic without processors)
/// carry a pattern instead.
class RtlRouter final : public RouterStandIn, public ClockedUnit {
 public:
  /// The reasons why a router in Verilog does not fit such a network, one sentence each; empty if it fits.
  static std::vector<std::string> obstacles(const TorusConfig& config, const Topology& topology);

  /// At `node`; to be given to TorusNetwork::stand_in(). `pins` are reset.
  RtlRouter(TorusNetwork& network, std::uint32_t node, std::string name, std::unique_ptr<RouterPins> pins, RtlRun& run);

  RouterPins& pins() { return *pins_; }

  LinkForward& receiver(unsigned from) override { return ports_[from]; }
  LinkBackward& sender(unsigned port) override { return ports_[port]; }
  void injected(const Packet& packet, unsigned fifo) override;
  void settings_changed() override { settings_changed_ = true; }

 private:
  /// The link of one direction, both ways.
  struct Port : LinkForward, LinkBackward {
    RtlRouter* router = nullptr;
    Direction direction = 0;
    tlm::tlm_sync_enum nb_transport_fw(LinkPayload& payload, LinkPhase& phase, sc_core::sc_time& time) override;
    tlm::tlm_sync_enum nb_transport_bw(LinkPayload& payload, LinkPhase& phase, sc_core::sc_time& time) override;
  };
  /// The data of a packet without the object, because a device may release the object before its tail has left.
  struct Contents {
    explicit Contents(const Packet& packet)
        : data(packet.data), source(packet.source), serial(packet.serial), chunks(packet.chunks) {}
    unsigned bytes() const { return chunks * BlueGeneLpFamily::kChunkBytes; }
    std::uint8_t at(unsigned byte) const;
    std::uint8_t* data;
    std::uint32_t source;
    std::uint32_t serial;
    unsigned chunks;
  };
  /// A packet that arrives over a link.
  struct Incoming {
    Contents contents;
    const Packet* packet;  ///< valid while its header arrives
    Cycle first;           ///< cycle of its first byte
  };
  /// A packet that goes into an injection FIFO.
  struct Written {
    Contents contents;
    std::array<std::uint8_t, TORUS_HEADER_BYTES / 2> header;
    unsigned quads = 0;  ///< written so far
  };
  /// A packet that leaves on a link.
  struct Outgoing {
    Contents contents;
    Packet* packet;      ///< valid while its header leaves
    bool hints_are_new;  ///< computed by the router
    unsigned bytes = 0;
  };
  /// A packet that comes out of a reception FIFO.
  struct Read {
    Contents contents;
    Cycle due;  ///< cycle from which the device may read it
    unsigned quads = 0;
  };

  bool quiet() const override;
  void clock(Cycle cycle) override;
  void write_packet(const Packet& packet, unsigned fifo) override;
  void reception_freed(unsigned fifo, unsigned chunks) override;

  static std::array<std::uint8_t, 8> header(const Packet& packet, unsigned hints);
  RouterSettings settings() const;
  void check_idle() const;
  // Inputs of a cycle, from the packets in progress.
  void put_links(Cycle cycle);
  void put_quad();
  // Outputs of a cycle.
  void take_links(Cycle cycle);
  void first_byte(unsigned direction, const LinkByte& pins, Cycle granted);
  void header_byte(unsigned direction, Outgoing& going, std::uint8_t byte);
  void take_tokens(Cycle cycle);
  void take_injected(Cycle cycle);
  void take_deliveries(Cycle cycle);
  void take_quad(Cycle cycle);
  void compare(const Contents& contents, unsigned byte, std::uint8_t out);

  const TorusNetwork& network_;
  const std::unique_ptr<RouterPins> pins_;
  std::array<Port, kLinks> ports_;
  RouterInputs in_;  ///< of the next clock edge
  RouterOutputs out_;
  bool inputs_ = false;  ///< tokens or freed chunks are in in_
  bool settings_changed_ = false;
  std::array<bool, kInjectionFifos> hints_wanted_{};  ///< the router must compute them
  std::array<std::deque<Incoming>, kLinks> incoming_;
  std::array<std::unique_ptr<Written>, kInjectionFifos> written_;
  unsigned written_last_ = 0;  ///< FIFO whose quad was written last
  std::array<std::unique_ptr<Outgoing>, kLinks> outgoing_;
  std::array<std::deque<Read>, kReceptionFifos> read_;
  std::array<std::array<std::uint16_t, kLinkChannels>, kLinks> owed_{};  ///< tokens of packets that have left
};

}  // namespace toroid::rtl
