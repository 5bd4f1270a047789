// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "torus/rtl/verilated_hooks.h"

namespace toroid::rtl {

/// Base of all pin classes of Verilated models: a model with a clock `clk` and a reset `rst`. Pins is the abstract
/// class of a unit's pins, Model the class that Verilator has generated from the unit or from a copy of it.
template <class Pins, class Model>
class VerilatedModel : public Pins {
 public:
  ~VerilatedModel() override { model_.final(); }

  Model& model() { return model_; }

  // For waves.
  template <class File>
  void trace(File& file) {
    model_.trace(&file, 99);
  }
  void lower_clock() {
    model_.clk = 0;
    model_.eval();
  }

 protected:
  /// `name` is the name of the unit in waves and messages.
  explicit VerilatedModel(const std::string& name) : model_(&shared_context(), name.c_str()) {}

  /// One clock cycle; the clock stays high.
  void tick() {
    lower_clock();
    model_.clk = 1;
    model_.eval();
  }
  /// Resets the model without changing the pins. Takes several cycles, because settings may pass through a register.
  void pulse_reset() {
    model_.rst = 1;
    tick();
    tick();
    model_.rst = 0;
  }

  Model model_;
};

}  // namespace toroid::rtl
