// SPDX-License-Identifier: Apache-2.0
#include "hw/sim/output.h"

#include <unistd.h>

#include <cerrno>

namespace toroid {

namespace {

/// What a rank prints without ever ending the line goes out in lines of this length.
constexpr std::size_t kLongestLine = 64 << 10;

/// Returns the error number of what failed, or 0.
int put(int descriptor, std::string_view text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = ::write(descriptor, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    done += static_cast<std::size_t>(written);
  }
  return 0;
}

}  // namespace

void HostOutput::write(std::uint32_t rank, int descriptor, std::string_view text) {
  if (!prefix_) return put_or_note(descriptor, text);
  std::string& line = unfinished_[{rank, descriptor}];
  std::string ready;
  for (const char character : text) {
    line += character;
    if (character != '\n' && line.size() < kLongestLine) continue;
    ready += std::to_string(rank) + ": " + line;
    if (character != '\n') ready += '\n';
    line.clear();
  }
  put_or_note(descriptor, ready);
}

/// The run and its result go on, whatever becomes of the output.
void HostOutput::put_or_note(int descriptor, std::string_view text) {
  const int error = put(descriptor, text);
  if (error != 0 && error != EPIPE && failure_ == 0) failure_ = error;
}

void HostOutput::flush() {
  for (const auto& [origin, line] : unfinished_) {
    if (!line.empty()) put_or_note(origin.second, std::to_string(origin.first) + ": " + line + "\n");
  }
  unfinished_.clear();
}

}  // namespace toroid
