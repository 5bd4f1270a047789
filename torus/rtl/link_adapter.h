// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "torus/base/bit_errors.h"
#include "torus/base/link_check.h"
#include "torus/rtl/clocked_unit.h"
#include "torus/rtl/link_pins.h"
#include "torus/torus/config.h"
#include "torus/torus/torus_link.h"
#include "torus/torus/wire_image.h"

namespace toroid::rtl {

/// Both ends of one direction of a torus link in Verilog, in the place of the model (LinkRecovery) or, where links make
/// no errors, of a wire. Between the ends it is the wire, on which bits flip as on the model's, and the way back of the
/// acknowledgements, which may be lost there.
///
/// What is sent again and when, what is accepted, dropped and acknowledged, is the Verilog's affair. A frame on which
/// no bit flips is handed on as soon as the receiver says that its header is good; one that is hit waits for the
/// verdict on the whole, and where that is good in spite of it, its changed bytes are delivered and counted as
/// undetected. Whatever cannot be, flips or not, is a fault of the Verilog: a good frame that is not taken, a frame out
/// of its turn that is, one that is let go before it has come.
///
/// A packet goes into the Verilog with its size in bits 7 to 5 of byte 2. Bytes that come out otherwise than they went
/// in are put into the packet's contents and counted, or counted alone where a device has done with the packet.
///
/// Where a router at one end is in Verilog as well, packets pass between the two as the link protocol has it: late
/// where they come from it, for which all of the link runs some cycles behind the wheel, and ahead where they go to it,
/// on trust that is checked when the Verilog has spoken.
class RtlLink final : public TorusLink, public ClockedUnit {
 public:
  /// What speaks against links in Verilog in such a network, a sentence each; empty when nothing does.
  static std::vector<std::string> obstacles(const TorusConfig& config);

  /// The link that leaves `router` in `direction`, to be given to TorusNetwork::set_link(); `seed` decides its errors
  /// (TorusNetwork::link_seed()). `pins` are reset.
  RtlLink(Router& router, unsigned direction, const TorusConfig& config, std::uint64_t seed, std::string name,
          std::unique_ptr<LinkPins> pins, RtlRun& run);

  LinkPins& pins() { return *pins_; }

  void send(Packet& packet, Cycle begin, Cycle tail_left) override;
  bool resend_next() override;
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
  /// A packet in the resend FIFO. Its bytes are kept: a device may have done with it long before its tail is out.
  struct Entry {
    Packet* packet = nullptr;
    PacketData* data = nullptr;
    std::uint32_t source = 0;
    std::uint32_t serial = 0;
    std::uint32_t check = 0;
    std::uint8_t chunks = 0;
    bool accepted = false;
    bool handed_on = false;  ///< ahead of being accepted
    bool booked = false;     ///< its next transmission is in the sender's books, and its errors are drawn
    bool sent = false;       ///< it has been on the wire
    Cycle tail_left = 0;     ///< of its latest transmission
    std::vector<unsigned> hits;
    std::array<std::uint8_t, kMaxPacketBytes> bytes{};
  };
  /// A frame between the ends.
  struct Frame {
    std::uint8_t sequence = 0;
    std::vector<unsigned> hits;  ///< bits that flip
    Cycle begin = 0;             ///< when it was granted the wire
    Cycle tail_left = 0;
    unsigned sent = 0;  ///< bytes that have left the sender
    unsigned came_out = 0;
    bool taken = false;                                 ///< its header was good
    bool done = false;                                  ///< the receiver has given its verdict
    std::array<std::uint8_t, kMaxPacketBytes> bytes{};  ///< that came out of the receiver
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
  unsigned behind_ = 0;         ///< cycles that the Verilog runs behind the wheel
  std::array<Entry, kResendPackets> entries_;
  std::uint8_t begin_ = 0;     ///< of the resend FIFO
  std::uint8_t end_ = 0;       ///< number of the next packet to come
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
