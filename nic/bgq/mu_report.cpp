// SPDX-License-Identifier: Apache-2.0
//
// What the Messaging Unit tells of its work: what is pending, and packets and descriptors to a debugger. What it says
// of its FIFOs is in mu_describe.cpp.
#include <algorithm>

#include "nic/bgq/mu.h"
#include "nic/bgq/mu_engine.h"

namespace toroid {
const MuCounters& MuDevice::counters() const {
  return engine_->state.counted;
}

std::uint64_t MuDevice::in_flight() const {
  return engine_->injector.messages() + engine_->receiver.packets();
}

std::size_t MuDevice::memory_bytes() const {
  std::size_t bytes = sizeof(MuEngine);
  for (unsigned subgroup = 0; subgroup < kMuSubgroups; ++subgroup) {
    if (engine_->state.fifos.exists(subgroup)) bytes += sizeof(MuSubgroup);
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
  const MuFifos& fifos = engine_->state.fifos;
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
  const MuFifos& fifos = state.fifos;
  if (engine_->receiver.blocked() != 0) {
    work.push_back({PendingWork::Kind::unread,
                    "the Messaging Unit of " + node + " holds packets whose FIFO is full, so that the network waits",
                    state.last_active});
  }
  for (unsigned fifo = 0; fifo < kMuReceptionFifos; ++fifo) {
    if (!fifos.exists(fifo / kMuReceptionOfASubgroup)) continue;
    const MuRing& ring = fifos.reception(fifo).ring;
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
