// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgp/bgp_chip.h"

#include "hw/io/tree/io_dcrs.h"
#include "hw/io/tree/io_packet.h"
#include "nic/bgp/addresses.h"
#include "nic/bgp/dma_regs.h"
#include "nic/bgp/global_interrupt_regs.h"
#include "nic/bgp/kernel_services.h"
#include "nic/collective/tree_regs.h"

namespace toroid {

namespace {

// A page for each virtual channel.
constexpr std::uint32_t kTreeWindow = 4096;
constexpr std::uint64_t kTreeWindows[] = {BGP_TREE_BASE, std::uint64_t{BGP_TREE_BASE} + TREE_GROUP_STRIDE};
constexpr std::uint32_t kTreeShown[] = {BGP_VA_TREE0, BGP_VA_TREE1};

constexpr std::uint32_t kDmaWindow = BGP_DMA_GROUP_COUNT * BGP_DMA_GROUP_STRIDE;
static_assert(BGP_VA_DMA_GROUP_STRIDE == BGP_DMA_GROUP_STRIDE);

// Control registers that programs reach by instructions lie above all physical addresses.
constexpr std::uint64_t kControlBase = std::uint64_t{1} << 36;
constexpr std::uint32_t kControlRegisters = 0x1000;

constexpr unsigned kUserChannel = 0;  // of the global interrupts: the application's barrier

constexpr std::uint32_t kMemoryLine = 128;  // of L3, after which masters take turns

std::unique_ptr<Core> make_core(const CoreConfig& config, NodeMemory& memory, unsigned number) {
  return std::make_unique<Core>(("core" + std::to_string(number)).c_str(), config, memory, number);
}

MemoryArbiterConfig arbiter_config(const BgpChipConfig& config) {
  const double bytes_per_second = config.memory.bytes_per_cycle * 1e6 * config.core.clock_mhz;
  return {static_cast<std::uint64_t>(bytes_per_second), kMemoryLine, ByteOrder::big};
}

}  // namespace

BgpChip::BgpChip(const sc_core::sc_module_name& name, const BgpChipConfig& config, TorusNetwork& network,
                 TreeNetwork& tree, GlobalInterrupts& global_interrupts, RankIndex& ranks, const NodeFacts& facts,
                 NetworkClock& clock)
    : sc_module(name),
      memory_("memory", config.memory.bytes),
      watched_("watched_memory", memory_),
      arbiter_("memory_arbiter", memory_, watched_, arbiter_config(config)),
      cores_{make_core(config.core, memory_, 0), make_core(config.core, memory_, 1), make_core(config.core, memory_, 2),
             make_core(config.core, memory_, 3)},
      bus_("bus", {{"memory", 0, config.memory.bytes},
                   {"tree_vc0", kTreeWindows[0], kTreeWindow},
                   {"tree_vc1", kTreeWindows[1], kTreeWindow},
                   {"sram", BGP_SRAM_BASE, BGP_SRAM_BYTES},
                   {"dma", BGP_DMA_BASE, kDmaWindow},
                   {"lockbox", BGP_LOCKBOX_BASE, CounterLockbox::kBytes},
                   {"control_registers", kControlBase, std::uint64_t{4} * kControlRegisters}}),
      dma_("dma", config.dma, network, facts.node, clock),
      tree_("tree", {BGP_TREE_BASE, BGP_TREE_DCR_BASE}, tree, facts.node, clock),
      io_(kTreeShown[kIoVc], facts.node, tree.topology().io_node_of(facts.node), tree.config().fifo_packets),
      sram_("sram", BGP_SRAM_BASE, BGP_SRAM_BYTES),
      lockbox_("lockbox", BGP_LOCKBOX_BASE),
      global_interrupts_("global_interrupts", kControlBase, global_interrupts, facts.node, clock),
      interrupts_("interrupts", interrupt_sources(clock)),
      torus_port_("torus_port", network.router(facts.node)),
      events_({cores_[0].get(), cores_[1].get(), cores_[2].get(), cores_[3].get()}, dma_, tree_, network, facts.node,
              clock),
      kernel_(facts, dma_, lockbox_, interrupts_, ranks, events_) {
  bus_.out(0).bind(watched_.bus);
  bus_.out(1).bind(tree_.bus_in);
  bus_.out(2).bind(tree_.bus_in);
  bus_.out(3).bind(sram_.bus);
  bus_.out(4).bind(dma_.bus_in);
  bus_.out(5).bind(lockbox_.bus_in);
  bus_.out(6).bind(global_interrupts_.bus_in);
  dma_.connect_memory(arbiter_.add_master(dma_.reader()), arbiter_.add_master(dma_.writer()));
  dma_.injection_out.bind(torus_port_.from_device);
  torus_port_.to_device.bind(dma_.reception_in);
  for (const std::unique_ptr<Core>& core : cores_) add_devices(*core, config);
  open_barrier_channel();
}

void BgpChip::add_devices(Core& core, const BgpChipConfig& config) {
  core.bus.bind(bus_.in);
  core.set_interrupt_line(interrupts_);
  core.set_watched_memory(watched_, config.sram_access);
  core.set_memory_writes(arbiter_);
  core.set_memory_readers(readers_);
  for (unsigned vc = 0; vc < TREE_VCS; ++vc)
    core.add_device(kTreeShown[vc], kTreeWindow, &tree_, config.packet_access, vc == kIoVc, kTreeWindows[vc]);
  core.add_device(BGP_VA_SRAM, BGP_SRAM_BYTES, &sram_, config.sram_access, false, BGP_SRAM_BASE);
  core.add_device(BGP_VA_LOCKBOX, CounterLockbox::kBytes, &lockbox_, config.lockbox_access, false, BGP_LOCKBOX_BASE);
  for (unsigned group = 0; group < BGP_DMA_GROUP_COUNT; ++group) {
    const std::uint32_t page = group * BGP_DMA_GROUP_STRIDE;
    core.add_device(BGP_VA_DMA + page, BGP_DMA_GROUP_STRIDE, &dma_.group(group), config.dma_access, false,
                    std::uint64_t{BGP_DMA_BASE} + page);
  }
  core.add_control_registers(kControlBase, kControlRegisters, &global_interrupts_, config.global_interrupt_access);
}

/// Lines are looked at with the networks run up to now.
std::vector<InterruptRouter::Source> BgpChip::interrupt_sources(NetworkClock& clock) {
  constexpr unsigned kFirstOfDma = 1, kLastOfDma = 3, kGlobal = 4, kTree = 5;
  constexpr unsigned kFirstChannel = 12;           // line of the group
  constexpr std::uint32_t kRequests = 0x00000C00;  // lines 20, 21: a packet that asks for an interrupt, of VC0, VC1
  std::vector<InterruptRouter::Source> sources;
  for (unsigned group = kFirstOfDma; group <= kLastOfDma; ++group)
    sources.push_back({group, [this, group] { return dma_.interrupts(group); }, &dma_.interrupt_source()});
  sources.push_back({kGlobal,
                     [this, &clock] {
                       clock.sync_to(sc_core::sc_time_stamp());
                       return global_interrupts_.channels().interrupts() << (32 - kFirstChannel - 4);
                     },
                     &global_interrupts_});
  sources.push_back({kTree,
                     [this, &clock] {
                       clock.sync_to(sc_core::sc_time_stamp());
                       return (tree_.interrupt_requested(0) ? kRequests & ~(kRequests >> 1) : 0) |
                              (tree_.interrupt_requested(1) ? kRequests & ~(kRequests << 1) : 0);
                     },
                     &tree_});
  return sources;
}

/// What the kernel does before a job begins: a channel that programs may use, for AND.
void BgpChip::open_barrier_channel() {
  using View = GlobalInterruptDcr::View;
  global_interrupts_.write(View::system, BGP_GI_DCR_BASE + BGP_GI_DCR_TYPE_OFFSET + kUserChannel, 1);
  global_interrupts_.write(View::system, BGP_GI_DCR_BASE + BGP_GI_DCR_USER_PERMIT_OFFSET,
                           GlobalInterruptChannels::bit(kUserChannel));
}

/// What the kernel's own calls to the I/O node depend on, and what it gives processes of the DMA: programs may read it.
bool BgpChip::is_kernels_dcr(std::uint32_t number) const {
  if (tree_.is_dcr(number)) return is_io_dcr(number - BGP_TREE_DCR_BASE);
  if (number < BGP_DMA_DCR_BASE) return false;
  const unsigned offset = number - BGP_DMA_DCR_BASE;
  const bool fatal =
      offset >= BGP_DMA_DCR_FATAL_ENABLE_INJECTION_OFFSET && offset <= BGP_DMA_DCR_FATAL_ENABLE_MEMORY_OFFSET;
  return !fatal && offset != BGP_DMA_DCR_FATAL_CLEAR_OFFSET && offset != BGP_DMA_DCR_FATAL_CLEAR_LINK_OFFSET;
}

std::optional<std::uint32_t> BgpChip::read_dcr(std::uint32_t number) {
  if (GlobalInterruptDcr::is_dcr(number)) return global_interrupts_.status();
  sc_core::sc_time delay;
  std::string reason;
  std::uint32_t value = 0;
  const bool good =
      tree_.is_dcr(number) ? tree_.read_dcr(number, value, delay, reason) : dma_.read_dcr(number, value, delay, reason);
  if (good) return value;
  refused_.add(std::move(reason));
  return std::nullopt;
}

bool BgpChip::write_dcr(std::uint32_t number, std::uint32_t value) {
  sc_core::sc_time delay;
  std::string reason;
  bool good = false;
  if (is_kernels_dcr(number)) {
    reason = "write of " + dcr_text(number) + ", which is the kernel's";
  } else if (GlobalInterruptDcr::is_dcr(number)) {
    reason = global_interrupts_.write(GlobalInterruptDcr::View::user, number, value);
    good = reason.empty();
  } else {
    good = tree_.is_dcr(number) ? tree_.write_dcr(number, value, delay, reason)
                                : dma_.write_dcr(number, value, delay, reason);
  }
  if (!good) refused_.add(std::move(reason));
  return good;
}

std::optional<std::uint32_t> BgpChip::peek_dcr(std::uint32_t number) {
  if (GlobalInterruptDcr::is_dcr(number)) return global_interrupts_.status();
  return tree_.is_dcr(number) ? tree_.peek_dcr(number) : dma_.peek_dcr(number);
}

std::string BgpChip::name_of_dcr(std::uint32_t number) const {
  if (GlobalInterruptDcr::is_dcr(number)) return "global interrupts (docs/reference/bgp_global_interrupt_registers.md)";
  if (tree_.is_dcr(number)) return "tree (docs/reference/collective_tree_registers.md)";
  return number >= BGP_DMA_DCR_BASE ? "DMA (docs/reference/bgp_dma_registers.md)"
                                    : "torus (docs/reference/torus_dcr_registers.md)";
}

std::string BgpChip::help() const {
  return "monitor dma               what the node's DMA does, and the FIFOs that it has\n"
         "monitor dma fifo inj|rec GROUP NUMBER\n"
         "                          a FIFO of the DMA; number 8 of a reception group is its header FIFO\n"
         "monitor dma counter inj|rec GROUP NUMBER\n"
         "                          a counter of the DMA\n";
}

std::optional<std::string> BgpChip::answer(const std::vector<std::string>& words) const {
  if (words.empty() || words.front() != "dma") return std::nullopt;
  const auto text = dma_.describe({words.begin() + 1, words.end()});
  return text ? text : "there is no such FIFO or counter; groups are 0 to 3\n" + help();
}

std::vector<PendingWork> BgpChip::pending_work(const std::string& node) const {
  std::vector<PendingWork> work;
  const PendingWorkSource* const sources[] = {&dma_, &tree_, &interrupts_, &refused_};
  for (const PendingWorkSource* source : sources) {
    for (PendingWork& each : source->pending_work(node)) work.push_back(std::move(each));
  }
  return work;
}

}  // namespace toroid
