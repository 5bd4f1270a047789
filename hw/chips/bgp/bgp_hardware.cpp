// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgp/bgp_hardware.h"

#include <nlohmann/json.hpp>
#include <string>

#include "hw/chips/bgp/dma_recorder.h"
#include "hw/trace/network_metadata.h"
#include "nic/bgp/kernel_services.h"

namespace toroid {
namespace {

std::vector<NodeFacts> facts_of_nodes(const TreeNetwork& network) {
  const TreeTopology& tree = network.topology();
  std::vector<NodeFacts> facts(tree.compute_nodes());
  std::vector<std::uint32_t> sizes(tree.io_nodes());
  const auto size_of = [&](std::uint32_t node) -> std::uint32_t& {
    return sizes[tree.io_node_of(node) - tree.compute_nodes()];
  };
  for (std::uint32_t node = 0; node < facts.size(); ++node) {
    facts[node].node = node;
    facts[node].compute_nodes = tree.compute_nodes();
    facts[node].processing_sets = tree.io_nodes();
    facts[node].rank_in_set = size_of(node)++;
    facts[node].tree = &network.router(node);
  }
  for (NodeFacts& each : facts) each.set_size = size_of(each.node);
  return facts;
}

/// What all DMA engines have done.
nlohmann::ordered_json dma_section(const std::vector<std::unique_ptr<BgpChip>>& chips) {
  DmaCounters sum;
  for (const auto& chip : chips) {
    if (chip != nullptr) sum += chip->dma().counters();
  }
  return {{"descriptors", sum.descriptors},
          {"messages", sum.messages},
          {"packets_injected", sum.packets_injected},
          {"packets_received", sum.packets_received},
          {"packets_local", sum.packets_local},
          {"bytes_read", sum.bytes_read},
          {"bytes_written", sum.bytes_written},
          {"remote_gets", sum.remote_gets},
          {"waits_for_fifo", sum.waits_for_fifo},
          {"counter_errors", sum.counter_errors},
          {"refused", sum.refused},
          {"bad_access", sum.bad_access}};
}

/// Records the packets of both networks, and what makes those of the torus.
class BgpTrace final : public NetworkTrace {
 public:
  BgpTrace(TorusNetwork& torus, TreeNetwork& tree, trace::Writer& writer, bool contents)
      : packets_(torus, tree, writer, contents), dma_(writer, torus.config().clock_mhz) {}
  DmaRecorder& dma() { return dma_; }

 private:
  TorusAndTreeTrace packets_;
  DmaRecorder dma_;
};

}  // namespace

BgpHardware::BgpHardware(const BgpConfig& config, const BuildRequest& request, JobDirectory& directory,
                         OutputSink& output)
    : TorusTreeHardware(config, request), config_(config), chips_(request.topology.nodes()) {
  const std::vector<NodeFacts> facts = facts_of_nodes(tree_);
  for (const std::uint32_t node : request.nodes) {
    const std::string name = "node" + std::to_string(node);
    chips_[node] = std::make_unique<BgpChip>(name.c_str(), config_.chip, torus_, tree_, global_interrupts_, ranks_,
                                             facts[node], clock_);
  }
  complete(config_, request, {TOROID_TREE_CLASS_REDUCTION, TOROID_TREE_CLASS_BROADCAST}, directory, output);
}

std::uint64_t BgpHardware::in_flight() const {
  std::uint64_t sum = TorusTreeHardware::in_flight();
  for (const auto& chip : chips_) sum += chip != nullptr ? chip->dma().in_flight() : 0;
  return sum;
}

MachineReport BgpHardware::report(const Job&, Ending ending) const {
  MachineReport report;
  report.sections["coherence"] = nullptr;  // caches are coherent
  report_torus(report);
  report.sections["dma"] = dma_section(chips_);
  report_tree(report, ending);
  return report;
}

void BgpHardware::describe_trace(nlohmann::ordered_json& metadata) const {
  metadata["network_mhz"] = torus_.config().clock_mhz;
  metadata["torus"] = torus_metadata(torus_, TorusHeader::dma);
  metadata["tree"] = tree_metadata(tree_);
}

std::unique_ptr<NetworkTrace> BgpHardware::record(trace::Writer& writer, bool contents) {
  auto trace = std::make_unique<BgpTrace>(torus_, tree_, writer, contents);
  for (const auto& chip : chips_) {
    if (chip != nullptr) chip->dma().observe(&trace->dma());
  }
  return trace;
}

}  // namespace toroid
