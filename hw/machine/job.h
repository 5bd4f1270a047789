// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hw/core/core.h"
#include "hw/io/output_sink.h"
#include "hw/kernel/machine_facts.h"
#include "hw/kernel/process.h"
#include "hw/machine/hardware.h"
#include "hw/machine/job_request.h"
#include "torus/torus/mapping.h"

namespace toroid {

/// Where each rank of a job runs. Throws ConfigurationError if the machine has no room for so many.
std::vector<Place> places_of_ranks(const Mapping& mapping, std::uint32_t ranks);

/// The processes of a job, and the nodes and cores that each of them has.
class Job {
 public:
  /// Starts a process at each of `places`, by rank. `kernel` is what all of them get; `hardware` is kept by reference.
  Job(const JobRequest& request, KernelConfig kernel, std::shared_ptr<Program> program,
      const std::vector<Place>& places, Hardware& hardware);

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(processes_.size()); }
  Process& process(std::uint32_t rank) { return *processes_[rank]; }
  const Process& process(std::uint32_t rank) const { return *processes_[rank]; }
  std::uint32_t node_of(std::uint32_t rank) const { return places_[rank].node; }
  /// The cores that the rank runs on or may start, the one on which it begins first.
  const std::vector<Core*>& cores_of(std::uint32_t rank) const { return cores_[rank]; }
  const Program& program() const { return *program_; }
  /// Its path on the host.
  const std::string& program_path() const { return program_path_; }
  const MachineFacts& facts() const { return *facts_; }

  /// Processes that have not ended.
  std::size_t live() const { return live_; }
  /// The process that was killed first, or nullptr.
  const Process* first_fault() const { return first_fault_; }
  /// Calls `call` when a process has ended.
  void on_end(std::function<void(const Process&)> call) { ended_ = std::move(call); }
  /// At the end of the run: passes on all that the processes have printed, wherever it is held.
  void flush_output(OutputSink& output) const;

 private:
  void start_process(std::uint32_t rank);
  void count_end(const Process& process);

  const KernelConfig kernel_;
  const ProcessMode mode_;
  const std::string program_path_;
  const std::shared_ptr<Program> program_;
  const std::vector<Place> places_;
  Hardware& hardware_;
  std::shared_ptr<const MachineFacts> facts_;
  std::vector<std::vector<Core*>> cores_;            ///< by rank
  std::vector<std::unique_ptr<Process>> processes_;  ///< by rank
  std::size_t live_ = 0;
  const Process* first_fault_ = nullptr;
  std::function<void(const Process&)> ended_;
};

}  // namespace toroid
