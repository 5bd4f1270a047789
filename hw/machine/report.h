// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hw/io/io_call.h"
#include "hw/machine/ending.h"

namespace toroid {

/// What the cores of a process did beside its first, up to their last device poll or call where the end of the process
/// came upon it.
struct SecondCoreReport {
  std::uint64_t instructions = 0;
  std::uint64_t cycles = 0;  ///< at which the last of them stopped
};

struct RankReport {
  std::uint32_t rank = 0;
  std::vector<unsigned> coordinates;   ///< node, then t
  std::optional<int> status;           ///< exit status; empty if the process had not ended
  std::optional<std::string> fault;    ///< what it was killed for, with PC and symbol
  std::optional<std::string> waiting;  ///< where it was at the end, if it had not ended
  std::uint64_t instructions = 0;
  std::uint64_t cycles = 0;                     ///< core cycles
  std::map<std::string, std::uint64_t> memory;  ///< MemoryCounters by name; empty if caches are not modelled
  std::optional<SecondCoreReport> second_core;  ///< empty if it never ran
  IoTraffic io;                                 ///< what its calls took to the I/O node and back
  std::map<std::string, std::uint64_t> system_calls;
  std::map<std::string, std::uint64_t> unknown_system_calls;
};

/// What a machine's own hardware leaves behind.
struct MachineReport {
  /// The result file's sections about its networks and nodes, by key and in their order.
  nlohmann::ordered_json sections = nlohmann::ordered_json::object();
  /// What is wrong with a run although every process has exited; one line.
  std::optional<std::string> wrong;
};

/// How long packets take on idle collective networks.
struct CollectiveLatencies {
  nlohmann::ordered_json section;  ///< of the result file
  double simulated_ns = 0;
  std::uint64_t packet_hops = 0;
};

/// All that a run leaves behind. Nothing in it depends on the host.
struct RunReport {
  Ending ending = Ending::completed;
  std::optional<std::string> error;  ///< one line
  std::optional<std::string> stuck;  ///< what waits where, several lines
  std::uint64_t simulated_ns = 0;
  std::vector<std::string> not_modelled;  ///< CoreConfig::not_modelled()
  std::vector<RankReport> ranks;
  MachineReport machine;
};

}  // namespace toroid
