// SPDX-License-Identifier: Apache-2.0
//
// Output that a process has printed but that was not delivered when a run ends before its program.
#include <algorithm>
#include <array>

#include "hw/kernel/process.h"

namespace toroid {
namespace {

/// The C library empties its buffer this many cycles after the write at the latest: until then it holds text that is
/// out. Far too few to print as much anew.
constexpr CoreCycle kStillHeld = 500;

}  // namespace

void Process::flush_output(std::uint64_t passed_on, OutputSink& sink) const {
  if (space_ == nullptr || end_ == ProcessEnd::exited) return;
  std::array<char, 3> last{};  // what was shown last, by stream
  const auto show = [&](int stream, Span span) {
    const std::uint8_t* const from = span.size == 0 ? nullptr : space_->readable(span.address, span.size);
    if (from == nullptr) return;
    sink.write(rank_, stream, {reinterpret_cast<const char*>(from), span.size});
    last[static_cast<unsigned>(stream)] = static_cast<char>(from[span.size - 1]);
  };
  std::vector<Span> told;  // being written, or written just now: a library may hold the same bytes
  // Calls of one node are served one after the other: what has come without an answer is the first one's.
  std::uint64_t unanswered = passed_on - acknowledged_;
  for (const Write& write : writes_) {
    if (write.stream == 0) continue;
    if (write.finished && first_->cycles() > *write.finished + kStillHeld) continue;
    told.insert(told.end(), write.spans.begin(), write.spans.end());
    if (write.finished) continue;
    std::uint64_t skip = write.done + unanswered;
    unanswered = 0;
    for (const Span& span : write.spans) {
      const auto out = static_cast<std::uint32_t>(std::min<std::uint64_t>(skip, span.size));
      show(write.stream, {span.address + out, span.size - out});
      skip -= out;
    }
  }
  for (HeldOutput held : held_output(program_->image(), *space_)) {
    if (!is_standard(held.descriptor) || stream(held.descriptor) == Stream::input) continue;
    for (const Span& span : told) {
      if (held.text.address == span.address && held.text.size >= span.size)
        held.text = {held.text.address + span.size, held.text.size - span.size};
    }
    show(stream(held.descriptor) == Stream::error ? 2 : 1, held.text);
  }
  // The next rank's begins on a line of its own.
  for (const int stream : {1, 2}) {
    const char end = last[static_cast<unsigned>(stream)];
    if (end != '\0' && end != '\n') sink.write(rank_, stream, "\n");
  }
}

}  // namespace toroid
