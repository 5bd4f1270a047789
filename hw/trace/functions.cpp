// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/functions.h"

#include <fnmatch.h>

#include <algorithm>

#include "hw/kernel/printable.h"

namespace toroid::trace {
namespace {

bool matches(const std::string& name, const std::vector<std::string>& patterns) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&name](const std::string& pattern) { return fnmatch(pattern.c_str(), name.c_str(), 0) == 0; });
}

}  // namespace

Functions::Functions(const ElfImage& image, const Request::Patterns& patterns) {
  choose(image, patterns.calls);
  for (std::size_t i = 0; patterns.calls.empty() && names_.empty() && i < patterns.usual.size(); ++i)
    choose(image, patterns.usual[i]);
  choose(image, patterns.always);
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
