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

/// The interrupt controller of a Blue Gene/L node, as far as its networks go: which device's lines are up, and which
/// groups of them interrupt which core. It keeps no lines of its own, so nothing has to be acknowledged here: the
/// devices' lines are levels, which software takes away where they come from.
class InterruptController : public sc_core::sc_module,
                            public InterruptLine,
                            public PendingWorkSource,
                            private WatchedDevice {
 public:
  static constexpr unsigned kCores = 2;
  static constexpr unsigned kGroups = 3;

  /// A device's lines as of SystemC's present time, and what announces their changes.
  struct Group {
    std::function<std::uint32_t()> lines;
    const WatchedDevice* source;
  };

  /// In the order of the bits of PENDING.
  InterruptController(const sc_core::sc_module_name& name, std::array<Group, kGroups> groups);

  // InterruptLine.
  bool interrupts(unsigned core) override;
  const std::vector<const WatchedDevice*>& sources() const override { return sources_; }

  std::vector<PendingWork> pending_work(const std::string& node) const override;

  static bool is_dcr(std::uint32_t number) { return number - BGL_BIC_DCR_BASE < kRegisters; }
  /// `number` is one of its registers.
  std::uint32_t read_dcr(std::uint32_t number) const;
  /// False where it cannot be written, or not with this value.
  bool write_dcr(std::uint32_t number, std::uint32_t value);
  /// Registers of other devices that decide about lines have been written.
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
