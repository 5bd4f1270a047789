// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "hw/trace/network_recorder.h"
#include "hw/trace/writer.h"
#include "nic/bgq/mu_observer.h"

namespace toroid {

/// Records what Messaging Units do: descriptors, the packets that they become, puts, and how full FIFOs are.
class MuRecorder final : public MuObserver {
 public:
  MuRecorder(trace::Writer& writer, unsigned clock_mhz) : writer_(writer), clock_mhz_(clock_mhz) {}

  void on_descriptor(const Message& message, Cycle at) override;
  void on_message_read(std::uint32_t node, std::uint32_t number, Cycle at) override;
  void on_packet(std::uint32_t node, std::uint32_t serial, std::uint32_t number, Cycle at) override;
  void on_put(std::uint32_t node, std::uint64_t address, std::uint32_t bytes, Cycle at) override;
  void on_fifo(std::uint32_t node, Side side, unsigned fifo, std::uint64_t bytes, Cycle at) override;

 private:
  std::uint64_t time(Cycle cycle) const;

  trace::Writer& writer_;
  const unsigned clock_mhz_;
};

/// Records the torus's packets. The units hand packets over without a word: a packet counts as written when it first
/// asks for a link or a reception FIFO.
class MuPacketRecorder final : public TorusObserver {
 public:
  MuPacketRecorder(trace::Writer& writer, const Topology& topology, unsigned clock_mhz, unsigned chunk_bytes,
                   bool contents)
      : clock_mhz_(clock_mhz), recorder_(writer, topology, clock_mhz, chunk_bytes, contents) {}

  void on_written(std::uint32_t, unsigned, unsigned, const Packet&, sc_core::sc_time) override {}
  void on_read(std::uint32_t, unsigned, unsigned, const Packet&, sc_core::sc_time) override {}
  void on_asks(std::uint32_t node, const Packet& packet, Cycle now) override;
  void on_sent(std::uint32_t node, Direction direction, const Packet& packet, Cycle begin, Cycle tail_left,
               bool damaged) override {
    recorder_.on_sent(node, direction, packet, begin, tail_left, damaged);
  }
  void on_received(std::uint32_t node, unsigned fifo, const Packet& packet, Cycle begin, Cycle at, bool copy) override {
    recorder_.on_received(node, fifo, packet, begin, at, copy);
  }

 private:
  const unsigned clock_mhz_;
  trace::TorusRecorder recorder_;
  std::vector<std::uint64_t> written_;  ///< by the packets' places in their pool: the number of the packet, plus 1
};

}  // namespace toroid
