// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <deque>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "nic/common/change_log.h"
#include "nic/common/fault_reason.h"
#include "nic/common/register_bank.h"
#include "nic/common/time_offset.h"
#include "nic/common/watched_device.h"
#include "testbench/tests/toy_machine/doorbell_regs.h"
#include "torus/base/network_clock.h"
#include "torus/base/parameter.h"

namespace toroid::toy {

struct RingConfig {
  unsigned clock_mhz;
  Cycle link_cycles;  ///< from a node to the next one

  void visit_parameters(ParameterVisitor& visitor) {
    visitor.count(clock_mhz, "ring.clock", "MHz", {1, 100000}, "the network's clock");
    visitor.count(link_cycles, "ring.link_cycles", "cycles", {1, 4000}, "of a word, from a node to the next one");
  }
};

class Doorbell;

/// A one-way ring of nodes. Words arrive at the next node in the order in which they were sent, `link_cycles` later.
class Ring final : public WheelUnit {
 public:
  Ring(Wheel& wheel, const RingConfig& config, std::uint32_t nodes)
      : wheel_(wheel), config_(config), doorbells_(nodes) {}

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(doorbells_.size()); }
  void attach(std::uint32_t node, Doorbell& doorbell) { doorbells_[node] = &doorbell; }
  void send(std::uint32_t node, std::uint32_t word) {
    ++sent_;
    wheel_.post(wheel_.now() + config_.link_cycles, *this, (node + 1) % nodes(), word);
  }
  std::uint64_t sent() const { return sent_; }
  std::uint64_t received() const { return received_; }

  void on_event(std::uint32_t node, std::uint32_t word) override;

 private:
  Wheel& wheel_;
  const RingConfig config_;
  std::vector<Doorbell*> doorbells_;  ///< by node; nullptr where no process runs
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
};

/// A node's doorbell: the registers of doorbell_regs.h, between the node's bus and the ring.
class Doorbell final : public sc_core::sc_module, public WatchedDevice {
 public:
  tlm_utils::simple_target_socket<Doorbell, 32> bus;

  Doorbell(const sc_core::sc_module_name& name, Ring& ring, std::uint32_t node, NetworkClock& clock)
      : sc_module(name), bus("bus"), ring_(ring), node_(node), clock_(clock), changes_("changes") {
    bus.register_b_transport(this, &Doorbell::b_transport);
    ring.attach(node, *this);
  }

  bool is_pure_read(std::uint64_t address) const override { return address - TOY_BASE <= TOY_COUNT; }
  const sc_core::sc_event& changed() const override { return changes_.changed(); }
  sc_core::sc_time last_change() const override { return changes_.last(); }
  std::string name_of(std::uint64_t) const override { return "the doorbell's count"; }

  /// On the wheel.
  void word_received(std::uint32_t word) {
    words_.push_back(word);
    // SystemC's time must come to this cycle before the network goes on.
    clock_.wheel().hold(clock_.wheel().now());
    changes_.add(clock_.time_of(clock_.wheel().now()));
  }

 private:
  void b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay) {
    // Only when SystemC's time has come up to the access are all earlier words known.
    wait_out(delay);
    clock_.sync_to(sc_core::sc_time_stamp());
    const std::string reason = refusal(access);
    if (!respond(access, reason.empty() ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE, reason)) return;
    const auto offset = static_cast<std::uint32_t>(access.get_address() - TOY_BASE);
    if (access.is_write()) {
      ring_.send(node_, load_word<std::uint32_t>(access.get_data_ptr()));
    } else {
      store_word(access.get_data_ptr(), read(offset));
    }
  }

  std::string refusal(const tlm::tlm_generic_payload& access) const {
    const std::uint64_t offset = access.get_address() - TOY_BASE;
    if (access.get_data_length() != 4 || offset % 4 != 0) return "the doorbell's registers are words of 4 bytes";
    if (offset > TOY_WORD) return "the doorbell has no register there";
    if (access.is_write() != (offset == TOY_RING)) return "of the doorbell's registers the third alone is written";
    if (offset == TOY_WORD && words_.empty()) return "read of a word from a doorbell that has none; its count says so";
    return {};
  }

  std::uint32_t read(std::uint32_t offset) {
    if (offset == TOY_NODE) return node_;
    if (offset == TOY_NODES) return ring_.nodes();
    if (offset == TOY_COUNT) return static_cast<std::uint32_t>(words_.size());
    const std::uint32_t word = words_.front();
    words_.pop_front();
    changes_.add(sc_core::sc_time_stamp());
    return word;
  }

  Ring& ring_;
  const std::uint32_t node_;
  NetworkClock& clock_;
  ChangeLog changes_;
  std::deque<std::uint32_t> words_;
};

inline void Ring::on_event(std::uint32_t node, std::uint32_t word) {
  ++received_;
  if (doorbells_[node] != nullptr) doorbells_[node]->word_received(word);
}

}  // namespace toroid::toy
