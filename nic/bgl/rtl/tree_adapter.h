// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "nic/bgl/rtl/tree_pins.h"
#include "torus/rtl/clocked_unit.h"
#include "torus/tree/network.h"
#include "torus/tree/stand_in.h"

namespace toroid::rtl {

/// A tree router in Verilog at one node of a network: converts packets and tokens to words on pins, and back.
///
/// Software sees the words that come out of the Verilog. Packets inside wait in the state of the model's router
/// (TreeStandIn). When the pins show that some have been granted their outputs, that state combines them into one
/// packet with the model's ALU, so that captures can read its contents at once; each word that comes out is compared
/// with them, and replaces them if it differs. A word that also differs from the combination of the present contents of
/// the input packets is counted (changed_bytes()): with neighbours in Verilog, words may change after the header has
/// left. A neighbour in C++ that combines the packet has already done so, with the result of the model's ALU.
///
/// The header on the wire is the device's header, with the packet's class, opcode, operand size or target in their
/// fields. It must come out unchanged; for combined packets, it is that of the lowest port.
///
/// The model (TreeLinkRecovery) performs the error control of links, behind the router's outputs.
class RtlTreeRouter final : public TreeStandIn, public ClockedUnit {
 public:
  /// The reasons why a router in Verilog does not fit such a network, one sentence each; empty if it fits.
  static std::vector<std::string> obstacles(const TreeConfig& config);

  /// At `node`; to be given to TreeNetwork::stand_in().
  RtlTreeRouter(TreeNetwork& network, std::uint32_t node, std::string name, std::unique_ptr<TreePins> pins,
                RtlRun& run);
  ~RtlTreeRouter() override;

 private:
  using ClockedUnit::now;

  static constexpr unsigned kStreams = kTreePinChannels + kTreePinVcs;  ///< channels, then the device's by vc
  static constexpr Cycle kNotBegun = kNever;

  /// A packet that arrives. Its payload is held until it has arrived.
  struct Incoming {
    TreeData* data;
    std::uint32_t header;
    std::uint8_t vc;
    bool last_first;  ///< words of the payload
    Cycle first;      ///< cycle of its first word
  };
  /// A packet that leaves through a port, and the packets that were combined into it. Payloads are held until it has
  /// left.
  struct Outgoing {
    TreePacket* packet;  ///< for a channel: until its first word has left
    TreeData* data;      ///< its own
    std::array<TreeData*, kTreePinPorts> made_of{};
    std::uint32_t header;
    TreeOpcode opcode;
    std::uint8_t operand_words;
    std::uint8_t vc;
    bool last_first;
    unsigned words = 0;  ///< words that have left
    Cycle first = 0;     ///< cycle of its first word
  };

  // TreeStandIn.
  unsigned receiver_cycles() const override;
  unsigned injection_cycles() const override;
  void event_begins() override { catch_up(); }
  void packet_came(const TreePacket& packet, unsigned vc, unsigned port) override;
  void token_came(unsigned vc, unsigned port) override;
  void new_settings() override;
  void event_ends() override;
  // ClockedUnit.
  bool quiet() const override;
  void clock(Cycle cycle) override;

  TreeSettings settings() const;
  void put_words(Cycle cycle);
  void take_move(const TreeOutputs::Move& made, Cycle cycle);
  void check_move(const Move& move, unsigned vc) const;
  void take_word(unsigned port, Cycle cycle);
  void compare(Outgoing& going, unsigned word, std::uint16_t out);
  void finish(Outgoing& going);
  void take_tokens(Cycle cycle);
  void check_nothing_is_missing() const;

  const TreeNetwork& network_;
  const unsigned wire_cycles_;
  const std::unique_ptr<TreePins> pins_;
  TreeSettings settings_;  ///< as set at the pins
  TreeInputs in_;          ///< of the cycle whose edge comes next
  TreeOutputs out_;
  bool inputs_ = false;  ///< in_ may have changed
  std::array<std::deque<Incoming>, kStreams> incoming_;
  std::array<unsigned, kTreePinVcs> injected_{};  ///< packets of the device that are in the router
  std::array<Cycle, kTreePinVcs> leaves_{};       ///< when the latest of them that was granted will have left
  std::array<unsigned, kTreePinVcs> leaving_{};
  std::array<std::deque<Outgoing>, kTreePinPorts> outgoing_;
  std::array<std::array<unsigned, kTreePinVcs>, kTreePinChannels> owed_{};  ///< tokens of packets that were granted
  std::array<Cycle, kTreePinChannels> link_free_at_{};                      ///< as known by the router
};

}  // namespace toroid::rtl
