// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/output_log.h"

#include <algorithm>
#include <array>

namespace toroid {
namespace {

/// The C library empties its buffer this many cycles after the write at the latest: until then it holds text that is
/// out. Far too few to print as much anew.
constexpr CoreCycle kStillHeld = 500;

int number_of(FileTable::Stream stream) {
  return stream == FileTable::Stream::error ? 2 : 1;
}

/// Delivers text of a process's memory.
class Delivery {
 public:
  Delivery(std::uint32_t rank, const AddressSpace& space, OutputSink& sink) : rank_(rank), space_(space), sink_(sink) {}

  void show(FileTable::Stream stream, Span span) {
    const std::uint8_t* const from = span.size == 0 ? nullptr : space_.readable(span.address, span.size);
    if (from == nullptr) return;
    const int number = number_of(stream);
    sink_.write(rank_, number, {reinterpret_cast<const char*>(from), span.size});
    last_[static_cast<unsigned>(number)] = static_cast<char>(from[span.size - 1]);
  }
  /// The next rank's begins on a line of its own.
  void end_lines() {
    for (const int number : {1, 2}) {
      const char end = last_[static_cast<unsigned>(number)];
      if (end != '\0' && end != '\n') sink_.write(rank_, number, "\n");
    }
  }

 private:
  std::uint32_t rank_;
  const AddressSpace& space_;
  OutputSink& sink_;
  std::array<char, 3> last_{};  ///< what was shown last, by number of the stream
};

}  // namespace

void OutputLog::flush(std::uint32_t rank, std::uint64_t passed_on, CoreCycle now, const FileTable& files,
                      const ElfImage& image, const AddressSpace& space, WordLayout words, OutputSink& sink) const {
  Delivery delivery(rank, space, sink);
  std::vector<Span> told;  // being written, or written just now: a library may hold the same bytes
  // Calls of one node are served one after the other: what has come without an answer is the first one's.
  std::uint64_t unanswered = passed_on - acknowledged_;
  for (const Write& write : writes_) {
    if (write.stream == FileTable::Stream::file) continue;
    if (write.finished && now > *write.finished + kStillHeld) continue;
    told.insert(told.end(), write.spans.begin(), write.spans.end());
    if (write.finished) continue;
    std::uint64_t skip = write.done + unanswered;
    unanswered = 0;
    for (const Span& span : write.spans) {
      const std::uint64_t out = std::min(skip, span.size);
      delivery.show(write.stream, {span.address + out, span.size - out});
      skip -= out;
    }
  }
  for (HeldOutput held : held_output(image, space, words)) {
    if (!files.is_standard(held.descriptor) || files.stream(held.descriptor) == FileTable::Stream::input) continue;
    for (const Span& span : told) {
      if (held.text.address == span.address && held.text.size >= span.size)
        held.text = {held.text.address + span.size, held.text.size - span.size};
    }
    delivery.show(files.stream(held.descriptor), held.text);
  }
  delivery.end_lines();
}

}  // namespace toroid
