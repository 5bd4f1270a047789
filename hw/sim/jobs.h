// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/sim/configuration.h"
#include "hw/sim/progress.h"
#include "hw/sim/result.h"

namespace toroid {

// The things the simulator can be asked for. Each fills in the result and returns the process' exit status;
// mistakes of the user's are thrown as ConfigurationError, ProgramError or MappingError.

/// Prints what parameters a machine has, as JSON: docs/reference/simulator_files.md.
void list_parameters(const std::string& machine);
/// Whether there can be such a machine, whatever is to run on it: its parameters and modes.
void check_description(const Configuration& configuration);
/// Whether programs can run on such a machine: its chip, dimensions, parameters, modes and
/// shape, and whether it has what the run asks for. Nothing of the program.
void check_machine(const Configuration& configuration);
/// Whether synthetic traffic can flow on such a network.
void check_synthetic_traffic(const Configuration& configuration);
/// The same of messages.
void check_synthetic_messages(const Configuration& configuration);
/// A program on the whole machine.
int run_program(const Configuration& configuration, Progress& progress, ResultFile& result);
/// Synthetic traffic on the network alone.
int run_synthetic_traffic(const Configuration& configuration, Progress& progress, ResultFile& result);
/// Messages of synthetic sources on the network alone.
int run_synthetic_messages(const Configuration& configuration, Progress& progress, ResultFile& result);
/// The collective networks alone.
int run_collective_networks(const Configuration& configuration, Progress& progress, ResultFile& result);

}  // namespace toroid
