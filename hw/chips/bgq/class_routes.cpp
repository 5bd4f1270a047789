// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgq/class_routes.h"

#include <algorithm>

#include "hw/chips/bgq/job_classes.h"
#include "nic/bgq/kernel_services.h"
#include "nic/bgq/mu_regs.h"

namespace toroid {
namespace {

constexpr std::uint32_t kAllLinks = 0xFFE;  // but for the node itself
constexpr std::uint32_t kLocal = ClassRoute::kLocal;

std::uint32_t inputs(std::uint32_t word) {
  return word >> 16 & 0xFFF;
}
std::uint32_t outputs(std::uint32_t word) {
  return word & 0xFFF;
}
std::uint32_t links(std::uint32_t word) {
  return (inputs(word) | outputs(word)) & kAllLinks;
}
ClassType type(std::uint32_t word) {
  return static_cast<ClassType>(word >> 28 & 3);
}

}  // namespace

ClassRoutes::ClassRoutes(const Node& node, const ClassRoute& job) : node_(node) {
  for (auto& words : words_) words[kJobClass] = job.word();
  ClassRoute own = job;
  own.type = ClassType::system;
  for (const unsigned number : kSystemClasses) {
    for (auto& words : words_) words[number] = own.word();
  }
  words_[static_cast<unsigned>(Of::interrupts)][kJobClass] &= ~(3u << 28);  // these have no type
  for (const unsigned number : kSystemClasses) words_[static_cast<unsigned>(Of::interrupts)][number] &= ~(3u << 28);
}

void ClassRoutes::store(Of of, unsigned number, std::uint32_t word) {
  words_[static_cast<unsigned>(of)][number] = word;
  node_.clock.sync_to(sc_core::sc_time_stamp());
  const ClassRoute route = ClassRoute::of_word(word);
  if (of == Of::collectives) {
    node_.collectives.node(node_.number).set_route(number, route);
  } else {
    node_.interrupts.set_route(node_.number, number, route);
  }
}

void ClassRoutes::set_system(unsigned number, bool system) {
  const std::uint64_t bit = std::uint64_t{1} << (kClassRoutes - 1 - number);
  const std::uint64_t before = node_.mu.dcr(BGQ_MU_DCR_SYS_BARRIER_OFFSET);
  node_.mu.set_dcr(BGQ_MU_DCR_SYS_BARRIER_OFFSET, system ? before | bit : before & ~bit);
}

const ClassRoute& ClassRoutes::route_of(Of of, std::uint32_t node, unsigned number) const {
  return of == Of::collectives ? node_.collectives.node(node).route(number) : node_.interrupts.route(node, number);
}

std::optional<std::uint32_t> ClassRoutes::missing_end(Of of, unsigned number, Direction link) const {
  if (std::find(kSystemClasses.begin(), kSystemClasses.end(), number) != kSystemClasses.end()) return std::nullopt;
  const std::uint32_t end = node_.collectives.torus().topology().neighbour(node_.number, link);
  if (end == kNoNode) return std::nullopt;
  const ClassRoute& own = route_of(of, node_.number, number);
  const ClassRoute& theirs = route_of(of, end, number);
  const std::uint16_t back = ClassRoute::bit(opposite(link));
  const bool up = (own.output & ClassRoute::bit(link)) != 0;
  return ((up ? theirs.input : theirs.output) & back) != 0 ? std::nullopt : std::optional(end);
}

void ClassRoutes::take(Of of, unsigned number) {
  constexpr std::uint32_t kTaken = 3u << 28;
  store(of, number, of == Of::collectives ? kTaken : kLocal << 16);
  if (of == Of::interrupts) set_system(number, false);
}

void ClassRoutes::release(Of of, unsigned number) {
  store(of, number, 0);
  if (of == Of::interrupts) set_system(number, true);
}

int ClassRoutes::set(Of of, unsigned number, std::uint16_t input, std::uint16_t output) {
  const bool collective = of == Of::collectives;
  const std::uint32_t word = (input & (collective ? 0x3FFFu : 0xFFFu)) << 16 | (output & 0xFFFu);
  if ((outputs(word) & (outputs(word) - 1)) != 0) return BGQ_ROUTE_SEVERAL_OUTPUTS;
  if ((outputs(word) & kLocal) != 0) return BGQ_ROUTE_LOCAL_OUTPUT;
  const int rule = collective ? collective_rule(number, word) : interrupt_rule(number, word);
  if (rule == 0) store(of, number, word);
  return rule;
}

int ClassRoutes::collective_rule(unsigned number, std::uint32_t word) const {
  if ((inputs(word) & kLocal) == 0) return BGQ_ROUTE_NO_LOCAL_INPUT;
  if ((inputs(word) & outputs(word) & kAllLinks) != 0) return BGQ_ROUTE_BOTH_WAYS;
  // Packets of these two types share a channel.
  if (type(word) != ClassType::user_world && type(word) != ClassType::system) return 0;
  const ClassType other = type(word) == ClassType::system ? ClassType::user_world : ClassType::system;
  for (unsigned each = 0; each < kClassRoutes; ++each) {
    const std::uint32_t theirs = this->word(Of::collectives, each);
    if (each != number && type(theirs) == other && (links(word) & links(theirs)) != 0) return BGQ_ROUTE_SHARES_LINK;
  }
  return 0;
}

int ClassRoutes::interrupt_rule(unsigned number, std::uint32_t word) const {
  if ((inputs(word) & outputs(word) & kAllLinks) != 0) return BGQ_INTERRUPT_ROUTE_BOTH_WAYS;
  constexpr unsigned kPair = kClassRoutes / 2;  // two classes share the wires of a link
  const bool shares = (links(word) & links(this->word(Of::interrupts, number ^ kPair))) != 0;
  return shares ? BGQ_INTERRUPT_ROUTE_SHARES_LINK : 0;
}

}  // namespace toroid
