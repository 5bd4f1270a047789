// SPDX-License-Identifier: Apache-2.0
//
// What gdb's `monitor` command asks of a rank.
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <sstream>

#include "hw/debug/rank_target.h"
#include "hw/kernel/printable.h"
#include "hw/memory/byte_order.h"

namespace toroid {
namespace {

const char* const kHelp =
    "monitor where             rank, node, place in the program, simulated time and core cycle\n"
    "monitor cores             what each core of the rank does\n"
    "monitor break inject [NETWORK] [FIFO [GROUP]]\n"
    "                          stop when the rank has written a packet to this injection FIFO, or to any\n"
    "monitor break receive [NETWORK] [FIFO [GROUP]]\n"
    "                          stop when a packet has arrived at this reception FIFO, or at any\n"
    "monitor break             the packet breaks that there are, or else the names of networks and FIFOs\n"
    "monitor delete [NUMBER]   no packet break of this number any more, or none at all\n"
    "monitor dcr               the ranges of device control registers\n"
    "monitor dcr NUMBER        a device control register\n"
    "monitor device ADDRESS    a device register, where reading it has no side effect\n"
    "monitor help              these\n";

const char* const kNoDcr = "this machine has no device control registers\n";

/// Decimal, or hexadecimal behind 0x.
std::optional<std::uint64_t> number_of(const std::string& text, unsigned bytes) {
  char* end = nullptr;
  const std::uint64_t value = std::strtoull(text.c_str(), &end, 0);
  if (text.empty() || text.front() == '-' || *end != '\0' || value > ~std::uint64_t{0} >> (64 - 8 * bytes))
    return std::nullopt;
  return value;
}

}  // namespace

std::string RankTarget::monitor(unsigned thread, const std::string& command) {
  std::istringstream stream(command);
  std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
  const std::string what = words.empty() ? "" : words[0];
  if (!words.empty()) words.erase(words.begin());
  const std::string argument = words.empty() ? "" : words[0];
  if (what == "where" && words.empty()) return tell_where(thread);
  if (what == "cores" && words.empty()) return tell_cores();
  if (what == "break") return packet_breaks_.add(words);
  if (what == "delete") return packet_breaks_.remove(words);
  if (what == "dcr" && words.empty()) return tell_dcr_ranges();
  if (what == "dcr" && words.size() == 1) return tell_dcr(argument);
  if (what == "device" && words.size() < 2) return tell_device(thread, argument);
  const std::string help = kHelp + (devices_ == nullptr ? "" : devices_->help());
  if (what == "help" || what.empty()) return help;
  if (devices_ != nullptr) {
    words.insert(words.begin(), what);
    if (const std::optional<std::string> answer = devices_->answer(words)) return *answer;
  }
  return "monitor " + command + ": there is no such command\n" + help;
}

std::string RankTarget::tell_where(unsigned thread) const {
  const Core& core = core_of(thread);
  char time[64];
  std::snprintf(time, sizeof time, "%.3f us", static_cast<double>(core.time().value()) / 1e6);  // of 1 ps each
  return process_.who() + ", core " + std::to_string(core.number()) + ": at " + process_.describe(pc_of(thread)) +
         "\nsimulated time " + time + ", core cycle " + std::to_string(core.cycles().count()) + "\n";
}

std::string RankTarget::tell_cores() const {
  std::string text;
  for (unsigned thread = 1; thread <= cores_.size(); ++thread) {
    const Core& core = core_of(thread);
    text += "core " + std::to_string(core.number()) + ": " + name_of(core.state());
    if (core.state() != CoreState::idle) {
      text += " at " + process_.describe(pc_of(thread)) + ", cycle " + std::to_string(core.cycles().count()) + ", " +
              std::to_string(core.counters().instructions) + " instructions";
    }
    text += "\n";
  }
  return text;
}

/// The runs of numbers at which there is a register.
std::string RankTarget::tell_dcr_ranges() const {
  constexpr std::uint32_t kNumbers = 4096;  // mfdcr names 1,024 of them, the indexed forms any
  if (dcr_ == nullptr) return kNoDcr;
  std::string text;
  for (std::uint32_t first = 0; first < kNumbers; ++first) {
    if (!dcr_->peek_dcr(first)) continue;
    std::uint32_t last = first;
    while (last + 1 < kNumbers && dcr_->peek_dcr(last + 1) && dcr_->name_of_dcr(last + 1) == dcr_->name_of_dcr(first))
      ++last;
    char range[32];
    std::snprintf(range, sizeof range, first == last ? "0x%03x         " : "0x%03x to 0x%03x", first, last);
    text += std::string(range) + "  " + dcr_->name_of_dcr(first) + "\n";
    first = last;
  }
  return text;
}

std::string RankTarget::about_watch(std::uint64_t address, std::uint64_t size) const {
  if (cores_.front()->device_in(address, address + size).empty()) return {};
  return "toroid: " + hex(address) +
         " is a device's: watch stops only where a store of the rank itself changes what gdb "
         "can read there; rwatch and awatch stop at each access of the rank, monitor break at packets\n";
}

std::string RankTarget::tell_dcr(const std::string& number) const {
  const std::optional<std::uint64_t> which = number_of(number, 4);
  if (!which) return "monitor dcr NUMBER: \"" + number + "\" is no number\n";
  if (dcr_ == nullptr) return kNoDcr;
  const std::optional<std::uint32_t> value = dcr_->peek_dcr(*which);
  if (!value) return "there is no device control register " + number + "\n";
  return "DCR " + number + ": " + hex(*value) + "\n";
}

std::string RankTarget::tell_device(unsigned thread, const std::string& address) const {
  const std::optional<std::uint64_t> at = number_of(address, word_bytes());
  if (!at) return "monitor device ADDRESS: \"" + address + "\" is no address\n";
  constexpr unsigned kQuad = 16;
  std::uint8_t data[kQuad] = {};
  std::string reason;
  const std::uint64_t first = *at & ~std::uint64_t{3};
  const unsigned done = core_of(thread).peek_device(first, data, kQuad - first % kQuad, reason);
  if (done == 0) return hex(*at) + ": " + reason + "\n";
  std::string text = hex(first) + ":";
  for (unsigned word = 0; word + 4 <= done; word += 4) text += " " + hex(load_u32(data + word, byte_order()));
  return text + "\n";
}

}  // namespace toroid
