// SPDX-License-Identifier: Apache-2.0
#include "nic/bgl/interrupt_controller.h"

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

bool InterruptController::interrupts(unsigned core) {
  return enabled_[core] != 0 && (pending() & enabled_[core]) != 0;
}

std::uint32_t InterruptController::read_dcr(std::uint32_t number) const {
  const std::uint32_t offset = number - BGL_BIC_DCR_BASE;
  if (offset < kGroups) return groups_[offset].lines();
  return offset == BGL_BIC_DCR_PENDING_OFFSET ? pending() : enabled_[offset - BGL_BIC_DCR_ENABLE_OFFSET];
}

bool InterruptController::write_dcr(std::uint32_t number, std::uint32_t value) {
  const std::uint32_t offset = number - BGL_BIC_DCR_BASE;
  if (offset < BGL_BIC_DCR_ENABLE_OFFSET || value >= 1u << kGroups) return false;
  enabled_[offset - BGL_BIC_DCR_ENABLE_OFFSET] = value;
  settings_changed();
  return true;
}

void InterruptController::settings_changed() {
  changes_.add(sc_core::sc_time_stamp());
}

}  // namespace toroid
