// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "nic/bgq/mu_layout.h"
#include "nic/common/watched_device.h"

namespace toroid {

/// The pages of the subgroups as devices that cores may be parked at, and the interrupts. A page takes host memory when
/// a core first reads it; one that nobody has read announces nothing.
class MuPages : public sc_core::sc_module, public WatchedDevice {
 public:
  static constexpr unsigned kInterrupts = kMuSubgroups;  ///< number of the page that stands for the interrupts

  explicit MuPages(const sc_core::sc_module_name& name);
  ~MuPages() override;

  bool is_pure_read(std::uint64_t address) const override;
  /// The page that is read there.
  const WatchedDevice& part(std::uint64_t address) const override;
  const sc_core::sc_event& changed() const override;
  sc_core::sc_time last_change() const override;
  std::string name_of(std::uint64_t address) const override;
  const WatchedDevice& interrupts() const;

  /// A core reads a page.
  void read_by(unsigned number, unsigned core);
  bool has_readers() const { return readers_ != 0; }
  bool is_read(unsigned number) const;
  /// Pages that have changed at `when`; `core` has changed them, if any has: it knows. Returns whether somebody may
  /// have to know.
  bool announce(const std::bitset<kMuSubgroups>& changed, sc_core::sc_time when, std::optional<unsigned> core);
  bool announce(unsigned number, sc_core::sc_time when, std::optional<unsigned> core);

 private:
  class Page;
  struct Pending {
    sc_core::sc_time when;
    Page* page;
  };
  Page& page(unsigned number) const;
  void add(Page& page, sc_core::sc_time when);
  void announce_due();

  mutable std::array<std::unique_ptr<Page>, kMuSubgroups + 1> pages_;
  std::vector<Pending> pending_;  ///< earliest first
  unsigned readers_ = 0;          ///< pages that somebody has read since they last announced a change
  sc_core::sc_event due_;
};

}  // namespace toroid
