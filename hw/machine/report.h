// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hw/io/io_call.h"
#include "torus/torus/packet.h"
#include "torus/tree/left_over.h"

namespace toroid {

/// Why a run came to its end.
enum class Ending {
  completed,    ///< every process has exited
  timeout,      ///< simulated time ran out
  interrupted,  ///< the user asked
  deadlock,     ///< every process waits for something that can no longer happen
  stuck,        ///< packets in the network have not moved for too long
  aborted,      ///< a process has ended the job
  fault,        ///< a process was killed
  failed,       ///< the simulator itself could not go on
};

std::string name_of(Ending ending);

/// What the core did that a process has started, up to its last device poll or call where the end of the process came
/// upon it.
struct SecondCoreReport {
  std::uint64_t instructions = 0;
  std::uint64_t cycles = 0;  ///< at which it stopped
};

struct RankReport {
  std::uint32_t rank = 0;
  std::vector<unsigned> coordinates;   ///< node, then t
  std::optional<int> status;           ///< exit status; empty where the process had not ended
  std::optional<std::string> fault;    ///< what it was killed for, with PC and symbol
  std::optional<std::string> waiting;  ///< where it was at the end, if it had not ended
  std::uint64_t instructions = 0;
  std::uint64_t cycles = 0;                     ///< core cycles
  std::map<std::string, std::uint64_t> memory;  ///< MemoryCounters by name
  std::optional<SecondCoreReport> second_core;  ///< empty where it never ran
  IoTraffic io;                                 ///< what its calls took to the I/O node and back
  std::map<std::string, std::uint64_t> system_calls;
  std::map<std::string, std::uint64_t> unknown_system_calls;
};

struct LinkReport {
  std::vector<unsigned> node;
  std::string direction;  ///< "X+" ...
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;  ///< on the wire, retransmissions included
  std::uint64_t retransmissions = 0;
  double busy_fraction = 0;
};

struct NetworkReport {
  std::uint64_t packets_injected = 0;
  std::uint64_t packets_delivered = 0;
  std::uint64_t packet_hops = 0;
  std::uint64_t retransmissions = 0;
  std::vector<LinkReport> links;  ///< those that carried anything, by node and direction
};

struct TreeReport {
  std::vector<TreeLeftOver> left_over;       ///< programs' packets that nobody took
  std::vector<std::string> left_over_texts;  ///< the same as text, as many as are shown
  std::uint64_t packets_injected = 0;        ///< by programs, on virtual channel 0
  std::uint64_t packets_delivered = 0;  ///< of those, into reception FIFOs; a broadcast or a result counts at each node
  std::uint64_t io_packets = 0;         ///< between kernels and I/O nodes, on virtual channel 1
  std::uint64_t packet_hops = 0;        ///< of both
  TreeLinkCounters links;               ///< of both, sums over all links
};

struct IoNodeReport {
  std::uint32_t tree_address = 0;
  std::uint32_t ranks = 0;  ///< of its processing set
  IoTraffic traffic;
  std::uint64_t longest_queue = 0;  ///< requests that waited behind the one being served, at most
  std::uint64_t busy_ns = 0;        ///< the daemon had a call
};

/// All that a run leaves behind. Nothing in it depends on the host.
struct RunReport {
  Ending ending = Ending::completed;
  std::optional<std::string> error;  ///< one line
  std::optional<std::string> stuck;  ///< what waits where, several lines
  std::uint64_t simulated_ns = 0;
  std::vector<RankReport> ranks;
  /// What the coherence checker found, a line each; empty where it did not run.
  std::optional<std::vector<std::string>> coherence;
  NetworkReport network;
  TreeReport tree;
  std::vector<IoNodeReport> io_nodes;  ///< those with ranks
};

}  // namespace toroid
