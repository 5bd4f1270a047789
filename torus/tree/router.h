// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "torus/base/progress.h"
#include "torus/base/wheel.h"
#include "torus/tree/config.h"
#include "torus/tree/link_recovery.h"
#include "torus/tree/packet.h"
#include "torus/tree/packet_pool.h"
#include "torus/tree/topology.h"

namespace toroid {

class TreeObserver;
class TreeRouter;
class TreeStandIn;

/// The interface of a tree router to the device at its node. Both calls are made before the time that they announce:
/// `at` is later than the present cycle. The device may call inject() and return_reception() from within them.
class TreeLocalPort {
 public:
  /// `packet` goes into the reception FIFO of `vc`; its last byte is present and counted at cycle `at`. The device owns
  /// the packet now.
  virtual void packet_received(TreePacket& packet, unsigned vc, Cycle at) = 0;
  /// The oldest packet of `vc` that was handed over has been sent: at cycle `at` its last byte leaves the injection
  /// FIFO.
  virtual void injection_taken(unsigned vc, Cycle at) = 0;

 protected:
  ~TreeLocalPort() = default;
};

/// State that the routers of a tree share.
struct TreeContext {
  Wheel* wheel = nullptr;
  TreePacketPool* pool = nullptr;
  ProgressWatch* progress = nullptr;
  TreeRouter* routers = nullptr;
  const TreeTopology* topology = nullptr;
  TreeObserver* observer = nullptr;
  Cycle wire_cycles = 0;
  Cycle hop_cycles = 0;
  Cycle token_cycles = 0;
  Cycle alu_cycles = 0;
  Cycle injection_cycles = 0;
  Cycle reception_cycles = 0;
  unsigned wire_bits = 0;                                       ///< of a frame
  std::array<std::uint64_t, kTreeVirtualChannels> in_flight{};  ///< packets in routers and links
  std::uint64_t injected = 0;
  std::uint64_t received = 0;
  std::uint64_t hops = 0;
};

/// Counters of one direction of a link, at its sender.
struct TreeLinkCounters {
  std::uint64_t packets = 0;          ///< retransmissions not included
  Cycle busy_cycles = 0;              ///< with retransmissions
  std::uint64_t damaged = 0;          ///< frames whose CRC was wrong
  std::uint64_t nacks = 0;            ///< answers to those and to frames out of order, including lost ones
  std::uint64_t timeouts = 0;         ///< times that frames were sent again without an answer
  std::uint64_t retransmissions = 0;  ///< frames sent again, with those behind a damaged one
};

/// One node's tree router: combines, forwards and copies packets according to the descriptor of their class.
///
/// A packet from a source of its class (a channel or the local client) goes to the targets. If it has an opcode, it
/// waits until every source has presented a packet of that class, and the ALU's result goes to the targets. If all
/// target channels are also sources, this router is the root: the result turns around, and its own client receives it
/// too (if it is a target). A packet from a channel that is not a source came down the tree: it goes to all source
/// channels and to the local client. No packet leaves through the channel through which it came, unless it was
/// combined.
///
/// A packet goes to all its targets at once, so it waits until each has room (shape of the tree: torus/tree/README.md).
class TreeRouter final : public WheelUnit {
 public:
  static constexpr unsigned kPorts = kTreeChannels + 1;  ///< the last is the local client

  void initialise(TreeContext& context, const TreeConfig& config, std::uint32_t node, std::uint64_t seed);
  void attach(TreeLocalPort& device) { device_ = &device; }
  std::uint32_t node() const { return node_; }

  /// Called by the device: `packet` is complete in the injection FIFO of `vc` at cycle `at` (not in the past). Packets
  /// are sent in the order of the calls.
  void inject(TreePacket& packet, unsigned vc, Cycle at);
  /// Called by the device: room for a packet becomes free in the reception FIFO of `vc` at cycle `at`, in the future.
  void return_reception(unsigned vc, Cycle at);

  std::uint16_t descriptor(unsigned route_class) const { return descriptors_[route_class]; }
  /// Takes effect from the next cycle on, also for packets that wait here.
  void set_descriptor(unsigned route_class, std::uint16_t descriptor);
  std::uint32_t address() const { return address_; }
  /// The address that point-to-point packets to this node carry.
  void set_address(std::uint32_t address);
  bool accepts_all(unsigned vc) const { return accepts_all_[vc]; }
  /// If set, point-to-point packets for other nodes are received too.
  void set_accepts_all(unsigned vc, bool all);

