// SPDX-License-Identifier: Apache-2.0
#include "nic/bgq/mu_pages.h"

#include <algorithm>

#include "nic/bgq/mu_registers.h"

namespace toroid {

class MuPages::Page : public WatchedDevice {
 public:
  explicit Page(const MuPages& pages) : pages_(pages) {}

  bool is_pure_read(std::uint64_t address) const override { return pages_.is_pure_read(address); }
  const sc_core::sc_event& changed() const override { return changed_; }
  sc_core::sc_time last_change() const override {
    sc_core::sc_time last = last_;
    for (const Pending& each : pages_.pending_) {
      if (each.page == this && each.when <= sc_core::sc_time_stamp()) last = each.when;
    }
    return last;
  }
  std::string name_of(std::uint64_t address) const override { return pages_.name_of(address); }

  bool has_readers() const { return readers_ != 0; }
  void read_by(unsigned core) { readers_ |= std::uint64_t{1} << core % 64; }
  bool has_others(std::optional<unsigned> core) const {
    return (readers_ & ~(core ? std::uint64_t{1} << *core % 64 : 0)) != 0;
  }
  void forget_readers() { readers_ = 0; }
  void tell(sc_core::sc_time when) {
    last_ = when;
    changed_.notify(sc_core::SC_ZERO_TIME);
  }

 private:
  const MuPages& pages_;
  sc_core::sc_event changed_;
  sc_core::sc_time last_;
  std::uint64_t readers_ = 0;  ///< bit c: hardware thread c, or one of those that differ by 64
};

MuPages::MuPages(const sc_core::sc_module_name& name) : sc_module(name), due_("due") {
  SC_HAS_PROCESS(MuPages);
  SC_METHOD(announce_due);
  sensitive << due_;
  dont_initialize();
}

MuPages::~MuPages() = default;

MuPages::Page& MuPages::page(unsigned number) const {
  if (pages_[number] == nullptr) pages_[number] = std::make_unique<Page>(*this);
  return *pages_[number];
}

bool MuPages::is_pure_read(std::uint64_t address) const {
  const auto place = MuRegisters::place_of(address);
  return place && MuRegisters::is_pure(*place);
}

const WatchedDevice& MuPages::part(std::uint64_t address) const {
  const auto place = MuRegisters::place_of(address);
  return page(place ? place->subgroup : kInterrupts);
}

const sc_core::sc_event& MuPages::changed() const {
  return page(kInterrupts).changed();
}

sc_core::sc_time MuPages::last_change() const {
  return page(kInterrupts).last_change();
}

std::string MuPages::name_of(std::uint64_t address) const {
  const auto place = MuRegisters::place_of(address);
  if (!place || !MuRegisters::is_pure(*place)) return "";
  return "the registers of the Messaging Unit's subgroup " + std::to_string(place->subgroup);
}

const WatchedDevice& MuPages::interrupts() const {
  return page(kInterrupts);
}

void MuPages::read_by(unsigned number, unsigned core) {
  Page& read = page(number);
  if (!read.has_readers()) ++readers_;
  read.read_by(core);
}

bool MuPages::is_read(unsigned number) const {
  return pages_[number] != nullptr && pages_[number]->has_readers();
}

bool MuPages::announce(const std::bitset<kMuSubgroups>& changed, sc_core::sc_time when, std::optional<unsigned> core) {
  bool announced = false;
  for (unsigned number = 0; number < kMuSubgroups; ++number) {
    if (changed[number]) announced |= announce(number, when, core);
  }
  return announced;
}

bool MuPages::announce(unsigned number, sc_core::sc_time when, std::optional<unsigned> core) {
  if (!is_read(number) || !pages_[number]->has_others(core)) return false;
  pages_[number]->forget_readers();
  --readers_;
  add(*pages_[number], when);
  return true;
}

void MuPages::add(Page& changed, sc_core::sc_time when) {
  const auto behind = std::upper_bound(pending_.begin(), pending_.end(), when,
                                       [](sc_core::sc_time time, const Pending& each) { return time < each.when; });
  const bool earliest = behind == pending_.begin();
  pending_.insert(behind, Pending{when, &changed});
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  if (earliest) due_.notify(when > now ? when - now : sc_core::SC_ZERO_TIME);
}

void MuPages::announce_due() {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  std::size_t count = 0;
  for (; count < pending_.size() && pending_[count].when <= now; ++count)
    pending_[count].page->tell(pending_[count].when);
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(count));
  if (!pending_.empty()) due_.notify(pending_.front().when - now);
}

}  // namespace toroid
