// SPDX-License-Identifier: Apache-2.0
#include "hw/machine/pending_report.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace toroid {
namespace {

/// Software that is at work comes back to what it has begun well within this.
const sc_core::sc_time kLong(1, sc_core::SC_MS);

std::string since_text(sc_core::sc_time time) {
  constexpr double kPicoseconds = 1e6;
  char text[48];
  std::snprintf(text, sizeof text, " (since %.3f us)", static_cast<double>(time.value()) / kPicoseconds);
  return text;
}

std::string polled_text(const std::vector<PolledRegister>& polled) {
  struct Readers {
    std::uint64_t number = 0;
    std::string first;
  };
  std::map<std::string, Readers> by_register;
  for (const PolledRegister& each : polled) {
    Readers& readers = by_register[each.what];
    if (readers.number++ == 0) readers.first = each.who;
  }
  std::string text;
  for (const auto& [what, readers] : by_register) {
    text += "  " + what + " is polled by " + readers.first;
    if (readers.number > 1) text += " and " + counted(readers.number - 1, "more core");
    text += "\n";
  }
  return text;
}

}  // namespace

std::string pending_report(std::vector<PendingWork> work, const std::vector<PolledRegister>& polled,
                           const Standstill& how, unsigned lines) {
  if (!how.complete) {
    const auto recent = [&how](const PendingWork& each) { return each.since + kLong > how.now; };
    work.erase(std::remove_if(work.begin(), work.end(), recent), work.end());
  }
  std::stable_sort(work.begin(), work.end(),
                   [](const PendingWork& a, const PendingWork& b) { return a.kind < b.kind; });
  std::string text;
  for (std::size_t i = 0; i < work.size() && i < lines; ++i)
    text += "  " + work[i].text + since_text(work[i].since) + "\n";
  if (work.size() > lines) text += "  and " + std::to_string(work.size() - lines) + " more\n";
  if (!how.complete) return text;
  if (work.empty() && !how.explained)
    text += "  no packet is in the networks or in a FIFO: what the cores wait for has not been sent\n";
  return text + polled_text(polled);
}

}  // namespace toroid
