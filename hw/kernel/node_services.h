// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace toroid {

class Process;
struct ProcessCore;

/// What a machine's own kernel keeps for each node, beside the processes: who has which of its devices' resources. The
/// machine's calls (KernelConfig::machine_calls) reach it by Process::node(), and know its type.
class NodeServices {
 public:
  virtual ~NodeServices() = default;

  /// A core of `process` is about to begin, for the first time or anew: what the machine's kernel gives it. The process
  /// has its memory.
  virtual void begin(Process& process, ProcessCore& core) { (void)process, (void)core; }
};

}  // namespace toroid
