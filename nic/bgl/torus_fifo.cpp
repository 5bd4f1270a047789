// SPDX-License-Identifier: Apache-2.0
#include "nic/bgl/torus_fifo.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "nic/bgl/addresses.h"
#include "nic/bgl/torus_regs.h"
#include "nic/common/bus_master.h"
#include "nic/common/debug_read.h"
#include "nic/common/fault_reason.h"
#include "nic/common/time_offset.h"
#include "nic/torus/torus_header.h"
#include "torus/torus/header_check.h"
#include "torus/torus/link_transport.h"
#include "torus/torus/torus_observer.h"

namespace toroid {
namespace {

constexpr unsigned kQuadBytes = TORUS_QUAD_BYTES;
constexpr unsigned kDimensions = 3;
constexpr unsigned kAllCores = ~0u;
constexpr unsigned kNoCore = 31;  // what is done to the FIFOs by their control registers concerns every core

// A FIFO's name in the programmer's terms: "I0", and "I0 of group 1".
std::string short_name(char kind, unsigned number, unsigned fifos_per_group) {
  const unsigned fifo = number % fifos_per_group;
  return kind + (fifo + 1 == fifos_per_group ? "H" : std::to_string(fifo));
}
std::string fifo_name(char kind, unsigned number, unsigned fifos_per_group) {
  return short_name(kind, number, fifos_per_group) + " of group " + std::to_string(number / fifos_per_group);
}

unsigned quads_of(const Packet& packet) {
  return TORUS_CHUNK_QUADS * packet.chunks;
}

unsigned core_of(const tlm::tlm_generic_payload& access) {
  const auto* master = access.get_extension<BusMaster>();
  return master == nullptr ? 0 : master->core;
}

/// The status of a group, with the numbers of chunks that `chunks(fifo)` returns.
template <typename Injection, typename Reception, typename Chunks>
void write_status(Injection* injection, Reception* reception, std::uint8_t* quad, Chunks&& chunks) {
  std::memset(quad, 0, kQuadBytes);
  for (unsigned fifo = 0; fifo < TorusFifoDevice::kReceptionFifos; ++fifo)
    quad[BGL_TORUS_STATUS_R0_BYTE + fifo] = static_cast<std::uint8_t>(chunks(reception[fifo]));
  for (unsigned fifo = 0; fifo < TorusFifoDevice::kInjectionFifos; ++fifo)
    quad[BGL_TORUS_STATUS_I0_BYTE + fifo] = static_cast<std::uint8_t>(chunks(injection[fifo]));
}

}  // namespace

void TorusFifoConfig::visit_parameters(ParameterVisitor& visitor) {
  // A maximum packet, to what a status byte counts.
  visitor.count(depth, "torus_fifo.depth", "chunks", {BlueGeneLpFamily::kMaxChunks, 255},
                "of each injection and reception FIFO; at least 24 where programs run, as drivers fill 24");
}

TorusFifoDevice::TorusFifoDevice(const sc_core::sc_module_name& name, const TorusFifoConfig& config,
                                 TorusNetwork& network, std::uint32_t node, NetworkClock& clock)
    : sc_module(name),
      bus_in("bus_in"),
      injection_out("injection_out"),
      reception_in("reception_in"),
      config_(config),
      network_(network),
      clock_(clock),
      node_(node),
      dcr_(network, node),
      changes_("changes"),
      injection_(kGroups * kInjectionFifos, InjectionFifo(config.depth)),
      reception_(kGroups * kReceptionFifos) {
  check_ranges(config);
  if (network.topology().dimensions() != 3 || network.injection_fifos() != injection_.size() ||
      network.reception_fifos() != reception_.size() || network.config().reception_depth != config.depth) {
    throw std::invalid_argument(
        "the torus FIFO device needs a network of 3 dimensions with 2 FIFO groups of 4 injection FIFOs, and "
        "reception_depth equal to torus_fifo.depth");
  }
  bus_in.register_b_transport(this, &TorusFifoDevice::b_transport);
  bus_in.register_transport_dbg(this, &TorusFifoDevice::transport_dbg);
  injection_out.bind(static_cast<LinkBackward&>(*this));
  reception_in.bind(static_cast<LinkForward&>(*this));
}

// Bus. ----------------------------------------------------------------------------------------------------------------

TorusFifoDevice::Place TorusFifoDevice::place_of(std::uint64_t address) const {
  constexpr std::uint64_t kWindows = std::uint64_t{BGL_TORUS_GROUP_STRIDE} * kGroups;
  if (address < BGL_TORUS_BASE || address >= BGL_TORUS_BASE + kWindows) return {};
  const auto group = static_cast<unsigned>((address - BGL_TORUS_BASE) / BGL_TORUS_GROUP_STRIDE);
  const auto offset = static_cast<unsigned>((address - BGL_TORUS_BASE) % BGL_TORUS_GROUP_STRIDE);
  const auto number_in = [&](unsigned base, unsigned count, unsigned stride, unsigned bytes) {
    if (offset < base || offset >= base + count * stride || (offset - base) % stride >= bytes) return -1;
    return static_cast<int>((offset - base) / stride);
  };

  if (offset == BGL_TORUS_STATUS_OFFSET) return {Place::Kind::status, group};
  if (offset == BGL_TORUS_STATUS_OTHER_OFFSET) return {Place::Kind::status, 1 - group};
  int fifo = number_in(BGL_TORUS_RECEPTION_OFFSET, BGL_TORUS_RECEPTION_COUNT, BGL_TORUS_RECEPTION_STRIDE,
                       BGL_TORUS_RECEPTION_BYTES);
  if (fifo < 0 && number_in(BGL_TORUS_RECEPTION_HIGH_OFFSET, 1, BGL_TORUS_RECEPTION_HIGH_BYTES,
                            BGL_TORUS_RECEPTION_HIGH_BYTES) == 0) {
    fifo = kReceptionFifos - 1;
  }
  if (fifo >= 0) return {Place::Kind::reception, group * kReceptionFifos + static_cast<unsigned>(fifo)};
  fifo = number_in(BGL_TORUS_INJECTION_OFFSET, BGL_TORUS_INJECTION_COUNT, BGL_TORUS_INJECTION_STRIDE,
                   BGL_TORUS_INJECTION_BYTES);
  if (fifo < 0 && number_in(BGL_TORUS_INJECTION_HIGH_OFFSET, 1, BGL_TORUS_INJECTION_HIGH_BYTES,
                            BGL_TORUS_INJECTION_HIGH_BYTES) == 0) {
    fifo = kInjectionFifos - 1;
  }
  if (fifo >= 0) return {Place::Kind::injection, group * kInjectionFifos + static_cast<unsigned>(fifo)};
  return {};
}

bool TorusFifoDevice::is_pure_read(std::uint64_t address) const {
  return place_of(address & ~std::uint64_t{kQuadBytes - 1}).kind == Place::Kind::status;
}

std::string TorusFifoDevice::name_of(std::uint64_t address) const {
  const Place place = place_of(address & ~std::uint64_t{kQuadBytes - 1});
  return place.kind == Place::Kind::status ? "the status of torus FIFO group " + std::to_string(place.number) : "";
}

void TorusFifoDevice::b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay) {
  std::string reason;
  tlm::tlm_response_status response = tlm::TLM_OK_RESPONSE;
  const Place place = place_of(access.get_address());
  const bool reads = access.is_read();
  std::uint8_t* const quad = access.get_data_ptr();

  if (access.get_data_length() != kQuadBytes || access.get_address() % kQuadBytes != 0 ||
      access.get_byte_enable_ptr() != nullptr || access.get_streaming_width() < kQuadBytes) {
    response = tlm::TLM_BURST_ERROR_RESPONSE;
    reason = "access of " + std::to_string(access.get_data_length()) +
             " bytes to the torus FIFO windows, which take whole aligned quads of 16 bytes only";
  } else if (place.kind == Place::Kind::none) {
    response = tlm::TLM_ADDRESS_ERROR_RESPONSE;
    reason = "access to the torus FIFO windows where there is no register";
  } else if (!reads && !access.is_write()) {
    response = tlm::TLM_COMMAND_ERROR_RESPONSE;
    reason = "neither a read nor a write of the torus FIFO windows";
  } else if (place.kind == Place::Kind::injection) {
    if (reads) {
      response = tlm::TLM_COMMAND_ERROR_RESPONSE;
      reason = "read of torus injection FIFO " + fifo_name('I', place.number, kInjectionFifos) +
               ", which can only be written";
    } else if (!write_quad(place.number, access, delay, reason)) {
      response = tlm::TLM_GENERIC_ERROR_RESPONSE;
    }
  } else if (!reads) {
    response = tlm::TLM_COMMAND_ERROR_RESPONSE;
    reason = place.kind == Place::Kind::status
                 ? "write to a torus status quad, which can only be read"
                 : "write to torus reception FIFO " + fifo_name('R', place.number, kReceptionFifos) +
                       ", which can only be read";
  } else if (place.kind == Place::Kind::status) {
    read_status(place.number, core_of(access), quad, delay);
  } else if (!read_quad(place.number, access, delay, reason)) {
    response = tlm::TLM_GENERIC_ERROR_RESPONSE;
  }

  if (respond(access, response, reason)) return;
  if (response != tlm::TLM_GENERIC_ERROR_RESPONSE) {  // the others have been counted where they were found
    ++counters_.bad_access;
    dcr_.bad_access();
  }
}

