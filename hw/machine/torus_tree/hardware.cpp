// SPDX-License-Identifier: Apache-2.0
#include "hw/machine/torus_tree/hardware.h"

#include <utility>

#include "hw/machine/sections.h"
#include "hw/machine/torus_tree/held_up.h"
#include "hw/machine/torus_tree/sections.h"
#include "torus/base/clock.h"
#include "torus/base/random.h"
#include "torus/tree/classes.h"

namespace toroid {
namespace {

constexpr std::uint64_t kTreeStream = 0x7472'6565;  // random choices of the tree's own

}  // namespace

TorusTreeHardware::TorusTreeHardware(const TorusTreeConfig& config, const BuildRequest& request)
    : torus_(wheel_, config.torus, request.topology, request.seed),
      tree_(wheel_, config.tree, request.topology, mix(request.seed, kTreeStream)),
      global_interrupts_(wheel_, config.global_interrupts, tree_.topology()),
      clock_("network_clock", wheel_, config.torus.clock_mhz) {}

void TorusTreeHardware::complete(const TorusTreeConfig& config, const BuildRequest& request, const TreeClasses& classes,
                                 JobDirectory& directory, OutputSink& output) {
  dead_ends_.resize(topology().nodes());
  for (std::uint32_t number = 0; number < topology().nodes(); ++number) {
    if (node(number) == nullptr) dead_ends_[number] = std::make_unique<DeadEnd>(torus_, number, clock_);
  }
  std::vector<bool> members(tree_.topology().nodes(), false);
  for (const std::uint32_t number : request.node_of_rank) members[number] = true;
  tree_.set_class(classes.reduction, tree_reduction_class(tree_.topology(), members));
  tree_.set_class(classes.broadcast, tree_broadcast_class(tree_.topology(), members));
  global_interrupts_.start();
  io_ = std::make_unique<IoNodes>(tree_, config.io_node, request.node_of_rank, directory, output);
}

std::uint32_t TorusTreeHardware::processing_set(std::uint32_t node) const {
  return tree_.topology().io_node_of(node) - tree_.topology().compute_nodes();
}

void TorusTreeHardware::on_stuck(std::function<void()> call) {
  torus_.progress().set_on_stuck(call);
  tree_.progress().set_on_stuck(std::move(call));
}

bool TorusTreeHardware::calls_under_way() const {
  return io_->busy() || (tree_.in_flight() != 0 && !tree_.progress().stuck());
}

void TorusTreeHardware::settle() {
  clock_.sync_to(sc_core::sc_time_stamp());
  io_->drain();
}

std::string TorusTreeHardware::unmoved_text() const {
  return toroid::unmoved_text(torus_, tree_);
}

std::string TorusTreeHardware::held_up_text(Ending ending) const {
  std::vector<const GlobalInterruptChannels*> channels(topology().nodes(), nullptr);
  for (std::uint32_t number = 0; number < channels.size(); ++number) {
    if (const TorusTreeNode* const here = node(number)) channels[number] = &here->barrier_channels();
  }
  return toroid::held_up_text(torus_, tree_, channels, ending);
}

std::vector<PendingWork> TorusTreeHardware::pending_work() const {
  std::vector<PendingWork> work;
  for (std::uint32_t number = 0; number < topology().nodes(); ++number) {
    const PendingWorkSource* source = node(number);
    if (source == nullptr) source = dead_ends_[number].get();
    for (PendingWork& each : source->pending_work(name_of(number))) work.push_back(std::move(each));
  }
  return work;
}

void TorusTreeHardware::report_torus(MachineReport& report) const {
  report.sections["network"] =
      network_section(torus_, cycle_begun(sc_core::sc_time_stamp(), torus_.config().clock_mhz));
}

void TorusTreeHardware::report_tree(MachineReport& report, Ending ending) const {
  std::vector<const TreeFifoDevice*> devices;
  for (std::uint32_t number = 0; number < topology().nodes(); ++number) {
    if (const TorusTreeNode* const here = node(number)) devices.push_back(&here->tree());
  }
  const TreeSections sections(tree_, std::move(devices), *io_, ending);
  report.sections["tree"] = sections.tree();
  report.sections["io_nodes"] = sections.io_nodes(torus_.config().clock_mhz);
  if (const std::string left = sections.left_over_text(); !report.wrong && !left.empty()) report.wrong = left;
}

}  // namespace toroid
