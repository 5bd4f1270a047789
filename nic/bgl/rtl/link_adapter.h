// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nic/bgl/rtl/link_pins.h"
#include "torus/base/bit_errors.h"
#include "torus/rtl/clocked_unit.h"
#include "torus/torus/config.h"
#include "torus/torus/families/blue_gene_lp_network.h"
#include "torus/torus/link_check.h"
#include "torus/torus/wire_image.h"

namespace toroid::rtl {

/// Both ends of one direction of a torus link in Verilog, which replace the model (LinkRecovery) or, if links make no
/// errors, a wire. Between the ends the adapter is the wire, on which bits flip as in the model, and the return path of
/// acknowledgements, which may be lost.
///
/// The Verilog decides what is sent again and when, and what is accepted, dropped and acknowledged. A frame on which no
/// bit flips is handed on as soon as the receiver reports a good header. A frame that is hit waits for the verdict on
/// the whole frame; if that is good although bits flipped, the changed bytes are delivered and counted as undetected.
/// Impossible behaviour is a fault of the Verilog: refusing a good frame, accepting a frame out of turn, releasing a
/// packet that has not arrived.
///
/// A packet enters the Verilog with its size in bits 7 to 5 of byte 2. Bytes that come out different are written to the
/// packet's contents and counted, or only counted if a device has already released the packet.
///
/// If a router at one end is in Verilog too, packets pass between the two by the link protocol: late if they come from
/// the router, so the whole link runs some cycles behind the wheel; early if they go to the router, before the verdict
/// is known, which is checked afterwards.
class RtlLink final : public TorusLink, public ClockedUnit {
 public:
  /// The reasons why links in Verilog do not fit such a network, one sentence each; empty if they fit.
  static std::vector<std::string> obstacles(const TorusConfig& config);

  /// The link that leaves `router` in `direction`, to be given to TorusNetwork::set_link(); `seed` determines its
  /// errors (TorusNetwork::link_seed()). `pins` are reset.
  RtlLink(Router& router, unsigned direction, const TorusConfig& config, std::uint64_t seed, std::string name,
          std::unique_ptr<LinkPins> pins, RtlRun& run);

  LinkPins& pins() { return *pins_; }

  void send(Packet& packet, Cycle begin, Cycle tail_left) override;
  bool serve() override;
  void on_event(std::uint32_t what, std::uint32_t arg) override;

  std::uint64_t crc_errors() const override { return crc_errors_; }
  std::uint64_t retransmissions() const override { return retransmissions_; }
  std::uint64_t undetected() const override { return undetected_; }
  std::uint32_t sender_crc() const override { return sender_check_.value(); }
  std::uint32_t receiver_crc() const override { return receiver_check_.value(); }
  void clear_sender_crc() override { sender_check_.clear(); }
  void clear_receiver_crc() override { receiver_check_.clear(); }
  std::vector<const Packet*> unaccepted() const override;
  std::uint8_t begin() const override { return begin_; }
  std::uint8_t end() const override { return end_; }
  unsigned timeout() const override { return settings_.timeout; }
  void set_timeout(unsigned cycles) override;
  std::size_t memory_bytes() const override;

 private:
  /// A packet in the resend FIFO. Its bytes are kept, because a device may release it long before its tail has left.
  struct Entry {
    Packet* packet = nullptr;
    std::uint8_t* data = nullptr;
    std::uint32_t source = 0;
    std::uint32_t serial = 0;
    std::uint32_t check = 0;
    std::uint8_t chunks = 0;
    bool accepted = false;
    bool handed_on = false;  ///< before it was accepted
    bool booked = false;     ///< its next transmission is recorded at the sender, and its errors are drawn
    bool sent = false;       ///< it has been on the wire
    Cycle tail_left = 0;     ///< of its latest transmission
    std::vector<unsigned> hits;
    std::array<std::uint8_t, BlueGeneLpFamily::kMaxPacketBytes> bytes{};
  };
  /// A frame between the ends.
  struct Frame {
    std::uint8_t sequence = 0;
    std::vector<unsigned> hits;  ///< bits that flip
    Cycle begin = 0;             ///< when it was granted the wire
    Cycle tail_left = 0;
    unsigned sent = 0;  ///< bytes that have left the sender
    unsigned came_out = 0;
    bool taken = false;                                                   ///< its header was good
    bool done = false;                                                    ///< the receiver has given its verdict
    std::array<std::uint8_t, BlueGeneLpFamily::kMaxPacketBytes> bytes{};  ///< that came out of the receiver
  };
  struct Feed {
    Cycle at;
    std::uint8_t sequence;
  };
  struct Byte {
    Cycle at;
    WireByte byte;
  };
  struct Acknowledgement {
    Cycle at;
    std::uint8_t next;
  };

  enum Event : std::uint32_t { kTick, kLook, kTimeout };
  static constexpr Cycle kNotArmed = 0;

  bool quiet() const override;
  void clock(Cycle cycle) override;

  Entry& entry(std::uint8_t sequence) { return entries_[sequence % entries_.size()]; }
  const Entry& entry(std::uint8_t sequence) const { return entries_[sequence % entries_.size()]; }
  void update_hold();
  void post(Cycle at, Event event);
  void arm(Cycle at);
  bool draw(unsigned bits, std::vector<unsigned>& hits);
  void book(std::uint8_t sequence, Cycle begin);
  // Inputs of a cycle.
  void put_packet(Cycle cycle);
  // Outputs of a cycle.
  Frame& coming(const char* what);
  void take_wire(Cycle cycle);
  void start_frame(std::uint8_t sequence, Cycle cycle);
  void take_window();
  void take_again(Cycle cycle);
  void take_byte();
  void take_header();
  void take_verdict();
  void take_acknowledgement(Cycle cycle);
  void hand_on(const Frame& frame);
  void accept(const Frame& frame);
  void compare(const Frame& frame, unsigned byte);

  const std::unique_ptr<LinkPins> pins_;
  LinkSettings settings_;
  const unsigned arbiter_cycles_;
  const unsigned wire_cycles_;         ///< from the sender's pins to the receiver's
  const unsigned acknowledge_cycles_;  ///< from the receiver's pins to the sender's
  std::optional<BitErrors> errors_;
  std::vector<unsigned> hits_;
  LinkInputs in_;
  LinkOutputs out_;
  Cycle timer_at_ = kNotArmed;  ///< when the oldest packet's time-out may be due
  unsigned behind_ = 0;         ///< number of cycles by which the Verilog is behind the wheel
  std::array<Entry, kResendPackets> entries_;
  std::uint8_t begin_ = 0;     ///< of the resend FIFO
  std::uint8_t end_ = 0;       ///< number of the next new packet
  std::uint8_t expected_ = 0;  ///< number of the next packet to be accepted
  std::deque<Feed> feeds_;
  unsigned fed_ = 0;  ///< bytes of the first of them
  std::deque<Frame> frames_;
  std::deque<Byte> wire_;
  std::deque<Acknowledgement> acknowledgements_;
  std::uint64_t crc_errors_ = 0;
  std::uint64_t retransmissions_ = 0;
  std::uint64_t undetected_ = 0;
  LinkCheck sender_check_;
  LinkCheck receiver_check_;
};

}  // namespace toroid::rtl
