// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "hw/chips/registry.h"
#include "hw/machine/ending.h"
#include "hw/sim/jobs.h"
#include "hw/sim/traffic_pattern.h"
#include "hw/sim/units_in_verilog.h"
#include "hw/sim/warnings.h"
#include "torus/traffic/traffic.h"

namespace toroid {

namespace {

constexpr int kStatusFailed = 1;
constexpr int kStatusInterrupted = 130;

TrafficConfig traffic_config(const Configuration& configuration, const MachineModel& model) {
  const TrafficRequest& request = *configuration.traffic;
  TrafficConfig config(model.torus());
  set_pattern(configuration, config);
  config.adaptive_share = request.routing == "adaptive" ? 1 : 0;
  config.sizes.clear();
  for (const auto& [bytes, weight] : request.sizes) {
    config.sizes.push_back({chunks_of_packet(router_family(config), bytes), weight});
  }
  config.warm_up = Cycle{request.warmup_cycles};
  config.measure = Cycle{request.measure_cycles};
  config.check = request.check;
  return config;
}

ResultFile load_object(double load, const TrafficResult& traffic) {
  ResultFile object;
  object["load"] = load;
  object["offered"] = traffic.offered_share;
  object["accepted"] = traffic.accepted_share;
  object["accepted_bytes_per_cycle"] = traffic.accepted;
  object["latency_mean_cycles"] = traffic.latency_mean;
  object["latency_p50"] = traffic.latency_p50;
  object["p95"] = traffic.latency_p95;
  object["p99"] = traffic.latency_p99;
  object["max"] = traffic.latency_max;
  object["hops_mean"] = traffic.hops_mean;
  object["packet_hops"] = traffic.hops;
  object["retransmissions"] = traffic.retransmissions;
  object["link_load_mean"] = traffic.link_load_mean;
  object["link_load_max"] = traffic.link_load_max;
  return object;
}

/// Units in Verilog of a run at one load, and what those of all loads have done.
class RtlOfLoads {
 public:
  RtlOfLoads(const Configuration& configuration, const MachineModel& model, TrafficConfig& config) {
    if (!configuration.rtl) return;
    config.on_network = [this, &configuration, &model](AnyTorusNetwork& network) {
      units_ = model.replace_units(*configuration.rtl, network);
    };
    config.on_end = [this] {
      if (units_->fault()) fault_ = units_->fault();
      const std::vector<rtl::UnitReport> load = units_->report();
      sum_.resize(load.size());
      for (std::size_t i = 0; i < load.size(); ++i) {
        sum_[i].name = load[i].name;
        sum_[i].clock_cycles += load[i].clock_cycles;
        sum_[i].changed_bytes += load[i].changed_bytes;
      }
      units_.reset();
    };
    config.keep_going = [this] { return !interrupted() && !units_->fault(); };
  }

  const std::optional<std::string>& fault() const { return fault_; }
  const std::vector<rtl::UnitReport>& sum() const { return sum_; }
  std::uint64_t changed_bytes() const {
    std::uint64_t bytes = 0;
    for (const rtl::UnitReport& unit : sum_) bytes += unit.changed_bytes;
    return bytes;
  }

