// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace toroid {

/// Why a run came to its end.
enum class Ending {
  completed,    ///< every process has exited
  timeout,      ///< simulated time ran out
  interrupted,  ///< the user asked
  deadlock,     ///< every process waits for something that can no longer happen
  stuck,        ///< packets in the network have not moved for too long
  aborted,      ///< a process has ended the job
  fault,        ///< a process was killed
  failed,       ///< the simulator itself could not go on
};

std::string name_of(Ending ending);

}  // namespace toroid
