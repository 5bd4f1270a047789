// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgl/bgl_chip.h"

#include <string>

#include "hw/io/tree/io_dcrs.h"
#include "hw/io/tree/io_packet.h"
#include "hw/kernel/kernel_abi.h"
#include "nic/bgl/addresses.h"
#include "nic/bgl/bic_regs.h"
#include "nic/bgl/global_interrupt_regs.h"
#include "nic/bgl/kernel_services.h"
#include "nic/bgl/lockbox_regs.h"
#include "nic/bgl/sram_regs.h"
#include "nic/bgl/torus_regs.h"
#include "nic/collective/tree_regs.h"

namespace toroid {

namespace {

constexpr std::uint32_t kTorusWindow = BGL_TORUS_GROUP_COUNT * BGL_TORUS_GROUP_STRIDE;
// A whole page, the least that a core can send to the bus; the lockbox refuses what is behind the locks.
constexpr std::uint32_t kLockboxWindow = 4096;
// Of the four channels, the last two are the system's (BGL_GlobalIntSPI.h).
constexpr unsigned kUserChannels = 2;
// The user view alone: user code cannot reach the system view.
constexpr std::uint32_t kGlobalInterruptBase = BGL_GI_BASE + BGL_GI_GROUP_STRIDE;
constexpr std::uint32_t kGlobalInterruptWindow = 4096;
static_assert(TOROID_INTERRUPT_TORUS == BGL_BIC_DCR_PENDING_TORUS_MASK &&
                  TOROID_INTERRUPT_TREE == BGL_BIC_DCR_PENDING_TREE_MASK &&
                  TOROID_INTERRUPT_GLOBAL == BGL_BIC_DCR_PENDING_GLOBAL_MASK,
              "the kernel's groups are the interrupt controller's");
static_assert(BGL_LOCKBOX_GROUP_COUNT * BGL_LOCKBOX_GROUP_STRIDE <= kLockboxWindow);

// A page for each virtual channel.
constexpr std::uint32_t kTreeWindow = 4096;
constexpr std::uint32_t kTreeWindows[] = {BGL_TREE_BASE, BGL_TREE_BASE + TREE_GROUP_STRIDE};

}  // namespace

BglChip::BglChip(const sc_core::sc_module_name& name, const BglChipConfig& config, TorusNetwork& network,
                 TreeNetwork& tree, GlobalInterrupts& global_interrupts, std::uint32_t node, NetworkClock& clock)
    : sc_module(name),
      memory_("memory", config.memory.bytes),
      cores_{std::make_unique<Core>("core", config.core, memory_, 0),
             std::make_unique<Core>("core1", config.core, memory_, 1)},
      bus_("bus", {{"torus", BGL_TORUS_BASE, kTorusWindow},
                   {"lockbox", BGL_LOCKBOX_BASE, kLockboxWindow},
                   {"sram", BGL_SRAM_BASE, BGL_SRAM_DATA_BYTES},
                   {"tree_vc0", kTreeWindows[0], kTreeWindow},
                   {"tree_vc1", kTreeWindows[1], kTreeWindow},
                   {"global_interrupts", kGlobalInterruptBase, kGlobalInterruptWindow}}),
      torus_("torus", config.torus_fifo, network, node, clock),
      tree_("tree", {BGL_TREE_BASE, BGL_TREE_DCR_BASE}, tree, node, clock),
      io_(kTreeWindows[kIoVc], node, tree.topology().io_node_of(node), tree.config().fifo_packets),
      sram_("sram", BGL_SRAM_BASE, BGL_SRAM_DATA_BYTES),
      lockbox_("lockbox"),
      global_interrupts_("global_interrupts", global_interrupts, node, clock),
      interrupt_controller_("interrupt_controller", interrupt_groups(clock)),
      torus_port_("torus_port", network.router(node)) {
  if (config.check_coherence) coherence_ = std::make_unique<CoherenceChecker>();
  for (const std::unique_ptr<Core>& core : cores_) {
    if (coherence_) core->observe(*coherence_);
    core->bus.bind(bus_.in);
    core->add_device(BGL_TORUS_BASE, kTorusWindow, &torus_, config.packet_access);
    for (unsigned vc = 0; vc < TREE_VCS; ++vc)
      core->add_device(kTreeWindows[vc], kTreeWindow, &tree_, config.packet_access, vc == kIoVc);
    core->add_device(BGL_LOCKBOX_BASE, kLockboxWindow, &lockbox_, config.lockbox_access);
    core->add_device(BGL_SRAM_BASE, BGL_SRAM_DATA_BYTES, &sram_, config.sram_access);
    core->add_device(kGlobalInterruptBase, kGlobalInterruptWindow, &global_interrupts_, config.global_interrupt_access);
  }
  for (const std::unique_ptr<Core>& core : cores_) core->set_interrupt_line(interrupt_controller_);
  bus_.out(0).bind(torus_.bus_in);
  bus_.out(1).bind(lockbox_.bus_in);
  bus_.out(2).bind(sram_.bus);
  bus_.out(3).bind(tree_.bus_in);
  bus_.out(4).bind(tree_.bus_in);
  bus_.out(5).bind(global_interrupts_.bus_in);
  torus_.injection_out.bind(torus_port_.from_device);
  torus_port_.to_device.bind(torus_.reception_in);
  open_barrier_channels();
}

/// Lines are looked at with the networks run up to now.
std::array<InterruptController::Group, InterruptController::kGroups> BglChip::interrupt_groups(NetworkClock& clock) {
  const auto synchronise = [&clock] { clock.sync_to(sc_core::sc_time_stamp()); };
  const auto torus = [this, synchronise] {
    synchronise();
    return torus_.watermark_interrupts();
  };
  const auto tree = [this, synchronise]() -> std::uint32_t {
    synchronise();
    return (tree_.interrupt_requested(0) ? 2u : 0u) | (tree_.interrupt_requested(1) ? 1u : 0u);
  };
  const auto global = [this, synchronise]() -> std::uint32_t {
    synchronise();
    return (global_interrupts_.status() & BGL_GI_STATUS_INTERRUPT_MASK) >> BGL_GI_STATUS_INTERRUPT_SHIFT;
  };
  return {{{torus, &torus_}, {tree, &tree_}, {global, &global_interrupts_}}};
}

/// What the kernel does before a job begins: two channels that user software may use, for AND.
void BglChip::open_barrier_channels() {
  using View = GlobalInterruptDevice::View;
  std::uint32_t permitted = 0;
  for (unsigned channel = 0; channel < kUserChannels; ++channel) {
    permitted |= 8u >> channel;
    global_interrupts_.write(View::system, BGL_GI_TYPE_OFFSET + channel * BGL_GI_TYPE_STRIDE, 1);
  }
  global_interrupts_.write(View::system, BGL_GI_USER_PERMIT_OFFSET, permitted);
}

/// Programs may read them.
bool BglChip::is_kernels_dcr(std::uint32_t number) const {
  return tree_.is_dcr(number) && is_io_dcr(number - BGL_TREE_DCR_BASE);
}

std::optional<std::uint32_t> BglChip::read_dcr(std::uint32_t number) {
  sc_core::sc_time delay;
  std::string reason;
  std::uint32_t value = 0;
  if (InterruptController::is_dcr(number)) return interrupt_controller_.read_dcr(number);
  const bool good = tree_.is_dcr(number) ? tree_.read_dcr(number, value, delay, reason)
                                         : torus_.read_dcr(number, value, delay, reason);
  if (good) return value;
  refused_.add(std::move(reason));
  return std::nullopt;
}

std::optional<std::uint32_t> BglChip::peek_dcr(std::uint32_t number) {
  if (InterruptController::is_dcr(number)) return interrupt_controller_.read_dcr(number);
  return tree_.is_dcr(number) ? tree_.peek_dcr(number) : torus_.peek_dcr(number);
}

std::string BglChip::name_of_dcr(std::uint32_t number) const {
  if (InterruptController::is_dcr(number)) return "interrupt controller (docs/reference/bgl_bic_registers.md)";
  return tree_.is_dcr(number) ? "tree (docs/reference/collective_tree_registers.md)"
                              : "torus (docs/reference/torus_dcr_registers.md)";
}

bool BglChip::write_dcr(std::uint32_t number, std::uint32_t value) {
  sc_core::sc_time delay;
  std::string reason;
  bool good = false;
  if (is_kernels_dcr(number)) {
    reason = "write of " + dcr_text(number) + ", which is the kernel's";
  } else if (InterruptController::is_dcr(number)) {
    good = interrupt_controller_.write_dcr(number, value);
    reason = "write of " + std::to_string(value) + " to " + dcr_text(number) + " of the interrupt controller";
  } else {
    interrupt_controller_.settings_changed();  // watermarks may be
    good = tree_.is_dcr(number) ? tree_.write_dcr(number, value, delay, reason)
                                : torus_.write_dcr(number, value, delay, reason);
  }
  if (!good) refused_.add(std::move(reason));
  return good;
}

std::vector<PendingWork> BglChip::pending_work(const std::string& node) const {
  std::vector<PendingWork> work;
  const PendingWorkSource* const sources[] = {&torus_, &tree_, &lockbox_, &interrupt_controller_, &refused_};
  for (const PendingWorkSource* source : sources) {
    for (PendingWork& each : source->pending_work(node)) work.push_back(std::move(each));
  }
  return work;
}

}  // namespace toroid
