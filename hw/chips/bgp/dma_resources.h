// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "nic/bgp/dma.h"

namespace toroid {

/// Which processes of a node have which FIFOs and counters of its DMA engine, and what the kernel therefore sets in it.
/// Processes are called by their numbers on the node. The kernel's calls check what programs pass: here, all numbers
/// are valid.
class DmaResources {
 public:
  static constexpr unsigned kGroups = DmaDevice::kGroups;
  static constexpr unsigned kInjectionFifos = 32, kReceptionFifos = 8, kSubgroups = 8, kSubgroupCounters = 8;
  static constexpr unsigned kHeaderFifo = kReceptionFifos;  ///< number of a group's header FIFO
  enum class Side : std::uint8_t { injection, reception };

  explicit DmaResources(DmaDevice& device) : device_(device) {}

  /// What the kernel sets before a job: the groups of reception FIFOs in the masks by which thresholds are cleared.
  void set_up();
  /// Lets the engine read and write `bytes` of memory from `address` on, as range number `range`.
  void allow(unsigned range, std::uint64_t address, std::uint64_t bytes);

  // Injection FIFOs.
  bool fifo_is_free(unsigned group, unsigned fifo) const { return !fifo_owner_[group][fifo]; }
  bool has_fifo(unsigned process, unsigned group, unsigned fifo) const { return fifo_owner_[group][fifo] == process; }
  struct FifoSettings {
    bool priority;
    bool local;
    std::uint8_t map;  ///< of torus FIFOs
  };
  void take_fifo(unsigned process, unsigned group, unsigned fifo, const FifoSettings& settings);
  void free_fifo(unsigned group, unsigned fifo);
  /// A ring in memory, by addresses >> 4: START, END, HEAD, TAIL.
  struct Ring {
    std::uint32_t start, end, head, tail;
  };
  void begin_fifo(unsigned group, unsigned fifo, const Ring& ring);

  // Subgroups of counters.
  bool subgroup_is_free(Side side, unsigned group, unsigned subgroup) const {
    return !subgroup_owner_[number(side)][group][subgroup];
  }
  bool has_subgroup(unsigned process, Side side, unsigned group, unsigned subgroup) const {
    return subgroup_owner_[number(side)][group][subgroup] == process;
  }
  /// The counters are disabled, 0, and have not hit zero. `interrupts`: an interrupt follows when one does.
  void take_subgroup(unsigned process, Side side, unsigned group, unsigned subgroup, bool interrupts);
  void free_subgroup(Side side, unsigned group, unsigned subgroup);
  /// Counters of the process that hit zero interrupt, if they were taken so. Or not.
  void enable_interrupts(unsigned process, bool enable);

  // Reception FIFOs.
  struct ReceptionMap {
    bool save_headers = false;
    std::array<std::uint32_t, kGroups * kReceptionFifos> types{};  ///< 0 or 1, by group x 8 + FIFO
    std::array<std::uint32_t, kGroups> header_types{};
    std::array<std::uint32_t, 2> thresholds{};             ///< quads, by type
    std::array<std::array<std::uint8_t, 8>, 4> fifo_of{};  ///< by pid and X+ X- Y+ Y- Z+ Z- high local
  };
  /// Once; nullopt before.
  const std::optional<ReceptionMap>& map() const { return map_; }
  void set_map(const ReceptionMap& map);
  /// The group's FIFOs that the map names, a bit each from the least significant on.
  std::uint32_t mapped_fifos(unsigned group) const;
  bool reception_has_begun(unsigned group, unsigned fifo) const { return begun_[group][fifo]; }
  void begin_reception(unsigned process, unsigned group, unsigned fifo, const Ring& ring);

  /// Who is to blame for what happens in a group: the process that has taken something of it first, or nobody.
  std::optional<unsigned> owner_of(unsigned group) const { return group_owner_[group]; }

 private:
  static unsigned number(Side side) { return side == Side::injection ? 0 : 1; }
  void own_group(unsigned process, unsigned group) {
    if (!group_owner_[group]) group_owner_[group] = process;
  }
  /// Sets or clears bits of a control register of the engine.
  void change_dcr(unsigned offset, std::uint32_t bits, bool set);
  void update_interrupts();

  DmaDevice& device_;
  std::array<std::array<std::optional<unsigned>, kInjectionFifos>, kGroups> fifo_owner_{};
  std::array<std::array<std::array<std::optional<unsigned>, kSubgroups>, kGroups>, 2> subgroup_owner_{};
  std::array<std::array<std::array<bool, kSubgroups>, kGroups>, 2> interrupts_{};
  std::array<bool, kGroups> interrupts_off_{};  ///< by process
  std::array<std::array<bool, kReceptionFifos + 1>, kGroups> begun_{};
  std::array<std::optional<unsigned>, kGroups> group_owner_{};
  std::optional<ReceptionMap> map_;
};

}  // namespace toroid
