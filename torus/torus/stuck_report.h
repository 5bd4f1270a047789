// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "torus/torus/network.h"

namespace toroid {

/// A packet that waits in a network, and for what.
struct WaitingPacket {
  enum class Where { transit, injection, resend };
  struct Way {
    Direction direction = 0;
    unsigned lane = 0;             ///< which of parallel links
    std::vector<unsigned> tokens;  ///< by virtual channel
    bool stopped = false;
  };

  Where where = Where::transit;
  std::uint32_t router = 0;    ///< that holds it
  Direction direction = 0;     ///< transit: link it came in by (from that neighbour); resend: link it leaves by
  unsigned lane = 0;           ///< which of parallel links
  VirtualChannel channel = 0;  ///< transit: channel that holds it
  unsigned local = 0;          ///< injection: which of the router's nodes
  unsigned fifo = 0;           ///< injection: FIFO number
  unsigned position = 0;       ///< in its queue; 0 = head
  std::uint32_t source = 0;
  std::uint32_t serial = 0;
  Coordinates destination{};
  unsigned chunks = 0;
  Cycle age{};                  ///< cycles since injection
  std::vector<Way> ways;        ///< heads only: the links it may take, with the tokens there
  unsigned reception_fifo = 0;  ///< heads that have arrived: the FIFO, and its tokens
  unsigned reception_tokens = 0;
  bool arrived = false;
};

struct StuckReport {
  Cycle cycle{};
  Cycle last_move{};
  std::uint64_t in_flight = 0;
  std::vector<WaitingPacket> packets;  ///< by router, then input, channel and position
  Shape shape;
  const RouterFamily* family = nullptr;

  /// A line for each queue's head, as many as `lines`, and what was left out.
  std::string text(unsigned lines = 32) const;
};

/// What waits where, at any time; made when the network is found stuck (ProgressWatch).
template <typename F>
StuckReport stuck_report(const BasicTorusNetwork<F>& network);

}  // namespace toroid
