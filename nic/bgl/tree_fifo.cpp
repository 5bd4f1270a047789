// SPDX-License-Identifier: Apache-2.0
#include "nic/bgl/tree_fifo.h"

#include <algorithm>
#include <cstring>

#include "nic/common/bus_master.h"
#include "nic/common/debug_read.h"
#include "nic/common/fault_reason.h"

namespace toroid {
namespace {

constexpr unsigned kQuadBytes = BGL_TREE_QUAD_BYTES;
constexpr unsigned kQuads = BGL_TREE_PAYLOAD_QUADS;

#define FIELD(value, name) (((value)&BGL_TREE_##name##_MASK) >> BGL_TREE_##name##_SHIFT)

// Words on the bus are big-endian, as the cores are.
std::uint32_t load_word(const std::uint8_t* p) {
  return std::uint32_t{p[0]} << 24 | std::uint32_t{p[1]} << 16 | std::uint32_t{p[2]} << 8 | p[3];
}
void store_word(std::uint8_t* p, std::uint32_t value) {
  for (unsigned i = 0; i < 4; ++i) p[i] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
}

std::string vc_name(unsigned vc) {
  return "VC" + std::to_string(vc);
}

bool opcode_exists(unsigned opcode) {
  return opcode <= BGL_TREE_XOR || opcode == BGL_TREE_MAX || opcode == BGL_TREE_ADD;
}

// Device control registers that exist, and what a write may change; the others are read-only.
constexpr std::uint32_t kDescriptorBits = 0x77037703u;
constexpr std::uint32_t kReceptionFlags =
    BGL_TREE_DCR_RECEPTION_EXCEPTION_ADDRESS_MASK | BGL_TREE_DCR_RECEPTION_EXCEPTION_PAYLOAD_UNDERRUN0_MASK |
    BGL_TREE_DCR_RECEPTION_EXCEPTION_PAYLOAD_UNDERRUN1_MASK | BGL_TREE_DCR_RECEPTION_EXCEPTION_HEADER_UNDERRUN0_MASK |
    BGL_TREE_DCR_RECEPTION_EXCEPTION_HEADER_UNDERRUN1_MASK;
constexpr std::uint32_t kInjectionFlags =
    BGL_TREE_DCR_INJECTION_EXCEPTION_PAYLOAD_OVERFLOW0_MASK | BGL_TREE_DCR_INJECTION_EXCEPTION_PAYLOAD_OVERFLOW1_MASK |
    BGL_TREE_DCR_INJECTION_EXCEPTION_HEADER_OVERFLOW0_MASK | BGL_TREE_DCR_INJECTION_EXCEPTION_HEADER_OVERFLOW1_MASK;
constexpr std::uint32_t kVcfgBits =
    BGL_TREE_DCR_VC_CONFIGURATION_ACCEPT_ALL_MASK | BGL_TREE_DCR_VC_CONFIGURATION_CHECKSUM_EXCLUDE_MASK |
    BGL_TREE_DCR_VC_CONFIGURATION_RECEPTION_WATERMARK_MASK | BGL_TREE_DCR_VC_CONFIGURATION_INJECTION_WATERMARK_MASK;

bool within(unsigned offset, unsigned first, unsigned count) {
  return offset >= first && offset < first + count;
}

bool dcr_exists(unsigned offset) {
  return within(offset, BGL_TREE_DCR_CLASSES_OFFSET, BGL_TREE_DCR_CLASSES_COUNT) ||
         within(offset, BGL_TREE_DCR_FIFO_POINTERS_OFFSET, 6) ||
         within(offset, BGL_TREE_DCR_INJECTION_EXCEPTION_OFFSET, 2) ||
         within(offset, BGL_TREE_DCR_CHECKSUM_OFFSET, BGL_TREE_DCR_CHECKSUM_COUNT);
}

bool dcr_writable(unsigned offset) {
  return dcr_exists(offset) && offset != BGL_TREE_DCR_FIFO_POINTERS_OFFSET && offset < BGL_TREE_DCR_CHECKSUM_OFFSET;
}

}  // namespace

TreeFifoDevice::TreeFifoDevice(const sc_core::sc_module_name& name, TreeNetwork& network, std::uint32_t node,
                               NetworkClock& clock)
    : sc_module(name),
      bus_in("bus_in"),
      network_(network),
      clock_(clock),
      node_(node),
      packets_(network.config().fifo_packets),
      changes_("changes") {
  bus_in.register_b_transport(this, &TreeFifoDevice::b_transport);
  bus_in.register_transport_dbg(this, &TreeFifoDevice::transport_dbg);
  network.attach(node, *this);
}

// Bus. ----------------------------------------------------------------------------------------------------------------

TreeFifoDevice::Place TreeFifoDevice::place_of(std::uint64_t address) {
  for (unsigned vc = 0; vc < kVcs; ++vc) {
    switch (address - BGL_TREE_BASE - std::uint64_t{vc} * BGL_TREE_GROUP_STRIDE) {
      case BGL_TREE_PAYLOAD_INJECTION_OFFSET:
        return {Register::payload_injection, vc};
      case BGL_TREE_HEADER_INJECTION_OFFSET:
        return {Register::header_injection, vc};
      case BGL_TREE_PAYLOAD_RECEPTION_OFFSET:
        return {Register::payload_reception, vc};
      case BGL_TREE_HEADER_RECEPTION_OFFSET:
        return {Register::header_reception, vc};
      case BGL_TREE_STATUS_OFFSET:
        return {Register::status, vc};
      case BGL_TREE_STATUS_OTHER_OFFSET:
        return {Register::status, 1 - vc};
      default:
        break;
    }
  }
  return {};
}

bool TreeFifoDevice::is_pure_read(std::uint64_t address) const {
  return place_of(address).what == Register::status;
}

std::string TreeFifoDevice::name_of(std::uint64_t address) const {
  const Place place = place_of(address);
  return place.what == Register::status ? "the status of tree " + vc_name(place.vc) : "";
}

void TreeFifoDevice::b_transport(int, tlm::tlm_generic_payload& access, sc_core::sc_time& delay) {
  std::string reason;
  const auto* master = access.get_extension<BusMaster>();
  core_ = master == nullptr ? 0 : master->core;
  const tlm::tlm_response_status response = serve(access, delay, reason);
  access.set_response_status(response);
  if (response == tlm::TLM_OK_RESPONSE) return;
  ++counters_.errors;
  if (response != tlm::TLM_GENERIC_ERROR_RESPONSE) {
    dcr_[BGL_TREE_DCR_RECEPTION_EXCEPTION_OFFSET] |= BGL_TREE_DCR_RECEPTION_EXCEPTION_ADDRESS_MASK;
  }
  if (auto* carried = access.get_extension<FaultReason>()) carried->text = reason;
}

unsigned TreeFifoDevice::transport_dbg(int, tlm::tlm_generic_payload& access) {
  clock_.sync_to(sc_core::sc_time_stamp());
  return debug_read<4>(access, [this](std::uint64_t address, std::uint8_t* word, std::string& reason) {
    return peek(address, word, reason);
  });
}

bool TreeFifoDevice::peek(std::uint64_t address, std::uint8_t* word, std::string& reason) const {
  const Place place = place_of(address);
  switch (place.what) {
    case Register::status:
      store_word(word, status(place.vc));
      return true;
    case Register::payload_reception:
    case Register::header_reception:
      reason = "a read of a tree reception FIFO of " + vc_name(place.vc) +
               " takes data out of it; the status tells how much there is";
      return false;
    case Register::payload_injection:
    case Register::header_injection:
      reason =
          "a tree injection FIFO of " + vc_name(place.vc) + " can only be written; the status tells how much is in it";
      return false;
    case Register::none:
      break;
  }
  reason = "there is no register there in the tree FIFO windows";
  return false;
}

tlm::tlm_response_status TreeFifoDevice::serve(tlm::tlm_generic_payload& access, sc_core::sc_time& delay,
                                               std::string& reason) {
  const Place place = place_of(access.get_address());
  const bool payload = place.what == Register::payload_injection || place.what == Register::payload_reception;
  const unsigned bytes = payload ? kQuadBytes : 4;
  const bool injects = place.what == Register::payload_injection || place.what == Register::header_injection;
  std::uint8_t* const data = access.get_data_ptr();
  if (place.what == Register::none) {
    reason = "access to the tree FIFO windows where there is no register";
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  if (access.get_data_length() != bytes || access.get_byte_enable_ptr() != nullptr ||
      access.get_streaming_width() < bytes) {
    reason = "access of " + std::to_string(access.get_data_length()) + " bytes to a tree register, which takes " +
             (payload ? "whole quads of 16 bytes" : "words of 4 bytes") + " only";
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  if (injects ? !access.is_write() : !access.is_read()) {
    const std::string which = place.what == Register::status ? "status word" : payload ? "payload FIFO" : "header FIFO";
    reason = (injects ? "read of the tree injection " : "write to the tree reception ") + which + " of " +
             vc_name(place.vc) + ", which can only be " + (injects ? "written" : "read");
    return tlm::TLM_COMMAND_ERROR_RESPONSE;
  }
  bool good = true;
  std::uint32_t word = 0;
  switch (place.what) {
    case Register::payload_injection:
      good = write_payload(place.vc, data, delay, reason);
      break;
    case Register::header_injection:
      good = write_header(place.vc, load_word(data), delay, reason);
      break;
    case Register::payload_reception:
      good = read_payload(place.vc, data, delay, reason);
      break;
    case Register::header_reception:
      good = read_header(place.vc, word, delay, reason);
      store_word(data, word);
      break;
    default:
      store_word(data, read_status(place.vc, delay));
      break;
  }
  return good ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE;
}

/// Whether one more surely fits; waits for the network where that is not known yet.
bool TreeFifoDevice::has_room(TimedCount& count, unsigned most, sc_core::sc_time& delay) {
  if (count.at_most(sc_core::sc_time_stamp() + delay) < most) return true;
  synchronise(delay);
  count.settle(sc_core::sc_time_stamp());
  return count.at_most(sc_core::sc_time_stamp()) < most;
}

/// The first packet that lacks its header, or a quad of its payload.
TreeFifoDevice::Writing& TreeFifoDevice::place_to_write(unsigned vc, bool header) {
  std::deque<Writing>& writing = injected_[vc].writing;
  for (Writing& candidate : writing) {
    if (header ? !candidate.header : candidate.quads < kQuads) return candidate;
  }
  return writing.emplace_back(Writing{&network_.pool().allocate(), 0, false, sc_core::SC_ZERO_TIME});
}

bool TreeFifoDevice::write_payload(unsigned vc, const std::uint8_t* quad, sc_core::sc_time& delay,
                                   std::string& reason) {
  Injection& injection = injected_[vc];
  if (!has_room(injection.quads, packets_ * kQuads, delay)) {
    dcr_[BGL_TREE_DCR_INJECTION_EXCEPTION_OFFSET] |= BGL_TREE_DCR_INJECTION_EXCEPTION_PAYLOAD_OVERFLOW0_MASK >> vc;
    reason = "write to the full tree payload injection FIFO of " + vc_name(vc) + ", which holds " +
             std::to_string(packets_ * kQuads) + " quads; check the status before a packet is written";
    return false;
  }
  const sc_core::sc_time when = sc_core::sc_time_stamp() + delay;
  Writing& writing = place_to_write(vc, false);
  std::memcpy(writing.packet->data->bytes.data() + writing.quads * kQuadBytes, quad, kQuadBytes);
  ++writing.quads;
  writing.latest = std::max(writing.latest, when);
  injection.quads.change(when, +1);
  announce(when);
  send_complete(vc);
  return true;
}

bool TreeFifoDevice::write_header(unsigned vc, std::uint32_t header, sc_core::sc_time& delay, std::string& reason) {
  Injection& injection = injected_[vc];
  if (!has_room(injection.headers, packets_, delay)) {
    dcr_[BGL_TREE_DCR_INJECTION_EXCEPTION_OFFSET] |= BGL_TREE_DCR_INJECTION_EXCEPTION_HEADER_OVERFLOW0_MASK >> vc;
    reason = "write to the full tree header injection FIFO of " + vc_name(vc) + ", which holds " +
             std::to_string(packets_) + " headers; check the status before a packet is written";
    return false;
  }
  const unsigned opcode = FIELD(header, HEADER_INJECTION_OPCODE);
  if ((header & BGL_TREE_HEADER_INJECTION_P2P_MASK) == 0 && !opcode_exists(opcode)) {
    reason = "tree packet header on " + vc_name(vc) + " with opcode " + std::to_string(opcode) +
             "; there are 0 (none), 1 (OR), 2 (AND), 3 (XOR), 5 (maximum) and 6 (sum)";
    return false;
  }
  const sc_core::sc_time when = sc_core::sc_time_stamp() + delay;
  Writing& writing = place_to_write(vc, true);
  writing.packet->header = header;
  writing.header = true;
  writing.latest = std::max(writing.latest, when);
  injection.headers.change(when, +1);
  announce(when);
  send_complete(vc);
  return true;
}

void TreeFifoDevice::send_complete(unsigned vc) {
  Injection& injection = injected_[vc];
  while (!injection.writing.empty() && injection.writing.front().header && injection.writing.front().quads == kQuads) {
    TreePacket& packet = *injection.writing.front().packet;
    if (packet_watch_ != nullptr)
      tell_watch(PacketWatch::Event::tree_injected, vc, injection.writing.front().latest, packet);
    const Cycle at = std::max(cycle_begun(injection.writing.front().latest, clock_.mhz()) + 1, network_.now());
    injection.writing.pop_front();
    decode(packet);
    add_checksum(vc, packet);
    ++counters_.packets_injected[vc];
    ++injection.in;
    network_.router(node_).inject(packet, vc, at);
  }
}

void TreeFifoDevice::decode(TreePacket& packet) const {
  const std::uint32_t header = packet.header;
  packet.route_class = static_cast<std::uint8_t>(bgl_tree_header_class(header));
  packet.point_to_point = (header & BGL_TREE_HEADER_INJECTION_P2P_MASK) != 0;
  if (packet.point_to_point) {
    packet.target = header >> BGL_TREE_HEADER_INJECTION_TAG_SHIFT & BGL_TREE_DCR_NODE_ADDRESS_ADDRESS_MASK;
  } else {
    packet.opcode = static_cast<TreeOpcode>(FIELD(header, HEADER_INJECTION_OPCODE));
    packet.operand_words = static_cast<std::uint8_t>(FIELD(header, HEADER_INJECTION_SIZE) + 1);
  }
}

/// Sums of 16-bit words, over what the header's mode says.
void TreeFifoDevice::add_checksum(unsigned vc, const TreePacket& packet) {
  const unsigned mode = FIELD(packet.header, HEADER_INJECTION_CHECKSUM);
  if (mode == 0) return;
  const unsigned skipped =
      mode == 1   ? kQuadBytes / 2
      : mode == 2 ? FIELD(dcr_[BGL_TREE_DCR_VC_CONFIGURATION_OFFSET + vc], DCR_VC_CONFIGURATION_CHECKSUM_EXCLUDE)
                  : 0;
  std::uint32_t& payload = dcr_[BGL_TREE_DCR_CHECKSUM_OFFSET + 2 * vc];
  std::uint32_t& header = dcr_[BGL_TREE_DCR_CHECKSUM_OFFSET + 2 * vc + 1];
  for (unsigned word = skipped; word < BGL_TREE_PAYLOAD_WORDS; ++word) {
    payload += unsigned{packet.data->bytes[2 * word]} << 8 | packet.data->bytes[2 * word + 1];
  }
  header += (packet.header >> 16) + (packet.header & 0xFFFFu);
}

bool TreeFifoDevice::read_payload(unsigned vc, std::uint8_t* quad, sc_core::sc_time& delay, std::string& reason) {
  Reception& reception = received_[vc];
  const auto next = [&]() -> Reading* {
    for (Reading& candidate : reception.reading) {
      if (candidate.quads < kQuads)
        return candidate.complete <= sc_core::sc_time_stamp() + delay ? &candidate : nullptr;
    }
    return nullptr;
  };
  Reading* reading = next();
  if (reading == nullptr) {
    synchronise(delay);
    reading = next();
  }
  if (reading == nullptr) {
    dcr_[BGL_TREE_DCR_RECEPTION_EXCEPTION_OFFSET] |= BGL_TREE_DCR_RECEPTION_EXCEPTION_PAYLOAD_UNDERRUN0_MASK >> vc;
    std::memset(quad, 0, kQuadBytes);
    reason = "read of the empty tree payload reception FIFO of " + vc_name(vc) +
             "; check the status before a packet is read";
    return false;
  }
  const sc_core::sc_time when = sc_core::sc_time_stamp() + delay;
  std::memcpy(quad, reading->packet->data->bytes.data() + reading->quads * kQuadBytes, kQuadBytes);
  ++reading->quads;
  reception.quads.change(when, -1);
  announce(when);
  finish_read(vc, when);
  return true;
}

bool TreeFifoDevice::read_header(unsigned vc, std::uint32_t& header, sc_core::sc_time& delay, std::string& reason) {
  Reception& reception = received_[vc];
  const auto next = [&]() -> Reading* {
    for (Reading& candidate : reception.reading) {
      if (!candidate.header) return candidate.complete <= sc_core::sc_time_stamp() + delay ? &candidate : nullptr;
    }
    return nullptr;
  };
  Reading* reading = next();
  if (reading == nullptr) {
    synchronise(delay);
    reading = next();
  }
  header = 0;
  if (reading == nullptr) {
    dcr_[BGL_TREE_DCR_RECEPTION_EXCEPTION_OFFSET] |= BGL_TREE_DCR_RECEPTION_EXCEPTION_HEADER_UNDERRUN0_MASK >> vc;
    reason =
        "read of the empty tree header reception FIFO of " + vc_name(vc) + "; check the status before a packet is read";
    return false;
  }
  const sc_core::sc_time when = sc_core::sc_time_stamp() + delay;
  header = reading->packet->header;
  reading->header = true;
  reception.headers.change(when, -1);
  if ((header & BGL_TREE_HEADER_INJECTION_IRQ_MASK) != 0) {
    reception.irqs.change(when, -1);
    changes_.add(when);  // the interrupt controller watches too
  }
  announce(when);
  finish_read(vc, when);
  return true;
}

/// Gives the place of packets that have been read back to the router.
void TreeFifoDevice::finish_read(unsigned vc, sc_core::sc_time when) {
  Reception& reception = received_[vc];
  reception.last_read = when;
  while (!reception.reading.empty() && reception.reading.front().header && reception.reading.front().quads == kQuads) {
    network_.pool().release(*reception.reading.front().packet);
    reception.reading.pop_front();
    ++reception.out;
    network_.router(node_).return_reception(vc, std::max(cycle_begun(when, clock_.mhz()), network_.now()) + 1);
  }
}

/// From now on this core may be parked: what others have done already at times to come has not been announced to it.
void TreeFifoDevice::meet_reader() {
  if ((readers_ & 1u << core_) != 0) return;
  readers_ |= 1u << core_;
  const auto tell = [this](sc_core::sc_time at) { changes_.add(at); };
  for (unsigned vc = 0; vc < kVcs; ++vc) {
    for (const TimedCount* count : {&injected_[vc].quads, &injected_[vc].headers, &received_[vc].quads,
                                    &received_[vc].headers, &received_[vc].irqs}) {
      count->each_after(sc_core::sc_time_stamp(), tell);
    }
  }
}

std::uint32_t TreeFifoDevice::read_status(unsigned vc, sc_core::sc_time& delay) {
  synchronise(delay);
  meet_reader();
  ++counters_.status_reads;
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  Injection& injection = injected_[vc];
  Reception& reception = received_[vc];
  for (TimedCount* count :
       {&injection.quads, &injection.headers, &reception.quads, &reception.headers, &reception.irqs}) {
    count->settle(now);
  }
  return status(vc);
}

std::uint32_t TreeFifoDevice::status(unsigned vc) const {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  const Injection& injection = injected_[vc];
  const Reception& reception = received_[vc];
  return injection.quads.at(now) << BGL_TREE_STATUS_INJECTION_QUADS_SHIFT |
         injection.headers.at(now) << BGL_TREE_STATUS_INJECTION_HEADERS_SHIFT |
         reception.quads.at(now) << BGL_TREE_STATUS_RECEPTION_QUADS_SHIFT |
         (reception.irqs.at(now) != 0 ? BGL_TREE_STATUS_IRQ_MASK : 0) |
         reception.headers.at(now) << BGL_TREE_STATUS_RECEPTION_HEADERS_SHIFT;
}

// Router. -------------------------------------------------------------------------------------------------------------

void TreeFifoDevice::packet_received(TreePacket& packet, unsigned vc, Cycle at) {
  Reception& reception = received_[vc];
  const sc_core::sc_time when = clock_.time_of(at);
  reception.quads.settle(sc_core::sc_time_stamp());
  reception.headers.settle(sc_core::sc_time_stamp());
  reception.quads.change(when, static_cast<int>(kQuads));
  reception.headers.change(when, +1);
  if ((packet.header & BGL_TREE_HEADER_INJECTION_IRQ_MASK) != 0) reception.irqs.change(when, +1);
  reception.reading.push_back({&packet, when, 0, false});
  ++reception.in;
  ++counters_.packets_received[vc];
  if (packet_watch_ != nullptr) tell_watch(PacketWatch::Event::tree_received, vc, when, packet);
  announce(at);
}

void TreeFifoDevice::injection_taken(unsigned vc, Cycle at) {
  Injection& injection = injected_[vc];
  const sc_core::sc_time when = clock_.time_of(at);
  injection.quads.settle(sc_core::sc_time_stamp());
  injection.headers.settle(sc_core::sc_time_stamp());
  injection.quads.change(when, -static_cast<int>(kQuads));
  injection.headers.change(when, -1);
  ++injection.out;
  announce(at);
}

std::vector<TreeLeftOver> TreeFifoDevice::left_over(unsigned vc) const {
  std::vector<TreeLeftOver> left;
  std::array<std::uint64_t, BGL_TREE_CLASSES> unread{};
  std::array<std::uint64_t, BGL_TREE_CLASSES> unsent{};
  for (const Reading& reading : received_[vc].reading) ++unread[reading.packet->route_class];
  for (const Writing& writing : injected_[vc].writing) {
    ++unsent[writing.header ? bgl_tree_header_class(writing.packet->header) : 0];
  }
  for (unsigned route_class = 0; route_class < BGL_TREE_CLASSES; ++route_class) {
    if (unsent[route_class] != 0)
      left.push_back({TreeLeftOver::Where::injection, node_, route_class, unsent[route_class]});
    if (unread[route_class] != 0)
      left.push_back({TreeLeftOver::Where::reception, node_, route_class, unread[route_class]});
  }
  return left;
}

void TreeFifoDevice::tell_watch(PacketWatch::Event event, unsigned vc, sc_core::sc_time when,
                                const TreePacket& packet) {
  if (!packet_watch_->wants(event, vc)) return;
  const bool injected = event == PacketWatch::Event::tree_injected;
  packet_watch_->on_packet(event, vc, core_, when,
                           "a packet of class " + std::to_string(bgl_tree_header_class(packet.header)) + " is in the " +
                               (injected ? "injection" : "reception") + " FIFOs of tree " + vc_name(vc));
}

std::vector<PendingWork> TreeFifoDevice::pending_work(const std::string& node) const {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  const auto parts = [](bool header, unsigned quads) {
    return std::string(header ? "the header" : "no header") + " and " + std::to_string(quads) + " of " +
           std::to_string(kQuads) + " payload quads";
  };
  std::vector<PendingWork> work;
  for (unsigned vc = 0; vc < kVcs; ++vc) {
    if (const std::deque<Writing>& writing = injected_[vc].writing; !writing.empty()) {
      const Writing& first = writing.front();
      const std::string of_class =
          first.header ? " of class " + std::to_string(bgl_tree_header_class(first.packet->header)) : "";
      work.push_back({PendingWork::Kind::unfinished,
                      "tree injection FIFOs of " + node + ", " + vc_name(vc) + ", hold " +
                          parts(first.header, first.quads) + " of an unfinished packet" + of_class +
                          behind_text(writing.size() - 1),
                      first.latest});
    }
    const Reception& reception = received_[vc];
    std::uint64_t packets = 0;
    for (const Reading& reading : reception.reading) packets += reading.complete <= now ? 1 : 0;
    if (packets == 0) continue;
    const Reading& first = reception.reading.front();
    const std::string name = "tree reception FIFOs of " + node + ", " + vc_name(vc) + ", hold ";
    const std::string of_class = std::to_string(bgl_tree_header_class(first.packet->header));
    const sc_core::sc_time since = std::max(reception.last_read, first.complete);
    if (first.header || first.quads != 0) {
      work.push_back({PendingWork::Kind::unfinished,
                      name + "a packet of class " + of_class + " of which " + parts(first.header, first.quads) +
                          " have been read" + behind_text(packets - 1),
                      since});
    } else {
      const bool never = reception.last_read == sc_core::SC_ZERO_TIME;
      work.push_back({PendingWork::Kind::unread,
                      name + counted(packets, "packet") + " that nobody reads, the first of class " + of_class +
                          (never ? "; nothing has ever been read from them" : ""),
                      since});
    }
  }
  return work;
}

// Device control registers. -------------------------------------------------------------------------------------------

std::uint32_t TreeFifoDevice::watermarks(bool reception) const {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  std::uint32_t lines = 0;
  for (unsigned vc = 0; vc < kVcs; ++vc) {
    const std::uint32_t settings = dcr_[BGL_TREE_DCR_VC_CONFIGURATION_OFFSET + vc];
    if (reception) {
      const unsigned mark = FIELD(settings, DCR_VC_CONFIGURATION_RECEPTION_WATERMARK);
      if (received_[vc].headers.at(now) > mark) lines |= BGL_TREE_DCR_RECEPTION_EXCEPTION_ABOVE0_MASK >> vc;
    } else {
      const unsigned mark = FIELD(settings, DCR_VC_CONFIGURATION_INJECTION_WATERMARK);
      if (injected_[vc].headers.at(now) < mark) lines |= BGL_TREE_DCR_INJECTION_EXCEPTION_BELOW0_MASK >> vc;
    }
  }
  return lines;
}

bool TreeFifoDevice::read_dcr(unsigned number, std::uint32_t& value, sc_core::sc_time& delay, std::string& reason) {
  synchronise(delay);
  const std::optional<std::uint32_t> peeked = peek_dcr(number);
  if (!peeked) {
    ++counters_.errors;
    reason = "read of " + dcr_text(number) + ", of which the tree has none";
    return false;
  }
  value = *peeked;
  return true;
}

std::optional<std::uint32_t> TreeFifoDevice::peek_dcr(unsigned number) {
  const unsigned offset = number - BGL_TREE_DCR_BASE;
  if (!dcr_exists(offset)) return std::nullopt;
  clock_.sync_to(sc_core::sc_time_stamp());
  const TreeRouter& router = network_.router(node_);
  std::uint32_t value = dcr_[offset];
  if (within(offset, BGL_TREE_DCR_CLASSES_OFFSET, BGL_TREE_DCR_CLASSES_COUNT)) {
    const unsigned even = 2 * (offset - BGL_TREE_DCR_CLASSES_OFFSET);
    value = std::uint32_t{router.descriptor(even)} << 16 | router.descriptor(even + 1);
  } else if (offset == BGL_TREE_DCR_NODE_ADDRESS_OFFSET) {
    value = router.address();
  } else if (offset == BGL_TREE_DCR_FIFO_POINTERS_OFFSET) {
    value = 0;
    for (const Injection& vc : injected_) value = value << 8 | (vc.in % 8u) << 4 | vc.out % 8u;
    for (const Reception& vc : received_) value = value << 8 | (vc.in % 8u) << 4 | vc.out % 8u;
  } else if (offset == BGL_TREE_DCR_RECEPTION_EXCEPTION_OFFSET) {
    value |= watermarks(true);
  } else if (offset == BGL_TREE_DCR_INJECTION_EXCEPTION_OFFSET) {
    value |= watermarks(false);
  }
  return value;
}

bool TreeFifoDevice::write_dcr(unsigned number, std::uint32_t value, sc_core::sc_time& delay, std::string& reason) {
  const unsigned offset = number - BGL_TREE_DCR_BASE;
  synchronise(delay);
  if (!dcr_writable(offset)) {
    ++counters_.errors;
    reason = "write of " + dcr_text(number) +
             (dcr_exists(offset) ? ", which can only be read" : ", of which the tree has none");
    return false;
  }
  TreeRouter& router = network_.router(node_);
  if (within(offset, BGL_TREE_DCR_CLASSES_OFFSET, BGL_TREE_DCR_CLASSES_COUNT)) {
    const unsigned even = 2 * (offset - BGL_TREE_DCR_CLASSES_OFFSET);
    router.set_descriptor(even, static_cast<std::uint16_t>((value & kDescriptorBits) >> 16));
    router.set_descriptor(even + 1, static_cast<std::uint16_t>(value & kDescriptorBits));
  } else if (offset == BGL_TREE_DCR_NODE_ADDRESS_OFFSET) {
    router.set_address(value & BGL_TREE_DCR_NODE_ADDRESS_ADDRESS_MASK);
  } else if (within(offset, BGL_TREE_DCR_VC_CONFIGURATION_OFFSET, kVcs)) {
    dcr_[offset] = value & kVcfgBits;
    router.set_accepts_all(offset - BGL_TREE_DCR_VC_CONFIGURATION_OFFSET,
                           (value & BGL_TREE_DCR_VC_CONFIGURATION_ACCEPT_ALL_MASK) != 0);
  } else if (offset == BGL_TREE_DCR_RECEPTION_EXCEPTION_OFFSET) {
    dcr_[offset] &= ~(value & kReceptionFlags);
  } else if (offset == BGL_TREE_DCR_INJECTION_EXCEPTION_OFFSET) {
    dcr_[offset] &= ~(value & kInjectionFlags);
  } else {
    dcr_[offset] = value;
  }
  return true;
}

// Time. ---------------------------------------------------------------------------------------------------------------

void TreeFifoDevice::synchronise(sc_core::sc_time& delay) {
  if (delay != sc_core::SC_ZERO_TIME) {
    const unsigned core = core_;
    sc_core::wait(delay);
    core_ = core;  // another core's access may have been served meanwhile
    delay = sc_core::SC_ZERO_TIME;
  }
  clock_.sync_to(sc_core::sc_time_stamp());
}

void TreeFifoDevice::announce(Cycle at) {
  const sc_core::sc_time when = clock_.time_of(at);
  // SystemC's time has to come to this cycle before the network passes it, unless it is there already.
  if (when > sc_core::sc_time_stamp()) network_.wheel().hold(at);
  changes_.add(when);
}

}  // namespace toroid
