// SPDX-License-Identifier: Apache-2.0
#include "hw/machine/diagnosis.h"

#include <utility>
#include <vector>

#include "hw/machine/pending_report.h"

namespace toroid {
namespace {

bool waits(const Core& core) {
  return core.state() == CoreState::parked || core.state() == CoreState::waiting ||
         core.state() == CoreState::finished || core.state() == CoreState::idle;
}

const char* doing(CoreState state) {
  if (state == CoreState::sleeping) return "sleeps";
  return state == CoreState::parked ? "polls" : "runs";
}

std::string place_in_program(const Process& process, Core& core) {
  if (!core.has_engine()) return "has not begun";
  if (core.state() == CoreState::idle) return "has ended its first thread";
  if (const char* call = process.awaited_call(core)) {
    return "waits for the I/O node's answer to " + std::string(call) + ", called at " +
           process.describe(core.pc() - core.config().isa->system_call_bytes());
  }
  std::string at = std::string(doing(core.state())) + " at " + process.describe(core.pc());
  if (const std::string callers = process.functions_to(core); !callers.empty()) at += ", called by " + callers;
  if (const std::string wrong = process.misuse(core); !wrong.empty()) at += ": " + wrong;
  return at;
}

std::vector<PolledRegister> polled_registers(const Hardware& hardware) {
  std::vector<PolledRegister> polled;
  for (std::uint32_t number = 0; number < hardware.topology().nodes(); ++number) {
    const Node* const node = hardware.node(number);
    for (unsigned core = 0; node != nullptr && core < node->cores(); ++core) {
      for (std::string& what : node->core(core).polled())
        polled.push_back({std::move(what), "core " + std::to_string(core) + " of " + hardware.name_of(number)});
    }
  }
  return polled;
}

}  // namespace

bool everyone_waits(const Hardware& hardware) {
  for (std::uint32_t number = 0; number < hardware.topology().nodes(); ++number) {
    const Node* const node = hardware.node(number);
    for (unsigned core = 0; node != nullptr && core < node->cores(); ++core) {
      if (!waits(node->core(core))) return false;
    }
  }
  return true;
}

std::string whereabouts(const Job& job, std::uint32_t rank) {
  const Process& process = job.process(rank);
  const std::vector<Core*>& cores = job.cores_of(rank);
  std::string text = process.who() + ": " + place_in_program(process, *cores.front());
  if (const std::string activity = process.activity(); !activity.empty()) text += ", in " + activity;
  if (const std::string waits = process.waits(); !waits.empty()) text += ", waits for " + waits;
  for (std::size_t i = 1; i < cores.size(); ++i) {
    if (cores[i]->state() == CoreState::idle || cores[i]->state() == CoreState::finished) continue;
    text += "; core " + std::to_string(cores[i]->number()) + " " + place_in_program(process, *cores[i]);
  }
  return text;
}

std::string waiting_ranks(const Job& job) {
  std::string text;
  std::size_t more = 0;
  for (std::uint32_t rank = 0; rank < job.ranks(); ++rank) {
    const ProcessEnd how = job.process(rank).how_ended();
    if (how != ProcessEnd::running && how != ProcessEnd::timed_out) continue;
    if (text.empty()) {
      text = whereabouts(job, rank);
    } else {
      ++more;
    }
  }
  return text + (more == 0 ? "" : ", and " + std::to_string(more) + " more");
}

std::string stuck_text(const Hardware& hardware, Ending ending) {
  const std::string held_up = hardware.held_up_text(ending);
  const bool complete = ending == Ending::deadlock || ending == Ending::stuck;
  return held_up + pending_report(hardware.pending_work(), polled_registers(hardware),
                                  {sc_core::sc_time_stamp(), complete, !held_up.empty()});
}

}  // namespace toroid
