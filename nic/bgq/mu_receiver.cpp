// SPDX-License-Identifier: Apache-2.0
#include "nic/bgq/mu_receiver.h"

#include <algorithm>

#include "nic/bgq/mu_routing.h"
#include "nic/common/l2_atomics.h"

namespace toroid {
namespace {

constexpr std::uint32_t kNone = MuReservations::kNone;
constexpr unsigned kClocksOfAWait = 16;  // RME_WAIT_FULL counts in these

}  // namespace

void MuReceiver::arrived(Packet& packet, unsigned number) {
  Engine& engine = engines_[number];
  packet.next = nullptr;
  (engine.last != nullptr ? engine.last->next : engine.first) = &packet;
  engine.last = &packet;
  waiting_ |= 1u << number;
  ++held_;
  state_.outside.wake(packet.tail + state_.config.deliver_cycles);
}

void MuReceiver::settle() {
  for (std::uint32_t engines = waiting_; engines != 0; engines &= engines - 1)
    take(static_cast<unsigned>(__builtin_ctz(engines)));
}

void MuReceiver::ring_moved() {
  using namespace bgq_mu_dcr;
  for (Engine& engine : engines_) {
    if (!engine.blocked || engine.retry != kNever) continue;
    const std::uint64_t clocks = std::max<std::uint64_t>(state_.dcr.at(kRmeWaitFull) >> 56, 1) * kClocksOfAWait;
    const std::uint64_t interval = std::max<std::uint64_t>(clocks * state_.clock.mhz() / state_.config.clock_mhz, 1);
    const std::uint64_t passed = (state_.now() - engine.blocked_since).count();
    engine.retry = engine.blocked_since + Cycle((passed / interval + 1) * interval);
    wake(engine, engine.retry);
  }
}

std::uint16_t MuReceiver::blocked() const {
  std::uint16_t bits = 0;
  for (unsigned number = 0; number < kMuEngines; ++number) {
    if (engines_[number].blocked) bits |= mu_engine_bit(number);
  }
  return bits;
}

void MuReceiver::reset() {
  for (unsigned number = 0; number < kMuEngines; ++number) {
    Engine& engine = engines_[number];
    while (engine.first != nullptr && engine.first->tail <= state_.now()) {
      Packet& packet = *engine.first;
      free(number);
      state_.network.pool().release(packet);
    }
    engine.blocked = false;
  }
}

void MuReceiver::wake(Engine& engine, Cycle at) {
  if (engine.wakes == at) return;
  engine.wakes = at;
  state_.outside.wake(at);
}

// Memory's answers. ---------------------------------------------------------------------------------------------------

void MuReceiver::written(std::uint32_t number) {
  MuRequest& write = state_.requests[number];
  state_.last_active = state_.when();
  write.done = true;
  switch (write.kind) {
    case MuRequest::Kind::fifo:
      commit(state_.fifos.reception(write.fifo).packets);
      return;
    case MuRequest::Kind::gets:
      commit(state_.fifos.injection(write.fifo).gets);
      return;
    default:
      state_.counted.bytes_written += write.bytes;
      if (state_.observer != nullptr) state_.observer->on_put(state_.node, write.address, write.bytes, state_.now());
      finish(number);
  }
}

void MuReceiver::commit(MuReservations& reservations) {
  while (reservations.first != kNone && state_.requests[reservations.first].done) {
    const std::uint32_t number = reservations.first;
    const MuRequest& write = state_.requests[number];
    reservations.first = write.next;
    if (reservations.first == kNone) reservations.last = kNone;
    if (write.generation != reservations.generation) {
      // Software has moved the ring meanwhile.
    } else if (write.kind == MuRequest::Kind::fifo) {
      state_.counted.bytes_written += write.bytes;
      state_.fifos.appended(write.fifo, write.bytes, write.interrupt);
      state_.reception_changed(write.fifo);
      if (state_.packet_watch) state_.packet_watch(write.fifo, *write.packet);
    } else {
      state_.counted.remote_gets += write.bytes / BGQ_DESCRIPTOR_BYTES;
      state_.fifos.appended_gets(write.fifo, write.bytes);
      state_.injection_changed(write.fifo);
    }
    finish(number);
  }
}

void MuReceiver::finish(std::uint32_t number) {
  --engines_[state_.requests[number].engine].packets;
  --writing_;
  state_.network.pool().release(*state_.requests[number].packet);
  state_.requests.remove(number);
}

// Packets. ------------------------------------------------------------------------------------------------------------

/// What comes later wakes by itself: arrived() has seen to that.
void MuReceiver::take(unsigned number) {
  Engine& engine = engines_[number];
  if (!state_.dcr.receives(number)) return;
  while (engine.first != nullptr && engine.packets < state_.config.engine_packets) {
    Packet& packet = *engine.first;
    if (packet.tail + state_.config.deliver_cycles > state_.now()) return;
    if (engine.blocked && engine.retry > state_.now()) return;
    if (engine.next > state_.now()) {
      wake(engine, engine.next);
      return;
    }
    const unsigned vc = packet.data[3] >> 5;
    const Arrival arrival{packet, number, vc, unsigned{packet.data[8]} >> 6, is_system_channel(vc)};
    const Outcome outcome = take(arrival);
    if (outcome == Outcome::blocked) {
      ++state_.counted.waits_for_fifo;
      if (!engine.blocked) engine.blocked_since = state_.now();
      engine.blocked = true;
      engine.retry = kNever;
      return;
    }
    engine.blocked = false;
    engine.next = state_.now() + state_.config.packet_cycles;
    free(number);
    if (outcome == Outcome::dropped) state_.network.pool().release(packet);
  }
}

void MuReceiver::free(unsigned number) {
  Engine& engine = engines_[number];
  Packet& packet = *engine.first;
  engine.first = packet.next;
  if (engine.first == nullptr) {
    engine.last = nullptr;
    waiting_ &= ~(1u << number);
  }
  --held_;
  ++state_.counted.packets_received;
  state_.outside.return_tokens(number, packet.chunks, state_.now() + 1);
}

MuReceiver::Outcome MuReceiver::drop(const Arrival& arrival, MuRule rule, unsigned subgroup, const std::string& why) {
  state_.violated(rule, subgroup, MuState::master_of(arrival.engine),
                  [&] { return "Messaging Unit, packet from node " + text(arrival) + ": " + why; });
  return Outcome::dropped;
}

MuReceiver::Outcome MuReceiver::header_error(const Arrival& arrival, MuRule rule, const std::string& why) {
  const unsigned bit = rule == MuRule::header_id ? 3 : rule == MuRule::header_system ? 2 : 1;
  state_.dcr.at(bgq_mu_dcr::kRmeError, 2 * arrival.engine + 1) |= std::uint64_t{1} << bit;
  state_.violated(rule, kMuSubgroups, arrival.engine,
                  [&] { return "Messaging Unit, packet from node " + text(arrival) + ": " + why; });
  return Outcome::dropped;
}

MuReceiver::Outcome MuReceiver::out_of_range(const Arrival& arrival, unsigned subgroup, std::uint64_t address,
                                             const std::string& what) {
  state_.bad_address(MuState::master_of(arrival.engine), address, arrival.system);
  return drop(arrival, MuRule::write_range, subgroup,
              what + " at " + mu_address_text(address) + " does not lie in the memory that the packet may write");
}

// What they are for. --------------------------------------------------------------------------------------------------

MuReceiver::Outcome MuReceiver::take(const Arrival& arrival) {
  const bool system_engine = arrival.engine == kMuSystem || arrival.engine == kMuCollectiveSystem;
  if (system_engine && !arrival.system) {
    return header_error(arrival, MuRule::header_system,
                        "it came to an engine of the system with virtual channel " + std::to_string(arrival.vc));
  }
  switch (arrival.type) {
    case BGQ_MU_PUT:
      return put(arrival);
    case BGQ_MU_GET:
      return remote_get(arrival);
    case BGQ_MU_MEMORY_FIFO:
      return to_fifo(arrival);
    default:
      return header_error(arrival, MuRule::header_id, "its packet type is 3");
  }
}

std::uint32_t MuReceiver::add(MuRequest::Kind kind, const Arrival& arrival, unsigned fifo, std::uint32_t bytes) {
  const bool interrupt = (arrival.header()[2] & 1) != 0;
  return state_.requests.add({kind, static_cast<std::uint8_t>(arrival.engine), interrupt, false, 0,
                              static_cast<std::uint16_t>(fifo), bytes, kNone, 0, nullptr, &arrival.packet, 0, 0});
}

void MuReceiver::reserve(MuReservations& reservations, const MuRing& ring, std::uint32_t number) {
  (reservations.last != kNone ? state_.requests[reservations.last].next : reservations.first) = number;
  reservations.last = number;
  state_.requests[number].generation = reservations.generation;
  reservations.place = ring.behind(reservations.place, state_.requests[number].bytes);
  ++engines_[state_.requests[number].engine].packets;
  ++writing_;
}

bool MuReceiver::may_write_ring(const MuRing& ring, std::uint64_t place, std::uint32_t bytes, bool system) const {
  const std::uint64_t before_end = std::min<std::uint64_t>(bytes, ring.end() - place);
  return state_.dcr.allows(place, before_end, system, true) &&
         state_.dcr.allows(ring.start, bytes - before_end, system, true);
}

unsigned MuReceiver::write_ring(const Arrival& arrival, const MuRing& ring, std::uint64_t place,
                                const std::uint8_t* from, std::uint32_t bytes, std::uint32_t number) {
  const auto before_end = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, ring.end() - place));
  MemoryPort& memory = *state_.memory[MuState::master_of(arrival.engine)];
  if (!memory.write(place, from, before_end, state_.request_time(), number)) return 0;
  if (before_end == bytes) return 1;
  return memory.write(ring.start, from + before_end, bytes - before_end, state_.request_time(), number) ? 2 : 1;
}

