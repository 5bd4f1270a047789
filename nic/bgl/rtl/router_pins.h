// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace toroid::rtl {

// The pins of the torus router in Verilog (torus_router.sv), as plain numbers: all that an adapter and a test know of
// it.
//
// Cycles. clock() is the clock edge at which cycle c begins: it samples the inputs of cycle c, and the outputs that it
// leaves are those of cycle c; all are registers. With T the cycle in which a packet is granted a link, W the cycles
// that it keeps the link (bytes + wire_overhead), all exact:
//
// - byte i of a packet whose first byte arrived at cycle h arrives at h + i; the packet requests a link from h + 8 on;
// - a packet whose first quad arrived at cycle w requests a link from w + 7 on; its quads arrive at least at the rate
//   at which they leave, one in 16 cycles;
// - byte i of a packet granted at T is on the link's pins in cycle T + 6 + i; the link grants again at T + W;
// - `taken` shows an injected packet's grant in cycle T + 1, `deliver` that of a packet for the node itself;
// - tokens for a packet granted at T are on the pins of the link over which it came in cycle T + W + 3; tokens count
//   from the cycle in which they arrive.

inline constexpr unsigned kLinks = 6;  ///< X+, X-, Y+, Y-, Z+, Z-
inline constexpr unsigned kLinkChannels = 4;
inline constexpr unsigned kInjectionFifos = 8;   ///< 2 groups of 4
inline constexpr unsigned kReceptionFifos = 14;  ///< 2 groups of 6 links and one of priority
inline constexpr unsigned kQuadBytes = 16;

/// One direction of a link: one byte a cycle.
struct LinkByte {
  bool valid = false;
  bool first = false;  ///< of its packet
  std::uint8_t data = 0;
  /// Output only, with `first`: the packet's queue, 4 * input link + channel, or 24 + injection FIFO.
  std::uint8_t from = 0;
  std::uint8_t channel = 0;  ///< output only, with `first`: its outgoing virtual channel, as in its header
};

struct RouterInputs {
  std::array<LinkByte, kLinks> link{};
  /// Chunks returned by the receiver at the link's other end in this cycle.
  std::array<std::array<std::uint8_t, kLinkChannels>, kLinks> tokens{};
  std::uint8_t stop = 0;  ///< one bit for each link: grant it no further packet
  /// Quad of a packet for injection FIFO write_fifo.
  bool write = false;
  bool write_first = false;
  std::uint8_t write_fifo = 0;
  std::array<std::uint8_t, kQuadBytes> write_data{};
  /// Freed by the node in this cycle: chunks of each reception FIFO.
  std::array<std::uint8_t, kReceptionFifos> reception_free{};
};

struct RouterOutputs {
  std::array<LinkByte, kLinks> link{};
  std::array<std::array<std::uint8_t, kLinkChannels>, kLinks> tokens{};
  std::uint8_t taken = 0;  ///< bit per injection FIFO
  /// The head of transit queue `from` goes to reception FIFO `fifo`.
  struct Delivery {
    bool valid = false;
    bool copy = false;  ///< a copy for the deposit bit: the packet itself continues
    std::uint8_t from = 0;
    std::uint8_t fifo = 0;
  };
  std::array<Delivery, kLinks> deliver{};  ///< by input link
  /// Quad of a packet out of reception FIFO read_fifo.
  bool read = false;
  bool read_first = false;
  bool read_last = false;
  std::uint8_t read_fifo = 0;
  std::array<std::uint8_t, kQuadBytes> read_data{};
  /// Nothing is stored or in flight, including tokens: without inputs the state does not change.
  bool idle = true;
};

/// Settings that are constant, or change only when a driver writes a register.
struct RouterSettings {
  std::array<std::uint8_t, 3> coordinates{};
  std::array<std::uint8_t, 3> cut_off_plus{};  ///< see Topology::hints()
  std::array<std::uint8_t, 3> cut_off_minus{};
  std::array<bool, 3> ring{};          ///< otherwise a mesh
  std::uint8_t links = 0x3F;           ///< bit per link that there is
  std::uint8_t buffer_chunks = 32;     ///< of a virtual channel, here and in the neighbours; at reset
  std::uint8_t reception_chunks = 32;  ///< of a reception FIFO; at reset
  std::uint8_t bubble_chunks = 8;
  std::uint8_t wire_overhead = 14;
  std::uint8_t fullness_cycles = 157;
  std::uint8_t random_cycles = 53;
  std::uint8_t priority_injection = 0;  ///< probability, in 32nds
  std::uint32_t seed = 1;               ///< of the generator behind random arbitration; at reset
};

/// A torus router behind its pins.
class RouterPins {
 public:
  virtual ~RouterPins() = default;
  virtual void reset(const RouterSettings& settings) = 0;
  virtual void set(const RouterSettings& settings) = 0;
  /// One clock cycle.
  virtual void clock(const RouterInputs& in, RouterOutputs& out) = 0;
};

}  // namespace toroid::rtl
