// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <systemc>
#include <vector>

#include "nic/bgl/bic_regs.h"
#include "nic/common/change_log.h"
#include "nic/common/interrupt_line.h"
#include "nic/common/pending_work.h"

namespace toroid {

/// The interrupt controller of a Blue Gene/L node, for the interrupts of its networks: which device's lines are up, and
/// which groups of them interrupt which core. It stores no lines, so nothing has to be acknowledged here: the lines are
/// levels, which software clears in the devices.
class InterruptController : public sc_core::sc_module,
                            public InterruptLine,
                            public PendingWorkSource,
                            private WatchedDevice {
 public:
  static constexpr unsigned kCores = 2;
  static constexpr unsigned kGroups = 3;

  /// A device's lines at SystemC's present time, and the device that announces their changes.
  struct Group {
    std::function<std::uint32_t()> lines;
    const WatchedDevice* source;
  };

  /// In the order of the bits of PENDING.
  InterruptController(const sc_core::sc_module_name& name, std::array<Group, kGroups> groups);

  // InterruptLine.
  std::uint32_t interrupts(unsigned core) override;
  bool may_interrupt(unsigned core) const override { return enabled_[core] != 0; }
  bool enable(unsigned core, std::uint32_t groups) override;
  const std::vector<const WatchedDevice*>& sources() const override { return sources_; }

  std::vector<PendingWork> pending_work(const std::string& node) const override;

  static bool is_dcr(std::uint32_t number) { return number - BGL_BIC_DCR_BASE < kRegisters; }
  /// `number` is one of its registers.
  std::uint32_t read_dcr(std::uint32_t number) const;
  /// Returns false if the register cannot be written, or not with this value.
  bool write_dcr(std::uint32_t number, std::uint32_t value);
  /// Called after writes to registers of other devices that affect lines.
  void settings_changed();

 private:
  static constexpr std::uint32_t kRegisters = BGL_BIC_DCR_ENABLE_OFFSET + kCores;

  std::uint32_t pending() const;

  // WatchedDevice: the settings.
  bool is_pure_read(std::uint64_t) const override { return false; }
  const sc_core::sc_event& changed() const override { return changes_.changed(); }
  sc_core::sc_time last_change() const override { return changes_.last(); }

  const std::array<Group, kGroups> groups_;
  std::vector<const WatchedDevice*> sources_;
  ChangeLog changes_;
  std::array<std::uint32_t, kCores> enabled_{};
};

}  // namespace toroid
