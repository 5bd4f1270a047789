// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/io/io_port.h"
#include "hw/io/io_service.h"

namespace toroid {

/// The I/O of a node whose kernel performs calls itself, in no time.
class DirectIo : public IoPort {
 public:
  /// `service` is kept by reference.
  explicit DirectIo(IoService& service) : service_(service) {}
  std::optional<IoReply> call(Core&, const IoRequest& request, IoTraffic& traffic) override {
    ++traffic.calls;
    return service_.perform(request);
  }
  bool close(Core&) override { return true; }
  void open() override {}

 private:
  IoService& service_;
};

}  // namespace toroid
