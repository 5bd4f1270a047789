// SPDX-License-Identifier: Apache-2.0
#include "hw/debug/packet_breaks.h"

#include <algorithm>

namespace toroid {
namespace {

using Event = PacketWatch::Event;

constexpr unsigned kMostBreaks = 64;

const char* text(Event event) {
  return event == Event::injected ? "inject" : "receive";
}

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : "|") + word;
  return all;
}

}  // namespace

std::string PacketBreaks::use() const {
  if (networks_.empty()) return "this machine has no FIFOs of packets\n";
  std::string all;
  for (unsigned network = 0; network < networks_.size(); ++network) {
    const std::string name = network == 0 ? "" : " " + networks_[network].network;
    const char* const group = networks_[network].groups > 1 ? " [GROUP]" : "";
    for (const Event event : {Event::injected, Event::received}) {
      all += std::string("monitor break ") + text(event) + name + " [" + joined(names(network, event)) + group + "]\n";
    }
  }
  return all;
}

unsigned PacketBreaks::add_network(PacketFifos fifos) {
  networks_.push_back(std::move(fifos));
  return static_cast<unsigned>(networks_.size() - 1);
}

const std::vector<std::string>& PacketBreaks::names(unsigned network, Event event) const {
  return event == Event::injected ? networks_[network].injection : networks_[network].reception;
}

bool PacketBreaks::fits(const Break& each, unsigned network, Event event, unsigned fifo) const {
  if (network != each.network || event != each.event) return false;
  const auto fifos = static_cast<unsigned>(names(network, event).size());
  if (fifo >= fifos * networks_[network].groups) return false;
  return (!each.fifo || fifo % fifos == *each.fifo) && (!each.group || fifo / fifos == *each.group);
}

std::string PacketBreaks::restrict(Break& added, const std::vector<std::string>& words) const {
  if (words.empty()) return {};
  const std::vector<std::string>& fifos = names(added.network, added.event);
  const auto found = std::find(fifos.begin(), fifos.end(), words[0]);
  if (found == fifos.end()) return "there is no FIFO \"" + words[0] + "\" to " + text(added.event) + "\n" + use();
  added.fifo = static_cast<unsigned>(found - fifos.begin());
  added.text += " " + words[0];
  if (words.size() == 1) return {};
  for (unsigned group = 0; group < networks_[added.network].groups; ++group) {
    if (words[1] == std::to_string(group)) added.group = group;
  }
  if (!added.group || words.size() > 2) {
    const std::string last = std::to_string(networks_[added.network].groups - 1);
    return "there is no FIFO group \"" + words[1] + "\"; groups are 0 to " + last + "\n";
  }
  added.text += ", group " + words[1];
  return {};
}

std::string PacketBreaks::add(const std::vector<std::string>& words) {
  if (words.empty()) {
    std::string all;
    for (const auto& [number, each] : breaks_) all += std::to_string(number) + ": " + each.text + "\n";
    return all.empty() ? "no packet breaks\n" + use() : all;
  }
  const bool injects = words[0] == text(Event::injected);
  if ((!injects && words[0] != text(Event::received)) || words.size() > 4 || networks_.empty()) return use();
  Break added{injects ? Event::injected : Event::received, 0, {}, {}, words[0]};
  std::vector<std::string> rest(words.begin() + 1, words.end());
  for (unsigned network = 0; network < networks_.size() && !rest.empty(); ++network) {
    if (rest[0] != networks_[network].network) continue;
    added.network = network;
    added.text += " " + rest[0];
    rest.erase(rest.begin());
    break;
  }
  if (const std::string wrong = restrict(added, rest); !wrong.empty()) return wrong;
  if (breaks_.size() == kMostBreaks) return "there are " + std::to_string(kMostBreaks) + " packet breaks already\n";
  const unsigned number = next_++;
  std::string answer = "packet break " + std::to_string(number) + ": " + added.text + "\n";
  breaks_.emplace(number, std::move(added));
  return answer;
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

bool PacketBreaks::wants(unsigned network, Event event, unsigned fifo) const {
  return !hit_ && std::any_of(breaks_.begin(), breaks_.end(),
                              [&](const auto& each) { return fits(each.second, network, event, fifo); });
}

void PacketBreaks::on_packet(unsigned network, Event event, unsigned fifo, unsigned core, sc_core::sc_time when,
                             const std::string& what) {
  const bool injected = event == Event::injected;
  if (injected && (core < first_core_ || core >= first_core_ + cores_)) return;
  for (const auto& [number, each] : breaks_) {
    if (!fits(each, network, event, fifo)) continue;
    hit_ = Hit{when, injected ? std::optional(core) : std::nullopt,
               "packet break " + std::to_string(number) + ": " + what};
    return;
  }
}

}  // namespace toroid