unsigned TorusFifoDevice::transport_dbg(tlm::tlm_generic_payload& access) {
  clock_.sync_to(sc_core::sc_time_stamp());
  return debug_read<kQuadBytes>(access, [this](std::uint64_t address, std::uint8_t* quad, std::string& reason) {
    return peek(address, quad, reason);
  });
}

bool TorusFifoDevice::peek(std::uint64_t address, std::uint8_t* quad, std::string& reason) {
  const Place place = place_of(address);
  switch (place.kind) {
    case Place::Kind::status:
      status(place.number, quad);
      return true;
    case Place::Kind::reception:
      reason = "a read of torus reception FIFO " + fifo_name('R', place.number, kReceptionFifos) +
               " takes data out of it; the status tells how much there is";
      return false;
    case Place::Kind::injection:
      reason = "torus injection FIFO " + fifo_name('I', place.number, kInjectionFifos) +
               " can only be written; the status tells how much is in it";
      return false;
    case Place::Kind::none:
      break;
  }
  reason = "there is no register there in the torus FIFO windows";
  return false;
}

bool TorusFifoDevice::write_quad(unsigned fifo, tlm::tlm_generic_payload& access, sc_core::sc_time& delay,
                                 std::string& reason) {
  const std::uint8_t* const quad = access.get_data_ptr();
  InjectionFifo& target = injection_[fifo];
  if (!target.has_room(sc_core::sc_time_stamp() + delay)) {
    run_network(delay);
    const sc_core::sc_time now = sc_core::sc_time_stamp() + delay;
    target.settle(now);
    if (!target.has_room(now)) {
      ++counters_.write_full;
      dcr_.write_full(fifo / kInjectionFifos, fifo % kInjectionFifos);
      reason = "write to full torus injection FIFO " + fifo_name('I', fifo, kInjectionFifos) + ", which holds " +
               std::to_string(config_.depth) + " chunks; check the status before a packet is written";
      return false;
    }
  }
  if (target.begins_packet() && !begin_packet(fifo, quad, reason)) return false;

  const sc_core::sc_time when = sc_core::sc_time_stamp() + delay;
  Packet* const complete = target.write(quad, when);
  if (target.begins_chunk()) announce(when, core_of(access));
  if (complete != nullptr) {
    if (TorusObserver* const observer = network_.observer()) {
      observer->on_written(node_, core_of(access), fifo, *complete, when);
    }
    if (packet_watch_ != nullptr) tell_watch(PacketWatch::Event::injected, fifo, core_of(access), when, *complete);
    const torus_fields_t fields = read_hardware_header(complete->data);
    dcr_.add_checksum(fifo, injection_checksum(fields, complete->data));
    ++counters_.packets_injected[fifo];
    target.push(*complete, cycle_begun(when, clock_.mhz()) + 1);
    hand_over(fifo);
  }
  return true;
}

