// SPDX-License-Identifier: Apache-2.0
//
// Included before Verilator's runtime: what Verilog prints ($display, $error, failed assertions) goes to our hooks.
#pragma once

extern "C" __attribute__((format(printf, 1, 2))) int toroid_verilated_print(const char* format, ...);

#define VL_PRINTF toroid_verilated_print
