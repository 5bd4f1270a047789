// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>

#include "firmware/bgp/dcmf/state.h"
#include "testbench/tests/firmware/dma_double.h"

namespace toroid::testing {

/// A job of several ranks in one process: an instance of DCMF each, over one DmaDouble. Rank order is XYZT, x fastest.
class DcmfJob {
 public:
  DcmfJob(unsigned x, unsigned y, unsigned z, unsigned processes = 1, std::size_t bytes = 8 << 20, unsigned rings = 7);
  DcmfJob(const DcmfJob&) = delete;
  DcmfJob& operator=(const DcmfJob&) = delete;

  /// Makes `rank` the process that runs.
  void select(unsigned rank);
  /// Runs `work` as one rank; as each in turn.
  void on(unsigned rank, const std::function<void()>& work);
  void on_all(const std::function<void(unsigned rank)>& work);
  unsigned advance(unsigned rank);
  /// Moves all packets and advances all ranks until nothing happens any more.
  void settle();
  /// Memory of a rank.
  template <typename T>
  T* memory(unsigned rank, std::size_t count = 1, std::size_t beside = 0) {
    return static_cast<T*>(dma.memory(rank).allocate(sizeof(T) * count, 64, beside));
  }

  unsigned size() const { return dma.ranks(); }
  dcmf_state_t& state(unsigned rank) { return states_[rank]; }

  DmaDouble dma;

 private:
  std::map<unsigned, dcmf_state_t> states_;
};

}  // namespace toroid::testing
