// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "hw/core/core.h"
#include "hw/io/io_port.h"
#include "hw/io/tree/io_packet.h"

namespace toroid {

/// A compute node's way to its I/O node: packets on virtual channel 1 of the tree, written and read by the core that
/// makes the call, through the FIFO registers at the price of their accesses.
class TreeIoPort : public IoPort {
 public:
  /// `registers` is the address at which cores see the FIFO registers of virtual channel kIoVc, `io_node` the tree
  /// address of the node's I/O node; FIFOs hold `fifo_packets`.
  TreeIoPort(std::uint64_t registers, std::uint32_t node, std::uint32_t io_node, unsigned fifo_packets)
      : registers_(registers), node_(node), io_node_(io_node), fifo_packets_(fifo_packets) {}

  std::optional<IoReply> call(Core& core, const IoRequest& request, IoTraffic& traffic) override;
  bool close(Core& core) override;
  void open() override;

 private:
  bool acquire(Core& core);
  void release(Core& core);
  bool send(Core& core, const std::vector<std::uint8_t>& message);
  std::optional<std::vector<std::uint8_t>> receive(Core& core, std::uint64_t& packets);

  const std::uint64_t registers_;
  const std::uint32_t node_;
  const std::uint32_t io_node_;
  const unsigned fifo_packets_;
  std::uint32_t calls_ = 0;
  bool taken_ = false;  ///< a call is under way
  sc_core::sc_event free_;
};

}  // namespace toroid
