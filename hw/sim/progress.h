// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace toroid {

/// Reports progress to the process that started the simulator: JSON lines on a file descriptor from time to time, and a
/// last one with what the run cost the host. Host time goes here and never into the result file, which must be the same
/// on any host.
class Progress {
 public:
  struct Counts {
    std::uint64_t simulated_ns = 0;
    std::uint64_t instructions = 0;
    std::uint64_t packets = 0;  ///< that have entered the torus
    std::uint64_t packet_hops = 0;
    std::optional<std::uint64_t> live_ranks;  ///< that have not ended; of runs
    std::optional<double> fraction;           ///< of the work, 0 to 1, where the end is known
    std::optional<double> bytes_per_router;   ///< host memory, of traffic runs; in the last line only
  };

  /// `descriptor` < 0: no reports.
  explicit Progress(int descriptor);

  /// The machine is built; simulated time begins.
  void elaborated();
  /// Whether update() would write now: for counts that take time to collect.
  bool is_due() const;
  /// Cheap to call often; writes at most every tenth of a second.
  void update(const Counts& counts);
  /// The last line.
  void done(const Counts& counts);

 private:
  int descriptor_;
  std::chrono::steady_clock::time_point started_;
  std::chrono::steady_clock::time_point written_;
  double cpu_started_;         ///< processor time, in seconds
  double cpu_elaborated_ = 0;  ///< the same, since then
};

/// True once the user has asked for an end (SIGINT or SIGTERM).
bool interrupted();
/// Makes SIGINT and SIGTERM set interrupted() instead of ending the process.
void catch_interrupts();

}  // namespace toroid
