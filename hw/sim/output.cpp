// SPDX-License-Identifier: Apache-2.0
#include "hw/sim/output.h"

#include <unistd.h>

#include <cerrno>

namespace toroid {

namespace {

void put(int descriptor, std::string_view text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = ::write(descriptor, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return;  // nobody reads any more: the run and its result go on
    done += static_cast<std::size_t>(written);
  }
}

}  // namespace

void HostOutput::write(std::uint32_t rank, int descriptor, std::string_view text) {
  if (!prefix_) return put(descriptor, text);
  std::string& line = unfinished_[{rank, descriptor}];
  std::string ready;
  for (const char character : text) {
    line += character;
    if (character != '\n') continue;
    ready += std::to_string(rank) + ": " + line;
    line.clear();
  }
  put(descriptor, ready);
}

void HostOutput::flush() {
  for (const auto& [origin, line] : unfinished_) {
    if (!line.empty()) put(origin.second, std::to_string(origin.first) + ": " + line + "\n");
  }
  unfinished_.clear();
}

}  // namespace toroid
