// SPDX-License-Identifier: Apache-2.0
#pragma once

class VerilatedContext;

namespace toroid::rtl {

// The connection of Verilated code to the rest of a program.
//
// A failed assertion, $error, $fatal, $stop and $finish throw RtlFault with module, file, line and message, from the
// eval() that executed it; the model must not be clocked again. Other output of Verilog ($display) goes to standard
// error, because standard output belongs to the emulated programs.

/// The context of all models of a program. Models that are traced into one file must share theirs.
VerilatedContext& shared_context();

}  // namespace toroid::rtl
