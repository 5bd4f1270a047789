// SPDX-License-Identifier: Apache-2.0
#pragma once

class VerilatedContext;

namespace toroid::rtl {

// How Verilated code meets the rest of a program.
//
// A failed assertion, $error, $fatal, $stop and $finish throw RtlFault with module, file, line and message, out of the
// eval() that came upon it; the model is not to be clocked again. What Verilog prints otherwise ($display) goes to
// standard error: standard output belongs to the emulated programs.

/// The context of all models of a program. Models that are traced into one file must share theirs.
VerilatedContext& shared_context();

}  // namespace toroid::rtl
