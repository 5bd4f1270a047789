// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hw/io/io_port.h"
#include "hw/io/io_service.h"

namespace toroid {

/// For nodes without a network: performs calls at once.
class DirectIo : public IoPort {
 public:
  explicit DirectIo(OutputSink& output, const std::string& directory = {}) : service_(directory, output) {}
  std::optional<IoReply> call(Core&, const IoRequest& request, IoTraffic& traffic) override {
    ++traffic.calls;
    return service_.perform(request);
  }
  bool close(Core&) override { return true; }

 private:
  IoService service_;
};

}  // namespace toroid
