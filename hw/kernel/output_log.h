// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <utility>
#include <vector>

#include "hw/core/core_config.h"
#include "hw/io/output_sink.h"
#include "hw/kernel/address_space.h"
#include "hw/kernel/elf_image.h"
#include "hw/kernel/file_table.h"
#include "hw/kernel/held_output.h"

namespace toroid {

/// What a process writes, as far as its I/O node has not yet answered: if a run ends before its program, this and what
/// the program's libraries hold back is delivered all the same.
class OutputLog {
 public:
  /// A write, from when it begins.
  struct Write {
    FileTable::Stream stream;
    std::vector<Span> spans;
    std::uint64_t done = 0;               ///< bytes of them that the I/O node has answered for
    std::optional<CoreCycle> finished{};  ///< when the call returned
  };

  Write& begin(FileTable::Stream stream, std::vector<Span> spans) {
    return writes_.emplace_back(Write{stream, std::move(spans)});
  }
  /// The I/O node has answered for `bytes` more.
  void answered(Write& write, std::uint64_t bytes) {
    write.done += bytes;
    if (write.stream != FileTable::Stream::file) acknowledged_ += bytes;
  }
  void finish(Write& write, CoreCycle now) {
    write.finished = now;
    // Of those that are done, only the last is of interest.
    writes_.remove_if([&write](const Write& other) { return other.finished && &other != &write; });
  }

  /// Writes to `sink` what `rank` has printed and the I/O node has not passed on: the rest of a write under way, and
  /// what the C and C++ libraries still hold. `passed_on`: bytes of standard output and error that have come to the
  /// sink; `now`: of the process's first core.
  void flush(std::uint32_t rank, std::uint64_t passed_on, CoreCycle now, const FileTable& files, const ElfImage& image,
             const AddressSpace& space, WordLayout words, OutputSink& sink) const;

 private:
  std::list<Write> writes_;         ///< under way, in the order of their calls, and the last one before them
  std::uint64_t acknowledged_ = 0;  ///< bytes of standard output and error that the I/O node has answered for
};

}  // namespace toroid
