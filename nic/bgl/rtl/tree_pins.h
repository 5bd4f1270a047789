// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace toroid::rtl {

// The pins of the tree router in Verilog (tree_router.sv), as plain numbers: all that an adapter and a test know of it.
//
// Cycles. clock() is the clock edge at which cycle c begins: it samples the inputs of cycle c, and the outputs that it
// leaves are those of cycle c; none depends combinationally on inputs of the same cycle. With T the cycle in which
// packets are granted their outputs, A = 2 if they are combined and otherwise 0, W = wire_cycles, all exact:
//
// - word i of a frame whose first word arrived at cycle h arrives at h + i, at least 130 words (header, high word
//   first, and payload), at most W; the packet requests its outputs from h + 8 on;
// - a packet whose first word the local client sent at cycle w requests its outputs from w + 7 on;
// - `moves` shows the grant, in cycle T; up to four packets, or sets of combined packets, are granted in each cycle.
//   The queues from which one came provide their next packet from T + W on; its outputs accept the next first word from
//   T + A + W on;
// - word i of it is on the pins of each output in cycle T + A + 6 + i, W words;
// - the token for it is on the pins of each channel from which it came in cycle T + W + 3; tokens and `hold` count from
//   the cycle in which they arrive;
// - with `occupied` in cycle c the channel's link is busy from c to c + W.
//
// The payload of a packet with opcode ADD (and not point-to-point) is carried last word first: sums need the least
// significant word first. No source says in which order the machine's links carry words.

inline constexpr unsigned kTreePinChannels = 3;  ///< two down, one up
inline constexpr unsigned kTreePinPorts = 4;     ///< the last is the local client
inline constexpr unsigned kTreePinVcs = 2;
inline constexpr unsigned kTreePinClasses = 16;
inline constexpr unsigned kTreeHeaderWords = 2;
inline constexpr unsigned kTreeFrameWords = 130;     ///< without the trailer
inline constexpr unsigned kTreeChannelBuffer = 4;    ///< capacity in packets: of a channel, for each virtual channel
inline constexpr unsigned kTreeInjectionBuffer = 8;  ///< the local client's

/// One direction of a channel: one word a cycle.
struct TreeWord {
  bool valid = false;
  bool first = false;   ///< of its packet
  std::uint8_t vc = 0;  ///< with `first`
  std::uint16_t data = 0;
};

struct TreeInputs {
  std::array<TreeWord, kTreePinChannels> channel{};
  std::array<TreeWord, kTreePinVcs> inject{};        ///< of the local client, by virtual channel
  std::array<std::uint8_t, kTreePinPorts> tokens{};  ///< bit vc: room for one more packet behind that port
  // Inputs from the error control of the channels' links:
  std::array<std::uint8_t, kTreePinChannels> hold{};  ///< bit vc: it accepts no packet
  std::uint8_t occupied = 0;  ///< one bit for each channel: it resends a frame from this cycle on
};

struct TreeOutputs {
  std::array<TreeWord, kTreePinPorts> port{};
  std::array<std::uint8_t, kTreePinChannels> tokens{};  ///< bit vc
  struct Move {
    bool valid = false;
    bool combined = false;
    std::uint8_t vc = 0;
    std::uint8_t inputs = 0;   ///< one bit for each port: the queues whose heads were taken
    std::uint8_t outputs = 0;  ///< one bit for each port; none: a packet that no port receives
  };
  std::array<Move, kTreePinPorts> moves{};  ///< in the order of the grants; the valid ones come first
  /// Nothing is in flight, and without inputs the state does not change; packets may wait in queues.
  bool idle = true;
};

/// Settings that are constant, or change only when a driver writes a register.
struct TreeSettings {
  std::array<std::uint16_t, kTreePinClasses> descriptors{};
  std::uint32_t address = 0;
  std::uint8_t accepts_all = 0;      ///< bit vc
  std::uint8_t exists = 0xF;         ///< bit per port
  std::uint16_t wire_cycles = 133;   ///< 130 to 256
  std::uint8_t channel_packets = 4;  ///< room in the neighbours' buffers, 1 to 15; at reset
  std::uint8_t local_packets = 8;    ///< room in the reception FIFO, 1 to 15; at reset
};

/// A tree router behind its pins.
class TreePins {
 public:
  virtual ~TreePins() = default;
  virtual void reset(const TreeSettings& settings) = 0;
  /// Takes effect at the next clock edge, for decisions from the cycle of that edge on.
  virtual void set(const TreeSettings& settings) = 0;
  /// One clock cycle.
  virtual void clock(const TreeInputs& in, TreeOutputs& out) = 0;
};

}  // namespace toroid::rtl
