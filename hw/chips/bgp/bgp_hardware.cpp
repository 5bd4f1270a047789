// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgp/bgp_hardware.h"

#include <utility>

#include "hw/chips/bgp/bgp_report.h"
#include "hw/chips/bgp/dma_recorder.h"
#include "hw/kernel/kernel_abi.h"
#include "hw/machine/held_up.h"
#include "hw/machine/report.h"
#include "hw/trace/network_metadata.h"
#include "nic/bgp/kernel_services.h"
#include "torus/base/random.h"
#include "torus/tree/classes.h"

namespace toroid {
namespace {

constexpr std::uint64_t kTreeStream = 0x7472'6565;  // random choices of the tree's own

std::vector<NodeFacts> facts_of_nodes(const TreeTopology& tree) {
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
  }
  for (NodeFacts& each : facts) each.set_size = size_of(each.node);
  return facts;
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
    : config_(config),
      torus_(wheel_, config.torus, request.topology, request.seed),
      tree_(wheel_, config.tree, request.topology, mix(request.seed, kTreeStream)),
      global_interrupts_(wheel_, config.global_interrupts, tree_.topology()),
      clock_("network_clock", wheel_, config.torus.clock_mhz) {
  const std::vector<NodeFacts> facts = facts_of_nodes(tree_.topology());
  chips_.resize(request.topology.nodes());
  for (const std::uint32_t node : request.nodes) {
    const std::string name = "node" + std::to_string(node);
    chips_[node] = std::make_unique<BgpChip>(name.c_str(), config_.chip, torus_, tree_, global_interrupts_, ranks_,
                                             facts[node], clock_);
  }
  dead_ends_.resize(request.topology.nodes());
  for (std::uint32_t node = 0; node < request.topology.nodes(); ++node) {
    if (chips_[node] == nullptr) dead_ends_[node] = std::make_unique<DeadEnd>(torus_, node, clock_);
  }
  set_tree_classes(request.node_of_rank);
  global_interrupts_.start();
  io_ = std::make_unique<IoNodes>(tree_, config_.io_node, request.node_of_rank, directory, output);
}

// SystemC looks for what goes from the end of its lists on.
BgpHardware::~BgpHardware() {
  while (!chips_.empty()) chips_.pop_back();
}

/// What the kernels of a partition agree on at its start: the classes that user software may use, with all nodes of the
/// job as members.
void BgpHardware::set_tree_classes(const std::vector<std::uint32_t>& node_of_rank) {
  std::vector<bool> members(tree_.topology().nodes(), false);
  for (const std::uint32_t node : node_of_rank) members[node] = true;
  tree_.set_class(TOROID_TREE_CLASS_REDUCTION, tree_reduction_class(tree_.topology(), members));
  tree_.set_class(TOROID_TREE_CLASS_BROADCAST, tree_broadcast_class(tree_.topology(), members));
}

std::uint32_t BgpHardware::processing_set(std::uint32_t node) const {
  return tree_.topology().io_node_of(node) - tree_.topology().compute_nodes();
}

void BgpHardware::on_stuck(std::function<void()> call) {
  torus_.progress().set_on_stuck(call);
  tree_.progress().set_on_stuck(std::move(call));
}

bool BgpHardware::calls_under_way() const {
  return io_->busy() || (tree_.in_flight() != 0 && !tree_.progress().stuck());
}

std::uint64_t BgpHardware::in_flight() const {
  std::uint64_t sum = torus_.in_flight() + tree_.in_flight();
  for (const auto& chip : chips_) sum += chip != nullptr ? chip->dma().in_flight() : 0;
  return sum;
}

void BgpHardware::settle() {
  clock_.sync_to(sc_core::sc_time_stamp());
  io_->drain();
}

std::string BgpHardware::unmoved_text() const {
  return toroid::unmoved_text(torus_, tree_);
}

std::string BgpHardware::held_up_text(Ending ending) const {
  std::vector<const GlobalInterruptChannels*> channels(chips_.size(), nullptr);
  for (std::size_t node = 0; node < chips_.size(); ++node) {
    if (chips_[node] != nullptr) channels[node] = &chips_[node]->global_interrupts();
  }
  return toroid::held_up_text(torus_, tree_, channels, ending);
}

std::vector<PendingWork> BgpHardware::pending_work() const {
  std::vector<PendingWork> work;
  for (std::uint32_t node = 0; node < chips_.size(); ++node) {
    const PendingWorkSource& source = chips_[node] != nullptr
                                          ? static_cast<const PendingWorkSource&>(*chips_[node])
                                          : static_cast<const PendingWorkSource&>(*dead_ends_[node]);
    for (PendingWork& each : source.pending_work(name_of(node))) work.push_back(std::move(each));
  }
  return work;
}

MachineReport BgpHardware::report(const Job&, Ending ending) const {
  return bgp_report(*this, ending);
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
