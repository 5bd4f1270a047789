// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hw/machine/machine.h"
#include "hw/trace/core_recorder.h"
#include "hw/trace/request.h"

namespace toroid::trace {

/// Records what happens in a machine from its start to the end. Without one, nothing of this costs anything.
class Trace {
 public:
  /// `program` names it in the file. Throws std::runtime_error if the file cannot be written.
  Trace(const Request& request, Machine& machine, const std::string& program);

  /// Once the run has ended: writes the rest. 0, or the errno of what could not be written.
  int finish();

 private:
  std::string metadata(const Request& request, const Machine& machine, const std::string& program) const;

  Functions functions_;
  Writer writer_;
  std::unique_ptr<NetworkTrace> networks_;
  std::vector<std::unique_ptr<CoreRecorder>> cores_;
};

}  // namespace toroid::trace
