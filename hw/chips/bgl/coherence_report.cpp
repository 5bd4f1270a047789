// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgl/coherence_report.h"

#include <cstdio>

#include "hw/chips/bgl/bgl_hardware.h"

namespace toroid {
namespace {

using Finding = CoherenceChecker::Finding;
using Kind = CoherenceChecker::Kind;

std::string hex(std::uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", value);
  return text;
}

std::string finding_text(const Process& process, const Finding& finding) {
  const bool reads = finding.kind == Kind::unflushed_read || finding.kind == Kind::stale_read;
  const std::string own = "core " + std::to_string(finding.core);
  const std::string other = "core " + std::to_string(1 - finding.core);
  std::string text = process.who() + ": " + own + (reads ? " reads " : " writes ") + hex(finding.address) + " at " +
                     process.describe(finding.pc) + ", line " +
                     hex(finding.address & ~(CoherenceChecker::kLineBytes - 1)) + ": " + other + " wrote ";
  text += (reads ? "it" : "to the line") + std::string(" at ") + process.describe(finding.other_pc);
  text += finding.kind == Kind::stale_read || finding.kind == Kind::stale_write
              ? ", and " + own + " may still hold a copy from before"
              : ", and has not flushed that";
  if (finding.count > 1) text += " (" + std::to_string(finding.count) + " times)";
  return text;
}

}  // namespace

std::vector<std::string> coherence_report(const BglHardware& machine, const Job& job) {
  constexpr std::size_t kMostLines = 20;
  std::vector<std::string> lines;
  std::size_t more = 0;
  for (std::uint32_t rank = 0; rank < job.ranks(); ++rank) {
    if (job.cores_of(rank).size() < 2) continue;
    for (const Finding& finding : machine.node(job.node_of(rank))->coherence()->findings()) {
      if (lines.size() < kMostLines) {
        lines.push_back(finding_text(job.process(rank), finding));
      } else {
        ++more;
      }
    }
  }
  if (more != 0) lines.push_back("and " + std::to_string(more) + " more pairs of instructions");
  return lines;
}

}  // namespace toroid
