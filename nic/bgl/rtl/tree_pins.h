// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace toroid::rtl {

// The pins of the tree router in Verilog (tree_router.sv), as plain numbers: what an adapter and a test know of it.
//
// Cycles. clock() is the clock edge at which cycle c begins: it samples the inputs of cycle c, and the outputs that it
// leaves are those of cycle c; none depends on inputs of the same cycle but through a register. With T the cycle in
// which packets are granted their outputs, A = 2 where they are combined and else 0, W = wire_cycles, all exact:
//
// - word i of a frame whose first word came in at cycle h comes in at h + i, 130 at least (header, high word first, and
//   payload), W at most; the packet asks for its outputs from h + 8 on;
// - a packet whose first word the local client gave at cycle w asks from w + 7 on;
// - `moves` shows the grant, in cycle T; up to four packets, or sets that are combined, are granted a cycle. The queues
//   that one came from give their next packet from T + W on, its outputs take the next one's first word from T + A + W
//   on;
// - word i of it stands on the pins of each output in cycle T + A + 6 + i, W words;
// - the token for it stands on the pins of each channel that it came by in cycle T + W + 3; tokens that come in, and
//   `hold`, count from the cycle they come in;
// - with `occupied` in cycle c the channel's link is taken from c to c + W.
//
// The payload of a packet with opcode ADD (and not point-to-point) is carried last word first: sums need the least
// significant word first. No source says in which order the machine's links carry words.

inline constexpr unsigned kTreePinChannels = 3;  ///< two down, one up
inline constexpr unsigned kTreePinPorts = 4;     ///< the last is the local client
inline constexpr unsigned kTreePinVcs = 2;
inline constexpr unsigned kTreePinClasses = 16;
inline constexpr unsigned kTreeHeaderWords = 2;
inline constexpr unsigned kTreeFrameWords = 130;     ///< without the trailer
inline constexpr unsigned kTreeChannelBuffer = 4;    ///< packets that fit: a channel's, each virtual channel
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
  std::array<TreeWord, kTreePinVcs> inject{};        ///< the local client's, by virtual channel
  std::array<std::uint8_t, kTreePinPorts> tokens{};  ///< bit vc: there is room for one packet more behind that port
  // From the error control of the channels' links:
  std::array<std::uint8_t, kTreePinChannels> hold{};  ///< bit vc: it takes no packet
  std::uint8_t occupied = 0;                          ///< bit per channel: it sends a frame again from this cycle on
};

struct TreeOutputs {
  std::array<TreeWord, kTreePinPorts> port{};
  std::array<std::uint8_t, kTreePinChannels> tokens{};  ///< bit vc
  struct Move {
    bool valid = false;
    bool combined = false;
    std::uint8_t vc = 0;
    std::uint8_t inputs = 0;   ///< bit per port: of which queues the heads were taken
    std::uint8_t outputs = 0;  ///< bit per port; none: a packet to nobody here
  };
  std::array<Move, kTreePinPorts> moves{};  ///< in the order of their grants; those that are valid come first
  /// Without inputs nothing happens any more, and nothing is under way; packets may wait in queues.
  bool idle = true;
};

/// What stands still, or changes only when a driver writes a register.
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
  /// From the next clock edge on; what they decide, from the cycle of that edge on.
  virtual void set(const TreeSettings& settings) = 0;
  /// One clock cycle.
  virtual void clock(const TreeInputs& in, TreeOutputs& out) = 0;
};

}  // namespace toroid::rtl
