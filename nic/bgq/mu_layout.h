// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace toroid {

// How many of each a Messaging Unit has, and how they are numbered: through all groups.
inline constexpr unsigned kMuGroups = 17;
inline constexpr unsigned kMuSubgroupsOfAGroup = 4;
inline constexpr unsigned kMuSubgroups = kMuGroups * kMuSubgroupsOfAGroup;
inline constexpr unsigned kMuInjectionOfASubgroup = 8;
inline constexpr unsigned kMuReceptionOfASubgroup = 4;
inline constexpr unsigned kMuBasesOfASubgroup = 8;
inline constexpr unsigned kMuInjectionOfAGroup = 32;
inline constexpr unsigned kMuReceptionOfAGroup = 16;
inline constexpr unsigned kMuInjectionFifos = kMuGroups * kMuInjectionOfAGroup;
inline constexpr unsigned kMuReceptionFifos = kMuGroups * kMuReceptionOfAGroup;
inline constexpr unsigned kMuBases = kMuSubgroups * kMuBasesOfASubgroup;
inline constexpr unsigned kMuClasses = 16;

/// Engines of each side, and network FIFOs: ten of the torus, two for messages inside the node, high priority, system,
/// and two of collectives. An engine has the number of its FIFO.
inline constexpr unsigned kMuEngines = 16;
inline constexpr unsigned kMuTorusEngines = 10;
inline constexpr unsigned kMuLocal0 = 10;
inline constexpr unsigned kMuLocal1 = 11;
inline constexpr unsigned kMuPriority = 12;
inline constexpr unsigned kMuSystem = 13;
inline constexpr unsigned kMuCollectiveUser = 14;
inline constexpr unsigned kMuCollectiveSystem = 15;
inline constexpr unsigned kMuMasters = 3;  ///< ports to memory

/// Bit of an engine in words of 16 bits: engine 0 is the most significant.
constexpr std::uint16_t mu_engine_bit(unsigned engine) {
  return static_cast<std::uint16_t>(0x8000u >> engine);
}
/// Bits in the words of a group.
constexpr std::uint32_t mu_injection_bit(unsigned fifo) {
  return 0x80000000u >> fifo % kMuInjectionOfAGroup;
}
constexpr std::uint32_t mu_reception_bit(unsigned fifo) {
  return 0x8000u >> fifo % kMuReceptionOfAGroup;
}

}  // namespace toroid
