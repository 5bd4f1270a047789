// SPDX-License-Identifier: Apache-2.0
#include "testbench/tests/firmware/collective_double.h"

#include <algorithm>

#include "firmware/tree/stream.h"
#include "nic/bgp/kernel_services.h"

namespace toroid::testing {
namespace {

constexpr unsigned kNobody = ~0u;

}  // namespace

bool CollectiveDouble::is_room(unsigned except) const {
  for (unsigned n = 0; n < nodes_.size(); ++n) {
    if (n != except && nodes_[n].reception.size() == kFifoPackets) return false;
  }
  return true;
}

bool CollectiveDouble::combine() {
  for (const Node& each : nodes_) {
    if (each.injection.empty() || tree_header_class(each.injection.front().header) != TOROID_TREE_CLASS_REDUCTION) {
      return false;
    }
  }
  if (!is_room(kNobody)) return false;
  Packet result = nodes_.front().injection.front();
  for (unsigned n = 1; n < nodes_.size(); ++n) {
    const Packet& other = nodes_[n].injection.front();
    // The network compares opcode and size.
    if ((tree_header_opcode(other.header) != tree_header_opcode(result.header) ||
         tree_header_words(other.header) != tree_header_words(result.header))) {
      errors.emplace_back("packets of different operations meet");
    }
    ::tree_combine(tree_header_opcode(result.header), tree_header_words(result.header), result.payload.data(),
                   other.payload.data());
  }
  for (Node& each : nodes_) {
    each.injection.pop_front();
    each.reception.push_back(result);
    ++packets;
  }
  return true;
}

bool CollectiveDouble::spread() {
  for (unsigned n = 0; n < nodes_.size(); ++n) {
    Node& root = nodes_[n];
    if (root.injection.empty() || tree_header_class(root.injection.front().header) != TOROID_TREE_CLASS_BROADCAST) {
      continue;
    }
    if (!is_room(n)) continue;
    for (unsigned other = 0; other < nodes_.size(); ++other) {
      if (other != n) nodes_[other].reception.push_back(root.injection.front());
    }
    root.injection.pop_front();
    ++packets;
    return true;
  }
  return false;
}

// A level goes to the root and from there past all nodes: so each sees a ring, whatever nearer ones send by then.
bool CollectiveDouble::move_level(unsigned number) {
  Node& each = nodes_[number];
  if (each.rings) {
    each.rings = each.receives = false;
    each.interrupt = each.sends = true;
    each.looked_at_time = 0;
    return true;
  }
  if (each.receives || !each.sends) return false;
  each.receives = true;
  return true;
}

void CollectiveDouble::settle_levels() {
  for (bool moved = true; moved;) {
    moved = false;
    for (unsigned n = 0; n < nodes_.size(); ++n) moved |= move_level(n);
  }
}

void CollectiveDouble::fire(unsigned number) {
  if (nodes_[number].looked_at_time > 1) settle_levels();
  for (unsigned other = 0; other < nodes_.size(); ++other) {
    if (nodes_[other].rings || !nodes_[other].receives) {
      errors.push_back("node " + std::to_string(number) + " fires while node " + std::to_string(other) +
                       " still sees the previous time");
    }
  }
  if (nodes_[number].interrupt) errors.emplace_back("fired with the interrupt set");
  ++fired;
  nodes_[number].sends = false;
  if (std::any_of(nodes_.begin(), nodes_.end(), [](const Node& each) { return each.sends; })) return;
  for (Node& each : nodes_) each.rings = true;
}

bool CollectiveDouble::step(std::mt19937& random) {
  const auto first = static_cast<unsigned>(random() % nodes_.size());
  for (unsigned i = 0; i < nodes_.size(); ++i) {
    if (move_level((first + i) % static_cast<unsigned>(nodes_.size()))) return true;
  }
  return combine() || spread();
}

}  // namespace toroid::testing
