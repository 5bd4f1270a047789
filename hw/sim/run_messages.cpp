// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "hw/chips/registry.h"
#include "hw/machine/ending.h"
#include "hw/sim/jobs.h"
#include "hw/sim/shape.h"
#include "hw/sim/traffic_pattern.h"
#include "hw/sim/warnings.h"
#include "torus/traffic/messages.h"

namespace toroid {

namespace {

constexpr int kStatusFailed = 1;
constexpr int kStatusInterrupted = 130;

std::optional<TieRule> tie_rule_of(const std::string& name) {
  if (name.empty()) return std::nullopt;
  return name == "parity" ? TieRule::parity : TieRule::plus;
}

MessageTraffic message_config(const Configuration& configuration, const MachineModel& model) {
  const MessagesRequest& request = *configuration.traffic->messages;
  MessageTraffic config(model.torus());
  set_pattern(configuration, config);
  config.adaptive = configuration.traffic->routing == "adaptive";
  config.tie_rule = tie_rule_of(request.tie_rule);
  config.count = request.count;
  config.header_bytes = request.header_bytes;
  config.interval = Cycle{request.interval_cycles};
  config.start_within = Cycle{request.start_within_cycles};
  return config;
}

ResultFile spread(const Spread& values) {
  return {{"min", values.min}, {"mean", values.mean}, {"max", values.max}};
}

ResultFile messages_object(std::uint64_t bytes, const MessageResult& found) {
  ResultFile object;
  object["bytes"] = bytes;
  object["senders"] = found.sending_nodes;
  object["messages"] = found.messages;
  object["packets"] = found.packets;
  object["packet_hops"] = found.hops;
  object["hops_mean"] = found.hops_mean;
  object["cycles"] = found.cycles.count();
  object["bytes_per_cycle"] = spread(found.rate);
  object["operation_cycles"] = spread(found.operation);
  object["message_cycles"] = spread(found.message);
  object["link_load_mean"] = found.link_load_mean;
  object["link_load_max"] = found.link_load_max;
  object["retransmissions"] = found.retransmissions;
  return object;
}

/// Has `progress` told how far the run of one size is; `before`: what the sizes before it have counted.
void follow(MessageTraffic& config, AnyTorusNetwork*& network, Progress& progress, const Progress::Counts& before,
            const double& packets_of_size, std::size_t sizes) {
  config.on_network = [&network](AnyTorusNetwork& made) { network = &made; };
  config.keep_going = [&network, &progress, &before, &packets_of_size, sizes, clock_mhz = config.torus.clock_mhz] {
    Progress::Counts counts = before;
    counts.simulated_ns += network->now().count() * 1000 / clock_mhz;
    counts.packets += network->injected();
    counts.packet_hops += network->hops();
    const double of_size = static_cast<double>(network->received()) / packets_of_size;
    counts.fraction = before.fraction.value_or(0) + of_size / static_cast<double>(sizes);
    progress.update(counts);
    return !interrupted();
  };
}

}  // namespace

void check_synthetic_messages(const Configuration& configuration) {
  const std::unique_ptr<MachineModel> model = make_machine_model(configuration.machine, configuration.description);
  MessageTraffic config = message_config(configuration, *model);
  for (const std::uint64_t bytes : configuration.traffic->messages->bytes) {
    config.bytes = bytes;
    check_messages(config);
  }
}

int run_synthetic_messages(const Configuration& configuration, Progress& progress, ResultFile& result) {
  const std::unique_ptr<MachineModel> model = make_machine_model(configuration.machine, configuration.description);
  MessageTraffic config = message_config(configuration, *model);
  print_warnings(*model);
  tell_host_memory(estimate_host_memory(Topology(config.shape).nodes(), 0, 1));
  RunReport report;
  Progress::Counts counts;
  ResultFile sizes = ResultFile::array();
  AnyTorusNetwork* network = nullptr;
  double packets_of_size = 0;
  const std::vector<std::uint64_t>& asked = configuration.traffic->messages->bytes;
  config.on_start = [&progress] { progress.elaborated(); };
  follow(config, network, progress, counts, packets_of_size, asked.size());
  const Topology topology(router_topology(router_family(config), config.shape));
  const double messages_of_size =
      static_cast<double>(
          count_senders(config, topology, *make_pattern(config.pattern, topology, config.pattern_options))) *
      config.count;
  for (const std::uint64_t bytes : asked) {
    config.bytes = bytes;
    packets_of_size = messages_of_size * message_packets(config, router_family(config)).count;
    const MessageResult found = run_messages(config);
    if (found.interrupted) {
      report.ending = Ending::interrupted;
      report.error =
          "interrupted after " + std::to_string(sizes.size()) + " of " + std::to_string(asked.size()) + " sizes";
      break;
    }
    counts.packets += found.packets;
    counts.packet_hops += found.hops;
    counts.bytes_per_router = found.memory_per_router;
    counts.simulated_ns += found.cycles.count() * 1000 / config.torus.clock_mhz;
    if (!found.complete) {
      report.ending = Ending::stuck;
      report.error = "packets in the network do not move with messages of " + std::to_string(bytes) + " bytes";
      report.stuck = found.stuck_report;
      break;
    }
    sizes.push_back(messages_object(bytes, found));
    counts.fraction = static_cast<double>(sizes.size()) / static_cast<double>(asked.size());
    progress.update(counts);
  }
  result["ended"] = name_of(report.ending);
  result["error"] = report.error ? ResultFile(*report.error) : ResultFile(nullptr);
  result["simulated_ns"] = counts.simulated_ns;
  result["messages"] = std::move(sizes);
  result["stuck"] = report.stuck ? ResultFile(*report.stuck) : ResultFile(nullptr);
  progress.done(counts);
  if (report.ending == Ending::completed) return 0;
  return report.ending == Ending::interrupted ? kStatusInterrupted : kStatusFailed;
}

}  // namespace toroid
