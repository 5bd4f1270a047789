// SPDX-License-Identifier: Apache-2.0
#include "hw/debug/packet_breaks.h"

#include <algorithm>

namespace toroid {
namespace {

using Event = PacketWatch::Event;

constexpr unsigned kInjectionFifos = 4, kReceptionFifos = 7;  // of a group; the last is H
constexpr unsigned kGroups = 2;
constexpr unsigned kMostBreaks = 64;

const char* const kUse =
    "monitor break inject [I0|I1|I2|IH [GROUP]]   or: inject tree\n"
    "monitor break receive [R0..R5|RH [GROUP]]    or: receive tree\n";

unsigned fifos_of(Event event) {
  return event == Event::torus_injected ? kInjectionFifos : kReceptionFifos;
}

/// The FIFO called `name` ("I0", "RH"); nullopt if there is none.
std::optional<unsigned> fifo_number(Event event, const std::string& name) {
  const char kind = event == Event::torus_injected ? 'I' : 'R';
  const unsigned last = fifos_of(event) - 1;
  if (name.size() != 2 || name[0] != kind) return std::nullopt;
  if (name[1] == 'H') return last;
  const auto number = static_cast<unsigned>(name[1] - '0');
  return number < last ? std::optional(number) : std::nullopt;
}

}  // namespace

bool PacketBreaks::Break::fits(Event other, unsigned number) const {
  if (other != event) return false;
  return (!fifo || number % fifos_of(event) == *fifo) && (!group || number / fifos_of(event) == *group);
}

std::string PacketBreaks::add(const std::vector<std::string>& words) {
  if (words.empty()) {
    std::string text;
    for (const auto& [number, each] : breaks_) text += std::to_string(number) + ": " + each.text + "\n";
    return text.empty() ? std::string("no packet breaks\n") + kUse : text;
  }
  const bool injects = words[0] == "inject";
  if ((!injects && words[0] != "receive") || words.size() > 3) return kUse;
  Break added{injects ? Event::torus_injected : Event::torus_received, {}, {}, words[0]};
  if (words.size() == 2 && words[1] == "tree") {
    added.event = injects ? Event::tree_injected : Event::tree_received;
    added.fifo = 0;  // virtual channel 0; the other is the kernel's
    added.text += " tree";
  } else if (words.size() > 1) {
    added.fifo = fifo_number(added.event, words[1]);
    if (!added.fifo) return "there is no FIFO \"" + words[1] + "\" to " + words[0] + "\n" + kUse;
    added.text += " " + words[1];
    if (words.size() == 3) {
      if (words[2].size() != 1 || words[2][0] < '0' || words[2][0] >= static_cast<char>('0' + kGroups))
        return "there is no FIFO group \"" + words[2] + "\"; there are 0 and 1\n";
      added.group = static_cast<unsigned>(words[2][0] - '0');
      added.text += ", group " + words[2];
    }
  }
  if (breaks_.size() == kMostBreaks) return "there are " + std::to_string(kMostBreaks) + " packet breaks already\n";
  const unsigned number = next_++;
  std::string text = "packet break " + std::to_string(number) + ": " + added.text + "\n";
  breaks_.emplace(number, std::move(added));
  return text;
}

std::string PacketBreaks::remove(const std::vector<std::string>& words) {
  if (words.empty()) {
    breaks_.clear();
    hit_.reset();
    return "no packet breaks any more\n";
  }
  for (const auto& [number, each] : breaks_) {
    if (words.size() != 1 || words[0] != std::to_string(number)) continue;
    breaks_.erase(number);
    return "packet break " + words[0] + " deleted\n";
  }
  return "monitor delete NUMBER: there is no packet break \"" + words[0] + "\"\n";
}

bool PacketBreaks::wants(Event event, unsigned fifo) const {
  return !hit_ &&
         std::any_of(breaks_.begin(), breaks_.end(), [&](const auto& each) { return each.second.fits(event, fifo); });
}

void PacketBreaks::on_packet(Event event, unsigned fifo, unsigned core, sc_core::sc_time when,
                             const std::string& text) {
  const bool injected = event == Event::torus_injected || event == Event::tree_injected;
  if (injected && (core < first_core_ || core >= first_core_ + cores_)) return;
  for (const auto& [number, each] : breaks_) {
    if (!each.fits(event, fifo)) continue;
    hit_ = Hit{when, injected ? std::optional(core) : std::nullopt,
               "packet break " + std::to_string(number) + ": " + text};
    return;
  }
}

}  // namespace toroid
