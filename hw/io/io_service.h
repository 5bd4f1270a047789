// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "hw/io/host_files.h"
#include "hw/io/io_call.h"
#include "hw/io/output_sink.h"

namespace toroid {

/// What the daemon of an I/O node does for the processes of its set: performs their calls against the job's directory,
/// each process with descriptors of its own, and passes their output on.
class IoService {
 public:
  /// `directory` is the job's.
  IoService(JobDirectory& directory, OutputSink& output) : directory_(directory), output_(output) {}

  IoReply perform(const IoRequest& request);
  /// Of a write to standard output or error only the first part of the message has come: passes on what is there.
  void perform_part(const std::vector<std::uint8_t>& message);
  /// Bytes of a process's standard output and error that have been passed on.
  std::uint64_t passed_on(std::uint32_t rank) const;

 private:
  HostFiles& files_of(std::uint32_t rank);
  /// 1 or 2 where a request writes to standard output or error, or 0.
  int output_stream(const IoRequest& request);
  IoReply write(const IoRequest& request);
  IoReply read(const IoRequest& request, bool at);

  JobDirectory& directory_;
  OutputSink& output_;
  std::map<std::uint32_t, std::unique_ptr<HostFiles>> files_;  ///< by rank
  std::map<std::uint32_t, std::uint64_t> passed_on_;           ///< by rank
};

}  // namespace toroid
