// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "nic/bgq/mu_message.h"
#include "nic/bgq/mu_network_fifos.h"
#include "nic/bgq/mu_packetizer.h"
#include "nic/bgq/mu_state.h"

namespace toroid {

class MuReceiver;

/// The injection side: reads descriptors from the injection FIFOs, one ahead of the message in work, and sends the
/// messages packet by packet through the sixteen injection engines.
///
/// A descriptor that has come from memory is ready MuConfig::start_cycles later. An engine takes a packet of the next
/// FIFO in turn whose message may use its network FIFO, if that has room: FIFOs of high priority and those of the
/// system first, round robin inside a priority. It takes the next one packet_cycles later, and has engine_packets of
/// them read from memory at a time; they go to its network FIFO in the order in which it took them. A message that may
/// use several network FIFOs goes through all of them.
class MuInjector {
 public:
  MuInjector(MuState& state, MuNetworkFifos& network, MuReceiver& receiver)
      : state_(state), packetizer_(state), network_(network), receiver_(receiver) {}

  // What memory has done.
  void descriptor_read(MuMessage& message);
  void packet_read(std::uint32_t request);
  /// Starts what can be started in this cycle.
  void settle();

  /// Software has moved FIFO `fifo`, its head or its tail backwards, or disabled it: what has not begun is dropped, and
  /// read again some day if the FIFO stays.
  void drop(unsigned fifo);
  void rewind(unsigned fifo);
  /// Nothing has ever happened. Messages in work end unseen.
  void reset();

  std::uint64_t messages() const { return pool_.in_use(); }

 private:
  struct Engine {
    Cycle next{};                                 ///< takes a packet then
    Cycle wakes{};                                ///< for which settle() has been asked for
    unsigned packets = 0;                         ///< being read
    std::uint32_t first = MuReservations::kNone;  ///< of these requests, in the order in which they were taken
    std::uint32_t last = MuReservations::kNone;
    std::array<std::uint16_t, 2> turn{kMuInjectionFifos - 1, kMuInjectionFifos - 1};  ///< had its turn last
  };

  void start_messages();
  void promote(unsigned fifo, MuInjectionFifo& work);
  void fetch();
  void fetch(unsigned fifo);
  void issue();
  bool issue(unsigned number, MuMessage& message);
  /// The engines that ready messages may use: of FIFOs of low and of high priority.
  using Wanted = std::array<std::uint16_t, 2>;
  Wanted wanted() const;
  MuMessage* choose(unsigned number, const Wanted& engines);
  MuMessage* choose(unsigned number, bool high);
  bool may_take(unsigned number, const MuMessage& message) const;
  void push(const MuRequest& request);
  void end_of_message(MuMessage& message);
  void release_if_dropped(MuMessage& message);
  void refuse(unsigned fifo, MuRule rule, const MuMessage* message, std::uint64_t place, const std::string& text);

  MuState& state_;
  MuPacketizer packetizer_;
  MuNetworkFifos& network_;
  MuReceiver& receiver_;
  MuMessagePool pool_;
  MuFifoSet ready_;  ///< FIFOs whose current message can send a packet
  MuFifoSet ahead_;  ///< FIFOs that have read ahead
  std::array<Engine, kMuEngines> engines_{};
  MuMessage* starting_ = nullptr;  ///< in the order in which they become ready
  MuMessage* starting_last_ = nullptr;
  std::uint32_t number_ = 0;  ///< of the next message
};

}  // namespace toroid
