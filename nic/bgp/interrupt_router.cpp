// SPDX-License-Identifier: Apache-2.0
#include "nic/bgp/interrupt_router.h"

#include <algorithm>
#include <utility>

namespace toroid {
namespace {

constexpr std::uint32_t kAll = 0xFFFF'FFFF;

std::uint32_t bit(unsigned line) {
  return 0x8000'0000u >> line;
}

unsigned first_line(std::uint32_t lines) {
  unsigned line = 0;
  while ((lines & bit(line)) == 0) ++line;
  return line;
}

}  // namespace

InterruptRouter::InterruptRouter(const sc_core::sc_module_name& name, std::vector<Source> sources)
    : sc_module(name), sources_(std::move(sources)), changes_("changes") {
  const auto watch = [this](const WatchedDevice* device) {
    if (std::find(watched_.begin(), watched_.end(), device) == watched_.end()) watched_.push_back(device);
  };
  for (const Source& source : sources_) watch(source.device);
  watch(this);
  SC_METHOD(look);
  dont_initialize();
  for (const WatchedDevice* device : watched_) sensitive << device->changed();
}

/// What is routed to a core as things are; nobody asks as long as no line is routed anywhere.
void InterruptRouter::look() {
  for (unsigned core = 0; core < kCores; ++core) {
    if (is_routed(core) || raised_[core] != 0) looked_[core].notify(sc_core::SC_ZERO_TIME);
  }
}

bool InterruptRouter::is_routed(unsigned core) const {
  const auto& routed = routed_[core];
  return std::any_of(routed.begin(), routed.end(), [](std::uint32_t lines) { return lines != 0; });
}

bool InterruptRouter::may_interrupt(unsigned core) const {
  return enabled_[core] != 0 || is_routed(core);
}

std::uint32_t InterruptRouter::lines(unsigned core, unsigned group) const {
  std::uint32_t found = group == kBetweenCores ? raised_[core] : 0;
  for (const Source& source : sources_) {
    if (source.group == group) found |= source.lines();
  }
  return found;
}

std::uint32_t InterruptRouter::mask(unsigned core, unsigned group) const {
  return (enabled_[core] & 1u << group) != 0 ? kAll : routed_[core][group];
}

std::uint32_t InterruptRouter::interrupts(unsigned core) {
  std::uint32_t groups = 0;
  for (unsigned group = 0; group < kGroups; ++group) {
    const std::uint32_t wanted = mask(core, group);
    if (wanted != 0 && (lines(core, group) & wanted) != 0) groups |= 1u << group;
  }
  return groups;
}

bool InterruptRouter::enable(unsigned core, std::uint32_t groups) {
  if (groups >= 1u << kGroups) return false;
  enabled_[core] = groups;
  settings_changed();
  return true;
}

void InterruptRouter::route(const Interrupt& interrupt, unsigned cores) {
  for (unsigned core = 0; core < kCores; ++core) {
    std::uint32_t& routed = routed_[core][interrupt.group];
    const std::uint32_t line = bit(interrupt.line);
    routed = (cores & 1u << core) != 0 ? routed | line : routed & ~line;
  }
  settings_changed();
}

std::optional<InterruptRouter::Interrupt> InterruptRouter::first(unsigned core) {
  for (unsigned group = 0; group < kGroups; ++group) {
    const std::uint32_t wanted = routed_[core][group];
    const std::uint32_t up = wanted == 0 ? 0 : lines(core, group) & wanted;
    if (up != 0) return Interrupt{group, first_line(up)};
  }
  return std::nullopt;
}

void InterruptRouter::raise(unsigned core, unsigned line) {
  raised_[core] |= bit(line);
  settings_changed();
}

void InterruptRouter::clear(unsigned core, unsigned line) {
  raised_[core] &= ~bit(line);
  settings_changed();
}

void InterruptRouter::settings_changed() {
  changes_.add(sc_core::sc_time_stamp());
}

std::vector<PendingWork> InterruptRouter::pending_work(const std::string& node) const {
  std::vector<PendingWork> work;
  for (unsigned core = 0; core < kCores; ++core) {
    for (unsigned group = 0; group < kGroups; ++group) {
      const std::uint32_t wanted = mask(core, group);
      const std::uint32_t up = wanted == 0 ? 0 : lines(core, group) & wanted;
      if (up == 0) continue;
      work.push_back({PendingWork::Kind::unfinished,
                      "the interrupt line to core " + std::to_string(core) + " of " + node +
                          " stays up: no handler takes down what interrupt " + std::to_string(first_line(up)) +
                          " of group " + std::to_string(group) + " asks for",
                      changes_.last()});
    }
  }
  return work;
}

}  // namespace toroid
