// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "hw/isa/x86_64/instruction.h"
#include "torus/base/parameter.h"

namespace toroid::x86_64 {

/// What limits the throughput of an out-of-order core, in core cycles and operations per cycle. What each is:
/// visit_parameters(); values and sources: the section core of hw/machines/*.yaml.
struct PipelineConfig {
  unsigned width;
  unsigned accesses;
  unsigned load_latency;
  unsigned multiply_wide_cycles;
  unsigned divide_cycles;
  unsigned divide_wide_cycles;
  unsigned float_divide_cycles;
  unsigned float_divide_single_cycles;
  unsigned float_root_cycles;
  unsigned float_root_single_cycles;
  unsigned microcode_cycles;
  unsigned lock_cycles;
  unsigned fence_cycles;
  unsigned time_cycles;
  unsigned branch_taken;
  unsigned branch_conditional;

  void visit_parameters(ParameterVisitor& visitor);
};

/// When a block's instructions issue, with everything in the first level cache.
struct Schedule {
  unsigned cycles = 0;               ///< until the next block can begin
  std::vector<std::uint16_t> issue;  ///< of each instruction, in cycles from the block's beginning
};

/// The throughput of an AMD family 10h core: a block takes as long as the resource takes that it uses most, whatever
/// depends on what. Resources are the decoders, which pass on `width` macro-operations a cycle; the load/store unit;
/// the pipes of floating-point addition and multiplication; the multiplier and dividers, which take one operation at a
/// time. (Chains of loads are the decoder's.) What the core does alone comes on top: microcode, locked accesses,
/// fences, and the mean cost of branches.
class Pipeline {
 public:
  explicit Pipeline(const PipelineConfig& config) : config_(config) {}

  Schedule schedule(const std::vector<Instruction>& block) const;
  /// From a load to the use of what it loads.
  unsigned load_latency() const { return config_.load_latency; }

 private:
  struct Use;
  void add(const Instruction& instruction, Use& use) const;
  void add_floating(const Instruction& instruction, Use& use) const;

  const PipelineConfig config_;
};

}  // namespace toroid::x86_64
