// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/core/core.h"
#include "hw/io/io_port.h"
#include "hw/io/output_sink.h"
#include "hw/kernel/abi/abi.h"
#include "hw/kernel/address_space.h"
#include "hw/kernel/call_counts.h"
#include "hw/kernel/dcr_bus.h"
#include "hw/kernel/file_table.h"
#include "hw/kernel/guest_words.h"
#include "hw/kernel/kernel_config.h"
#include "hw/kernel/machine_facts.h"
#include "hw/kernel/node_services.h"
#include "hw/kernel/output_log.h"
#include "hw/kernel/process_core.h"
#include "hw/kernel/program.h"
#include "hw/kernel/random_stream.h"
#include "hw/kernel/shipped_calls.h"
#include "hw/kernel/signal_delivery.h"
#include "hw/kernel/threads.h"

namespace toroid {

enum class ProcessEnd : std::uint8_t {
  running,
  exited,
  killed,
  aborted,  ///< it has ended the job
  timed_out
};

struct FaultReport;

/// One process, and the kernel that serves it: CNK's place on the machine.
///
/// It runs on one core, and may start further ones where it has been given such. Calls and faults come from any.
///
/// It loads the program, hands each system call to the handler that the ABI names, and ends the process with a report
/// where it does what it must not. Nothing a program does ends the simulator. What calls work on are its parts: memory,
/// open files, output. Calls about files and output go to the I/O node, and their core waits for the answer; all others
/// are served at once.
class Process : public Software {
 public:
  /// `machine.ranks[rank]` is this process's place. `dcr` and `node` may be nullptr. Everything is kept by reference or
  /// shared.
  Process(std::shared_ptr<Program> program, std::shared_ptr<const MachineFacts> machine, const KernelConfig& config,
          std::uint32_t rank, IoPort& io, DcrBus* dcr, NodeServices* node = nullptr);

  /// Before the simulation starts: the cores that the process has; it begins on the first. Without, it has the one that
  /// it is started on.
  void set_cores(const std::vector<Core*>& cores);

  std::uint64_t start(Core& core) override;
  BlockTable& blocks() override { return program_->blocks(); }
  void on_system_call(Core& core) override;
  void on_machine_instruction(Core& core, std::uint64_t pc, const InstructionBytes& instruction) override;
  void on_fault(Core& core, const CoreFault& fault) override;
  FaultHandler handler_of(Core& core, const CoreFault& fault) override;
  std::uint8_t* memory_for(std::uint64_t address, std::uint64_t size, bool store) override;
  std::optional<std::uint64_t> on_jump_to_data(Core& core, std::uint64_t address) override;
  void on_timeout(Core& core) override;
  bool on_interrupt(Core& core, std::uint64_t pc) override;
  bool on_call(Core& core, std::uint64_t pc) override;

  // Observers.

  std::uint32_t rank() const { return rank_; }
  ProcessEnd how_ended() const { return end_; }
  /// exit()'s or end_job()'s status, 128 + signal where it was killed, 124 where the time was up; valid once it has
  /// ended.
  int exit_status() const { return exit_status_; }
  /// One line where the process was killed: "rank 3 (node 1,0,0): illegal instruction 0x00000000 at 0x10000520
  /// (main+0x20)".
  const std::string& report() const { return report_; }
  /// "rank 3 (node 1,0,0)".
  std::string who() const;
  /// "0x10000520 (main+0x20)".
  std::string describe(std::uint64_t address) const { return program_->symbols().describe(address); }
  /// How often each system call was made, by name; those the kernel does not have as "unknown 123".
  const std::map<std::string, std::uint64_t>& system_calls() const { return counts_.all(); }
  /// What its calls took to the I/O node and back.
  const IoTraffic& io_traffic() const { return shipped_.traffic(); }
  /// The functions that led to where `core` stands, innermost first, without that itself: "barrier, main". Not
  /// what led to main(). Empty where they are not known.
  std::string functions_to(Core& core) const { return functions_to(core, core.pc()); }
  /// What the program says it waits for (struct toroid_activity); empty where it says nothing.
  std::string activity() const;
  /// The same of its libraries (struct toroid_library).
  std::string waits() const;
  /// Which function the program has called of a library that is not ready for calls, on its way to where `core` stands;
  /// empty if none.
  std::string misuse(Core& core) const { return misuse(core, core.pc()); }
  /// The call for whose answer `core` waits, or nullptr.
  const char* awaited_call(const Core& core) const { return shipped_.awaited(core); }
  /// At the end of the run: passes on what the program has printed and the I/O node has not (OutputLog). Nothing where
  /// the process has exited: by then it has flushed what it wanted to. `passed_on`: bytes of this process's standard
  /// output and error that have come to the sink.
  void flush_output(std::uint64_t passed_on, OutputSink& sink) const;
  /// Called when the process has ended, in the SystemC process of one of its cores, or in that of a device
  /// (kill_by_device()).
  void on_end(std::function<void(Process&)> callback) { ended_ = std::move(callback); }

