// SPDX-License-Identifier: Apache-2.0
//
// What gdb's `monitor` command asks of a node: of its Messaging Unit, which answers itself, and of its classes.
#include "hw/chips/bgq/bgq_chip.h"
#include "hw/chips/bgq/job_classes.h"
#include "nic/bgq/mu_layout.h"
#include "nic/bgq/mu_regs.h"

namespace toroid {
namespace {

using Of = ClassRoutes::Of;

const char* name_of(ClassType type) {
  switch (type) {
    case ClassType::user_world:
      return "of all nodes";
    case ClassType::system:
      return "of the system";
    case ClassType::user_subset:
      return "of some nodes";
  }
  return "taken";
}

/// The number of a class.
std::optional<unsigned> class_in(const std::string& word) {
  if (word.empty() || word.size() > 2 || word.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  const auto number = static_cast<unsigned>(std::stoul(word));
  if (number >= kClassRoutes) return std::nullopt;
  return number;
}

}  // namespace

std::string BgqChip::help() const {
  return "monitor mu                what the node's Messaging Unit does, FIFOs and base addresses in use\n"
         "monitor mu fifo inj|rec SUBGROUP NUMBER\n"
         "                          a FIFO of the Messaging Unit, and what waits in it\n"
         "monitor mu base SUBGROUP NUMBER\n"
         "                          a base address, and the counter there\n"
         "monitor mu route [CLASS]  routes of the classes of collectives and of global interrupts\n";
}

std::optional<std::string> BgqChip::answer(const std::vector<std::string>& words) const {
  if (words.empty() || words.front() != "mu") return std::nullopt;
  if (words.size() > 1 && words[1] == "route" && words.size() < 4)
    return tell_classes({words.begin() + 2, words.end()});
  const auto text = mu_.describe({words.begin() + 1, words.end()}, [this](std::uint64_t address, std::uint64_t bytes) {
    return memory_.contains(address, bytes) ? memory_.host(address) : nullptr;
  });
  if (text) return text;
  std::string asked = "monitor";
  for (const std::string& word : words) asked += " " + word;
  return asked +
         ": what there is is monitor mu, monitor mu fifo inj|rec SUBGROUP NUMBER, monitor mu base SUBGROUP NUMBER and "
         "monitor mu route [CLASS]\n";
}

/// Of one class, or of all that are not free.
std::string BgqChip::tell_classes(const std::vector<std::string>& which) const {
  unsigned first = 0, end = kClassRoutes;
  if (!which.empty()) {
    const std::optional<unsigned> number = class_in(which.front());
    if (!number) return "there is no class " + which.front() + ": classes are 0 to 15\n";
    first = *number;
    end = first + 1;
  }
  std::string text;
  for (const Of of : {Of::collectives, Of::interrupts}) {
    for (unsigned number = first; number < end; ++number) {
      if (which.empty() && routes_.is_free(of, number)) continue;
      text += of == Of::collectives ? tell_collective_class(number) : tell_interrupt_class(number);
    }
  }
  return text;
}

/// "down local, A-; up E+".
std::string BgqChip::tell_links(Of of, unsigned number) const {
  const ClassRoute route = ClassRoute::of_word(routes_.word(of, number));
  std::string down = (route.input & ClassRoute::kLocal) != 0 ? "local" : "", up;
  for (unsigned link = 0; link < topology_.directions(); ++link) {
    // A- before A+, as the machine's words have them.
    const auto direction = static_cast<Direction>(link ^ 1);
    const std::uint16_t bit = ClassRoute::bit(direction);
    if (((route.input | route.output) & bit) == 0) continue;
    std::string& text = (route.output & bit) != 0 ? up : down;
    text += (text.empty() ? "" : ", ") + topology_.direction_name(direction);
    if (const std::optional<std::uint32_t> end = routes_.missing_end(of, number, direction)) {
      text += " (node " + coordinates_text(topology_.coordinates(*end), topology_.dimensions()) + " does not have it " +
              ((route.output & bit) != 0 ? "down" : "up") + ")";
    }
  }
  return "down " + (down.empty() ? "none" : down) + "; up " + (up.empty() ? "none, the root" : up);
}

std::string BgqChip::tell_collective_class(unsigned number) const {
  const std::uint32_t word = routes_.word(Of::collectives, number);
  const std::string name = "collective class " + std::to_string(number) + ": ";
  constexpr std::uint32_t kLinks = 0x0FFF0FFF;
  if (word == 0) return name + "free\n";
  if ((word & kLinks) == 0) return name + "taken, without a route\n";
  return name + name_of(ClassRoute::of_word(word).type) + ", " + tell_links(Of::collectives, number) + "\n";
}

std::string BgqChip::tell_interrupt_class(unsigned number) const {
  const bool system = (mu_.dcr(BGQ_MU_DCR_SYS_BARRIER_OFFSET) >> (kMuClasses - 1 - number) & 1) != 0;
  std::string text = "global interrupt class " + std::to_string(number) + ": ";
  if (routes_.is_free(Of::interrupts, number)) {
    text += "free";
  } else {
    text += (system ? "of the system, " : "") + tell_links(Of::interrupts, number);
  }
  return text + "; control " + std::to_string(barriers_.control(number)) + ", status " +
         std::to_string(barriers_.status(number)) + "\n";
}

}  // namespace toroid
