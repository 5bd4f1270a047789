// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hw/io/io_port.h"
#include "hw/io/io_service.h"

namespace toroid {

/// For nodes without a network: performs calls at once.
class DirectIo : public IoPort {
 public:
  explicit DirectIo(OutputSink& output, const std::string& directory = {}, std::size_t most_files = 0)
      : directory_(directory, most_files), service_(directory_, output) {}
  std::optional<IoReply> call(Core&, const IoRequest& request, IoTraffic& traffic) override {
    ++traffic.calls;
    return service_.perform(request);
  }
  bool close(Core&) override { return true; }

 private:
  JobDirectory directory_;
  IoService service_;
};

}  // namespace toroid