MuReceiver::Outcome MuReceiver::to_fifo(const Arrival& arrival) {
  const unsigned fifo = bgq_reception_fifo(arrival.header());
  if (fifo >= kMuReceptionFifos)
    return header_error(arrival, MuRule::header_id, "there is no reception FIFO " + std::to_string(fifo) + ", of 272");
  const unsigned subgroup = fifo / kMuReceptionOfASubgroup;
  const auto refuse = [&](MuRule rule, const std::string& why) {
    state_.dcr.at(bgq_mu_dcr::kRmfifoAccessErrorId) = fifo;
    return drop(arrival, rule, subgroup, mu_reception_text(fifo) + why);
  };
  // Kernels keep a FIFO that nobody has for the system, with START at 0.
  const bool allocated = static_cast<const MuFifos&>(state_.fifos).reception(fifo).ring.start != 0;
  if (!arrival.system && state_.dcr.reception_is_system(fifo)) {
    return refuse(MuRule::fifo_system, allocated ? " is the system's, and the packet is a user's"
                                                 : " has not been allocated, and the packet is a user's");
  }
  if (!state_.dcr.reception_enabled(fifo)) {
    return refuse(MuRule::fifo_disabled,
                  allocated ? " is allocated and not enabled" : " is neither allocated nor enabled");
  }
  MuFifos& fifos = state_.fifos;
  MuReceptionFifo& is = fifos.reception(fifo);
  if (!fifos.can_append(fifo)) {
    return refuse(MuRule::reception_ring,
                  " is no ring: " + mu_ring_text(is.ring) +
                      "; START and SIZE are multiples of 32 bytes, at least 576, with HEAD and TAIL in between");
  }
  const std::uint32_t bytes = arrival.packet.chunks * BGQ_CHUNK_BYTES;
  if (!fifos.has_room(fifo, bytes)) {
    state_.dcr.at(bgq_mu_dcr::kFifoFullId) = fifo;
    constexpr unsigned kInsufficientSpace = 63;
    state_.errors.set(bgq_mu_dcr::kFifoState.place, kInsufficientSpace);
    state_.changed_lines = true;
    return Outcome::blocked;
  }
  const std::uint64_t place = is.packets.place;
  const std::uint32_t request = add(MuRequest::Kind::fifo, arrival, fifo, bytes);
  const unsigned parts = may_write_ring(is.ring, place, bytes, arrival.system)
                             ? write_ring(arrival, is.ring, place, arrival.header(), bytes, request)
                             : 0;
  if (parts == 0) {
    state_.requests.remove(request);
    return out_of_range(arrival, subgroup, place, mu_reception_text(fifo));
  }
  state_.requests[request].parts = static_cast<std::uint8_t>(parts);
  reserve(is.packets, is.ring, request);
  return Outcome::taken;
}

