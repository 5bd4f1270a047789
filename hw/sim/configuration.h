// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/machine/machine_description.h"
#include "hw/trace/request.h"
#include "torus/rtl/unit_set.h"

namespace toroid {

/// A program on the machine. Field by field the `run` object of docs/reference/simulator_files.md.
struct RunRequest {
  std::string program;
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment;
  std::uint32_t ranks = 0;
  std::string mode;          ///< which the machine knows by name; empty: its usual one
  std::string mapping_file;  ///< empty: by `order`
  std::string order;         ///< letters, in the machine's way; empty: its own order
  std::string job_directory;
  bool prefix_output = false;
  std::optional<std::uint64_t> timeout_ns;
  bool park = true;
  bool check_coherence = false;
  std::optional<trace::Request> trace;
  /// gdb at one of the ranks.
  struct Gdb {
    std::uint32_t rank = 0;
    std::uint16_t port = 0;  ///< 0: any that is free
    std::string sources;     ///< directory from which the debug information names the machine's own software
  };
  std::optional<Gdb> gdb;
};

/// Messages that the sources of synthetic traffic send one behind the other. The `messages` object of `traffic`.
struct MessagesRequest {
  std::vector<std::uint64_t> bytes;  ///< of each message; each size is simulated on a network of its own
  std::uint32_t count = 1;
  unsigned header_bytes = 0;
  std::string tie_rule;  ///< by which sources set hint bits; empty: routers do
  std::uint64_t interval_cycles = 0;
  std::uint64_t start_within_cycles = 0;
};

/// Synthetic traffic on the network alone. The `traffic` object of docs/reference/simulator_files.md.
struct TrafficRequest {
  std::string pattern;
  std::string routing;
  std::vector<double> loads;
  std::vector<std::pair<unsigned, double>> sizes;  ///< bytes of a packet, weight; empty: the largest
  std::uint64_t warmup_cycles = 0;
  std::uint64_t measure_cycles = 0;
  double hot_fraction = 0;
  std::vector<unsigned> displacement;  ///< of each dimension; of the pattern displacement
  std::uint32_t senders_every = 1;
  bool check = false;
  std::optional<MessagesRequest> messages;  ///< instead of loads
};

/// A simulator configuration file, checked. Neither `run` nor `traffic`: the collective networks alone.
struct Configuration {
  std::string machine;
  std::string dimensions;  ///< a letter each
  std::vector<unsigned> shape;
  std::vector<bool> wrap;
  std::uint64_t seed = 0;
  std::uint64_t elaboration_order = 0;  ///< see JobRequest
  MachineDescription description;
  std::optional<RunRequest> run;
  std::optional<TrafficRequest> traffic;
  std::optional<rtl::UnitsRequest> rtl;
  nlohmann::ordered_json echo;  ///< the file as read, for the result

  /// Reads and checks `path`. Throws ConfigurationError that names the file and the key.
  static Configuration read(const std::string& path);
};

}  // namespace toroid
