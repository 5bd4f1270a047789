// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <systemc>
#include <vector>

namespace toroid {

/// A core that sleeps in a loop that reads memory which the node's other cores write.
class MemoryReader {
 public:
  virtual ~MemoryReader() = default;
  /// Wakes up if memory is no longer what the loop has read; what has changed can be seen from `at` on.
  virtual void look(const sc_core::sc_time& at) = 0;
};

/// Those of a node. A core lets them look before another one runs, so that they learn of each change with the time at
/// which it was made.
class MemoryReaders {
 public:
  void add(MemoryReader& reader) { readers_.push_back(&reader); }
  void remove(MemoryReader& reader) {
    readers_.erase(std::remove(readers_.begin(), readers_.end(), &reader), readers_.end());
  }
  void look(const sc_core::sc_time& at) {
    for (MemoryReader* reader : readers_) reader->look(at);
  }

 private:
  std::vector<MemoryReader*> readers_;
};

}  // namespace toroid
