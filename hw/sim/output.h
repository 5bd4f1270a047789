// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "hw/io/output_sink.h"

namespace toroid {

/// Passes what processes print on to the simulator's own standard output and error.
///
/// With prefixes, output goes out line by line, each line behind its rank ("3: hello"), so that lines of different
/// ranks do not mix; without, it goes out as it comes.
class HostOutput : public OutputSink {
 public:
  explicit HostOutput(bool prefix) : prefix_(prefix) {}
  ~HostOutput() override { flush(); }

  void write(std::uint32_t rank, int descriptor, std::string_view text) override;
  /// Writes the lines that were never ended.
  void flush();

  /// The error number of the first write that failed, or 0. A reader that has gone away is no failure.
  int failure() const { return failure_; }

 private:
  void put_or_note(int descriptor, std::string_view text);

  bool prefix_;
  int failure_ = 0;
  std::map<std::pair<std::uint32_t, int>, std::string> unfinished_;  ///< by rank and descriptor
};

}  // namespace toroid
