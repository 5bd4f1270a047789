// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <systemc>
#include <vector>

namespace toroid {

/// A core that sleeps in a loop that reads memory which the node's other cores write.
class MemoryReader {
 public:
  virtual ~MemoryReader() = default;
  /// Wakes up if memory is no longer what the loop has read; what has changed can be seen from `at` on.
  virtual void look(const sc_core::sc_time& at) = 0;
  /// The same where only the process whose own memory begins at physical address `own` may have stored, to its own
  /// memory and to what the node's processes share.
  virtual void look_after(std::uint64_t own, const sc_core::sc_time& at) {
    (void)own;
    look(at);
  }
};

/// Those of a node. A core lets them look before another one runs, so that they learn of each change with the time at
/// which it was made.
class MemoryReaders {
 public:
  void add(MemoryReader& reader) { readers_.push_back(&reader); }
  void remove(MemoryReader& reader) {
    readers_.erase(std::remove(readers_.begin(), readers_.end(), &reader), readers_.end());
  }
  /// Before the simulation: a process of this machine has no way to store to another one's own memory.
  void keep_processes_apart() { apart_ = true; }
  /// A core of the process whose own memory begins at physical address `own` may have stored.
  void look_after(std::uint64_t own, const sc_core::sc_time& at) {
    for (MemoryReader* reader : readers_) apart_ ? reader->look_after(own, at) : reader->look(at);
  }

 private:
  std::vector<MemoryReader*> readers_;
  bool apart_ = false;
};

}  // namespace toroid
