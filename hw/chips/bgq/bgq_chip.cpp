// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgq/bgq_chip.h"

#include "nic/bgq/kernel_services.h"
#include "nic/bgq/l1p_regs.h"
#include "nic/bgq/mu_layout.h"
#include "nic/bgq/mu_regs.h"
#include "nic/bgq/wu_regs.h"

namespace toroid {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kMuBytes = std::uint64_t{kMuGroups} * 0x10000;
constexpr std::uint64_t kMuDcrBase = BGQ_MU_DCR_BASE & ~(kPage - 1);  // the block begins inside a page
constexpr std::uint64_t kMuDcrBytes = 2 * kPage;

// A core's own units, the prefetcher and behind it the wake-up unit.
constexpr std::uint64_t kPrivateBytes = 2 * kPage;

constexpr std::uint32_t kMemoryLine = 128;  // of the L2, after which masters take turns

MemoryArbiterConfig arbiter_config(const BgqChipConfig& config) {
  const double bytes_per_second = config.memory.bytes_per_cycle * 1e6 * config.core.clock_mhz;
  return {static_cast<std::uint64_t>(bytes_per_second), kMemoryLine, ByteOrder::big};
}

/// Of each process, thread 0 of all its cores, then thread 2, 1 and 3: the kernel's breadth-first order.
std::array<unsigned, BgqChip::kThreads> order_of(unsigned processes) {
  constexpr unsigned kOfACore = BgqNodeKernel::kThreadsOfACore;
  constexpr unsigned kOrder[kOfACore] = {0, 2, 1, 3};
  std::array<unsigned, BgqChip::kThreads> order{};
  const unsigned each = BgqChip::kThreads / processes;
  for (unsigned place = 0; place < BgqChip::kThreads; ++place) {
    const unsigned first = place / each * each, within = place % each, cores = each / kOfACore;
    order[place] = cores == 0 ? place : first + within % cores * kOfACore + kOrder[within / cores];
  }
  return order;
}

}  // namespace

BgqChip::BgqChip(const sc_core::sc_module_name& name, const BgqChipConfig& config, const Networks& networks,
                 IoService& io, std::uint32_t node)
    : sc_module(name),
      memory_("memory", config.memory.bytes),
      watched_("watched_memory", memory_),
      arbiter_("memory_arbiter", memory_, watched_, arbiter_config(config)),
      groups_(kThreads / BgqNodeKernel::kThreadsOfACore, IssueGroup(config.cores_apart)),
      order_(order_of(config.processes)),
      bus_("bus", {{"memory", 0, config.memory.bytes},
                   {"mu", BGQ_MU_BASE, kMuBytes},
                   {"mu_dcr", kMuDcrBase, kMuDcrBytes},
                   {"l2_atomics", BGQ_VA_L2_ATOMICS, L2Window::kBytes},
                   {"l1p", BGQ_L1P_BASE, L1pUnit::kBytes},
                   {"wake_up", BGQ_WU_BASE, kPrivateBytes - L1pUnit::kBytes},
                   {"nd_500_dcr", BGQ_ND_500_BASE, NetworkRegisters::kBytes},
                   {"nd_x2_dcr", BGQ_ND_X2_BASE, NetworkRegisters::kBytes}}),
      mu_("mu", config.mu, networks.torus, MuNetworkMap::of_blue_gene_q(), node, networks.clock),
      torus_port_("torus_port", networks.torus.router(node)),
      barriers_(mu_, networks.interrupts, node, networks.clock),
      wake_up_("wake_up", memory_, watched_, readers_, mu_),
      l1p_("l1p", config.core.memory.prefetch_depth,
           [this](unsigned core, const PrefetchControl& control) {
             for (unsigned i = 0; i < BgqNodeKernel::kThreadsOfACore; ++i)
               threads_[core * BgqNodeKernel::kThreadsOfACore + i]->set_prefetch(control);
           }),
      routes_({networks.collectives, networks.interrupts, mu_, networks.clock, node}, networks.job_route),
      topology_(networks.torus.topology()),
      network_registers_("network_registers", routes_, mu_,
                         networks.torus.topology().minimal_cut_offs(networks.torus.topology().coordinates(node),
                                                                    networks.torus.config().tie_rule)),
      kernel_(mu_, wake_up_, l1p_, routes_),
      l2_("l2_atomics", watched_, kernel_),
      io_(io) {
  readers_.keep_processes_apart();  // a process window can only be read
  bus_.out(0).bind(watched_.bus);
  bus_.out(1).bind(mu_.bus_in);
  bus_.out(2).bind(mu_.bus_in);
  bus_.out(3).bind(l2_.bus);
  bus_.out(4).bind(l1p_.bus);
  bus_.out(5).bind(wake_up_.bus);
  bus_.out(6).bind(network_registers_.bus);
  bus_.out(7).bind(network_registers_.bus);
  for (unsigned port = 0; port < kMuMasters; ++port) mu_.connect_memory(port, arbiter_.add_master(mu_.memory_client()));
  arbiter_.observe(wake_up_);
  l2_.observe(wake_up_);
  mu_.connect_collectives(networks.collectives);
  mu_.injection_out.bind(torus_port_.from_device);
  torus_port_.to_device.bind(mu_.reception_in);
  CoreConfig core = config.core;
  core.threads = config.issue.threads;
  core.reservation_bytes = config.reservation.bytes;
  for (unsigned number = 0; number < kThreads; ++number) {
    threads_[number] = std::make_unique<Core>(("thread" + std::to_string(number)).c_str(), core, memory_, number);
    if (core.threads > 1) threads_[number]->set_issue_group(groups_[number / core.threads]);
    add_devices(*threads_[number], config);
  }
}

void BgqChip::add_devices(Core& core, const BgqChipConfig& config) {
  core.bus.bind(bus_.in);
  core.set_watched_memory(watched_, config.l2_access);
  core.set_memory_writes(arbiter_);
  core.set_memory_readers(readers_);
  core.add_device(BGQ_MU_BASE, kMuBytes, &mu_.pages(), config.mu_access);
  core.add_device(kMuDcrBase, kMuDcrBytes, nullptr, config.mu_access);
  core.add_device(BGQ_VA_L2_ATOMICS, L2Window::kBytes, nullptr, config.l2_access);
  core.set_wake_up_source(wake_up_);
  for (const std::uint64_t va : {std::uint64_t{BGQ_L1P_BASE}, std::uint64_t{BGQ_VA_L1P}})
    core.add_device(va, kPrivateBytes, nullptr, config.wake_up_access, false, BGQ_L1P_BASE);
  core.add_device(BGQ_ND_500_BASE, NetworkRegisters::kBytes, nullptr, config.mu_access);
  core.add_device(BGQ_ND_X2_BASE, NetworkRegisters::kBytes, nullptr, config.mu_access);
}

}  // namespace toroid
