// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "hw/chips/bgl/bgl_chip.h"
#include "hw/debug/gdb_session.h"
#include "hw/io/io_node.h"
#include "hw/kernel/process.h"
#include "hw/machine/dead_end.h"
#include "hw/machine/describe.h"
#include "hw/machine/report.h"
#include "torus/barrier/global_interrupts.h"
#include "torus/base/network_clock.h"
#include "torus/torus/mapping.h"
#include "torus/torus/network.h"
#include "torus/tree/network.h"

namespace toroid {

/// What is to run on a machine.
struct JobRequest {
  std::string program;
  std::uint32_t ranks = 0;
  unsigned processes_per_node = 1;  ///< 1: coprocessor mode; 2: virtual node mode
  KernelConfig kernel;
  std::string job_directory;  ///< on the host; all that programs see of its files. Empty: none
  std::optional<std::uint64_t> timeout_ns;
};

/// A whole machine with a job: the networks, a chip at every node that has a process, the processes, and the I/O nodes
/// that serve them.
///
/// One a simulator process, because SystemC elaborates once. Nodes without a process take part in the network only.
class Machine {
 public:
  /// Throws ConfigurationError or ProgramError.
  Machine(const MachineConfig& config, const Topology& topology, const Mapping& mapping, const JobRequest& request,
          std::uint64_t seed, OutputSink& output);
  ~Machine();

  /// Tells `observer` of all that the cores do to memory. To be called before run().
  void observe(AccessObserver& observer);

  /// Lets gdb take hold of `rank`, which waits before its first instruction until it has come. `sources`: where gdb
  /// finds the machine's own software; may be empty. `interrupted` tells that the user wants an end. To be called
  /// before run(). Throws ConfigurationError where there is no such rank.
  void debug(std::uint32_t rank, std::unique_ptr<TcpPort> port, const std::string& sources,
             std::function<bool()> interrupted);

  /// Ends the run with a fault that is none of a process': of a unit of the networks. One line.
  void fail(const std::string& what);

  /// Runs to the end. `keep_going` is called every simulated millisecond, or every few hundredths of a second of the
  /// host's time if that is more often; the run ends when it returns false.
  RunReport run(const std::function<bool(const Machine&)>& keep_going);

  // For whoever watches it.
  const MachineConfig& config() const { return config_; }
  TorusNetwork& network() { return network_; }
  TreeNetwork& tree() { return tree_; }
  const Program& program() const { return *program_; }
  const MachineFacts& facts() const { return *facts_; }
  std::uint32_t node_of(std::uint32_t rank) const { return nodes_[rank]; }
  /// Null where no process runs.
  BglChip* chip(std::uint32_t node) { return chips_[node].get(); }

  std::uint64_t simulated_ns() const;
  std::uint64_t instructions() const;
  /// On the torus.
  std::uint64_t packets() const { return network_.injected(); }
  std::uint64_t packet_hops() const { return network_.hops(); }
  /// Processes that have not ended.
  std::size_t live_processes() const { return live_processes_; }

 private:
  class Pace;

  void set_tree_classes();
  void add_io_nodes();
  /// The end of a run: all that the processes have printed goes out, wherever it stands.
  void flush_output();
  void on_process_end(Process& process);
  void tell_debugger(const Process& process);
  /// Lets SystemC run; what a process of its throws ends the run.
  void run_systemc(sc_core::sc_time span);
  /// Lets `span` of simulated time pass; `look` is called in between, and may end the run.
  void advance(sc_core::sc_time span, Pace& pace, const std::function<void()>& look);
  void end(Ending ending);
  bool everyone_waits() const;
  bool calls_under_way() const;
  std::string whereabouts(std::uint32_t rank) const;
  /// The core on which a rank's process runs.
  Core& core_of(std::uint32_t rank) const { return *cores_[rank]; }
  std::string waiting_ranks() const;
  /// What the networks hold up, and who has not come to a barrier; empty where nothing is known.
  std::string stuck_text() const;
  std::string barriers_text() const;
  /// What the devices hold that software has left there. `explained`: see Standstill.
  std::string pending_text(bool explained) const;
  RunReport report() const;
  RankReport report_rank(std::uint32_t rank) const;
  NetworkReport report_network() const;
  TreeReport report_tree() const;
  std::vector<std::string> report_coherence() const;
  std::optional<std::string> error_line(const RunReport& report) const;

  const MachineConfig config_;
  KernelConfig kernel_;
  std::shared_ptr<const MachineFacts> facts_;
  std::shared_ptr<Program> program_;
  std::optional<std::uint64_t> timeout_ns_;
  OutputSink& output_;
  JobDirectory job_directory_;
  Wheel wheel_;
  TorusNetwork network_;
  TreeNetwork tree_;
  GlobalInterrupts global_interrupts_;
  NetworkClock clock_;
  std::vector<std::unique_ptr<BglChip>> chips_;      ///< by node; null where no process runs
  std::vector<Core*> cores_;                         ///< by rank
  std::vector<std::uint32_t> nodes_;                 ///< by rank
  std::vector<std::unique_ptr<DeadEnd>> dead_ends_;  ///< by node; nullptr where a process runs
  std::vector<std::unique_ptr<IoNode>> io_nodes_;    ///< those with ranks, in the order of their addresses
  std::vector<std::unique_ptr<Process>> processes_;  ///< by rank
  std::size_t live_processes_ = 0;
  std::optional<Ending> ending_;
  const Process* first_fault_ = nullptr;
  std::string network_fault_;
  std::string failure_;  ///< why the simulator could not go on
  std::string program_path_;
  std::unique_ptr<GdbSession> gdb_;  ///< null unless it was asked for
  const Process* debugged_ = nullptr;
};

}  // namespace toroid
