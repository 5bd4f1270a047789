// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/kernel/kernel_parameters.h"
#include "hw/kernel/system_call.h"

namespace toroid {

struct Abi;

/// What the kernel of a machine costs and gives a process, and what the user passes to it.
struct KernelConfig : KernelParameters {
  const Abi* abi = nullptr;           ///< of programs and kernel (hw/kernel/abi)
  CallTable machine_calls;            ///< of the machine's own kernel, beside the ABI's and the project's
  std::string system_name = "Linux";  ///< uname()'s
  std::string machine_name;           ///< the same; empty: the ABI's
  std::uint64_t shared_memory = 0;    ///< bytes of a node's memory that its processes share by name
  /// How far a core that is alone on its node runs between looks at what devices write to memory that is not watched,
  /// where it has accessed none lately (TimeGrid). Less than cores_apart: as far as that.
  CoreCycle devices_apart = 0;
  bool threads = false;  ///< whether a process may have threads, one on each of its cores
  /// New threads take so many cores that lie equally far apart among the process's before they take their neighbours.
  unsigned thread_depth = 1;
  std::uint64_t seed = 0;                ///< what getrandom() and AT_RANDOM give derives from it and the rank
  std::vector<std::string> arguments;    ///< argv, the program's name first
  std::vector<std::string> environment;  ///< "NAME=value"

  /// The value of a variable of the environment, the last if it is there several times; nullopt without it.
  std::optional<std::string> variable(const std::string& name) const;
};

}  // namespace toroid
