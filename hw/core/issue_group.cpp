// SPDX-License-Identifier: Apache-2.0
#include "hw/core/issue_group.h"

#include <algorithm>
#include <stdexcept>
#include <string>

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
  wants.quarters[static_cast<unsigned>(IssueUnit::integer)] = IssueWants::kWhole;
  if (uses_floating_) wants.quarters[static_cast<unsigned>(IssueUnit::floating)] = IssueWants::kWhole;
  return wants;
}

void IssueShare::begin(const void* software) {
  awake_ = true;
  group_.begin(place_, software);
}

void IssueShare::set_awake(bool awake, const sc_time& at) {
  if (awake == awake_) return;
  awake_ = awake;
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
  return changed;
}

CoreCycle IssueShare::next_look() const {
  const CoreCycle change = pending_.empty() ? LocalTime::kForever : pending_.front().from;
  return uses_floating_ ? std::min(change, ledger_.last_floating + group_.apart()) : change;
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
  work_out_costs();
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

/// Threads that want less than an equal part get it; the others share what is left. This one may want all.
void IssueShare::work_out_costs() {
  for (unsigned unit = 0; unit < kIssueUnits; ++unit) {
    std::vector<unsigned> others;
    for (const IssueWants& other : others_) {
      if (other.quarters[unit] != 0) others.push_back(other.quarters[unit]);
    }
    std::sort(others.begin(), others.end());
    std::size_t threads = others.size() + 1;
    unsigned left = IssueWants::kWhole;
    for (const unsigned other : others) {
      if (other * threads > left) break;
      left -= other;
      --threads;
    }
    ledger_.issue_costs[unit] = (IssueWants::kWhole * kOne * threads + left - 1) / left;
  }
}

}  // namespace toroid
