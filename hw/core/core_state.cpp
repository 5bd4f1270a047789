// SPDX-License-Identifier: Apache-2.0
#include "hw/core/core_state.h"

namespace toroid {

const char* name_of(CoreState state) {
  switch (state) {
    case CoreState::idle:
      return "idle";
    case CoreState::running:
      return "running";
    case CoreState::waiting:
      return "waiting";
    case CoreState::sleeping:
      return "sleeping";
    case CoreState::parked:
      return "parked";
    case CoreState::finished:
      return "finished";
    case CoreState::faulted:
      return "faulted";
    case CoreState::timed_out:
      return "timed out";
  }
  return "unknown";
}

}  // namespace toroid
