// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "firmware/bgl/msglayer/state.h"
#include "testbench/tests/firmware/torus_double.h"

namespace toroid::testing {

/// A job of several ranks in one process: a message layer instance each, over one TorusDouble. Rank order is XYZT,
/// x fastest.
class Job {
 public:
  /// Bit d of `rings`: dimension d is a ring. Initialises every rank unless told otherwise. `processes` a node: 2 is
  /// virtual node mode.
  Job(unsigned x, unsigned y, unsigned z, unsigned rings = 7, bool initialise = true, unsigned processes = 1);
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// Make `rank` the process that runs. The personality functions and the FIFOs are its own from here on.
  void select(unsigned rank);

  /// Run `work` as each rank in turn: registrations, posts.
  void on_all(const std::function<void(unsigned rank)>& work);

  /// Run `work` as one rank.
  void on(unsigned rank, const std::function<void()>& work);

  /// One turn of one rank's advance loop.
  bool advance(unsigned rank);

  /// Move all packets and advance all ranks until nothing happens any more.
  void settle();

  unsigned size() const { return static_cast<unsigned>(table_.size()); }
  bglml_state_t& state(unsigned rank) { return states_[rank]; }
  /// A rank's counters; it is the process that runs afterwards.
  const bglml_counters_t& counters(unsigned rank) {
    select(rank);
    return *bglml_counters();
  }

  TorusDouble torus;

  static bglml_personality_t personality_;  ///< of the rank that runs

 private:
  bglml_coordinates_t shape_;
  std::uint8_t rings_;
  std::vector<std::uint32_t> table_;
  std::map<unsigned, bglml_state_t> states_;  // made when first selected
};

}  // namespace toroid::testing
