// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "hw/kernel/system_call.h"

namespace toroid {

class MemoryView;
class Process;
class SharedMemory;
struct ProcessCore;
namespace calls {
struct CloneArguments;
}

/// What a machine's own kernel keeps for each node, beside the processes: who has which of its devices' resources. The
/// machine's calls (KernelConfig::machine_calls) reach it by Process::node(), and know its type.
class NodeServices {
 public:
  virtual ~NodeServices() = default;

  /// A core of `process` is about to begin, for the first time or anew: what the machine's kernel gives it. The process
  /// has its memory.
  virtual void begin(Process& process, ProcessCore& core) { (void)process, (void)core; }

  /// Adds to the `view` of a process what else of the node's memory it can come to see; its own and the shared memory
  /// are there.
  virtual void add_memory(const Process& process, std::uint64_t memory_bytes, MemoryView& view) const {
    (void)process, (void)memory_bytes, (void)view;
  }
  /// What the processes of the node share; nullptr if there is nothing of the kind.
  virtual SharedMemory* shared_memory() { return nullptr; }

  // Threads that the machine's kernel runs in its own way, on cores that others have.

  /// A thread is to be created. The call's result, or nullopt if it is to be one of the process's threads.
  virtual std::optional<CallResult> create_thread(const Call& call, const calls::CloneArguments& arguments) {
    (void)call, (void)arguments;
    return std::nullopt;
  }
  /// The thread that calls ends. Returns false if it is one of the process's threads.
  virtual bool end_thread(const Call& call) {
    (void)call;
    return false;
  }
  /// sched_setaffinity() and sched_getaffinity(), where threads of the machine move between cores. The call's result,
  /// or nullopt if threads stay where they are.
  virtual std::optional<CallResult> set_affinity(const Call& call) {
    (void)call;
    return std::nullopt;
  }
  virtual std::optional<CallResult> get_affinity(const Call& call) {
    (void)call;
    return std::nullopt;
  }
  /// The interrupt line of `core` is up, which stands at `pc`. Returns false if the process's own handler is meant.
  virtual bool interrupt(Process& process, ProcessCore& core, std::uint64_t pc) {
    (void)process, (void)core, (void)pc;
    return false;
  }
  /// A function that the machine's kernel has entered on `core` has returned to the `address` that it was given, which
  /// holds no code. Where the core goes on; nullopt if it does not, or if no such function returns.
  virtual std::optional<std::uint64_t> returned(Process& process, ProcessCore& core, std::uint64_t address) {
    (void)process, (void)core, (void)address;
    return std::nullopt;
  }
};

}  // namespace toroid