  const TreeLinkCounters& link(unsigned channel) const { return outputs_[channel].counters; }
  // For reports.
  const TreePacket* head(unsigned vc, unsigned port) const { return inputs_[vc][port].head; }
  unsigned tokens(unsigned vc, unsigned port) const { return outputs_[port].tokens[vc]; }

  /// Events only note what has come: settle() chooses after all of the cycle.
  void on_event(std::uint32_t what, std::uint32_t arg) override;
  void settle() override;

 private:
  friend class TreeLinkRecovery;
  friend class TreeStandIn;

  enum Kind : std::uint32_t { kArrive, kInject, kToken, kEvaluate, kAnswer, kTimeout, kLinkFree };
  static std::uint32_t event(Kind kind, unsigned vc, unsigned port) { return kind | vc << 8 | port << 16; }

  struct Input {
    TreePacket* head = nullptr;
    TreePacket* tail = nullptr;
    Cycle ready = 0;  ///< cycle from which the head can be read
  };
  struct Output {
    std::array<std::uint8_t, kTreeVirtualChannels> tokens{};  ///< packets that the other end has room for
    std::uint8_t held = 0;  ///< bit vc: the link's error control accepts no packet now
    Cycle free_at = 0;
    std::uint32_t neighbour = kNoNode;
    std::uint8_t neighbour_port = 0;
    std::uint8_t early = 0;  ///< cycles by which packets are announced to the neighbour before it can grant them
    TreeLinkCounters counters;
    std::unique_ptr<TreeLinkRecovery> recovery;  ///< null: a link without errors
  };
  /// A possible move of a head.
  struct Move {
    unsigned inputs = 0;   ///< bit p: the head of port p takes part
    unsigned outputs = 0;  ///< bit p: goes to port p
    bool combined = false;
  };

  void enqueue(Input& input, TreePacket& packet);
  bool fresh(unsigned vc, const Move& move) const;
  TreePacket& next_injected(unsigned vc);
  void settle_later();
  void serve_links();
  void evaluate();
  bool try_port(unsigned vc, unsigned port, bool fresh_ones, Cycle& look_again);
  bool find_move(unsigned vc, unsigned port, Move& move) const;
  void make_move(unsigned vc, const Move& move);
  TreePacket& take_inputs(unsigned vc, const Move& move, Cycle now);
  void send(TreePacket& packet, unsigned vc, unsigned port, Cycle start);
  void begin_to_send(TreePacket& packet, unsigned vc, unsigned port, Cycle start);
  unsigned existing(unsigned descriptor, std::uint16_t (*bit)(unsigned)) const;

  TreeContext* context_ = nullptr;
  TreeLocalPort* device_ = nullptr;
  TreeStandIn* stand_in_ = nullptr;
  std::uint32_t node_ = 0;
  std::uint32_t address_ = 0;
  std::uint32_t serial_ = 0;  ///< of the device's next packet
  std::array<std::array<Input, kPorts>, kTreeVirtualChannels> inputs_;
  std::array<Output, kPorts> outputs_;
  /// Packets handed over that are not at the head of the pipeline yet.
  struct Injecting {
    TreePacket* first = nullptr;
    TreePacket* last = nullptr;
    Cycle at = 0;  ///< of the last
  };
  std::array<Injecting, kTreeVirtualChannels> injecting_{};
  std::array<std::uint16_t, kTreeClasses> descriptors_{};
  std::array<bool, kTreeVirtualChannels> accepts_all_{};
  std::uint8_t injection_early_ = 0;  ///< cycles by which kInject comes before a packet can be granted
  std::uint8_t turn_ = 0;             ///< virtual channel and port that are examined first
  std::array<std::uint8_t, kTreeVirtualChannels> fresh_{};  ///< bit p: the head of port p has come in this cycle
  std::uint8_t links_ = 0;  ///< bit c: the error control of channel c has events of this cycle to act on
  bool settles_ = false;    ///< in this cycle
  Cycle evaluate_at_ = kNever;
};

}  // namespace toroid
