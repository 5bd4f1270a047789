// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <systemc>
#include <vector>

#include "nic/common/change_log.h"
#include "nic/common/interrupt_line.h"
#include "nic/common/pending_work.h"

namespace toroid {

/// The interrupt controller (BIC) of a Blue Gene/P node: 10 groups of 32 lines, each of which interrupts no core, one,
/// or all of them. Lines are levels that software clears in the devices; those of group 0 are raised here, by cores for
/// each other. Its registers are the kernel's alone, so it has none on the bus.
class InterruptRouter : public sc_core::sc_module,
                        public InterruptLine,
                        public PendingWorkSource,
                        private WatchedDevice {
 public:
  SC_HAS_PROCESS(InterruptRouter);
  static constexpr unsigned kCores = 4, kGroups = 10, kLines = 32;
  static constexpr unsigned kBetweenCores = 0;  ///< group of the lines that cores raise

  /// Lines of a group at SystemC's present time, line 0 the most significant bit; and what announces their changes.
  /// Several sources may have lines of one group.
  struct Source {
    unsigned group;
    std::function<std::uint32_t()> lines;
    const WatchedDevice* device;
  };
  /// A line of a group, as the kernel's calls number them: group x 32 + line.
  struct Interrupt {
    unsigned group;
    unsigned line;
    unsigned number() const { return group * kLines + line; }
  };

  InterruptRouter(const sc_core::sc_module_name& name, std::vector<Source> sources);

  // InterruptLine.
  /// A bit for each group of which a line is up that interrupts the core.
  std::uint32_t interrupts(unsigned core) override;
  bool may_interrupt(unsigned core) const override;
  /// All lines of these groups interrupt the core, whatever route() says.
  bool enable(unsigned core, std::uint32_t groups) override;
  const std::vector<const WatchedDevice*>& sources() const override { return watched_; }

  // For the kernel.
  /// A bit for each core that the line interrupts, core 0 the least significant.
  void route(const Interrupt& interrupt, unsigned cores);
  /// The first interrupt of a core by its number.
  std::optional<Interrupt> first(unsigned core);
  /// Raises a line of kBetweenCores to one core; or it has been served.
  void raise(unsigned core, unsigned line);
  void clear(unsigned core, unsigned line);
  /// Notified when something about a core's interrupts may have changed.
  const sc_core::sc_event& looked(unsigned core) const { return looked_[core]; }

  std::vector<PendingWork> pending_work(const std::string& node) const override;

 private:
  std::uint32_t lines(unsigned core, unsigned group) const;
  std::uint32_t mask(unsigned core, unsigned group) const;
  void settings_changed();
  void look();
  bool is_routed(unsigned core) const;

  // WatchedDevice: routes, and lines between cores.
  bool is_pure_read(std::uint64_t) const override { return false; }
  const sc_core::sc_event& changed() const override { return changes_.changed(); }
  sc_core::sc_time last_change() const override { return changes_.last(); }

  const std::vector<Source> sources_;
  std::vector<const WatchedDevice*> watched_;
  ChangeLog changes_;
  std::array<std::array<std::uint32_t, kGroups>, kCores> routed_{};
  std::array<std::uint32_t, kCores> enabled_{};  ///< groups
  std::array<std::uint32_t, kCores> raised_{};   ///< lines between cores
  std::array<sc_core::sc_event, kCores> looked_;
};

}  // namespace toroid
