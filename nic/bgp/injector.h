// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "nic/bgp/dma_local_fifo.h"
#include "nic/bgp/dma_message.h"
#include "nic/bgp/dma_state.h"
#include "nic/bgp/packetizer.h"
#include "nic/bgp/service_order.h"
#include "nic/bgp/torus_injection.h"

namespace toroid {

class Receiver;

/// The injection side: reads descriptors from the injection FIFOs, one ahead of the message in work, and sends the
/// messages packet by packet, FIFO after FIFO.
///
/// A descriptor that has come from memory is ready DmaConfig::start_cycles later. Whenever packet_cycles have passed
/// since the last packet, the arbiter takes the next FIFO in turn that is ready and has room in one of its torus FIFOs
/// (or in the local one): high priority first, round robin inside a priority, as many packets as the service quantum
/// says. The bytes of the packet are then read from memory; packets are complete in the order of these requests.
class Injector {
 public:
  Injector(DmaState& state, TorusInjection& torus, DmaLocalFifo& local, Receiver& receiver)
      : state_(state), packetizer_(state), torus_(torus), local_(local), receiver_(receiver) {}

  /// Memory has answered so many requests.
  void answered(unsigned requests) { answered_ += requests; }
  /// Takes what memory has answered, then starts what can be started in this cycle.
  void settle();

  /// Software has moved FIFO `fifo`, its head or its tail backwards: what was read ahead is dropped.
  void drop(unsigned fifo);
  /// Software deactivates a FIFO: what has not begun is read again some day.
  void rewind(unsigned fifo);
  /// Nothing has ever happened. Messages in work end unseen.
  void reset();

  std::uint64_t messages() const { return pool_.in_use(); }
  /// The message that FIFO `fifo` sends, or nullptr.
  const DmaMessage* current(unsigned fifo) const { return work_[fifo].current; }
  const DmaMessage* next(unsigned fifo) const { return work_[fifo].next; }

 private:
  static constexpr unsigned kLocal = 0xFF;    ///< FIFO of a packet: the local one
  static constexpr unsigned kNowhere = 0xFE;  ///< it is only read

  struct Work {
    DmaMessage* current = nullptr;
    DmaMessage* next = nullptr;  ///< read ahead
  };
  /// A request to memory, in the order of the requests.
  struct Read {
    DmaMessage* message;
    Packet* packet;  ///< nullptr: the descriptor
    unsigned to;     ///< torus FIFO, kLocal or kNowhere
    std::uint32_t bytes;
    bool asked;  ///< memory will answer
  };
  struct Choice {
    unsigned fifo;
    unsigned to;
    unsigned priority;
  };
  struct Turn {
    unsigned last = 127;
    unsigned left = 0;  ///< packets before the next FIFO's turn
  };

  void take_answers();
  void descriptor_read(DmaMessage& message);
  void packet_read(const Read& read);
  void end_of_message(DmaMessage& message);
  void start_messages();
  void promote(unsigned fifo);
  void fetch();
  void fetch(unsigned fifo);
  void issue();
  bool issue(const Choice& choice);
  std::optional<Choice> choose();
  std::optional<Choice> choose(unsigned priority);
  std::optional<unsigned> room_for(const DmaMessage& message) const;
  void took(const Choice& choice);
  void release_if_dropped(DmaMessage& message);
  void refuse(unsigned fifo, DmaRule rule, const DmaMessage* message, std::uint32_t place, const std::string& text);

  DmaState& state_;
  Packetizer packetizer_;
  TorusInjection& torus_;
  DmaLocalFifo& local_;
  Receiver& receiver_;
  DmaMessagePool pool_;
  std::array<Work, InjectionRings::kFifos> work_{};
  std::array<std::uint32_t, InjectionRings::kGroups> ready_{};  ///< FIFOs whose current message can send a packet
  std::array<std::uint32_t, InjectionRings::kGroups> ahead_{};  ///< FIFOs that have read ahead
  std::deque<Read> reads_;
  unsigned answered_ = 0;
  unsigned outstanding_ = 0;          ///< packets among the reads
  std::deque<DmaMessage*> starting_;  ///< in the order in which they become ready
  Cycle next_packet_{};               ///< the arbiter chooses again
  ServiceOrder order_;
  std::array<Turn, 2> turns_{};  ///< of normal and high priority
  std::uint32_t number_ = 0;     ///< of the next message
};

}  // namespace toroid
