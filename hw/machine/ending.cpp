// SPDX-License-Identifier: Apache-2.0
#include "hw/machine/ending.h"

namespace toroid {

std::string name_of(Ending ending) {
  switch (ending) {
    case Ending::completed:
      return "completed";
    case Ending::timeout:
      return "timeout";
    case Ending::interrupted:
      return "interrupted";
    case Ending::deadlock:
      return "deadlock";
    case Ending::stuck:
      return "stuck";
    case Ending::aborted:
      return "aborted";
    case Ending::failed:
      return "failed";
    case Ending::fault:
      break;
  }
  return "fault";
}

}  // namespace toroid
