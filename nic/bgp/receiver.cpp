// SPDX-License-Identifier: Apache-2.0
#include "nic/bgp/receiver.h"

#include <algorithm>

#include "nic/bgp/address_ranges.h"
#include "nic/bgp/dma_descriptor.h"
#include "nic/common/register_bank.h"
#include "torus/torus/torus_observer.h"

namespace toroid {
namespace {

constexpr unsigned kOfAGroup = 7;   // torus FIFOs: six links, high priority
constexpr unsigned kNoCore = 0xFF;  // observers are told of cores: none reads the packet
constexpr std::uint32_t kHigh = 1u << 6 | 1u << 13;
constexpr unsigned kLocalColumn = 7;  // of the map of reception FIFOs

unsigned column_of(unsigned fifo) {
  return fifo == Receiver::kLocalFifo ? kLocalColumn : fifo % kOfAGroup;
}

}  // namespace

void Receiver::arrived(Packet& packet, unsigned fifo) {
  Queue& queue = queues_[fifo];
  packet.next = nullptr;
  (queue.last != nullptr ? queue.last->next : queue.first) = &packet;
  queue.last = &packet;
  queue.chunks += packet.chunks;
  waiting_ |= 1u << fifo;
  ++held_;
  state_.outside.wake(packet.tail + state_.config.deliver_cycles);
}

void Receiver::settle() {
  take_answers();
  const bool may_take = state_.dcr.receives() && state_.dcr.has(bgp_dma_dcr::base_control::kTorusReception);
  if (may_take && waiting_ != 0) take();
}

void Receiver::injection_ring_moved() {
  if (!get_waits_) return;
  get_retries_ = true;
  state_.outside.wake(state_.now() + 1);
}

void Receiver::reset() {
  for (unsigned fifo = 0; fifo < kFifos; ++fifo) {
    while (queues_[fifo].first != nullptr && queues_[fifo].first->tail <= state_.now()) {
      Packet& packet = *queues_[fifo].first;
      free(fifo);
      state_.network.pool().release(packet);
    }
  }
  go_on();
}

// Memory's answers. ---------------------------------------------------------------------------------------------------

void Receiver::take_answers() {
  while (!writes_.empty()) {
    Write& front = writes_.front();
    const unsigned now = std::min(answered_, front.parts);
    answered_ -= now;
    front.parts -= now;
    if (front.parts != 0) return;
    const Write write = front;
    writes_.pop_front();
    written(write);
  }
}

void Receiver::written(const Write& write) {
  state_.last_active = state_.when();
  switch (write.kind) {
    case Write::Kind::put: {
      state_.counted.bytes_written += write.amount;
      const ByteCounters::Decrement change = state_.reception_counters.decrement(write.target, write.amount);
      state_.counter_changed(DmaObserver::Side::reception, write.target, change);
      break;
    }
    case Write::Kind::fifo:
    case Write::Kind::header:
      state_.counted.bytes_written += std::uint64_t{write.amount} * TORUS_QUAD_BYTES;
      state_.reception_rings.appended(write.target, write.amount);
      state_.changed(write.target < ReceptionRings::kNormal ? write.target / 8
                                                            : write.target - ReceptionRings::kNormal);
      state_.fifo_changed(DmaObserver::Side::reception, write.target);
      if (state_.packet_watch && write.packet != nullptr) state_.packet_watch(write.target, *write.packet);
      break;
    case Write::Kind::descriptors:
      state_.counted.remote_gets += write.amount / InjectionRings::kDescriptorQuads;
      state_.injection_rings.appended(write.target, write.amount);
      state_.changed(write.target / 32);
      state_.fifo_changed(DmaObserver::Side::injection, write.target);
      break;
  }
  if (write.packet != nullptr) state_.network.pool().release(*write.packet);
}

// Packets. ------------------------------------------------------------------------------------------------------------

void Receiver::take() {
  while (writes_.size() < state_.config.write_buffers) {
    if (stopped_ || (get_waits_ && !get_retries_)) return;
    if (next_packet_ > state_.now()) {
      state_.outside.wake(next_packet_);
      return;
    }
    const std::optional<unsigned> fifo = choose();
    if (!fifo) return;
    const Outcome outcome = take(*fifo);
    if (outcome == Outcome::blocked) blocked_ |= 1u << *fifo;
    if (outcome != Outcome::taken) {
      state_.changed_lines = true;
      continue;
    }
    using namespace bgp_dma_dcr;
    const unsigned priority = (kHigh & 1u << *fifo) != 0 ? 1 : 0;
    const std::uint32_t service = state_.dcr.at(kLocalReceptionService);
    last_[priority] = *fifo;
    order_.took(priority, local_reception_service::kHighRepeat.of(service),
                local_reception_service::kNormalRepeat.of(service));
    next_packet_ = state_.now() + state_.config.packet_cycles + local_reception_service::kDelay.of(service);
  }
}

std::optional<unsigned> Receiver::choose() {
  for (const unsigned priority : order_.priorities()) {
    if (const std::optional<unsigned> fifo = choose(priority)) return fifo;
  }
  return std::nullopt;
}

/// What comes later wakes by itself: arrived() has seen to that.
std::optional<unsigned> Receiver::choose(unsigned priority) {
  const std::uint32_t candidates = waiting_ & ~blocked_ & (priority == 1 ? kHigh : ~kHigh);
  if (candidates == 0) return std::nullopt;
  for (unsigned step = 1; step <= kFifos; ++step) {
    const unsigned fifo = (last_[priority] + step) % kFifos;
    if ((candidates & 1u << fifo) == 0) continue;
    if (queues_[fifo].first->tail + state_.config.deliver_cycles <= state_.now()) return fifo;
  }
  return std::nullopt;
}

Receiver::Outcome Receiver::take(unsigned fifo) {
  Arrival arrival{*queues_[fifo].first, fifo, {}};
  for (unsigned i = 0; i < 4; ++i) arrival.words[i] = load_word<std::uint32_t>(arrival.packet.data + 4 * i);
  const Outcome outcome = !bgp_dma_is_direct(arrival.words[0])                                ? to_fifo(arrival)
                          : (bgp_dma_flags3(arrival.words[3]) & BGP_DMA_FLAG_REMOTE_GET) != 0 ? remote_get(arrival)
                                                                                              : put(arrival);
  if (outcome == Outcome::blocked || outcome == Outcome::stopped) {
    ++state_.counted.waits_for_fifo;
    return outcome;
  }
  free(fifo);
  if (outcome == Outcome::dropped) state_.network.pool().release(arrival.packet);
  return Outcome::taken;
}

void Receiver::free(unsigned fifo) {
  Queue& queue = queues_[fifo];
  Packet& packet = *queue.first;
  queue.first = packet.next;
  if (queue.first == nullptr) {
    queue.last = nullptr;
    waiting_ &= ~(1u << fifo);
  }
  queue.chunks -= packet.chunks;
  --held_;
  if (fifo == kLocalFifo) {
    local_.taken(packet.chunks);
    return;
  }
  ++state_.counted.packets_received;
  if (TorusObserver* const observer = state_.network.observer())
    observer->on_read(state_.node, kNoCore, fifo, packet, state_.when());
  state_.outside.return_tokens(fifo, packet.chunks, state_.now() + 1);
}

Receiver::Outcome Receiver::drop(const Arrival& arrival, DmaRule rule, unsigned group, const std::string& why) {
  const Coordinates from = state_.network.topology().coordinates(arrival.packet.source);
  state_.dcr.at(bgp_dma_dcr::kBadSource) =
      std::uint32_t{from[0]} << 24 | std::uint32_t{from[1]} << 16 | std::uint32_t{from[2]} << 8;
  state_.violated(rule, group, [&] { return "DMA packet from node " + text(arrival) + ": " + why; });
  return Outcome::dropped;
}

// What they are for. --------------------------------------------------------------------------------------------------

unsigned Receiver::write_ring(const DmaRing& ring, std::uint32_t place, const std::uint8_t* from, std::uint32_t quads) {
  const std::uint32_t before_end = std::min(quads, ring.end - place);
  const std::uint32_t places[] = {place, ring.start};
  const std::uint32_t amounts[] = {before_end, quads - before_end};
  const AddressRanges ranges = AddressRanges::reception(state_.dcr);
  const unsigned parts = amounts[1] == 0 ? 1 : 2;
  for (unsigned part = 0; part < parts; ++part) {
    if (!ranges.allow(std::uint64_t{places[part]} << 4, std::uint64_t{amounts[part]} << 4)) return 0;
  }
  // The ranges lie in memory, so the second piece is not refused where the first was not.
  unsigned asked = 0;
  for (; asked < parts; ++asked) {
    if (!state_.writes->write(std::uint64_t{places[asked]} << 4, from, amounts[asked] << 4, state_.request_time(), 0))
      break;
    from += std::size_t{amounts[asked]} << 4;
  }
  return asked;
}

/// Behind the packet itself, which stays until its header is written.
void Receiver::store_header(const Arrival& arrival) {
  if (!state_.dcr.has(bgp_dma_dcr::base_control::kStoreHeaders)) return;
  const unsigned group = state_.dcr.reception_map(arrival.pid(), column_of(arrival.fifo)) / 8 % 4;
  const unsigned fifo = ReceptionRings::kNormal + group;
  ReceptionRings& rings = state_.reception_rings;
  if (!state_.dcr.reception_enabled(fifo) || !rings.well_formed(fifo) || !rings.has_room(fifo, 1)) return;
  const unsigned parts = write_ring(rings.ring(fifo), rings.append_place(fifo), arrival.packet.data, 1);
  if (parts == 0) return;
  rings.begin_append(fifo, 1);
  writes_.back().packet = nullptr;
  writes_.push_back({Write::Kind::header, fifo, 1, parts, &arrival.packet});
}

Receiver::Outcome Receiver::to_fifo(const Arrival& arrival) {
  const unsigned fifo = state_.dcr.reception_map(arrival.pid(), column_of(arrival.fifo));
  const auto which = [fifo] {
    return "reception FIFO " + std::to_string(fifo % 8) + " of group " + std::to_string(fifo / 8);
  };
  ReceptionRings& rings = state_.reception_rings;
  if (fifo >= ReceptionRings::kNormal || !state_.dcr.reception_enabled(fifo))
    return drop(arrival, DmaRule::reception_fifo, fifo / 8 % 4, which() + " is not enabled");
  if (!rings.well_formed(fifo)) {
    return drop(
        arrival, DmaRule::reception_ring, fifo / 8,
        "the registers of " + which() + " make no ring: " + ring_text(rings.ring(fifo)) +
            "; START and END are multiples of 32 bytes, with at least 8704 bytes, and HEAD and TAIL in between");
  }
  const std::uint32_t quads = TORUS_CHUNK_QUADS * arrival.packet.chunks;
  if (!rings.has_room(fifo, quads)) {
    if (state_.dcr.has(bgp_dma_dcr::base_control::kStopIfFull)) {
      stopped_ = true;
      return Outcome::stopped;
    }
    return Outcome::blocked;
  }
  const std::uint32_t place = rings.append_place(fifo);
  const unsigned parts = write_ring(rings.ring(fifo), place, arrival.packet.data, quads);
  if (parts == 0) {
    state_.dcr.at(bgp_dma_dcr::kBadWriteAddress) = place;
    return drop(arrival, DmaRule::write_address, fifo / 8,
                which() + " at " + dma_address_text(std::uint64_t{place} << 4) +
                    " does not lie in the memory that the DMA may write");
  }
  rings.begin_append(fifo, quads);
  writes_.push_back({Write::Kind::fifo, fifo, quads, parts, &arrival.packet});
  store_header(arrival);
  return Outcome::taken;
}

Receiver::Outcome Receiver::put(const Arrival& arrival) {
  const unsigned counter = bgp_dma_counter3(arrival.words[3]);
  const std::uint32_t bytes = arrival.bytes();
  const unsigned group = counter / 64;
  const auto which = [counter] {
    return "reception counter " + std::to_string(counter % 64) + " of group " + std::to_string(counter / 64);
  };
  const ByteCounters& counters = state_.reception_counters;
  if (!counters.is_enabled(counter))
    return drop(arrival, DmaRule::reception_counter, group, which() + " is not enabled");
  if (bytes > BGP_DMA_PAYLOAD_BYTES(arrival.packet.chunks)) {
    return drop(arrival, DmaRule::payload_bytes, group,
                "its Payload_Bytes are " + std::to_string(bytes) + ", more than a packet of " +
                    counted(arrival.packet.chunks, "chunk") + " holds");
  }
  const std::uint64_t address = (std::uint64_t{counters.base(counter)} << 4) + arrival.words[2];
  const std::uint64_t last = (std::uint64_t{counters.maximum(counter)} << 4) + 15;
  if (bytes != 0 && address + bytes - 1 > last) {
    state_.dcr.at(bgp_dma_dcr::kBadWriteAddress) = static_cast<std::uint32_t>(address >> 4);
    return drop(arrival, DmaRule::beyond_maximum, group,
                dma_address_text(address) + " to " + dma_address_text(address + bytes - 1) + " ends behind " +
                    dma_address_text(last) + ", the last byte of " + which());
  }
  const unsigned parts = bytes == 0 ? 0 : 1;
  if (bytes != 0 &&
      (!AddressRanges::reception(state_.dcr).allow(address, bytes) ||
       !state_.writes->write(address, arrival.packet.data + TORUS_HEADER_BYTES, bytes, state_.request_time(), 0))) {
    state_.dcr.at(bgp_dma_dcr::kBadWriteAddress) = static_cast<std::uint32_t>(address >> 4);
    return drop(
        arrival, DmaRule::write_address, group,
        dma_address_text(address) + " on, of " + which() + ", does not lie in the memory that the DMA may write");
  }
  writes_.push_back({Write::Kind::put, counter, bytes, parts, &arrival.packet});
  store_header(arrival);
  if (parts == 0) state_.outside.wake(state_.now() + 1);
  return Outcome::taken;
}

Receiver::Outcome Receiver::remote_get(const Arrival& arrival) {
  const unsigned fifo = bgp_dma_fifo3(arrival.words[3]);
  const std::uint32_t bytes = arrival.bytes();
  const unsigned group = fifo / 32 % 4;
  const auto which = [fifo] {
    return "injection FIFO " + std::to_string(fifo % 32) + " of group " + std::to_string(fifo / 32);
  };
  InjectionRings& rings = state_.injection_rings;
  if (fifo >= InjectionRings::kFifos || !rings.is_enabled(fifo))
    return drop(arrival, DmaRule::get_fifo, group, which() + " is not enabled");
  if (bytes == 0 || bytes % BGP_DMA_DESCRIPTOR_BYTES != 0 || bytes > BGP_DMA_PAYLOAD_BYTES(arrival.packet.chunks)) {
    return drop(arrival, DmaRule::get_descriptors, group,
                "its payload of " + std::to_string(bytes) + " bytes is not whole descriptors of 32 bytes");
  }
  if (!rings.can_append(fifo)) {
    return drop(arrival, DmaRule::get_ring, group,
                "the registers of " + which() + " make no ring: " + ring_text(rings.ring(fifo)));
  }
  get_waits_ = !rings.is_available(fifo);
  get_retries_ = false;
  if (get_waits_) return Outcome::stopped;
  state_.changed_lines = true;
  const std::uint32_t quads = bytes / TORUS_QUAD_BYTES;
  const std::uint32_t place = rings.append_place(fifo);
  const unsigned parts = write_ring(rings.ring(fifo), place, arrival.packet.data + TORUS_HEADER_BYTES, quads);
  if (parts == 0) {
    state_.dcr.at(bgp_dma_dcr::kBadWriteAddress) = place;
    return drop(arrival, DmaRule::write_address, group,
                which() + " at " + dma_address_text(std::uint64_t{place} << 4) +
                    " does not lie in the memory that the DMA may write");
  }
  rings.begin_append(fifo, quads);
  writes_.push_back({Write::Kind::descriptors, fifo, quads, parts, &arrival.packet});
  store_header(arrival);
  return Outcome::taken;
}

std::string Receiver::text(const Arrival& arrival) const {
  const std::uint32_t word3 = arrival.words[3];
  std::string text = state_.node_text(arrival.packet.source);
  if (!bgp_dma_is_direct(arrival.words[0])) {
    return text + " (for a memory FIFO, pid " + std::to_string(arrival.pid()) + ", function " +
           std::to_string(bgp_dma_function3(word3)) + ")";
  }
  const bool get = (bgp_dma_flags3(word3) & BGP_DMA_FLAG_REMOTE_GET) != 0;
  return text + (get ? " (remote get of " : " (put of ") + std::to_string(arrival.bytes()) + " bytes" +
         (get ? "" : " at offset " + dma_address_text(arrival.words[2])) + ")";
}

}  // namespace toroid
