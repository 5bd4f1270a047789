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
#include "torus/torus/network.h"
#include "torus/torus/router_stand_in.h"

namespace toroid::rtl {

/// A torus router in Verilog at one node of a network: turns the packets and tokens of the link protocol into bytes on
/// pins, and back.
///
/// What software gets to see are the bytes that come out of the Verilog. The packets inside wait in the books of the
/// model's router (RouterStandIn); when one starts to come out, the pins say from which queue, and the adapter goes on
/// with that object. Its contents are what went in, so that captures see them at once; each byte that comes out is
/// compared, and put in its place where it differs. In the header's hardware bytes, which change on the way, the
/// destination, size, kind and hints that are left must be the packet's, or the router is at fault; the channel, and
/// the hints of a packet that came without, are what it says. Packets without contents (traffic without processors)
/// carry a pattern instead.
class RtlRouter final : public RouterStandIn, public ClockedUnit {
 public:
  /// What speaks against a router in Verilog in such a network, a sentence each; empty when nothing does.
  static std::vector<std::string> obstacles(const TorusConfig& config, const Topology& topology);

  /// At `node`; to be given to TorusNetwork::stand_in(). `pins` are reset.
  RtlRouter(TorusNetwork& network, std::uint32_t node, std::string name, std::unique_ptr<RouterPins> pins, RtlRun& run);

  RouterPins& pins() { return *pins_; }

  LinkForward& receiver(Direction from) override { return ports_[from]; }
  LinkBackward& sender(Direction direction) override { return ports_[direction]; }
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
  /// What a packet consists of, without the packet: a device may have done with it before its tail is out.
  struct Contents {
    explicit Contents(const Packet& packet)
        : data(packet.data), source(packet.source), serial(packet.serial), chunks(packet.chunks) {}
    unsigned bytes() const { return chunks * kChunkBytes; }
    std::uint8_t at(unsigned byte) const;
    PacketData* data;
    std::uint32_t source;
    std::uint32_t serial;
    unsigned chunks;
  };
  /// A packet that comes in by a link.
  struct Incoming {
    Contents contents;
    const Packet* packet;  ///< as long as its header comes
    Cycle first;           ///< cycle of its first byte
  };
  /// A packet that goes into an injection FIFO.
  struct Written {
    Contents contents;
    std::array<std::uint8_t, BGL_TORUS_HEADER_BYTES / 2> header;
    unsigned quads = 0;  ///< written so far
  };
  /// A packet that goes out on a link.
  struct Outgoing {
    Contents contents;
    Packet* packet;      ///< as long as its header goes
    bool hints_are_new;  ///< worked out by the router
    unsigned bytes = 0;
  };
  /// A packet that comes out of a reception FIFO.
  struct Read {
    Contents contents;
    Cycle due;  ///< when the device may look at it
    unsigned quads = 0;
  };

  bool quiet() const override;
  void clock(Cycle cycle) override;
  void write_packet(const Packet& packet, unsigned fifo) override;
  void reception_freed(unsigned fifo, unsigned chunks) override;

  static std::array<std::uint8_t, 8> header(const Packet& packet, unsigned hints);
  RouterSettings settings() const;
  void check_idle() const;
  // Inputs of a cycle, from what is under way.
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
  RouterInputs in_;  ///< of the cycle whose edge comes next
  RouterOutputs out_;
  bool inputs_ = false;  ///< tokens or freed chunks are in in_
  bool settings_changed_ = false;
  std::array<bool, kInjectionFifos> hints_wanted_{};  ///< the router is to work them out
  std::array<std::deque<Incoming>, kLinks> incoming_;
  std::array<std::unique_ptr<Written>, kInjectionFifos> written_;
  unsigned written_last_ = 0;  ///< FIFO whose quad was written last
  std::array<std::unique_ptr<Outgoing>, kLinks> outgoing_;
  std::array<std::deque<Read>, kReceptionFifos> read_;
  std::array<std::array<std::uint16_t, kLinkChannels>, kLinks> owed_{};  ///< tokens of packets that have left
};

}  // namespace toroid::rtl
