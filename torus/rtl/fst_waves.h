// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated_fst_c.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "torus/rtl/waves.h"

namespace toroid::rtl {

/// A unit whose signals can be recorded.
struct Traced {
  std::string name;
  std::function<void(VerilatedFstC&)> trace;  ///< Adds its models; called once for each file.
  std::function<void()> lower_clock;          ///< Sets the clock low and calls eval(), with no other effect.
};

/// Waves of Verilated models as an FST file, which GTKWave opens. In addition to the units it has the signal
/// network.cycle: the number of the cycle.
class FstWaves final : public Waves {
 public:
  /// Throws std::invalid_argument.
  FstWaves(const WavesRequest& request, unsigned mhz, const std::vector<Traced>& units);
  ~FstWaves() override;

  void edge(std::uint64_t cycle) override;
  void close() override;

 private:
  struct Cycle;

  std::uint64_t picoseconds(std::uint64_t cycle) const;
  void flush();
  void dump(std::uint64_t at);

  const WavesRequest request_;
  const unsigned mhz_;
  std::vector<Traced> units_;  ///< those recorded
  const std::unique_ptr<Cycle> signal_;
  VerilatedFstC fst_;
  bool open_ = false;
  bool pending_ = false;  ///< cycle_ has been executed but not written
  std::uint64_t cycle_ = 0;
};

}  // namespace toroid::rtl
