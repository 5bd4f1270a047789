// SPDX-License-Identifier: Apache-2.0
#include "nic/bgl/interrupt_controller.h"

#include <cstdio>
#include <utility>

namespace toroid {

static_assert(BGL_BIC_DCR_TORUS_OFFSET == 0 && BGL_BIC_DCR_TREE_OFFSET == 1 && BGL_BIC_DCR_GLOBAL_OFFSET == 2 &&
                  BGL_BIC_DCR_PENDING_OFFSET == InterruptController::kGroups,
              "the groups come first, in their order");

InterruptController::InterruptController(const sc_core::sc_module_name& name, std::array<Group, kGroups> groups)
    : sc_module(name), groups_(std::move(groups)), changes_("changes") {
  for (const Group& group : groups_) sources_.push_back(group.source);
  sources_.push_back(this);
}

std::uint32_t InterruptController::pending() const {
  std::uint32_t found = 0;
  for (unsigned group = 0; group < kGroups; ++group) {
    if (groups_[group].lines() != 0) found |= 1u << group;
  }
  return found;
}

std::vector<PendingWork> InterruptController::pending_work(const std::string& node) const {
  static const char* const names[kGroups] = {"torus FIFO watermarks", "tree packets that ask for an interrupt",
                                             "global interrupts"};
  std::vector<PendingWork> work;
  for (unsigned group = 0; group < kGroups; ++group) {
    const std::uint32_t lines = groups_[group].lines();
    for (unsigned core = 0; lines != 0 && core < kCores; ++core) {
      if ((enabled_[core] & 1u << group) == 0) continue;
      char text[16];
      std::snprintf(text, sizeof text, "0x%x", lines);
      work.push_back({PendingWork::Kind::unfinished,
                      "the interrupt line to core " + std::to_string(core) + " of " + node +
                          " stays up: no handler takes down what the " + names[group] + " ask for (lines " + text + ")",
                      groups_[group].source->last_change()});
    }
  }
  return work;
}

std::uint32_t InterruptController::interrupts(unsigned core) {
  return enabled_[core] == 0 ? 0 : pending() & enabled_[core];
}

bool InterruptController::enable(unsigned core, std::uint32_t groups) {
  if (groups >= 1u << kGroups) return false;
  enabled_[core] = groups;
  settings_changed();
  return true;
}

std::uint32_t InterruptController::read_dcr(std::uint32_t number) const {
  const std::uint32_t offset = number - BGL_BIC_DCR_BASE;
  if (offset < kGroups) return groups_[offset].lines();
  return offset == BGL_BIC_DCR_PENDING_OFFSET ? pending() : enabled_[offset - BGL_BIC_DCR_ENABLE_OFFSET];
}

bool InterruptController::write_dcr(std::uint32_t number, std::uint32_t value) {
  const std::uint32_t offset = number - BGL_BIC_DCR_BASE;
  return offset >= BGL_BIC_DCR_ENABLE_OFFSET && enable(offset - BGL_BIC_DCR_ENABLE_OFFSET, value);
}

void InterruptController::settings_changed() {
  changes_.add(sc_core::sc_time_stamp());
}

}  // namespace toroid
