// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "hw/trace/writer.h"
#include "torus/base/topology.h"
#include "torus/torus/torus_observer.h"
#include "torus/tree/tree_observer.h"

namespace toroid::trace {

/// Records the way of every packet of the torus and, on request, what it carries.
class TorusRecorder final : public TorusObserver {
 public:
  TorusRecorder(Writer& writer, const Topology& topology, unsigned clock_mhz, unsigned chunk_bytes, bool contents)
      : writer_(writer), topology_(topology), clock_mhz_(clock_mhz), chunk_bytes_(chunk_bytes), contents_(contents) {}

  void on_written(std::uint32_t node, unsigned core, unsigned fifo, const Packet& packet, sc_core::sc_time at) override;
  void on_asks(std::uint32_t node, const Packet& packet, Cycle now) override;
  void on_sent(std::uint32_t node, Direction direction, const Packet& packet, Cycle begin, Cycle tail_left,
               bool damaged) override;
  void on_received(std::uint32_t node, unsigned fifo, const Packet& packet, Cycle begin, Cycle at, bool copy) override;
  void on_read(std::uint32_t node, unsigned core, unsigned fifo, const Packet& packet, sc_core::sc_time at) override;

 private:
  std::uint64_t time(Cycle cycle) const;
  template <typename Contents>
  void add_contents(const Packet& packet, std::size_t bytes);

  Writer& writer_;
  const Topology& topology_;
  const unsigned clock_mhz_;
  const unsigned chunk_bytes_;
  const bool contents_;
  std::vector<Cycle> asked_;  // by the packets' places in their pool
};

/// The same for the tree. What a packet carries is recorded at every link: combining changes it.
class TreeRecorder final : public TreeObserver {
 public:
  TreeRecorder(Writer& writer, unsigned clock_mhz, bool contents)
      : writer_(writer), clock_mhz_(clock_mhz), contents_(contents) {}

  void on_injected(std::uint32_t node, unsigned vc, const TreePacket& packet, Cycle at) override;
  void on_combined(std::uint32_t node, unsigned vc, const TreePacket& into, const TreePacket& absorbed,
                   Cycle now) override;
  void on_sent(std::uint32_t node, unsigned vc, unsigned port, const TreePacket& packet, Cycle begin,
               Cycle tail_left) override;

 private:
  std::uint64_t time(Cycle cycle) const;

  Writer& writer_;
  const unsigned clock_mhz_;
  const bool contents_;
};

}  // namespace toroid::trace
