// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <systemc>
#include <vector>

#include "nic/common/pending_work.h"

namespace toroid {

/// What a core reads over and over, where it is parked.
struct PolledRegister {
  std::string what;  ///< "the status of torus FIFO group 0"
  std::string who;   ///< "core 0 of node (0,0,0)"
};

/// How a run came to stand that ended before its processes did.
struct Standstill {
  sc_core::sc_time now;
  bool complete = false;   ///< no core does anything any more, so whatever is pending has to do with it
  bool explained = false;  ///< the networks or the barriers have already reported what is waited for
};

/// What is pending in the devices of all nodes: a line each, as many as `lines`, and what was left out; then what the
/// cores poll. Where the machine was still at work, only what has not changed for long is reported.
std::string pending_report(std::vector<PendingWork> work, const std::vector<PolledRegister>& polled,
                           const Standstill& how, unsigned lines = 16);

}  // namespace toroid