 private:
  std::unique_ptr<rtl::UnitSet> units_;
  std::optional<std::string> fault_;
  std::vector<rtl::UnitReport> sum_;
};

/// Has `progress` told how far the run at one load is; `before`: all that the loads before it have counted.
void follow(TrafficConfig& config, Progress& progress, const Progress::Counts& before, std::size_t loads) {
  const auto network = std::make_shared<AnyTorusNetwork*>(nullptr);
  config.on_network = [network, then = config.on_network](AnyTorusNetwork& made) {
    *network = &made;
    if (then) then(made);
  };
  config.keep_going = [&progress, &before, loads, network, then = config.keep_going,
                       cycles = static_cast<double>(config.warm_up + config.measure),
                       clock_mhz = config.torus.clock_mhz] {
    AnyTorusNetwork& now = **network;
    Progress::Counts counts = before;
    const Cycle cycle = now.wheel().now();
    counts.simulated_ns += cycle.count() * 1000 / clock_mhz;
    counts.packets += now.injected();
    counts.packet_hops += now.hops();
    const double of_load = std::min(1.0, static_cast<double>(cycle) / cycles);  // the network empties after that
    counts.fraction = before.fraction.value_or(0) + of_load / static_cast<double>(loads);
    progress.update(counts);
    return then();
  };
}

/// What a check found wrong with the delivery, or nothing.
std::optional<std::string> delivery_error(const TrafficResult& traffic) {
  if (traffic.repeated + traffic.misdelivered + traffic.reordered == 0) return std::nullopt;
  return std::to_string(traffic.repeated) + " packets were delivered twice, " + std::to_string(traffic.misdelivered) +
         " at the wrong node, " + std::to_string(traffic.reordered) + " out of order";
}

}  // namespace

void check_synthetic_traffic(const Configuration& configuration) {
  const std::unique_ptr<MachineModel> model = make_machine_model(configuration.machine, configuration.description);
  check_units(configuration, *model);
  check_traffic(traffic_config(configuration, *model));
}

int run_synthetic_traffic(const Configuration& configuration, Progress& progress, ResultFile& result) {
  const std::unique_ptr<MachineModel> model = make_machine_model(configuration.machine, configuration.description);
  TrafficConfig config = traffic_config(configuration, *model);
  print_warnings(*model);
  tell_host_memory(estimate_host_memory(Topology(config.shape).nodes(), 0, 1));
  RunReport report;
  Progress::Counts counts;
  ResultFile loads = ResultFile::array();
  config.on_start = [&progress] { progress.elaborated(); };
  config.keep_going = [] { return !interrupted(); };
  RtlOfLoads rtl(configuration, *model, config);
  const std::vector<double>& asked = configuration.traffic->loads;
  follow(config, progress, counts, asked.size());
  for (const double load : asked) {
    config.load = load;
    const TrafficResult traffic = run_traffic(config);
    if (rtl.fault()) {
      report.ending = Ending::fault;
      report.error = rtl.fault();
      break;
    }
    if (traffic.interrupted) {
      report.ending = Ending::interrupted;
      report.error =
          "interrupted after " + std::to_string(loads.size()) + " of " + std::to_string(asked.size()) + " loads";
      break;
    }
    loads.push_back(load_object(load, traffic));
    counts.packets += traffic.delivered;
    counts.packet_hops += traffic.hops;
    counts.bytes_per_router = traffic.memory_per_router;
    counts.fraction = static_cast<double>(loads.size()) / static_cast<double>(asked.size());
    counts.simulated_ns += traffic.cycles.count() * 1000 / config.torus.clock_mhz;
    progress.update(counts);
    report.error = delivery_error(traffic);
    if (traffic.stuck) {
      report.ending = Ending::stuck;
      report.error = "packets in the network do not move at load " + std::to_string(load);
      report.stuck = traffic.stuck_report;
    } else if (report.error) {
      report.ending = Ending::fault;
    }
    if (report.ending != Ending::completed) break;
  }
  if (configuration.traffic->check && report.ending == Ending::completed && rtl.changed_bytes() > 0) {
    report.ending = Ending::fault;
    report.error = "units in Verilog have changed " + std::to_string(rtl.changed_bytes()) + " bytes of packets";
  }
  result["ended"] = name_of(report.ending);
  result["error"] = report.error ? ResultFile(*report.error) : ResultFile(nullptr);
  result["simulated_ns"] = counts.simulated_ns;
  result["traffic"] = std::move(loads);
  result["stuck"] = report.stuck ? ResultFile(*report.stuck) : ResultFile(nullptr);
  if (configuration.rtl) add_rtl(result, rtl.sum());
  progress.done(counts);
  if (report.ending == Ending::completed) return 0;
  return report.ending == Ending::interrupted ? kStatusInterrupted : kStatusFailed;
}

}  // namespace toroid
