// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "hw/isa/register_set.h"

namespace toroid {

class Core;
struct Block;

/// Observes a core's blocks and waits, for records of what it did. Costs a call for each block, and nothing where
/// there is none: unlike an AccessObserver it needs no help from the engine.
class CoreObserver {
 public:
  /// A block is entered. `gpr`: the general purpose registers then. Turns of a polling loop for which the core is
  /// parked are not reported; whole turns are left out.
  virtual void on_block(Core& core, const Block& block, GeneralRegisters gpr) = 0;
  /// Core::state() may have changed, to `waiting`, `sleeping` or `parked` or from there, or to `idle`; core.now() tells
  /// when.
  virtual void on_state(Core& core) = 0;
  /// The core's software has waited since `begin` for the answer to a call that it ships elsewhere; numbers are those
  /// of hw/io/io_call.h.
  virtual void on_shipped_call(Core& core, unsigned operation, std::int32_t descriptor, std::uint64_t bytes,
                               std::int64_t result, sc_core::sc_time begin) = 0;

 protected:
  ~CoreObserver() = default;
};

}  // namespace toroid
