// SPDX-License-Identifier: Apache-2.0
#include "hw/machine/torus_tree/sections.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "hw/io/tree/io_packet.h"
#include "hw/machine/sections.h"
#include "torus/base/clock.h"

namespace toroid {
namespace {

using Json = nlohmann::ordered_json;

constexpr unsigned kProgramVc = 0;  // the other is the kernel's

}  // namespace

TreeSections::TreeSections(const TreeNetwork& network, std::vector<const TreeFifoDevice*> devices, const IoNodes& io,
                           Ending ending)
    : network_(network), devices_(std::move(devices)), io_(io) {
  if (ending != Ending::completed) return;  // packets are in flight
  for (const TreeFifoDevice* device : devices_) {
    for (const TreeLeftOver& left : device->left_over(kProgramVc)) left_over_.push_back(left);
  }
  for (const TreeLeftOver& left : tree_left_over(network_, kProgramVc)) left_over_.push_back(left);
}

Json TreeSections::left_over_section() const {
  Json section = Json::array();
  for (const TreeLeftOver& left : left_over_) {
    const bool known = left.where != TreeLeftOver::Where::link;
    section.push_back({{"where", name_of(left.where)},
                       {"node", known ? Json(left.node) : Json(nullptr)},
                       {"class", known ? Json(left.route_class) : Json(nullptr)},
                       {"packets", left.packets},
                       {"text", tree_left_over_text(network_.topology(), left)}});
  }
  return section;
}

Json TreeSections::tree() const {
  std::uint64_t injected = 0;
  std::uint64_t delivered = 0;
  std::uint64_t io = 0;
  for (const TreeFifoDevice* device : devices_) {
    const TreeFifoCounters& counters = device->counters();
    injected += counters.packets_injected[kProgramVc];
    delivered += counters.packets_received[kProgramVc];
    io += counters.packets_injected[kIoVc];
  }
  for (const auto& io_node : io_.nodes()) io += io_node->traffic().reply_packets;
  const TreeLinkCounters links = network_.links();
  return {{"packets_injected", injected},
          {"packets_delivered", delivered},
          {"io_packets", io},
          {"packet_hops", network_.hops()},
          {"damaged_frames", links.damaged},
          {"nacks", links.nacks},
          {"nack_timeouts", links.timeouts},
          {"retransmissions", links.retransmissions},
          {"left_over", left_over_section()}};
}

Json TreeSections::io_nodes(unsigned clock_mhz) const {
  Json section = Json::array();
  for (const auto& io_node : io_.nodes()) {
    Json object = {{"tree_address", io_node->node()}, {"ranks", io_.ranks_of(io_node->node())}};
    object.update(io_section(io_node->traffic()));
    object["longest_queue"] = io_node->longest_queue();
    object["busy_ns"] = time_of(io_node->busy_cycles(), clock_mhz).value() / 1000;
    section.push_back(std::move(object));
  }
  return section;
}

std::string TreeSections::left_over_text() const {
  if (left_over_.empty()) return {};
  return "packets were left in the tree and not received: " +
         tree_left_over_text(network_.topology(), left_over_.front()) + (left_over_.size() > 1 ? ", and more" : "");
}

}  // namespace toroid
