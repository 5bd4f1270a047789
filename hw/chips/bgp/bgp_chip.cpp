// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgp/bgp_chip.h"

#include "hw/io/tree/io_packet.h"
#include "nic/bgp/addresses.h"
#include "nic/bgp/kernel_services.h"
#include "nic/collective/tree_regs.h"

namespace toroid {

namespace {

// A page for each virtual channel.
constexpr std::uint32_t kTreeWindow = 4096;
constexpr std::uint64_t kTreeWindows[] = {BGP_TREE_BASE, std::uint64_t{BGP_TREE_BASE} + TREE_GROUP_STRIDE};
constexpr std::uint32_t kTreeShown[] = {BGP_VA_TREE0, BGP_VA_TREE1};

constexpr std::uint32_t kMemoryLine = 128;  // of L3, after which masters take turns

std::unique_ptr<Core> make_core(const CoreConfig& config, NodeMemory& memory, unsigned number) {
  return std::make_unique<Core>(("core" + std::to_string(number)).c_str(), config, memory, number);
}

MemoryArbiterConfig arbiter_config(const BgpChipConfig& config) {
  const double bytes_per_second = config.memory_bytes_per_cycle * 1e6 * config.core.clock_mhz;
  return {static_cast<std::uint64_t>(bytes_per_second), kMemoryLine, ByteOrder::big};
}

NodeFacts node_facts(const TreeNetwork& tree, std::uint32_t node) {
  NodeFacts facts;
  facts.node = node;
  facts.nodes_per_io_node = tree.config().nodes_per_io_node;
  facts.compute_nodes = tree.topology().compute_nodes();
  return facts;
}

bool is_tree_dcr(std::uint32_t number) {
  constexpr std::uint32_t kBlock = 0x60;  // as far as the tree link capture block
  return number >= BGP_TREE_DCR_BASE && number < BGP_TREE_DCR_BASE + kBlock;
}

}  // namespace

BgpChip::BgpChip(const sc_core::sc_module_name& name, const BgpChipConfig& config, TorusNetwork&, TreeNetwork& tree,
                 GlobalInterrupts&, RankIndex& ranks, std::uint32_t node, NetworkClock& clock)
    : sc_module(name),
      memory_("memory", config.memory_bytes),
      watched_("watched_memory", memory_),
      arbiter_("memory_arbiter", memory_, watched_, arbiter_config(config)),
      cores_{make_core(config.core, memory_, 0), make_core(config.core, memory_, 1), make_core(config.core, memory_, 2),
             make_core(config.core, memory_, 3)},
      bus_("bus", {{"memory", 0, config.memory_bytes},
                   {"tree_vc0", kTreeWindows[0], kTreeWindow},
                   {"tree_vc1", kTreeWindows[1], kTreeWindow},
                   {"sram", BGP_SRAM_BASE, BGP_SRAM_BYTES}}),
      tree_("tree", {BGP_TREE_BASE, BGP_TREE_DCR_BASE}, tree, node, clock),
      io_(kTreeShown[kIoVc], node, tree.topology().io_node_of(node), tree.config().fifo_packets),
      sram_("sram", BGP_SRAM_BASE, BGP_SRAM_BYTES),
      kernel_(node_facts(tree, node), ranks) {
  bus_.out(0).bind(watched_.bus);
  bus_.out(1).bind(tree_.bus_in);
  bus_.out(2).bind(tree_.bus_in);
  bus_.out(3).bind(sram_.bus);
  for (const std::unique_ptr<Core>& core : cores_) add_devices(*core, config);
}

void BgpChip::add_devices(Core& core, const BgpChipConfig& config) {
  core.bus.bind(bus_.in);
  // What the DMA engine writes leaves the caches.
  core.set_watched_memory(watched_, config.sram_access);
  arbiter_.observe(core);
  for (unsigned vc = 0; vc < TREE_VCS; ++vc)
    core.add_device(kTreeShown[vc], kTreeWindow, &tree_, config.packet_access, vc == kIoVc, kTreeWindows[vc]);
  core.add_device(BGP_VA_SRAM, BGP_SRAM_BYTES, &sram_, config.sram_access, false, BGP_SRAM_BASE);
}

std::optional<std::uint32_t> BgpChip::read_dcr(std::uint32_t number) {
  sc_core::sc_time delay;
  std::string reason = "read of " + dcr_text(number) + ", which this node does not have";
  std::uint32_t value = 0;
  if (is_tree_dcr(number) && tree_.read_dcr(number, value, delay, reason)) return value;
  refuse_dcr(std::move(reason));
  return std::nullopt;
}

bool BgpChip::write_dcr(std::uint32_t number, std::uint32_t value) {
  sc_core::sc_time delay;
  std::string reason = "write of " + dcr_text(number) + ", which this node does not have";
  if (is_tree_dcr(number) && tree_.write_dcr(number, value, delay, reason)) return true;
  refuse_dcr(std::move(reason));
  return false;
}

std::optional<std::uint32_t> BgpChip::peek_dcr(std::uint32_t number) {
  return is_tree_dcr(number) ? tree_.peek_dcr(number) : std::nullopt;
}

std::string BgpChip::name_of_dcr(std::uint32_t) const {
  return "tree (docs/reference/collective_tree_registers.md)";
}

void BgpChip::refuse_dcr(std::string reason) {
  ++refused_.number;
  refused_.last = std::move(reason);
  refused_.at = sc_core::sc_time_stamp();
}

std::vector<PendingWork> BgpChip::pending_work(const std::string& node) const {
  std::vector<PendingWork> work = tree_.pending_work(node);
  if (refused_.number != 0) {
    work.push_back({PendingWork::Kind::refused,
                    std::to_string(refused_.number) + (refused_.number == 1 ? " access" : " accesses") + " of " + node +
                        " to device control registers had no effect, with EINVAL; the last: " + refused_.last,
                    refused_.at});
  }
  return work;
}

}  // namespace toroid
