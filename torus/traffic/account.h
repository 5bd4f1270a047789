// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "torus/traffic/histogram.h"
#include "torus/traffic/traffic.h"

namespace toroid {

/// What is counted during a traffic run.
class TrafficAccount {
 public:
  TrafficAccount(const TrafficConfig& config, const RouterFamily& family);

  void generated(Cycle due, unsigned chunks);
  /// `packet` has come to `node`; its last byte is there at `at`. `at_home`: it was meant for that node.
  void delivered(const Packet& packet, std::uint32_t node, bool at_home, Cycle at);

  /// Fills in what it knows.
  void report(TrafficResult& result) const;
  std::uint64_t delivered_packets() const { return delivered_; }
  std::uint64_t generated_packets() const { return generated_; }
  Cycle last_delivery() const { return last_delivery_; }

 private:
  bool measured(Cycle cycle) const { return cycle >= from_ && cycle < to_; }
  void check(const Packet& packet, std::uint32_t node, bool at_home);

  const RouterFamily& family_;
  const bool check_;
  const Cycle from_;
  const Cycle to_;
  Histogram latency_;
  Cycle last_delivery_ = 0;
  std::uint64_t generated_ = 0;
  std::uint64_t delivered_ = 0;
  std::uint64_t offered_chunks_ = 0;
  std::uint64_t accepted_chunks_ = 0;
  std::uint64_t accepted_packets_ = 0;
  std::uint64_t network_latency_ = 0;
  std::uint64_t hops_ = 0;
  std::uint64_t digest_ = 0;
  std::uint64_t repeated_ = 0;
  std::uint64_t misdelivered_ = 0;
  std::uint64_t reordered_ = 0;
  std::vector<std::vector<bool>> seen_;                      ///< by source and serial
  std::unordered_map<std::uint64_t, std::uint32_t> newest_;  ///< last serial of a flow; looked up, never walked
};

}  // namespace toroid
