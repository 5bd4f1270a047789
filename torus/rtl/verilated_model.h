// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "torus/rtl/verilated_hooks.h"

namespace toroid::rtl {

/// What all pins of Verilated classes share: a model that has a clock `clk` and a reset `rst`. Pins is the abstract
/// class of a unit's pins, Model what Verilator has made of the unit or of a copy of it.
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
  /// `name` is the unit's in waves and messages.
  explicit VerilatedModel(const std::string& name) : model_(&shared_context(), name.c_str()) {}

  /// One clock cycle; the clock stays high.
  void tick() {
    lower_clock();
    model_.clk = 1;
    model_.eval();
  }
  /// Resets it, with the pins as they are. Settings may have a register of their own before what they reset.
  void pulse_reset() {
    model_.rst = 1;
    tick();
    tick();
    model_.rst = 0;
  }

  Model model_;
};

}  // namespace toroid::rtl
