// SPDX-License-Identifier: Apache-2.0
#include "hw/core/issue_group.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace toroid {

using sc_core::sc_time;

void IssueConfig::visit_parameters(ParameterVisitor& visitor) {
  visitor.count(threads, "core.threads", "count", {1, IssueGroup::kMostThreads},
                "hardware threads of a processor, each a core of the node, that share what it can issue: 1, 2 or 4");
}

unsigned IssueGroup::add(IssueShare& thread) {
  if (threads_.size() == kMostThreads)
    throw std::invalid_argument("at most " + std::to_string(kMostThreads) + " threads can share what is issued");
  threads_.push_back(&thread);
  return static_cast<unsigned>(threads_.size()) - 1;
}

void IssueGroup::tell(unsigned place, const IssueWants& wants, const sc_time& at) {
  for (IssueShare* const thread : threads_) {
    if (thread->place_ != place) thread->change(place, wants, at);
  }
}

void IssueGroup::begin(unsigned place, const void* software) {
  if (software_ != nullptr && software_ != software) several_processes_ = true;
  software_ = software;
  for (IssueShare* const thread : threads_) {
    if (thread->place_ == place) continue;
    thread->others_[place] = threads_[place]->wants();
    thread->work_out_costs();
  }
}

IssueShare::IssueShare(IssueGroup& group, const LocalTime& time, BlockLedger& ledger, Client& client)
    : group_(group), time_(time), ledger_(ledger), client_(client), place_(group.add(*this)) {
  work_out_costs();
}

IssueWants IssueShare::wants() const {
  IssueWants wants;
  if (!awake_) return wants;
  const auto present = static_cast<std::uint8_t>(present_);
  wants.parts[static_cast<unsigned>(IssueUnit::integer)] = present;
  if (uses_floating_) wants.parts[static_cast<unsigned>(IssueUnit::floating)] = present;
  return wants;
}

void IssueShare::begin(const void* software) {
  awake_ = true;
  work_out_costs();
  group_.begin(place_, software);
}

void IssueShare::set_awake(bool awake, const sc_time& at) {
  if (awake == awake_) return;
  awake_ = awake;
  if (awake) work_out_costs();  // nobody has asked for them while it slept
  woke_up_ = time_.now();
  present_ = IssueWants::kWhole;
  measures_ = false;
  group_.tell(place_, wants(), at);
}

void IssueShare::set_floating(bool uses) {
  uses_floating_ = uses;
  ledger_.no_floating = uses ? 0 : 1;
  group_.tell(place_, wants(), time_.time());
}

bool IssueShare::begin_block(const Block& block) {
  looked_ = time_.now();
  const bool changed = !pending_.empty() && pending_.front().from <= time_.now() && apply_changes();
  if (block.issues[static_cast<unsigned>(IssueUnit::floating)] != 0) {
    ledger_.last_floating = time_.now();
    if (!uses_floating_) set_floating(true);
  } else if (uses_floating_ && time_.now() >= ledger_.last_floating + group_.apart()) {
    set_floating(false);
  }
  if (measures_ && time_.now() >= measured_until_) end_measuring();
  return changed;
}

void IssueShare::wait_for_memory(CoreCycle cycles) {
  measure(time_.now());
  waited_ += cycles;
}

void IssueShare::has_waited(CoreCycle begin) {
  measure(begin);
  waited_ += time_.now() - begin;
}

void IssueShare::measure(CoreCycle cycle) {
  if (!measures_) begin_measuring(std::max(woke_up_, cycle / group_.apart() * group_.apart()));
}

void IssueShare::begin_measuring(CoreCycle from) {
  measures_ = true;
  measured_from_ = from;
  measured_until_ = (time_.now() / group_.apart() + 1) * group_.apart();
  waited_ = 0;
}

void IssueShare::end_measuring() {
  const CoreCycle passed = time_.now() - measured_from_;
  const CoreCycle present = passed - std::min(waited_, passed);
  const auto part = static_cast<unsigned>((IssueWants::kWhole * present + passed - 1) / passed);
  measures_ = false;
  if (waited_ != CoreCycle{0}) begin_measuring(time_.now());
  if (const unsigned before = std::exchange(present_, std::max(part, 1u)); before != present_)
    group_.tell(place_, wants(), time_.time());
}

CoreCycle IssueShare::next_look() const {
  CoreCycle next = pending_.empty() ? LocalTime::kForever : pending_.front().from;
  if (uses_floating_) next = std::min(next, ledger_.last_floating + group_.apart());
  return measures_ ? std::min(next, measured_until_) : next;
}

void IssueShare::change(unsigned place, const IssueWants& wants, const sc_time& at) {
  const CoreCycle seen = time_.first_cycle_at(at);
  const Change change{(seen / group_.apart() + 1) * group_.apart(), place, wants};
  if (awake_ && change.from <= looked_)
    throw std::logic_error("a thread has not waited for what another one of its processor does");
  const auto behind = std::upper_bound(pending_.begin(), pending_.end(), change,
                                       [](const Change& a, const Change& b) { return a.from < b.from; });
  pending_.insert(behind, change);
  if (awake_) {
    client_.on_issue_change();
    return;
  }
  // It will begin later than now: what has taken effect by now need not be kept apart.
  std::size_t taken = 0;
  for (; taken < pending_.size() && pending_[taken].from <= seen; ++taken)
    others_[pending_[taken].place] = pending_[taken].wants;
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(taken));
}

bool IssueShare::apply_changes() {
  const Others before = others_;
  std::size_t taken = 0;
  for (; taken < pending_.size() && pending_[taken].from <= time_.now(); ++taken)
    others_[pending_[taken].place] = pending_[taken].wants;
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(taken));
  work_out_costs();
  return others_ != before;
}

/// In each cycle the threads that compete share the unit alike. How many compete is as likely as if each chose its
/// cycles by itself; this one competes now.
void IssueShare::work_out_costs() {
  constexpr unsigned kMostOthers = IssueGroup::kMostThreads - 1;
  constexpr std::uint64_t kShares = 12;  // a multiple of all numbers of threads
  static_assert(kMostOthers == 3, "threads are 1 to 4");
  for (unsigned unit = 0; unit < kIssueUnits; ++unit) {
    std::uint64_t cases = 1;
    std::array<std::uint64_t, kMostOthers + 1> compete{1};  // in so many cases, by the number of others
    unsigned others = 0;
    for (unsigned place = 0; place < others_.size(); ++place) {
      const unsigned part = others_[place].parts[unit];
      if (part == 0) continue;
      ++others;
      for (unsigned n = others; n != 0; --n)
        compete[n] = compete[n] * (IssueWants::kWhole - part) + compete[n - 1] * part;
      compete[0] *= IssueWants::kWhole - part;
      cases *= IssueWants::kWhole;
    }
    std::uint64_t gets = 0;
    for (unsigned n = 0; n <= others; ++n) gets += compete[n] * kShares / (n + 1);
    ledger_.issue_costs[unit] = (kOne * kShares * cases + gets - 1) / gets;
  }
}

}  // namespace toroid
