// SPDX-License-Identifier: Apache-2.0
//
// What the Messaging Unit tells people: work that is pending, packets and descriptors to a debugger, its state in
// words.
#include <algorithm>

#include "nic/bgq/mu.h"
#include "nic/bgq/mu_engine.h"

namespace toroid {
namespace {

/// The number that a word is, below `limit`.
std::optional<unsigned> number_in(const std::string& word, unsigned limit) {
  if (word.empty() || word.size() > 3 || word.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  const auto number = static_cast<unsigned>(std::stoul(word));
  if (number >= limit) return std::nullopt;
  return number;
}

const MuFifos& fifos_of(const MuEngine& engine) {
  return engine.state.fifos;
}

std::string describe_injection(const MuEngine& engine, unsigned fifo) {
  const MuFifos& fifos = fifos_of(engine);
  const MuInjectionFifo& is = fifos.injection(fifo);
  std::string text = mu_injection_text(fifo) + ": " + mu_ring_text(is.ring);
  text += fifos.is_enabled(fifo) ? ", enabled" : ", not enabled";
  if (engine.state.dcr.injection_is_system(fifo)) text += ", of the system";
  if (engine.state.dcr.takes_gets(fifo)) text += ", for remote gets";
  text += ", " + counted(is.done, "descriptor") + " done";
  if (is.current != nullptr)
    text += "; sends " + is.current->text() + ", " + std::to_string(is.current->issued) + " bytes of it so far";
  return text + "\n";
}

std::string describe_reception(const MuEngine& engine, unsigned fifo) {
  const MuRing& ring = fifos_of(engine).reception(fifo).ring;
  std::string text = mu_reception_text(fifo) + ": " + mu_ring_text(ring);
  text += engine.state.dcr.reception_enabled(fifo) ? ", enabled" : ", not enabled";
  if (engine.state.dcr.reception_is_system(fifo)) text += ", of the system";
  if (ring.well_formed(MuFifos::kReceptionUnit, MuFifos::kLeastReception))
    text += ", " + counted(ring.used_to(ring.tail), "byte");
  return text + "\n";
}

std::string describe_base(const MuEngine& engine, unsigned base) {
  const std::uint64_t value = fifos_of(engine).base(base);
  std::string text = "base address " + std::to_string(base % kMuBasesOfASubgroup) + " of subgroup " +
                     std::to_string(base / kMuBasesOfASubgroup) + ": ";
  if (value == BGQ_PUT_OFFSET_MASK) return text + "free\n";
  text += mu_address_text(value & BGQ_ADDRESS_MASK);
  return text + ((value & BGQ_ATOMIC_ADDRESS) != 0 ? ", atomic\n" : "\n");
}

std::string describe_all(const MuEngine& engine) {
  const MuState& state = engine.state;
  std::string text = counted(engine.injector.messages(), "message") + " in work, " +
                     counted(engine.receiver.packets(), "packet") + " to write; " +
                     counted(state.counted.messages, "message") + " sent, " +
                     counted(state.counted.packets_injected, "packet") + " to the network, " +
                     counted(state.counted.packets_received, "packet") + " from it, " +
                     counted(state.counted.packets_local, "local packet") + "\n";
  for (unsigned fifo = 0; fifo < kMuInjectionFifos; ++fifo) {
    if (fifos_of(engine).is_enabled(fifo)) text += describe_injection(engine, fifo);
  }
  for (unsigned fifo = 0; fifo < kMuReceptionFifos; ++fifo) {
    if (state.dcr.reception_enabled(fifo)) text += describe_reception(engine, fifo);
  }
  return text;
}

}  // namespace

std::optional<std::string> MuDevice::describe(const std::vector<std::string>& words) const {
  clock_.sync_to(sc_core::sc_time_stamp());
  if (words.empty()) return describe_all(*engine_);
  const bool base = words.size() == 3 && words[0] == "base";
  const bool fifo = words.size() == 4 && words[0] == "fifo" && (words[1] == "inj" || words[1] == "rec");
  if (!base && !fifo) return std::nullopt;
  const std::optional<unsigned> subgroup = number_in(words[words.size() - 2], kMuSubgroups);
  const bool reception = fifo && words[1] == "rec";
  const std::optional<unsigned> number =
      number_in(words.back(), reception ? kMuReceptionOfASubgroup : kMuInjectionOfASubgroup);
  if (!subgroup || !number) return std::nullopt;
  if (base) return describe_base(*engine_, *subgroup * kMuBasesOfASubgroup + *number);
  if (reception) return describe_reception(*engine_, *subgroup * kMuReceptionOfASubgroup + *number);
  return describe_injection(*engine_, *subgroup * kMuInjectionOfASubgroup + *number);
}

const MuCounters& MuDevice::counters() const {
  return engine_->state.counted;
}

std::uint64_t MuDevice::in_flight() const {
  return engine_->injector.messages() + engine_->receiver.packets();
}

std::size_t MuDevice::memory_bytes() const {
  std::size_t bytes = sizeof(MuEngine);
  for (unsigned subgroup = 0; subgroup < kMuSubgroups; ++subgroup) {
    if (fifos_of(*engine_).exists(subgroup)) bytes += sizeof(MuSubgroup);
  }
  return bytes;
}

void MuDevice::observe(MuObserver* observer) {
  engine_->state.observer = observer;
}

// Work that is pending. -----------------------------------------------------------------------------------------------

std::vector<PendingWork> MuDevice::pending_work(const std::string& node) const {
  std::vector<PendingWork> work = pending_injection(node);
  for (std::vector<PendingWork> more : {pending_reception(node), engine_->state.errors.refused(node)})
    std::move(more.begin(), more.end(), std::back_inserter(work));
  return work;
}

std::vector<PendingWork> MuDevice::pending_injection(const std::string& node) const {
  std::vector<PendingWork> work;
  const MuFifos& fifos = fifos_of(*engine_);
  const sc_core::sc_time since = engine_->state.last_active;
  for (unsigned fifo = 0; fifo < kMuInjectionFifos; ++fifo) {
    if (!fifos.exists(fifo / kMuInjectionOfASubgroup)) continue;
    const MuInjectionFifo& is = fifos.injection(fifo);
    const std::string who = "the Messaging Unit's " + mu_injection_text(fifo) + " of " + node;
    if (is.current != nullptr) {
      work.push_back({PendingWork::Kind::unfinished,
                      who + " sends " + is.current->text() + ", of which " + std::to_string(is.current->issued) +
                          " bytes have been read (its packets wait for room in the network FIFOs)",
                      since});
    } else if (!is.ring.empty() && !fifos.is_enabled(fifo)) {
      work.push_back({PendingWork::Kind::unfinished, who + " holds descriptors and is not enabled", since});
    }
  }
  return work;
}

std::vector<PendingWork> MuDevice::pending_reception(const std::string& node) const {
  std::vector<PendingWork> work;
  const MuState& state = engine_->state;
  if (engine_->receiver.blocked() != 0) {
    work.push_back({PendingWork::Kind::unread,
                    "the Messaging Unit of " + node + " holds packets whose FIFO is full, so that the network waits",
                    state.last_active});
  }
  for (unsigned fifo = 0; fifo < kMuReceptionFifos; ++fifo) {
    if (!state.fifos.exists(fifo / kMuReceptionOfASubgroup)) continue;
    const MuRing& ring = fifos_of(*engine_).reception(fifo).ring;
    if (ring.empty() || !ring.well_formed(MuFifos::kReceptionUnit, MuFifos::kLeastReception)) continue;
    work.push_back({PendingWork::Kind::unread,
                    "the Messaging Unit's " + mu_reception_text(fifo) + " of " + node + " holds " +
                        counted(ring.used_to(ring.tail), "byte") + " that no process has taken",
                    state.last_active});
  }
  return work;
}

// A debugger. ---------------------------------------------------------------------------------------------------------

void MuDevice::watch_packets(PacketWatch& watch) {
  PacketFifos fifos{"mu", {}, {}, kMuGroups};
  for (unsigned fifo = 0; fifo < kMuInjectionOfAGroup; ++fifo) fifos.injection.push_back("I" + std::to_string(fifo));
  for (unsigned fifo = 0; fifo < kMuReceptionOfAGroup; ++fifo) fifos.reception.push_back("R" + std::to_string(fifo));
  packet_watch_ = &watch;
  watched_as_ = watch.add_network(std::move(fifos));
  engine_->state.packet_watch = [this](unsigned fifo, const Packet& packet) {
    if (!packet_watch_->wants(watched_as_, PacketWatch::Event::received, fifo)) return;
    packet_watch_->on_packet(watched_as_, PacketWatch::Event::received, fifo, 0, engine_->state.when(),
                             "a packet of " + counted(packet.chunks, "chunk") + " from " +
                                 engine_->state.node_text(packet.source) + " is in " + mu_reception_text(fifo));
  };
}

void MuDevice::tell_watch(unsigned fifo) {
  if (packet_watch_ == nullptr || !packet_watch_->wants(watched_as_, PacketWatch::Event::injected, fifo)) return;
  packet_watch_->on_packet(watched_as_, PacketWatch::Event::injected, fifo, access_.core, access_.happens,
                           "the tail of " + mu_injection_text(fifo) + " was written");
}

}  // namespace toroid
