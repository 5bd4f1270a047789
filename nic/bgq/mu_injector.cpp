// SPDX-License-Identifier: Apache-2.0
#include "nic/bgq/mu_injector.h"

#include "nic/bgq/mu_receiver.h"
#include "nic/common/l2_atomics.h"

namespace toroid {
namespace {

constexpr std::uint32_t kNone = MuReservations::kNone;

}  // namespace

void MuInjector::settle() {
  start_messages();
  issue();
  fetch();
}

// Memory's answers. ---------------------------------------------------------------------------------------------------

void MuInjector::descriptor_read(MuMessage& message) {
  ++state_.counted.descriptors;
  const unsigned fifo = message.fifo;
  if (message.dropped) {
    pool_.release(message);
    return;
  }
  message.decode();
  MuInjectionFifo& work = state_.fifos.injection(fifo);
  if (const auto fault = packetizer_.prepare(message)) {
    work.next = nullptr;
    ahead_.set(fifo, false);
    state_.dcr.at(bgq_mu_dcr::kMcsramErrorId) = fifo;
    refuse(fifo, fault->rule, &message, message.place, fault->text);
    pool_.release(message);
    return;
  }
  message.number = number_++;
  message.stage = MuMessage::Stage::starting;
  message.ready = state_.now() + state_.config.start_cycles;
  (starting_last_ != nullptr ? starting_last_->behind : starting_) = &message;
  starting_last_ = &message;
  promote(fifo, work);
  if (state_.observer != nullptr) {
    state_.observer->on_descriptor(
        {state_.node, message.number, fifo, message.kind, message.local, message.bytes.data()}, state_.now());
  }
}

void MuInjector::packet_read(std::uint32_t number) {
  MuRequest& read = state_.requests[number];
  read.done = true;
  Engine& engine = engines_[read.engine];
  while (engine.first != kNone && state_.requests[engine.first].done) {
    const std::uint32_t first = engine.first;
    engine.first = state_.requests[first].next;
    if (engine.first == kNone) engine.last = kNone;
    --engine.packets;
    const MuRequest request = state_.requests[first];
    state_.requests.remove(first);
    push(request);
  }
}

void MuInjector::push(const MuRequest& request) {
  MuMessage& message = *request.message;
  state_.last_active = state_.when();
  --message.packets;
  state_.counted.bytes_read += request.bytes;
  Packet& packet = *request.packet;
  if (message.atomic()) bgq_put(packet.data + BGQ_HEADER_BYTES, 8, request.value);
  if (message.kind == MuMessage::Kind::prefetch) {
    state_.network.pool().release(packet);
  } else {
    if (state_.observer != nullptr)
      state_.observer->on_packet(state_.node, packet.serial, message.number, state_.now());
    state_.counted.packets_local += message.local;
    network_.push(request.engine, packet);
  }
  if (message.all_issued && message.packets == 0) end_of_message(message);
}

void MuInjector::end_of_message(MuMessage& message) {
  const unsigned fifo = message.fifo;
  ++state_.counted.messages;
  if (state_.observer != nullptr) state_.observer->on_message_read(state_.node, message.number, state_.now());
  if (message.generation == state_.fifos.injection(fifo).generation) {
    state_.fifos.done(fifo, message.place);
    state_.injection_changed(fifo);
    receiver_.ring_moved();
  }
  pool_.release(message);
}

// Messages. -----------------------------------------------------------------------------------------------------------

void MuInjector::start_messages() {
  while (starting_ != nullptr && starting_->ready <= state_.now()) {
    MuMessage& message = *starting_;
    starting_ = message.behind;
    if (starting_ == nullptr) starting_last_ = nullptr;
    if (message.dropped) {
      pool_.release(message);
      continue;
    }
    message.stage = MuMessage::Stage::ready;
    if (state_.fifos.injection(message.fifo).current == &message) ready_.set(message.fifo, true);
  }
  if (starting_ != nullptr) state_.outside.wake(starting_->ready);
}

void MuInjector::promote(unsigned fifo, MuInjectionFifo& work) {
  if (work.current != nullptr || work.next == nullptr || work.next->stage == MuMessage::Stage::fetching) return;
  work.current = work.next;
  work.next = nullptr;
  ahead_.set(fifo, false);
  if (work.current->stage == MuMessage::Stage::ready) ready_.set(fifo, true);
}

void MuInjector::release_if_dropped(MuMessage& message) {
  message.dropped = true;
  if (message.stage == MuMessage::Stage::ready) pool_.release(message);  // otherwise it waits for something
}

void MuInjector::drop(unsigned fifo) {
  MuInjectionFifo& work = state_.fifos.injection(fifo);
  if (work.next != nullptr) release_if_dropped(*work.next);
  work.next = nullptr;
  ahead_.set(fifo, false);
  if (work.current == nullptr || work.current->begun()) return;
  release_if_dropped(*work.current);
  work.current = nullptr;
  ready_.set(fifo, false);
}

void MuInjector::rewind(unsigned fifo) {
  const MuInjectionFifo& work = state_.fifos.injection(fifo);
  const MuMessage* const first = work.current != nullptr && !work.current->begun() ? work.current : work.next;
  if (first == nullptr) return;
  const std::uint64_t place = first->place;
  drop(fifo);
  state_.fifos.reread_from(fifo, place);
}

void MuInjector::reset() {
  for (unsigned subgroup = 0; subgroup < kMuSubgroups; ++subgroup) {
    if (!state_.fifos.exists(subgroup)) continue;
    for (unsigned i = 0; i < kMuInjectionOfASubgroup; ++i) {
      const unsigned fifo = subgroup * kMuInjectionOfASubgroup + i;
      drop(fifo);
      MuInjectionFifo& work = state_.fifos.injection(fifo);
      if (work.current == nullptr) continue;
      work.current->all_issued = true;
      if (work.current->packets == 0) pool_.release(*work.current);
      work.current = nullptr;
    }
  }
  ready_ = {};
}

// Descriptors. --------------------------------------------------------------------------------------------------------

void MuInjector::fetch() {
  if (!state_.dcr.works()) return;
  state_.fifos.unread().for_each([this](unsigned fifo) {
    if (!ahead_.has(fifo)) fetch(fifo);
  });
}

void MuInjector::fetch(unsigned fifo) {
  MuFifos& fifos = state_.fifos;
  if (!fifos.well_formed_injection(fifo)) {
    const MuRing& ring = fifos.injection(fifo).ring;
    refuse(fifo, MuRule::ring, nullptr, ring.head,
           "START, SIZE, HEAD and TAIL make no ring: " + mu_ring_text(ring) +
               "; they are multiples of 64 bytes, at least 128, with HEAD and TAIL in between");
    return;
  }
  const std::uint64_t place = fifos.read_next(fifo);
  MuMessage& message = pool_.allocate();
  message.fifo = static_cast<std::uint16_t>(fifo);
  message.place = place;
  message.generation = fifos.injection(fifo).generation;
  const std::uint32_t number = state_.requests.add({MuRequest::Kind::descriptor, 0, false, false, 1, message.fifo,
                                                    BGQ_DESCRIPTOR_BYTES, kNone, 0, &message, nullptr, 0, 0});
  const unsigned master = MuState::master_of(fifo);
  const bool system = state_.dcr.injection_is_system(fifo);
  if (!state_.dcr.allows(place, BGQ_DESCRIPTOR_BYTES, system, false) ||
      !state_.memory[master]->read(place, message.bytes.data(), BGQ_DESCRIPTOR_BYTES, state_.request_time(), number)) {
    state_.requests.remove(number);
    pool_.release(message);
    state_.bad_address(master, place, system);
    refuse(fifo, MuRule::read_range, nullptr, place,
           "the descriptor does not lie in the memory that the FIFO may read");
    return;
  }
  fifos.injection(fifo).next = &message;
  ahead_.set(fifo, true);
}

void MuInjector::refuse(unsigned fifo, MuRule rule, const MuMessage* message, std::uint64_t place,
                        const std::string& text) {
  state_.fifos.disable(fifo / kMuInjectionOfAGroup, mu_injection_bit(fifo));
  drop(fifo);
  state_.fifos.reread_from(fifo, place);
  state_.group_changed(fifo / kMuInjectionOfAGroup);
  state_.violated(rule, fifo / kMuInjectionOfASubgroup, MuState::master_of(fifo), [&] {
    return "Messaging Unit, " + mu_injection_text(fifo) + ", descriptor at " + mu_address_text(place) +
           (message == nullptr ? "" : " (" + message->text() + ")") + ": " + text;
  });
}

// Packets. ------------------------------------------------------------------------------------------------------------

MuInjector::Wanted MuInjector::wanted() const {
  Wanted engines{};
  const MuFifos& fifos = state_.fifos;
  ready_.for_each([&](unsigned fifo) { engines[fifos.has_priority(fifo)] |= fifos.injection(fifo).current->engines; });
  return engines;
}

void MuInjector::issue() {
  if (!ready_.any()) return;
  Wanted engines = wanted();
  for (unsigned number = 0; number < kMuEngines; ++number) {
    if (((engines[0] | engines[1]) & mu_engine_bit(number)) == 0) continue;
    Engine& engine = engines_[number];
    if (engine.packets >= state_.config.engine_packets || !state_.dcr.injects(number)) continue;
    if (engine.next <= state_.now()) {
      MuMessage* message = choose(number, engines);
      while (message != nullptr && !issue(number, *message)) message = choose(number, engines = wanted());
      if (message == nullptr) continue;
      if (message->all_issued) engines = wanted();  // the next one of its FIFO may be ready
      engine.next = state_.now() + state_.config.packet_cycles;
    }
    if (engine.wakes == engine.next || !ready_.any()) continue;
    engine.wakes = engine.next;
    state_.outside.wake(engine.next);
  }
}

bool MuInjector::may_take(unsigned number, const MuMessage& message) const {
  if ((message.engines & mu_engine_bit(number)) == 0) return false;
  if (message.kind == MuMessage::Kind::prefetch) return true;
  const unsigned payload = (MuPacketizer::next_bytes(message) + BGQ_CHUNK_BYTES - 1) / BGQ_CHUNK_BYTES;
  return network_.has_room(number, 1 + payload);
}

MuMessage* MuInjector::choose(unsigned number, const Wanted& engines) {
  for (const bool high : {true, false}) {
    if ((engines[high] & mu_engine_bit(number)) == 0) continue;
    if (MuMessage* const message = choose(number, high)) return message;
  }
  return nullptr;
}

MuMessage* MuInjector::choose(unsigned number, bool high) {
  Engine& engine = engines_[number];
  MuFifos& fifos = state_.fifos;
  const unsigned fifo = ready_.first_from((engine.turn[high] + 1) % kMuInjectionFifos, [&](unsigned each) {
    return fifos.has_priority(each) == high && may_take(number, *fifos.injection(each).current);
  });
  if (fifo == kMuInjectionFifos) return nullptr;
  engine.turn[high] = static_cast<std::uint16_t>(fifo);
  return fifos.injection(fifo).current;
}

bool MuInjector::issue(unsigned number, MuMessage& message) {
  const unsigned fifo = message.fifo;
  Engine& engine = engines_[number];
  MuInjectionFifo& work = state_.fifos.injection(fifo);
  const std::uint32_t bytes = MuPacketizer::next_bytes(message);
  const std::uint64_t payload = message.descriptor.payload;
  const std::uint64_t address =
      message.atomic() ? payload & BGQ_ADDRESS_MASK & ~std::uint64_t{7} : payload + message.issued;
  Packet& packet = packetizer_.next(message, number);
  const std::uint32_t request = state_.requests.add({MuRequest::Kind::packet, static_cast<std::uint8_t>(number), false,
                                                     false, static_cast<std::uint8_t>(bytes == 0 ? 0 : 1), message.fifo,
                                                     bytes, kNone, 0, &message, &packet, 0, 0});
  const unsigned master = MuState::master_of(number);
  MemoryPort& memory = *state_.memory[master];
  bool asked = state_.dcr.allows(address, bytes, message.system, false);
  if (asked && message.atomic()) {
    asked = memory.atomic(address, l2_load(payload & 7), state_.request_time(), request);
    state_.counted.atomics += asked;
  } else if (asked && bytes != 0) {
    asked = memory.read(address, packet.data + BGQ_HEADER_BYTES, bytes, state_.request_time(), request);
  }
  if (!asked) {
    state_.requests.remove(request);
    state_.network.pool().release(packet);
    // What has been read of the message goes on; the rest does not come.
    work.current = nullptr;
    ready_.set(fifo, false);
    state_.bad_address(master, address, message.system);
    refuse(fifo, MuRule::read_range, &message, message.place,
           mu_address_text(payload + message.issued) + " does not lie in the memory that the FIFO may read");
    message.all_issued = true;
    --message.generation;
    if (message.packets == 0) pool_.release(message);
    return false;
  }
  if (message.kind != MuMessage::Kind::prefetch) network_.reserve(number, packet.chunks);
  (engine.last != kNone ? state_.requests[engine.last].next : engine.first) = request;
  engine.last = request;
  ++engine.packets;
  ++message.packets;
  message.issued += bytes;
  if (message.left() == 0) {
    message.all_issued = true;
    work.current = nullptr;
    ready_.set(fifo, false);
    promote(fifo, work);
  }
  if (bytes == 0) {
    state_.requests.answered(request);
    state_.outside.wake(state_.now() + 1);
  }
  return true;
}

}  // namespace toroid
