// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "nic/common/packet_watch.h"

namespace toroid {

/// Stops at packets: what gdb's `monitor break` and `monitor delete` set and take away, and what has come of it.
class PacketBreaks final : public PacketWatch {
 public:
  /// Cores from `first_core` on, `cores` of them, are the rank's: packets that others of the node write do not count.
  PacketBreaks(unsigned first_core, unsigned cores) : first_core_(first_core), cores_(cores) {}

  /// Of the words behind `monitor break` and `monitor delete`; the answer for gdb's user.
  std::string add(const std::vector<std::string>& words);
  std::string remove(const std::vector<std::string>& words);

  /// A packet for which the rank is to stop.
  struct Hit {
    sc_core::sc_time when;
    std::optional<unsigned> core;  ///< that wrote it; of received packets any
    std::string text;
  };
  const std::optional<Hit>& hit() const { return hit_; }
  void forget_hit() { hit_.reset(); }

  /// What can follow `monitor break`.
  std::string use() const;

  unsigned add_network(PacketFifos fifos) override;
  bool wants(unsigned network, Event event, unsigned fifo) const override;
  void on_packet(unsigned network, Event event, unsigned fifo, unsigned core, sc_core::sc_time when,
                 const std::string& text) override;

 private:
  struct Break {
    Event event;
    unsigned network;
    std::optional<unsigned> fifo;   ///< of a group; any
    std::optional<unsigned> group;  ///< any
    std::string text;
  };

  const std::vector<std::string>& names(unsigned network, Event event) const;
  bool fits(const Break& each, unsigned network, Event event, unsigned fifo) const;
  /// Restricts `added` to a FIFO and a group. What is wrong with the words, or empty.
  std::string restrict(Break& added, const std::vector<std::string>& words) const;

  std::vector<PacketFifos> networks_;
  const unsigned first_core_;
  const unsigned cores_;
  unsigned next_ = 1;
  std::map<unsigned, Break> breaks_;
  std::optional<Hit> hit_;
};

}  // namespace toroid
