// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "hw/kernel/machine_facts.h"

namespace toroid {

/// Finds ranks by their places; one for all nodes of a machine.
class RankIndex {
 public:
  using Place = std::array<std::uint32_t, 4>;  ///< x, y, z, t

  /// nullopt if no rank is there. `machine` is the same at each call.
  std::optional<std::uint32_t> rank_at(const MachineFacts& machine, const Place& place) {
    if (by_place_.empty()) {
      for (std::uint32_t rank = 0; rank < machine.ranks.size(); ++rank)
        by_place_.emplace(place_of(machine, rank), rank);
    }
    const auto found = by_place_.find(place);
    return found == by_place_.end() ? std::nullopt : std::optional(found->second);
  }

  static Place place_of(const MachineFacts& machine, std::uint32_t rank) {
    const ProcessPlace& place = machine.ranks[rank];
    return {place.coordinates[0], place.coordinates[1], place.coordinates[2], place.t};
  }

 private:
  std::map<Place, std::uint32_t> by_place_;  ///< made when it is first asked
};

}  // namespace toroid