MuReceiver::Outcome MuReceiver::put(const Arrival& arrival) {
  const std::uint8_t* const header = arrival.header();
  const unsigned base = bgq_payload_base(header), counter_base = bgq_counter_base(header);
  if (base >= kMuBases)
    return header_error(arrival, MuRule::header_id, "there is no base address " + std::to_string(base) + ", of 544");
  if (counter_base >= kMuBases) {
    return header_error(arrival, MuRule::header_counter,
                        "there is no base address " + std::to_string(counter_base) + ", of 544, for its counter");
  }
  const unsigned subgroup = base / kMuBasesOfASubgroup, counter_subgroup = counter_base / kMuBasesOfASubgroup;
  if (!arrival.system && state_.dcr.bases_are_system(subgroup))
    return drop(arrival, MuRule::payload_system, subgroup,
                mu_base_text(base) + " is the system's, and the packet is a user's");
  if (!arrival.system && state_.dcr.bases_are_system(counter_subgroup)) {
    return drop(arrival, MuRule::counter_system, counter_subgroup,
                mu_base_text(counter_base) + " of the counter is the system's, and the packet is a user's");
  }
  const std::uint64_t target = (state_.fifos.base(base) + bgq_put_offset(header)) & BGQ_PUT_OFFSET_MASK;
  const std::uint64_t counter = (state_.fifos.base(counter_base) + bgq_counter_offset(header)) & BGQ_PUT_OFFSET_MASK;
  const std::uint32_t bytes = bgq_valid_bytes(header);
  const bool atomic = (target & BGQ_ATOMIC_ADDRESS) != 0;
  if (bytes == 0 || bytes > arrival.bytes() || (atomic && bytes != 8)) {
    return drop(arrival, MuRule::put_atomic_size, subgroup,
                "a put to an atomic address has 8 bytes, and no put has more than its packet; this one has " +
                    std::to_string(bytes));
  }
  if (!atomic && bytes > BGQ_ATOMIC_ADDRESS - target)
    return drop(arrival, MuRule::put_crosses, subgroup,
                "it ends among the atomic addresses, from " + mu_address_text(target) + " on");
  if ((counter & BGQ_ATOMIC_ADDRESS) == 0) {
    return drop(arrival, MuRule::counter_plain, counter_subgroup,
                "the address of its counter, " + mu_address_text(counter) + ", is not atomic");
  }
  const std::uint64_t at = atomic ? target & BGQ_ADDRESS_MASK & ~std::uint64_t{7} : target;
  const std::uint64_t counter_at = counter & BGQ_ADDRESS_MASK & ~std::uint64_t{7};
  if (!state_.dcr.allows(at, bytes, arrival.system, true)) return out_of_range(arrival, subgroup, at, "its target");
  if (!state_.dcr.allows(counter_at, 8, arrival.system, true))
    return out_of_range(arrival, counter_subgroup, counter_at, "its counter");
  MemoryPort& memory = *state_.memory[MuState::master_of(arrival.engine)];
  const std::uint32_t request = add(MuRequest::Kind::put, arrival, base, bytes);
  const bool written = atomic ? memory.atomic(at, l2_store(target & 7, bgq_get(header + BGQ_HEADER_BYTES, 8)),
                                              state_.request_time(), request)
                              : memory.write(at, header + BGQ_HEADER_BYTES, bytes, state_.request_time(), request);
  if (!written) {
    state_.requests.remove(request);
    return out_of_range(arrival, subgroup, at, "its target");
  }
  // Behind the payload, at the same port: who sees the counter sees the payload.
  const std::uint64_t less = ~std::uint64_t{bytes} + 1;
  const bool counts = memory.atomic(counter_at, l2_store(counter & 7, less), state_.request_time(), request);
  state_.requests[request].parts = counts ? 2 : 1;
  state_.requests[request].address = at;
  state_.counted.atomics += (atomic ? 1u : 0u) + (counts ? 1u : 0u);
  ++engines_[arrival.engine].packets;
  ++writing_;
  if (!counts) out_of_range(arrival, counter_subgroup, counter_at, "its counter");
  return Outcome::taken;
}

