// SPDX-License-Identifier: Apache-2.0
//
// What the DMA device tells people: work that is pending, packets and descriptors to a debugger, its state in words.
#include <algorithm>

#include "nic/bgp/dma.h"
#include "nic/bgp/dma_engine.h"

namespace toroid {
namespace {

std::string injection_name(unsigned fifo) {
  return "DMA injection FIFO " + std::to_string(fifo % 32) + " of group " + std::to_string(fifo / 32);
}
std::string reception_name(unsigned fifo) {
  if (fifo >= ReceptionRings::kNormal)
    return "DMA header FIFO of group " + std::to_string(fifo - ReceptionRings::kNormal);
  return "DMA reception FIFO " + std::to_string(fifo % 8) + " of group " + std::to_string(fifo / 8);
}

/// The number that a word is, below `limit`.
std::optional<unsigned> number_in(const std::string& word, unsigned limit) {
  if (word.empty() || word.size() > 3 || word.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  const auto number = static_cast<unsigned>(std::stoul(word));
  if (number >= limit) return std::nullopt;
  return number;
}

std::string describe_injection(const DmaEngine& engine, unsigned fifo) {
  const InjectionRings& rings = engine.state.injection_rings;
  const DmaRing& ring = rings.ring(fifo);
  const std::uint32_t bit = ibm_bit(fifo % 32);
  std::string text = injection_name(fifo) + ": " + ring_text(ring);
  text += rings.is_enabled(fifo) ? ", enabled" : ", not enabled";
  text += (rings.activated(fifo / 32) & bit) != 0 ? ", active" : ", not active";
  if (rings.well_formed(fifo)) {
    text += ", " + counted(ring.used() / InjectionRings::kDescriptorQuads, "descriptor");
  }
  if (const DmaMessage* const message = engine.injector.current(fifo))
    text += "; sends " + message->text() + ", " + std::to_string(message->issued) + " bytes of it so far";
  return text + "\n";
}

std::string describe_reception(const DmaEngine& engine, unsigned fifo) {
  const ReceptionRings& rings = engine.state.reception_rings;
  const DmaRing& ring = rings.ring(fifo);
  std::string text = reception_name(fifo) + ": " + ring_text(ring);
  text += engine.state.dcr.reception_enabled(fifo) ? ", enabled" : ", not enabled";
  if (rings.well_formed(fifo)) text += ", " + counted(std::uint64_t{ring.used()} * TORUS_QUAD_BYTES, "byte");
  return text + "\n";
}

std::string describe_counter(const DmaEngine& engine, bool injection, unsigned counter) {
  const ByteCounters& counters = injection ? engine.state.injection_counters : engine.state.reception_counters;
  std::string text = std::string("DMA ") + (injection ? "injection" : "reception") + " counter " +
                     std::to_string(counter % 64) + " of group " + std::to_string(counter / 64) + ": value " +
                     std::to_string(counters.value(counter)) + ", base " +
                     dma_address_text(std::uint64_t{counters.base(counter)} << 4);
  if (!injection) text += ", last byte " + dma_address_text((std::uint64_t{counters.maximum(counter)} << 4) + 15);
  text += counters.is_enabled(counter) ? ", enabled" : ", not enabled";
  if ((counters.hit_zero(counter / 32) & ibm_bit(counter % 32)) != 0) text += ", has hit zero";
  return text + "\n";
}

std::string describe_all(const DmaEngine& engine) {
  const DmaState& state = engine.state;
  std::string text = counted(engine.injector.messages(), "message") + " in work, " +
                     counted(engine.receiver.packets(), "packet") + " to write; " +
                     counted(state.counted.messages, "message") + " sent, " +
                     counted(state.counted.packets_injected, "packet") + " to the torus, " +
                     counted(state.counted.packets_received, "packet") + " from it, " +
                     counted(state.counted.packets_local, "local packet") + "\n";
  for (unsigned fifo = 0; fifo < InjectionRings::kFifos; ++fifo) {
    if (state.injection_rings.is_enabled(fifo)) text += describe_injection(engine, fifo);
  }
  for (unsigned fifo = 0; fifo < ReceptionRings::kFifos; ++fifo) {
    if (state.dcr.reception_enabled(fifo)) text += describe_reception(engine, fifo);
  }
  return text;
}

}  // namespace

std::optional<std::string> DmaDevice::describe(const std::vector<std::string>& words) const {
  clock_.sync_to(sc_core::sc_time_stamp());
  if (words.empty()) return describe_all(*engine_);
  const bool side_named = words.size() == 4 && (words[1] == "inj" || words[1] == "rec");
  if (!side_named || (words[0] != "fifo" && words[0] != "counter")) return std::nullopt;
  const bool injection = words[1] == "inj";
  const std::optional<unsigned> group = number_in(words[2], kGroups);
  const unsigned of_a_group = words[0] == "counter" ? 64 : injection ? 32 : 9;
  const std::optional<unsigned> number = number_in(words[3], of_a_group);
  if (!group || !number) return std::nullopt;
  if (words[0] == "counter") return describe_counter(*engine_, injection, *group * 64 + *number);
  if (injection) return describe_injection(*engine_, *group * 32 + *number);
  return describe_reception(*engine_, *number == 8 ? ReceptionRings::kNormal + *group : *group * 8 + *number);
}

const DmaCounters& DmaDevice::counters() const {
  return engine_->state.counted;
}

std::uint64_t DmaDevice::in_flight() const {
  return engine_->injector.messages() + engine_->receiver.packets();
}

void DmaDevice::observe(DmaObserver* observer) {
  engine_->state.observer = observer;
}

// Work that is pending. -----------------------------------------------------------------------------------------------

std::vector<PendingWork> DmaDevice::pending_work(const std::string& node) const {
  std::vector<PendingWork> work = pending_injection(node);
  for (std::vector<PendingWork> more : {pending_reception(node), engine_->state.errors.refused(node)})
    std::move(more.begin(), more.end(), std::back_inserter(work));
  return work;
}

std::vector<PendingWork> DmaDevice::pending_injection(const std::string& node) const {
  std::vector<PendingWork> work;
  const InjectionRings& rings = engine_->state.injection_rings;
  const sc_core::sc_time since = engine_->state.last_active;
  for (unsigned fifo = 0; fifo < InjectionRings::kFifos; ++fifo) {
    if (const DmaMessage* const message = engine_->injector.current(fifo)) {
      work.push_back({PendingWork::Kind::unfinished,
                      injection_name(fifo) + " of " + node + " sends " + message->text() + ", of which " +
                          std::to_string(message->issued) + " bytes have been read" +
                          (message->local ? "" : " (its packets wait for room in the torus FIFOs)"),
                      since});
    } else if (!rings.ring(fifo).empty() && (rings.activated(fifo / 32) & ibm_bit(fifo % 32)) == 0) {
      work.push_back({PendingWork::Kind::unfinished,
                      injection_name(fifo) + " of " + node + " holds descriptors and is not active", since});
    } else if (!rings.ring(fifo).empty() && !rings.is_enabled(fifo)) {
      work.push_back({PendingWork::Kind::unfinished,
                      injection_name(fifo) + " of " + node + " holds descriptors and is not enabled", since});
    }
  }
  return work;
}

std::vector<PendingWork> DmaDevice::pending_reception(const std::string& node) const {
  std::vector<PendingWork> work;
  const DmaState& state = engine_->state;
  if (engine_->receiver.waits_for_fifo()) {
    work.push_back({PendingWork::Kind::unread,
                    "the DMA of " + node + " holds packets whose reception FIFO is full, so that the network waits",
                    state.last_active});
  }
  if (engine_->receiver.waits_for_get()) {
    work.push_back(
        {PendingWork::Kind::unread,
         "the DMA of " + node + " has stopped at a remote get whose injection FIFO has less than 512 bytes free",
         state.last_active});
  }
  for (unsigned fifo = 0; fifo < ReceptionRings::kFifos; ++fifo) {
    const DmaRing& ring = state.reception_rings.ring(fifo);
    if (ring.empty() || !state.reception_rings.well_formed(fifo)) continue;
    work.push_back({PendingWork::Kind::unread,
                    reception_name(fifo) + " of " + node + " holds " +
                        counted(std::uint64_t{ring.used()} * TORUS_QUAD_BYTES, "byte") + " that no process has taken",
                    state.last_active});
  }
  return work;
}

// A debugger. ---------------------------------------------------------------------------------------------------------

void DmaDevice::watch_packets(PacketWatch& watch) {
  PacketFifos fifos{"dma", {}, {}, kGroups};
  for (unsigned fifo = 0; fifo < 32; ++fifo) fifos.injection.push_back("I" + std::to_string(fifo));
  for (unsigned fifo = 0; fifo < 8; ++fifo) fifos.reception.push_back("R" + std::to_string(fifo));
  fifos.reception.emplace_back("RH");
  packet_watch_ = &watch;
  watched_as_ = watch.add_network(std::move(fifos));
  engine_->state.packet_watch = [this](unsigned fifo, const Packet& packet) {
    const unsigned number = fifo < ReceptionRings::kNormal ? fifo / 8 * 9 + fifo % 8 : (fifo - 32) * 9 + 8;
    if (!packet_watch_->wants(watched_as_, PacketWatch::Event::received, number)) return;
    packet_watch_->on_packet(watched_as_, PacketWatch::Event::received, number, 0, engine_->state.when(),
                             "a packet of " + counted(packet.chunks, "chunk") + " from " +
                                 engine_->state.node_text(packet.source) + " is in " + reception_name(fifo));
  };
}

void DmaDevice::tell_watch(unsigned fifo) {
  if (packet_watch_ == nullptr || !packet_watch_->wants(watched_as_, PacketWatch::Event::injected, fifo)) return;
  packet_watch_->on_packet(watched_as_, PacketWatch::Event::injected, fifo, access_.core, access_.happens,
                           "the tail of " + injection_name(fifo) + " was written");
}

}  // namespace toroid
