// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <systemc>

#include "hw/debug/gdb_session.h"
#include "hw/io/host_files.h"
#include "hw/machine/job.h"
#include "hw/machine/machine_model.h"
#include "hw/machine/report.h"
#include "torus/torus/mapping.h"

namespace toroid {

/// A whole machine with a job: the hardware that a model builds, the processes on it, and how both run to an end.
///
/// One a simulator process, because SystemC elaborates once. Nodes without a process take part in the network only.
class Machine {
 public:
  /// `output` is kept by reference. Throws ConfigurationError or ProgramError.
  Machine(const MachineModel& model, const Topology& topology, const Mapping& mapping, const JobRequest& request,
          OutputSink& output);
  ~Machine();

  /// Tells `observer` of all that the cores do to memory. To be called before run().
  void observe(AccessObserver& observer);

  /// Lets gdb take hold of `rank`, which waits before its first instruction until it has come. `sources`: where gdb
  /// finds the machine's own software; may be empty. `interrupted` tells that the user wants an end. To be called
  /// before run(). Throws ConfigurationError if there is no such rank.
  void debug(std::uint32_t rank, std::unique_ptr<TcpPort> port, const std::string& sources,
             std::function<bool()> interrupted);

  /// Ends the run with a fault that is none of a process': of a unit of the networks. One line.
  void fail(const std::string& what);

  /// Runs to the end. `keep_going` is called every simulated millisecond, or every few hundredths of a second of the
  /// host's time if that is more often; the run ends when it returns false.
  RunReport run(const std::function<bool(const Machine&)>& keep_going);

  // Observation.
  Hardware& hardware() { return *hardware_; }
  const Hardware& hardware() const { return *hardware_; }
  const Job& job() const { return *job_; }
  std::uint64_t simulated_ns() const;
  std::uint64_t instructions() const;

 private:
  void on_process_end(const Process& process);
  void tell_debugger(const Process& process);
  void end(Ending ending);
  /// Lets the run come to its end.
  void run_to_end(const std::function<bool(const Machine&)>& keep_going);
  /// Every core waits, and no answer is under way to any of them.
  bool nothing_happens() const;
  RunReport report() const;
  std::optional<std::string> error_line(const RunReport& report) const;

  const std::optional<std::uint64_t> timeout_ns_;
  OutputSink& output_;
  JobDirectory job_directory_;
  std::unique_ptr<Hardware> hardware_;
  std::unique_ptr<Job> job_;
  std::optional<Ending> ending_;
  std::string network_fault_;
  std::string failure_;              ///< why the simulator could not go on
  std::unique_ptr<GdbSession> gdb_;  ///< nullptr unless it was asked for
  const Process* debugged_ = nullptr;
};

}  // namespace toroid
