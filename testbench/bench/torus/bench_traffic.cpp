// SPDX-License-Identifier: Apache-2.0
// toroid-bench-network: packet-hops a second of CPU, and what a router costs, for the network alone.
//   toroid-bench-network [--machine bgl|bgq] [--router blue_gene_lp] [--shape 8x8x8] [--pattern uniform] [--load 0.3]
//   [--adaptive 1]
//     [--chunks 8] [--zone 0] [--buffer CHUNKS] [--errors BIT_ERROR_RATE] [--warm-up CYCLES] [--measure CYCLES] [--fill
//     HOPS] [--seed N]
//     [--check]
// Prints one JSON object. CPU time is the whole run's, construction included apart.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <string>
#include <systemc>

#include "testbench/shipped.h"
#include "torus/traffic/traffic.h"

namespace {

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

int bench(int argc, char* argv[]) {
  toroid::TrafficConfig config(toroid::test::shipped_torus());
  config.shape = toroid::Shape::parse("8x8x8");
  const auto usage = [&](const std::string& what) -> void { throw std::invalid_argument(what); };
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--check") {
      config.check = true;
      continue;
    }
    if (i + 1 == argc) usage("option " + option + " needs a value");
    const std::string value = argv[++i];
    if (option == "--shape") {
      config.shape = toroid::Shape::parse(value);
    } else if (option == "--pattern") {
      config.pattern = value;
    } else if (option == "--load") {
      config.load = std::stod(value);
    } else if (option == "--adaptive") {
      config.adaptive_share = std::stod(value);
    } else if (option == "--chunks") {
      config.sizes = {{static_cast<unsigned>(std::stoul(value)), 1}};
    } else if (option == "--machine") {  // before options that change its torus
      config.torus = value == "bgq" ? toroid::test::shipped_zoned_torus() : toroid::test::shipped_torus();
    } else if (option == "--zone") {
      config.zone = static_cast<unsigned>(std::stoul(value));
    } else if (option == "--router") {
      config.torus.router = value;
    } else if (option == "--buffer") {
      config.torus.buffer_chunks = static_cast<unsigned>(std::stoul(value));
    } else if (option == "--errors") {
      config.torus.bit_error_rate = std::stod(value);
    } else if (option == "--warm-up") {
      config.warm_up = toroid::Cycle{std::stoull(value)};
    } else if (option == "--measure") {
      config.measure = toroid::Cycle{std::stoull(value)};
    } else if (option == "--fill") {
      config.fill_hops = std::stoull(value);
    } else if (option == "--seed") {
      config.seed = std::stoull(value);
    } else {
      usage("no option " + option);
    }
  }
  // The same without packets: what construction costs.
  toroid::TrafficConfig empty = config;
  empty.load = 0;
  empty.fill_hops = 0;
  empty.warm_up = 0;
  empty.measure = 1;
  const double start = cpu_seconds();
  toroid::run_traffic(empty);
  const double built = cpu_seconds();
  const toroid::TrafficResult result = toroid::run_traffic(config);
  const double elaborate = built - start;
  const double run = cpu_seconds() - built - elaborate;
  std::printf(
      "{\"shape\": \"%s\", \"pattern\": \"%s\", \"hops\": %llu, \"hops_per_second\": %.0f, \"events_per_hop\": %.2f, "
      "\"elaborate_seconds\": %.3f, \"run_seconds\": %.3f, \"cycles\": %llu, \"bytes_per_router\": %.0f, "
      "\"offered\": %.4f, \"accepted\": %.4f, \"latency_mean\": %.1f, \"latency_p99\": %llu, \"link_load_max\": %.3f, "
      "\"hops_mean\": %.3f, \"drained\": %s, \"stuck\": %s, \"digest\": \"%016llx\"}\n",
      config.shape.text().c_str(), config.pattern.c_str(), static_cast<unsigned long long>(result.hops),
      static_cast<double>(result.hops) / run,
      static_cast<double>(result.wheel_events) / static_cast<double>(result.hops ? result.hops : 1), elaborate, run,
      static_cast<unsigned long long>(result.cycles), result.memory_per_router, result.offered_share,
      result.accepted_share, result.latency_mean, static_cast<unsigned long long>(result.latency_p99),
      result.link_load_max, result.hops_mean, result.drained ? "true" : "false", result.stuck ? "true" : "false",
      static_cast<unsigned long long>(result.digest));
  if (result.stuck) std::fputs(result.stuck_report.c_str(), stderr);
  return 0;
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  try {
    return bench(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "toroid-bench-network: %s\n", error.what());
    return 2;
  }
}