bool TorusFifoDevice::begin_packet(unsigned fifo, const std::uint8_t* quad, std::string& reason) {
  Packet& packet = network_.pool().allocate(true);
  const torus_fields_t fields = read_hardware_header(quad);
  apply_header(fields, packet);
  const std::uint32_t errors = network_.check(packet, node_);
  if (errors != 0) {
    ++counters_.bad_header;
    dcr_.header_error(errors, packet);
    reason = "malformed packet header in torus injection FIFO " + fifo_name('I', fifo, kInjectionFifos) + ": " +
             header_fault(errors, fields, network_.topology().shape());
    if (const unsigned before = injection_[fifo].last_packet_quads(); before != 0) {
      reason += " (the packet before it ended with its quad " + std::to_string(before) +
                ", as its header says: a quad beyond that is taken for the next header)";
    }
    network_.pool().release(packet);
    return false;
  }
  packet.source = node_;
  packet.serial = serial_++;
  injection_[fifo].settle(sc_core::sc_time_stamp());
  injection_[fifo].begin(packet);
  return true;
}

bool TorusFifoDevice::read_quad(unsigned fifo, tlm::tlm_generic_payload& access, sc_core::sc_time& delay,
                                std::string& reason) {
  std::uint8_t* const quad = access.get_data_ptr();
  ReceptionFifo& source = reception_[fifo];
  const auto readable = [&] {
    return source.head() != nullptr && clock_.time_of(source.head()->tail) <= sc_core::sc_time_stamp() + delay;
  };
  if (!readable()) {
    run_network(delay);
    if (!readable()) {
      ++counters_.read_empty;
      dcr_.read_empty();
      std::memset(quad, 0, kQuadBytes);
      reason = "read of empty torus reception FIFO " + fifo_name('R', fifo, kReceptionFifos);
      if (source.last_packet_quads() != 0) {
        reason += ", whose last packet had " + std::to_string(source.last_packet_quads()) + " quads, all of them read";
      }
      reason += "; check the status before a packet is read";
      return false;
    }
  }
  const sc_core::sc_time when = sc_core::sc_time_stamp() + delay;
  const ReceptionFifo::Taken taken = source.read(quad, when);
  if (taken.chunk_free) give_back(fifo, 1, when, core_of(access));
  if (taken.finished != nullptr) {
    if (TorusObserver* const observer = network_.observer()) {
      observer->on_read(node_, core_of(access), fifo, *taken.finished, when);
    }
    network_.pool().release(*taken.finished);
  }
  return true;
}