MuReceiver::Outcome MuReceiver::remote_get(const Arrival& arrival) {
  const unsigned fifo = bgq_payload_base(arrival.header());
  if (fifo >= kMuInjectionFifos)
    return header_error(arrival, MuRule::header_id, "there is no injection FIFO " + std::to_string(fifo) + ", of 544");
  const unsigned subgroup = fifo / kMuInjectionOfASubgroup;
  const auto refuse = [&](MuRule rule, const std::string& why) {
    state_.dcr.at(bgq_mu_dcr::kImfifoAccessErrorId) = fifo;
    return drop(arrival, rule, subgroup, mu_injection_text(fifo) + why);
  };
  if (!arrival.system && state_.dcr.injection_is_system(fifo))
    return refuse(MuRule::get_system, " is the system's, and the packet is a user's");
  if (!state_.dcr.takes_gets(fifo)) return refuse(MuRule::get_fifo, " takes no remote gets");
  if (!state_.fifos.is_enabled(fifo)) return refuse(MuRule::get_disabled, " is not enabled");
  MuFifos& fifos = state_.fifos;
  MuInjectionFifo& is = fifos.injection(fifo);
  if (!fifos.can_append_gets(fifo)) {
    return refuse(MuRule::ring, " is no ring: " + mu_ring_text(is.ring) +
                                    "; for remote gets it has at least 576 bytes, with HEAD and TAIL in between");
  }
  const std::uint32_t bytes = arrival.bytes() / BGQ_DESCRIPTOR_BYTES * BGQ_DESCRIPTOR_BYTES;
  if (!fifos.has_room_for_gets(fifo, bytes)) {
    state_.dcr.at(bgq_mu_dcr::kRgetFifoFullId) = fifo;
    constexpr unsigned kRgetFull = 23;
    state_.errors.set(bgq_mu_dcr::kIcsramState.place, kRgetFull);
    state_.changed_lines = true;
    return Outcome::blocked;
  }
  const std::uint64_t place = is.gets.place;
  const std::uint32_t request = add(MuRequest::Kind::gets, arrival, fifo, bytes);
  const unsigned parts = may_write_ring(is.ring, place, bytes, arrival.system)
                             ? write_ring(arrival, is.ring, place, arrival.header() + BGQ_HEADER_BYTES, bytes, request)
                             : 0;
  if (parts == 0) {
    state_.requests.remove(request);
    return out_of_range(arrival, subgroup, place, mu_injection_text(fifo));
  }
  state_.requests[request].parts = static_cast<std::uint8_t>(parts);
  reserve(is.gets, is.ring, request);
  return Outcome::taken;
}

std::string MuReceiver::text(const Arrival& arrival) const {
  std::string text = state_.node_text(arrival.packet.source);
  const std::uint8_t* const header = arrival.header();
  switch (arrival.type) {
    case BGQ_MU_PUT:
      return text + " (put of " + std::to_string(bgq_valid_bytes(header)) + " bytes at offset " +
             mu_address_text(bgq_put_offset(header)) + ")";
    case BGQ_MU_GET:
      return text + " (remote get of " + std::to_string(arrival.bytes()) + " bytes of descriptors)";
    default:
      return text + " (for reception FIFO " + std::to_string(bgq_reception_fifo(header)) + ", " +
             std::to_string(arrival.bytes()) + " bytes)";
  }
}

}  // namespace toroid