  /// From a device of the node, at SystemC's time: the process has misused it, and no instruction waits for an answer
  /// that could be a fault. Ends the process with a report that says `what`. Nothing happens if it has ended.
  void kill_by_device(const std::string& what);

  // For the system calls (hw/kernel/calls).

  const Program& program() const { return *program_; }
  const Isa& isa() const { return program_->isa(); }
  const Abi& abi() const { return *config_.abi; }
  WordLayout words() const { return {isa().byte_order(), isa().word_bytes()}; }
  const KernelConfig& config() const { return config_; }
  const MachineFacts& machine() const { return *machine_; }
  const ProcessPlace& place() const { return machine_->ranks[rank_]; }
  /// The memory that the process may access; nullptr before it has started.
  AddressSpace* memory() { return space_.get(); }
  FileTable& files() { return files_; }
  OutputLog& output() { return output_; }
  ShippedCalls& shipped() { return shipped_; }
  RandomStream& random() { return random_; }
  DcrBus* dcr() { return dcr_; }
  /// Returns nullptr if the machine's kernel keeps nothing for its nodes.
  NodeServices* node() { return node_; }
  /// The one on which it began first.
  std::vector<ProcessCore>& cores() { return cores_; }
  ProcessCore& of(const Core& core);
  Threads& threads() { return threads_; }
  Signals& signals() { return signals_; }
  const Signals& signals() const { return signals_; }
  /// Where the memory that the node's processes share begins; the process has started, and there is such memory.
  std::uint64_t shared_base() const { return shared_base_; }
  /// The process has mapped some of it: from now on, what its cores see does not depend on the quantum.
  void map_node_memory() {
    shares_node_memory_ = true;
    threads_.adjust_cores();
  }
  /// The same, and others may have a way to its own memory.
  void share_node_memory() {
    shows_own_memory_ = true;
    map_node_memory();
  }
  bool shares_node_memory() const { return shares_node_memory_; }
  bool shows_own_memory() const { return shows_own_memory_; }
  /// "thread 3 on core 2", or "core 1" of one that runs without a thread.
  std::string thread_text(const ProcessCore& own) const;
  void count(const char* what) { counts_.count(what); }
  /// The functions that led to a system call of `core`, innermost first, with those that led to main(): "raise, abort,
  /// main (crash.c:4)".
  std::string callers(Core& core) const;
  /// Ends the process, by a call or a fault of `caller`.
  void end(Core& caller, ProcessEnd how, int status) { end(&caller, how, status); }
  /// Ends it with a report that says `what`.
  void kill(Core& caller, int status, const std::string& what);

 private:
  const SystemCall* find_call(std::uint64_t number) const;
  /// By `caller`, or by none of its cores.
  void end(Core* caller, ProcessEnd how, int status);
  /// A system call of `own` has this result; handlers of signals that are due come before the program goes on.
  void return_from_call(ProcessCore& own, CallResult result);
  MemoryView view_of(Core& core);
  std::uint64_t start_first(Core& core);
  /// Returns why the program cannot be loaded; an empty text if it is.
  std::string load();
  std::string functions_to(Core& core, std::uint64_t pc) const;
  /// A fault's report with what led to it.
  std::string circumstances(Core& core, const FaultReport& report) const;
  std::string misuse(Core& core, std::uint64_t pc) const;

  std::shared_ptr<Program> program_;
  std::shared_ptr<const MachineFacts> machine_;
  const KernelConfig& config_;
  std::uint32_t rank_;
  DcrBus* dcr_;
  NodeServices* node_;
  std::vector<ProcessCore> cores_;
  Threads threads_{*this};
  Signals signals_{*this};
  std::unique_ptr<AddressSpace> space_;
  std::uint64_t shared_base_ = 0;
  bool shares_node_memory_ = false;
  bool shows_own_memory_ = false;
  FileTable files_;
  OutputLog output_;
  ShippedCalls shipped_;
  RandomStream random_;
  CallCounts counts_;
  ProcessEnd end_ = ProcessEnd::running;
  int exit_status_ = 0;
  std::string report_;
  std::function<void(Process&)> ended_;
};

}  // namespace toroid