void TorusFifoDevice::read_status(unsigned group, unsigned core, std::uint8_t* quad, sc_core::sc_time& delay) {
  run_network(delay);
  add_readers(1u << core);
  ++counters_.status_reads;
  const sc_core::sc_time now = sc_core::sc_time_stamp() + delay;
  write_status(&injection_[group * kInjectionFifos], &reception_[group * kReceptionFifos], quad,
               [&now](auto& fifo) { return fifo.settle(now); });
}

void TorusFifoDevice::status(unsigned group, std::uint8_t* quad) const {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  write_status(&injection_[group * kInjectionFifos], &reception_[group * kReceptionFifos], quad,
               [&now](const auto& fifo) { return fifo.chunks(now); });
}

// Reports. ------------------------------------------------------------------------------------------------------------

std::string TorusFifoDevice::node_text(std::uint32_t node) const {
  return coordinates_text(network_.topology().coordinates(node), network_.topology().dimensions());
}

void TorusFifoDevice::watch_packets(PacketWatch& watch) {
  packet_watch_ = &watch;
  watched_as_ = watch.add_network(
      {"torus", {"I0", "I1", "I2", "IH"}, {"R0", "R1", "R2", "R3", "R4", "R5", "RH"}, BGL_TORUS_GROUP_COUNT});
}

void TorusFifoDevice::tell_watch(PacketWatch::Event event, unsigned fifo, unsigned core, sc_core::sc_time when,
                                 const Packet& packet) {
  if (!packet_watch_->wants(watched_as_, event, fifo)) return;
  const bool injected = event == PacketWatch::Event::injected;
  const std::string text =
      "a packet of " + counted(packet.chunks, "chunk") +
      (injected ? " to " + coordinates_text(packet.destination, kDimensions) + " is in " +
                      fifo_name('I', fifo, kInjectionFifos)
                : " from " + node_text(packet.source) + " is in " + fifo_name('R', fifo, kReceptionFifos));
  packet_watch_->on_packet(watched_as_, event, fifo, core, when, text);
}

