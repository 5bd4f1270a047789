// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "hw/core/core.h"
#include "hw/trace/functions.h"
#include "hw/trace/writer.h"

namespace toroid::trace {

/// Records what one core does: when it has something to execute, calls of the chosen functions, times of waiting, and
/// calls that its kernel ships.
///
/// A call begins where a block begins at the function's address, and ends at the block to which it returns with the
/// stack as it was. A function left otherwise (longjmp, exit) ends where one that called it does, or with the core.
class CoreRecorder final : public CoreObserver {
 public:
  CoreRecorder(Writer& writer, Functions& functions, Core& core, std::uint32_t node, std::uint32_t rank)
      : writer_(writer), functions_(functions), core_(core), node_(node), rank_(rank) {}

  void on_block(Core& core, const Block& block, GeneralRegisters gpr) override;
  void on_state(Core& core) override;
  void on_shipped_call(Core& core, unsigned operation, std::int32_t descriptor, std::uint64_t bytes,
                       std::int64_t result, sc_core::sc_time begin) override;
  /// Records what has not ended.
  void finish();

 private:
  struct Frame {
    std::uint64_t entered;
    std::uint32_t function;
    std::uint64_t stack;
    std::uint64_t caller;
    std::array<std::uint32_t, 6> arguments;
  };

  std::uint64_t now() const { return core_.time().value(); }
  void leave(std::size_t depth, std::uint32_t result);
  void record(const Frame& frame, std::size_t depth, std::uint64_t end, std::uint32_t result, bool unfinished);
  void end_wait(bool unfinished);
  void end_run(std::uint64_t end, bool unfinished);

  Writer& writer_;
  Functions& functions_;
  Core& core_;
  const std::uint32_t node_;
  const std::uint32_t rank_;
  std::vector<Frame> frames_;
  std::optional<Wait> wait_;
  std::optional<std::uint64_t> running_since_;
};

}  // namespace toroid::trace
