// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace toroid::rtl {

// The pins of both ends of a torus link's direction in Verilog (link_pair.sv), as plain numbers: all that an adapter
// and a test know of it. They implement the wire between the ends and the return path of acknowledgements.
//
// Cycles. clock() is the clock edge at which cycle c begins: it samples the inputs of cycle c, and the outputs that it
// leaves are those of cycle c; all are registers. With T the cycle in which a packet is granted the link, W the cycles
// that it keeps the link (bytes + wire_overhead):
//
// - byte i of the packet is an input of cycle T + 3 + i, without gaps, and is on the wire in T + 6 + i; the trailer's 4
//   bytes follow;
// - `hold` in cycle c: no grant in c + 1. A packet granted before waits in the resend FIFO if the wire is not free;
// - the oldest packet is sent again `timeout` cycles after its tail left in T + W, as if granted then;
// - an acknowledgement that arrives in cycle c clears `hold` in c.
// - A frame whose byte i arrives at the receiver in cycle h + i: byte i of its packet comes out in h + i, the verdict
//   on its header in h + 7, the verdict on the frame and the acknowledgement in the cycle of its last byte.

/// A byte of a packet or of a frame.
struct WireByte {
  bool valid = false;
  bool first = false;
  std::uint8_t data = 0;
};

/// The receiver's verdict on a frame.
enum class Verdict : std::uint8_t {
  good,      ///< the expected frame: the packet is accepted
  damaged,   ///< a CRC is wrong
  ahead,     ///< packets before it are missing
  repeated,  ///< the receiver has it already
};

struct LinkInputs {
  // The sender's.
  WireByte packet{};  ///< from the router
  bool ack = false;
  std::uint8_t ack_next = 0;  ///< number of the packet expected next
  // The receiver's.
  WireByte wire{};
};

struct LinkOutputs {
  // The sender's.
  WireByte wire{};
  std::uint8_t sequence = 0;  ///< with wire.first: of the frame
  bool hold = false;
  std::uint8_t begin = 0;  ///< number of the oldest packet in the resend FIFO
  std::uint8_t end = 0;    ///< and of the next new one
  bool again =
      false;  ///< a packet is sent again, as if granted in the next cycle, unless another one has been granted by then
  std::uint8_t again_sequence = 0;
  // The receiver's.
  WireByte packet{};
  bool header = false;
  Verdict header_verdict = Verdict::good;
  bool done = false;
  Verdict verdict = Verdict::good;
  bool ack = false;
  std::uint8_t ack_next = 0;
  std::uint8_t expected = 0;
  /// Nothing is stored or in flight: without inputs the state does not change.
  bool idle = true;
};

/// Packets that the resend FIFO is built for: RESEND_PACKETS of link_pair.sv.
inline constexpr unsigned kResendPackets = 8;

struct LinkSettings {
  std::uint8_t window = 8;  ///< packets that the resend FIFO holds, 1 to kResendPackets; at reset
  std::uint16_t overhead =
      14;  ///< cycles that a packet occupies the wire in addition to its bytes, 8 or more; at reset
  std::uint16_t timeout = 600;  ///< 1 or more
};

/// Both ends behind their pins.
class LinkPins {
 public:
  virtual ~LinkPins() = default;
  virtual void reset(const LinkSettings& settings) = 0;
  virtual void set(const LinkSettings& settings) = 0;
  /// One clock cycle.
  virtual void clock(const LinkInputs& in, LinkOutputs& out) = 0;
};

}  // namespace toroid::rtl