std::vector<PendingWork> TorusFifoDevice::pending_work(const std::string& node) const {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  std::vector<PendingWork> work;
  for (unsigned number = 0; number < injection_.size(); ++number) {
    const InjectionFifo& fifo = injection_[number];
    if (fifo.unfinished() == nullptr) continue;
    work.push_back({PendingWork::Kind::unfinished,
                    "torus injection FIFO " + short_name('I', number, kInjectionFifos) + " of " + node + " holds " +
                        std::to_string(fifo.quads_written()) + " of " + std::to_string(quads_of(*fifo.unfinished())) +
                        " quads of an unfinished packet to " +
                        coordinates_text(fifo.unfinished()->destination, kDimensions) + ", group " +
                        std::to_string(number / kInjectionFifos),
                    fifo.last_write()});
  }
  for (unsigned number = 0; number < reception_.size(); ++number) {
    const ReceptionFifo& fifo = reception_[number];
    std::uint64_t packets = 0;
    for (const Packet* packet = fifo.head(); packet != nullptr; packet = packet->next) {
      if (clock_.time_of(packet->tail) <= now) ++packets;
    }
    if (packets == 0) continue;
    const Packet& head = *fifo.head();
    const std::string name = "torus reception FIFO " + short_name('R', number, kReceptionFifos) + " of " + node;
    const std::string group = ", group " + std::to_string(number / kReceptionFifos);
    const sc_core::sc_time since = std::max(fifo.last_read(), clock_.time_of(head.tail));
    if (fifo.quads_read() != 0) {
      work.push_back({PendingWork::Kind::unfinished,
                      name + " holds a packet from " + node_text(head.source) + " of which " +
                          std::to_string(fifo.quads_read()) + " of " + std::to_string(quads_of(head)) +
                          " quads have been read" + behind_text(packets - 1) + group,
                      since});
    } else {
      const bool never = fifo.last_read() == sc_core::SC_ZERO_TIME;
      work.push_back({PendingWork::Kind::unread,
                      name + " holds " + counted(packets, "packet") + " (" + counted(fifo.chunks(now), "chunk") +
                          ") that no process reads, the first from " + node_text(head.source) + group +
                          (never ? "; nothing has ever been read from it" : ""),
                      since});
    }
  }
  return work;
}

// Router. -------------------------------------------------------------------------------------------------------------

void TorusFifoDevice::hand_over(unsigned fifo) {
  Packet* const packet = injection_[fifo].pop();
  if (packet == nullptr) return;
  packet->injected = std::max(injection_[fifo].handover(*packet), network_.wheel().now());
  send_packet(*injection_out[0], *packet, fifo, packet->injected);
}

void TorusFifoDevice::give_back(unsigned fifo, unsigned chunks, sc_core::sc_time when, unsigned core) {
  announce(when, core);
  send_tokens(*reception_in[0], fifo, chunks, cycle_begun(when, clock_.mhz()) + 1);
}

