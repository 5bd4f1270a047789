// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/functions.h"

#include <fnmatch.h>

#include <algorithm>

#include "hw/kernel/printable.h"

namespace toroid::trace {
namespace {

// The second: names under which tools put themselves before a function; one function with its weak name as a rule.
const std::vector<std::string> kMpi = {"MPI_*", "PMPI_*"};
// What programs call of the message layer to send, to wait and together. Not what it calls a packet.
const std::vector<std::string> kMessageLayer = {
    "bglml_init",      "bglml_one_packet_post", "bglml_eager_post", "bglml_adaptive_post", "bglml_rendezvous_post",
    "bglml_wait",      "bglml_barrier",         "bglml_co_join",    "bglml_broadcast",     "bglml_alltoall",
    "bglml_alltoallv", "bglml_allgatherv",      "bglml_tree_*"};
// Always: without them nobody can tell which protocol the packets of a port belong to, and which call has sent a
// message.
const std::vector<std::string> kMessages = {
    "bglml_one_packet_register", "bglml_one_packet_init*",    "bglml_one_packet_post",   "bglml_eager_register",
    "bglml_eager_init*",         "bglml_eager_post",          "bglml_adaptive_register", "bglml_adaptive_init*",
    "bglml_adaptive_post",       "bglml_rendezvous_register", "bglml_rendezvous_init*",  "bglml_rendezvous_post"};

bool matches(const std::string& name, const std::vector<std::string>& patterns) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&name](const std::string& pattern) { return fnmatch(pattern.c_str(), name.c_str(), 0) == 0; });
}

}  // namespace

Functions::Functions(const ElfImage& image, const std::vector<std::string>& patterns) {
  choose(image, patterns.empty() ? kMpi : patterns);
  if (names_.empty() && patterns.empty()) choose(image, kMessageLayer);
  choose(image, kMessages);
}

void Functions::choose(const ElfImage& image, const std::vector<std::string>& patterns) {
  for (const ElfImage::Function& function : image.functions()) {
    const std::string name = printable(function.name);  // it becomes part of a file
    if (!matches(name, patterns)) continue;
    const auto [known, is_new] = by_address_.emplace(function.address, static_cast<std::uint32_t>(names_.size()));
    if (is_new) {
      names_.push_back(name);
    } else if (names_[known->second] == "P" + name) {  // the name that programs call it by
      names_[known->second] = name;
    }
  }
}

std::uint32_t Functions::look_up(const Block& block) {
  if (block.number >= by_block_.size()) by_block_.resize(block.number + 1, kUnknown);
  const auto found = by_address_.find(block.address);
  return by_block_[block.number] = found == by_address_.end() ? kNone : found->second;
}

}  // namespace toroid::trace
