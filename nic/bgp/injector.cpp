// SPDX-License-Identifier: Apache-2.0
#include "nic/bgp/injector.h"

#include <algorithm>

#include "nic/bgp/address_ranges.h"
#include "nic/bgp/receiver.h"

namespace toroid {
namespace {

constexpr unsigned kFifos = InjectionRings::kFifos;
using Mask = std::array<std::uint32_t, InjectionRings::kGroups>;  // a bit a FIFO, in IBM's numbering

/// Calls `good(fifo)` for the bits of `mask` from `first` on, all the way round; returns the first that is good.
template <typename Good>
std::optional<unsigned> first_from(const Mask& mask, unsigned first, Good good) {
  const std::uint32_t before = first % 32 == 0 ? 0 : ~(~0u >> first % 32);  // bits of the first word before `first`
  for (unsigned step = 0; step <= mask.size(); ++step) {
    const unsigned group = (first / 32 + step) % mask.size();
    std::uint32_t bits = mask[group];
    if (step == 0) bits &= ~before;
    if (step == mask.size()) bits &= before;
    while (bits != 0) {
      const auto bit = static_cast<unsigned>(__builtin_clz(bits));
      if (good(group * 32 + bit)) return group * 32 + bit;
      bits &= ~ibm_bit(bit);
    }
  }
  return std::nullopt;
}

}  // namespace

void Injector::settle() {
  take_answers();
  start_messages();
  if (!state_.dcr.injects()) return;
  issue();
  fetch();
}

// Memory's answers. ---------------------------------------------------------------------------------------------------

void Injector::take_answers() {
  while (!reads_.empty() && (answered_ != 0 || !reads_.front().asked)) {
    const Read read = reads_.front();
    reads_.pop_front();
    if (read.asked) --answered_;
    if (read.packet == nullptr) {
      descriptor_read(*read.message);
    } else {
      packet_read(read);
    }
  }
}

void Injector::descriptor_read(DmaMessage& message) {
  ++state_.counted.descriptors;
  const unsigned fifo = message.fifo;
  if (message.dropped) {
    pool_.release(message);
    return;
  }
  message.decode(state_.injection_counters.base(dma_descriptor_counter(message)));
  if (const auto fault = packetizer_.check(message)) {
    work_[fifo].next = nullptr;
    ahead_[fifo / 32] &= ~ibm_bit(fifo % 32);
    refuse(fifo, fault->rule, &message, message.place, fault->text);
    pool_.release(message);
    return;
  }
  message.number = number_++;
  message.stage = DmaMessage::Stage::starting;
  message.ready = state_.now() + state_.config.start_cycles;
  starting_.push_back(&message);
  promote(fifo);
  if (state_.observer != nullptr) {
    state_.observer->on_descriptor({state_.node, message.number, fifo, message.kind, message.local, message.words},
                                   state_.now());
  }
}

void Injector::packet_read(const Read& read) {
  DmaMessage& message = *read.message;
  state_.last_active = state_.when();
  --outstanding_;
  --message.packets;
  state_.counted.bytes_read += read.bytes;
  const ByteCounters::Decrement change = state_.injection_counters.decrement(message.counter, read.bytes);
  state_.counter_changed(DmaObserver::Side::injection, message.counter, change);
  if (state_.observer != nullptr && read.to != kNowhere)
    state_.observer->on_packet(state_.node, read.packet->serial, message.number, state_.now());
  if (read.to == kNowhere) {
    state_.network.pool().release(*read.packet);
  } else if (read.to == kLocal) {
    local_.push(*read.packet);
    receiver_.arrived(*read.packet, Receiver::kLocalFifo);
  } else {
    torus_.push(read.to, *read.packet);
  }
  if (message.all_issued && message.packets == 0) end_of_message(message);
}

void Injector::end_of_message(DmaMessage& message) {
  const unsigned fifo = message.fifo;
  ++state_.counted.messages;
  if (state_.observer != nullptr) state_.observer->on_message_read(state_.node, message.number, state_.now());
  if (message.generation == state_.injection_rings.generation(fifo)) {
    state_.injection_rings.done(fifo, message.place);
    state_.changed(fifo / 32);
    state_.fifo_changed(DmaObserver::Side::injection, fifo);
    receiver_.injection_ring_moved();
  }
  pool_.release(message);
}

// Messages. -----------------------------------------------------------------------------------------------------------

void Injector::start_messages() {
  while (!starting_.empty() && starting_.front()->ready <= state_.now()) {
    DmaMessage& message = *starting_.front();
    starting_.pop_front();
    if (message.dropped) {
      pool_.release(message);
      continue;
    }
    message.stage = DmaMessage::Stage::ready;
    const unsigned fifo = message.fifo;
    if (work_[fifo].current == &message) ready_[fifo / 32] |= ibm_bit(fifo % 32);
  }
  if (!starting_.empty()) state_.outside.wake(starting_.front()->ready);
}

void Injector::promote(unsigned fifo) {
  Work& work = work_[fifo];
  if (work.current != nullptr || work.next == nullptr || work.next->stage == DmaMessage::Stage::fetching) return;
  work.current = work.next;
  work.next = nullptr;
  ahead_[fifo / 32] &= ~ibm_bit(fifo % 32);
  if (work.current->stage == DmaMessage::Stage::ready) ready_[fifo / 32] |= ibm_bit(fifo % 32);
}

void Injector::release_if_dropped(DmaMessage& message) {
  message.dropped = true;
  if (message.stage == DmaMessage::Stage::ready) pool_.release(message);  // otherwise it waits in a queue
}

void Injector::drop(unsigned fifo) {
  Work& work = work_[fifo];
  if (work.next != nullptr) release_if_dropped(*work.next);
  work.next = nullptr;
  ahead_[fifo / 32] &= ~ibm_bit(fifo % 32);
  if (work.current == nullptr || work.current->begun()) return;
  release_if_dropped(*work.current);
  work.current = nullptr;
  ready_[fifo / 32] &= ~ibm_bit(fifo % 32);
}

void Injector::rewind(unsigned fifo) {
  const Work& work = work_[fifo];
  const DmaMessage* const first = work.current != nullptr && !work.current->begun() ? work.current : work.next;
  if (first == nullptr) return;
  const std::uint32_t place = first->place;
  drop(fifo);
  state_.injection_rings.reread_from(fifo, place);
}

void Injector::reset() {
  for (unsigned fifo = 0; fifo < kFifos; ++fifo) {
    drop(fifo);
    Work& work = work_[fifo];
    if (work.current == nullptr) continue;
    work.current->all_issued = true;
    if (work.current->packets == 0) pool_.release(*work.current);
    work.current = nullptr;
  }
  ready_ = {};
  order_ = {};
  turns_ = {};
}

// Descriptors. --------------------------------------------------------------------------------------------------------

void Injector::fetch() {
  for (unsigned group = 0; group < InjectionRings::kGroups; ++group) {
    std::uint32_t bits = state_.injection_rings.unread(group) & ~ahead_[group];
    while (bits != 0) {
      const auto bit = static_cast<unsigned>(__builtin_clz(bits));
      bits &= ~ibm_bit(bit);
      fetch(group * 32 + bit);
    }
  }
}

void Injector::fetch(unsigned fifo) {
  InjectionRings& rings = state_.injection_rings;
  if (!rings.well_formed(fifo)) {
    const DmaRing& ring = rings.ring(fifo);
    refuse(fifo, DmaRule::ring, nullptr, ring.head,
           "START, END, HEAD and TAIL make no ring: " + ring_text(ring) +
               "; they are multiples of 32 bytes, with at least 1024 bytes, and HEAD and TAIL in between");
    return;
  }
  const std::uint32_t place = rings.read_next(fifo);
  const std::uint64_t address = std::uint64_t{place} << 4;
  DmaMessage& message = pool_.allocate();
  message.fifo = static_cast<std::uint16_t>(fifo);
  message.place = place;
  message.generation = rings.generation(fifo);
  if (!AddressRanges::injection(state_.dcr).allow(address, BGP_DMA_DESCRIPTOR_BYTES) ||
      !state_.reads->read(address, message.bytes.data(), BGP_DMA_DESCRIPTOR_BYTES, state_.request_time(), 0)) {
    pool_.release(message);
    state_.dcr.at(bgp_dma_dcr::kBadReadAddress) = place;
    refuse(fifo, DmaRule::descriptor_address, nullptr, place,
           "the descriptor does not lie in the memory that the DMA may read");
    return;
  }
  work_[fifo].next = &message;
  ahead_[fifo / 32] |= ibm_bit(fifo % 32);
  reads_.push_back({&message, nullptr, kNowhere, BGP_DMA_DESCRIPTOR_BYTES, true});
}

void Injector::refuse(unsigned fifo, DmaRule rule, const DmaMessage* message, std::uint32_t place,
                      const std::string& text) {
  InjectionRings& rings = state_.injection_rings;
  rings.deactivate(fifo / 32, ibm_bit(fifo % 32));
  drop(fifo);
  rings.reread_from(fifo, place);
  state_.changed(fifo / 32);
  state_.dcr.at(bgp_dma_dcr::kBadFifo) = fifo;
  state_.dcr.at(bgp_dma_dcr::kBadDescriptor) = place;
  state_.violated(rule, fifo / 32, [&] {
    return "DMA injection FIFO " + std::to_string(fifo % 32) + " of group " + std::to_string(fifo / 32) +
           ", descriptor at " + dma_address_text(std::uint64_t{place} << 4) +
           (message == nullptr ? "" : " (" + message->text() + ")") + ": " + text;
  });
}

// Packets. ------------------------------------------------------------------------------------------------------------

void Injector::issue() {
  while (std::any_of(ready_.begin(), ready_.end(), [](std::uint32_t bits) { return bits != 0; })) {
    if (next_packet_ > state_.now()) {
      state_.outside.wake(next_packet_);
      return;
    }
    if (outstanding_ >= state_.config.outstanding_packets) return;
    const std::optional<Choice> choice = choose();
    if (!choice) return;
    if (issue(*choice)) took(*choice);
  }
}

bool Injector::issue(const Choice& choice) {
  const unsigned fifo = choice.fifo;
  DmaMessage& message = *work_[fifo].current;
  const std::uint32_t bytes = Packetizer::next_bytes(message);
  const std::uint64_t address = message.source + message.issued;
  Packet& packet = packetizer_.next(message);
  if (bytes != 0 && !state_.reads->read(address, packet.data + TORUS_HEADER_BYTES, bytes, state_.request_time(), 0)) {
    state_.network.pool().release(packet);
    // What has been read of the message goes on; the rest does not come.
    work_[fifo].current = nullptr;
    ready_[fifo / 32] &= ~ibm_bit(fifo % 32);
    refuse(fifo, DmaRule::message_address, &message, message.place,
           "there is no memory at " + dma_address_text(address));
    message.all_issued = true;
    --message.generation;
    if (message.packets == 0) pool_.release(message);
    return false;
  }
  if (choice.to == kLocal) {
    local_.reserve(message.chunks);
  } else if (choice.to != kNowhere) {
    torus_.reserve(choice.to, message.chunks);
  }
  reads_.push_back({&message, &packet, choice.to, bytes, bytes != 0});
  if (bytes == 0) state_.outside.wake(state_.now() + 1);
  ++outstanding_;
  ++message.packets;
  message.issued += bytes;
  if (message.left() == 0) {
    message.all_issued = true;
    work_[fifo].current = nullptr;
    ready_[fifo / 32] &= ~ibm_bit(fifo % 32);
    promote(fifo);
  }
  return true;
}

std::optional<Injector::Choice> Injector::choose() {
  for (const unsigned priority : order_.priorities()) {
    if (const std::optional<Choice> choice = choose(priority)) return choice;
  }
  return std::nullopt;
}

std::optional<Injector::Choice> Injector::choose(unsigned priority) {
  Mask mask;
  std::uint32_t any = 0;
  for (unsigned group = 0; group < mask.size(); ++group) {
    const std::uint32_t high = state_.dcr.at(bgp_dma_dcr::kInjFifoPriority, group);
    mask[group] = ready_[group] & (priority == 1 ? high : ~high);
    any |= mask[group];
  }
  if (any == 0) return std::nullopt;
  std::optional<unsigned> to;
  const auto good = [&](unsigned fifo) {
    to = room_for(*work_[fifo].current);
    return to.has_value();
  };
  const Turn& turn = turns_[priority];
  if (turn.left != 0 && (mask[turn.last / 32] & ibm_bit(turn.last % 32)) != 0 && good(turn.last))
    return Choice{turn.last, *to, priority};
  const std::optional<unsigned> fifo = first_from(mask, (turn.last + 1) % kFifos, good);
  if (!fifo) return std::nullopt;
  return Choice{*fifo, *to, priority};
}

std::optional<unsigned> Injector::room_for(const DmaMessage& message) const {
  if (message.kind == DmaMessage::Kind::prefetch) return kNowhere;
  if (message.local) return local_.has_room() ? std::optional<unsigned>(kLocal) : std::nullopt;
  return torus_.choose(state_.dcr.torus_map(message.fifo), message.chunks);
}

void Injector::took(const Choice& choice) {
  using namespace bgp_dma_dcr;
  const std::uint32_t quanta = state_.dcr.at(kServiceQuanta);
  Turn& turn = turns_[choice.priority];
  if (turn.last == choice.fifo && turn.left != 0) {
    --turn.left;
  } else {
    turn.last = choice.fifo;
    turn.left = choice.priority == 1 ? service_quanta::kHigh.of(quanta) : service_quanta::kNormal.of(quanta);
  }
  const std::uint32_t service = state_.dcr.at(kLocalInjectionService);
  order_.took(choice.priority, local_injection_service::kHighRepeat.of(service),
              local_injection_service::kNormalRepeat.of(service));
  next_packet_ = state_.now() + state_.config.packet_cycles + local_injection_service::kDelay.of(service);
}

}  // namespace toroid