tlm::tlm_sync_enum TorusFifoDevice::nb_transport_fw(LinkPayload& payload, LinkPhase&, sc_core::sc_time&) {
  ReceptionFifo& target = reception_[payload.channel];
  target.settle(sc_core::sc_time_stamp());
  target.push(*payload.packet, payload.at, clock_.time_of(payload.at));
  ++counters_.packets_received[payload.channel];
  if (packet_watch_ != nullptr) {
    tell_watch(PacketWatch::Event::received, payload.channel, 0, clock_.time_of(payload.at), *payload.packet);
  }
  announce(payload.at);
  return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum TorusFifoDevice::nb_transport_bw(LinkPayload& payload, LinkPhase&, sc_core::sc_time&) {
  injection_[payload.channel].taken(payload.chunks, payload.at, clock_.time_of(payload.at));
  announce(payload.at);
  hand_over(payload.channel);
  return tlm::TLM_ACCEPTED;
}

// Device control registers. -------------------------------------------------------------------------------------------

bool TorusFifoDevice::read_dcr(unsigned number, std::uint32_t& value, sc_core::sc_time& delay, std::string& reason) {
  synchronise(delay);
  const std::optional<std::uint32_t> peeked = peek_dcr(number);
  if (!peeked) {
    ++counters_.unknown_dcr;
    dcr_.unknown_dcr();
    reason = "read of " + dcr_text(number) + ", of which the torus has none";
    return false;
  }
  value = *peeked;
  return true;
}

std::optional<std::uint32_t> TorusFifoDevice::peek_dcr(unsigned number) {
  const unsigned offset = number - BGL_TORUS_DCR_BASE;
  if (!TorusDcr::exists(offset)) return std::nullopt;
  clock_.sync_to(sc_core::sc_time_stamp());
  return offset == TORUS_DCR_INTERRUPT_WATERMARK_OFFSET ? watermark_interrupts() : dcr_.read(offset);
}

bool TorusFifoDevice::write_dcr(unsigned number, std::uint32_t value, sc_core::sc_time& delay, std::string& reason) {
  const unsigned offset = number - BGL_TORUS_DCR_BASE;
  synchronise(delay);
  if (!TorusDcr::writable(offset)) {
    ++counters_.unknown_dcr;
    dcr_.unknown_dcr();
    reason = "write of " + dcr_text(number) +
             (TorusDcr::exists(offset) ? ", which can only be read" : ", of which the torus has none");
    return false;
  }
  if (offset == TORUS_DCR_RESET_OFFSET) reset(value);
  dcr_.write(offset, value);
  return true;
}

void TorusFifoDevice::reset(std::uint32_t parts) {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  if (parts & TORUS_DCR_RESET_REGISTERS_MASK) dcr_.reset();
  if (parts & TORUS_DCR_RESET_INJECTION_MASK) {
    for (InjectionFifo& fifo : injection_) {
      fifo.clear(now, [this](Packet& packet) { network_.pool().release(packet); });
    }
    announce(now, kNoCore);
  }
  if (parts & TORUS_DCR_RESET_RECEPTION_MASK) {
    for (unsigned number = 0; number < reception_.size(); ++number) {
      reception_[number].clear(cycle_begun(now, clock_.mhz()), now, [&](Packet& packet, unsigned chunks) {
        give_back(number, chunks, now, kNoCore);
        network_.pool().release(packet);
      });
    }
  }
}

std::uint32_t TorusFifoDevice::watermark_interrupts() {
  add_readers(kAllCores);  // it may be any core's
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  // Bit numbers of the lines, IBM's, by group.
  constexpr unsigned kInjection[] = {0, 3}, kInjectionHigh[] = {6, 7};
  constexpr unsigned kReception[] = {8, 14}, kReceptionHigh[] = {20, 21};
  std::uint32_t lines = 0;
  for (unsigned group = 0; group < kGroups; ++group) {
    for (unsigned fifo = 0; fifo < kInjectionFifos; ++fifo) {
      const bool priority = fifo + 1 == kInjectionFifos;
      if (injection_[group * kInjectionFifos + fifo].chunks(now) < dcr_.injection_watermark(group, fifo)) {
        lines |= 0x80000000u >> (priority ? kInjectionHigh[group] : kInjection[group] + fifo);
      }
    }
    for (unsigned fifo = 0; fifo < kReceptionFifos; ++fifo) {
      const bool priority = fifo + 1 == kReceptionFifos;
      if (reception_[group * kReceptionFifos + fifo].chunks(now) > dcr_.reception_watermark(group, priority)) {
        lines |= 0x80000000u >> (priority ? kReceptionHigh[group] : kReception[group] + fifo);
      }
    }
  }
  return lines;
}

// Time. ---------------------------------------------------------------------------------------------------------------

void TorusFifoDevice::synchronise(sc_core::sc_time& delay) {
  wait_out(delay);
  clock_.sync_to(sc_core::sc_time_stamp());
}

void TorusFifoDevice::run_network(sc_core::sc_time& delay) {
  if (delay == sc_core::SC_ZERO_TIME || !clock_.run_alone(delay)) synchronise(delay);
}

void TorusFifoDevice::announce(Cycle at) {
  const sc_core::sc_time when = clock_.time_of(at);
  // SystemC's time must reach this cycle before the network passes it, unless it has already.
  if (when > sc_core::sc_time_stamp()) network_.wheel().hold(at);
  changes_.add(when);
}

/// Only a core that has read a status can be parked at one, and a core's own accesses come before it parks.
void TorusFifoDevice::announce(sc_core::sc_time at, unsigned core) {
  if ((readers_ & ~(1u << core)) != 0) changes_.add(at);
}

void TorusFifoDevice::add_readers(unsigned cores) {
  if ((cores & ~readers_) == 0) return;
  readers_ |= cores;
  // What others have done already at times to come has not been announced.
  const auto add = [this](const sc_core::sc_time& at) { changes_.add(at); };
  for (const InjectionFifo& fifo : injection_) fifo.each_change_after(sc_core::sc_time_stamp(), add);
  for (const ReceptionFifo& fifo : reception_) fifo.each_change_after(sc_core::sc_time_stamp(), add);
}

}  // namespace toroid
