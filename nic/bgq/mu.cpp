// SPDX-License-Identifier: Apache-2.0
#include "nic/bgq/mu.h"

#include <stdexcept>
#include <utility>

#include "nic/bgq/mu_engine.h"
#include "nic/bgq/mu_pages.h"
#include "nic/bgq/mu_registers.h"
#include "nic/common/bus_master.h"
#include "nic/common/debug_read.h"
#include "nic/common/fault_reason.h"
#include "torus/collective/network.h"
#include "torus/torus/link_transport.h"

namespace toroid {

void MuConfig::visit_parameters(ParameterVisitor& visitor) {
  visitor.count(clock_mhz, "mu.clock", "MHz", {1, 10000}, "of the Messaging Unit: the unit of RME_WAIT_FULL");
  visitor.count(start_cycles, "mu.start_cycles", "cycles", {1, 100000},
                "from a descriptor being there to the first request for its message");
  visitor.count(deliver_cycles, "mu.deliver_cycles", "cycles", {1, 100000},
                "from the last byte of a packet in its network FIFO to the request to write it");
  visitor.count(memory_latency, "mu.memory_latency", "cycles", {1, 100000},
                "of each request of the unit to memory, beside its bandwidth");
  visitor.count(packet_cycles, "mu.packet_cycles", "cycles", {1, 100000},
                "from one packet to the next, of each engine");
  visitor.count(engine_packets, "mu.engine_packets", "packets", {1, 64},
                "of an engine that are being read from memory, or written");
  visitor.count(torus_fifo_depth, "torus_fifo.depth", "chunks", {BGQ_PACKET_BYTES / BGQ_CHUNK_BYTES, 1024},
                "of each network injection and reception FIFO");
}

MuNetworkMap MuNetworkMap::of_blue_gene_q() {
  MuNetworkMap map;
  map.reception_fifo.fill(kNone);
  std::uint8_t fifo = 0;
  while (fifo < kMuTorusEngines) map.reception_fifo[fifo] = fifo, ++fifo;
  for (const unsigned engine : {kMuPriority, kMuSystem, kMuLocal0, kMuLocal1}) map.reception_fifo[engine] = fifo++;
  return map;
}

/// The node's collective unit: network FIFOs 14 and 15 of either side are its FIFOs 0 and 1.
class MuDevice::Collectives final : public LocalPort {
 public:
  Collectives(MuDevice& device, CollectiveNetwork& network) : device_(device), network_(network) {
    network.attach(device.node_, *this);
  }

  const char* refusal(const Packet& packet) const { return network_.refusal(device_.node_, packet); }
  void inject(Packet& packet, unsigned fifo, Cycle at) {
    network_.inject(device_.node_, packet, fifo - kMuCollectiveUser, at);
  }
  void return_tokens(unsigned engine, unsigned chunks, Cycle at) {
    network_.return_tokens(device_.node_, engine - kMuCollectiveUser, chunks, at);
  }
  void packet_received(Packet& packet, unsigned fifo, Cycle at) override {
    packet.tail = at;
    device_.engine_->packet_received(packet, kMuCollectiveUser + fifo);
  }
  void injection_taken(unsigned fifo, unsigned chunks, Cycle at) override {
    device_.engine_->injection_taken(kMuCollectiveUser + fifo, chunks, at);
  }

 private:
  MuDevice& device_;
  CollectiveNetwork& network_;
};

/// The engine's calls.
class MuDevice::Outside : public MuOutside {
 public:
  explicit Outside(MuDevice& device) : device_(device) {}

  void send_packet(Packet& packet, unsigned fifo, Cycle at) override {
    if (fifo >= kMuCollectiveUser) {
      device_.collectives_->inject(packet, fifo, at);
    } else {
      toroid::send_packet(*device_.injection_out[0], packet, fifo, at);
    }
  }
  void return_tokens(unsigned engine, unsigned chunks, Cycle at) override {
    if (engine >= kMuCollectiveUser) {
      device_.collectives_->return_tokens(engine, chunks, at);
    } else {
      send_tokens(*device_.reception_in[0], device_.map_.reception_fifo[engine], chunks, at);
    }
  }
  const char* refusal(const Packet& packet) const override {
    return device_.collectives_ == nullptr ? "the network has no collective units"
                                           : device_.collectives_->refusal(packet);
  }
  void fault(MuFault fault) override { device_.faults_.add(std::move(fault)); }
  void settled() override {
    if (device_.pages_->has_readers()) {
      device_.announce(device_.clock_.time_of(device_.network_.wheel().now()), std::nullopt);
    } else {
      device_.engine_->state.announced();
    }
  }
  void wake(Cycle at) override {
    if (at == wakes_) return;
    wakes_ = at;
    device_.network_.wheel().post(at, *device_.engine_, MuEngine::kSettle, 0);
  }

 private:
  MuDevice& device_;
  Cycle wakes_ = kNever;  ///< the latest cycle asked for
};

MuDevice::MuDevice(const sc_core::sc_module_name& name, const MuConfig& config, AnyTorusNetwork& network,
                   const MuNetworkMap& map, std::uint32_t node, NetworkClock& clock)
    : sc_module(name),
      bus_in("bus_in"),
      injection_out("injection_out"),
      reception_in("reception_in"),
      network_(network),
      node_(node),
      clock_(clock),
      map_(map),
      outside_(std::make_unique<Outside>(*this)),
      engine_(std::make_unique<MuEngine>(config, network, node, clock, *outside_)),
      pages_(std::make_unique<MuPages>("pages")),
      faults_("faults", clock, network.wheel()) {
  check_ranges(config);
  const TorusConfig& torus = network.config();
  if (network.family().chunk_bytes != BGQ_CHUNK_BYTES ||
      network.family().max_chunks * BGQ_CHUNK_BYTES != BGQ_PACKET_BYTES ||
      torus.fifo_groups * torus.injection_fifos != kMuEngines || torus.reception_depth != config.torus_fifo_depth ||
      torus.injection_cycles == 0) {
    throw std::invalid_argument(
        "the Messaging Unit needs a network of packets of 17 chunks of 32 bytes, 16 injection FIFOs, injection_cycles "
        "of "
        "at least 1, and reception_depth equal to torus_fifo.depth");
  }
  engine_of_fifo_.fill(MuNetworkMap::kNone);
  for (unsigned engine = 0; engine < kMuEngines; ++engine) {
    if (map.reception_fifo[engine] != MuNetworkMap::kNone)
      engine_of_fifo_.at(map.reception_fifo[engine]) = static_cast<std::uint8_t>(engine);
  }
  registers_ = std::make_unique<MuRegisters>(
      *engine_, [this](sc_core::sc_time& delay) { synchronise(delay); }, [this](unsigned fifo) { tell_watch(fifo); });
  bus_in.register_b_transport(this, &MuDevice::b_transport);
  bus_in.register_transport_dbg(this, &MuDevice::transport_dbg);
  injection_out.bind(static_cast<LinkBackward&>(*this));
  reception_in.bind(static_cast<LinkForward&>(*this));
}

MuDevice::~MuDevice() = default;

// Memory, router, global interrupts. ----------------------------------------------------------------------------------

MemoryClient& MuDevice::memory_client() {
  return engine_->client();
}

void MuDevice::connect_memory(unsigned port, MemoryPort& memory) {
  engine_->state.memory[port] = &memory;
}

void MuDevice::connect_collectives(CollectiveNetwork& collectives) {
  collectives_ = std::make_unique<Collectives>(*this, collectives);
}

void MuDevice::connect_barriers(MuBarriers& barriers) {
  registers_->connect(barriers);
}

void MuDevice::barriers_changed(sc_core::sc_time when) {
  engine_->state.everything_changed();
  announce(when, std::nullopt);
}

tlm::tlm_sync_enum MuDevice::nb_transport_fw(LinkPayload& payload, LinkPhase&, sc_core::sc_time&) {
  payload.packet->tail = payload.at;
  engine_->packet_received(*payload.packet, engine_of_fifo_[payload.channel]);
  return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum MuDevice::nb_transport_bw(LinkPayload& payload, LinkPhase&, sc_core::sc_time&) {
  engine_->injection_taken(payload.channel, payload.chunks, payload.at);
  return tlm::TLM_ACCEPTED;
}

// Bus. ----------------------------------------------------------------------------------------------------------------

void MuDevice::synchronise(sc_core::sc_time& delay) {
  access_.synchronise(clock_, delay);
}

void MuDevice::b_transport(int, tlm::tlm_generic_payload& access, sc_core::sc_time& delay) {
  const auto* master = access.get_extension<BusMaster>();
  const unsigned core = master == nullptr ? 0 : master->core;
  access_.core = core;
  std::string reason;
  const std::optional<MuPlace> place = MuRegisters::place_of(access.get_address());
  const tlm::tlm_response_status response =
      place ? registers_->serve(*place, access, delay, reason) : serve_dcr(access, delay, reason);
  if (!respond(access, response, reason)) {
    ++engine_->state.counted.bad_access;
    return;
  }
  if (access.is_write()) {
    announce(access_.happens, core);
  } else if (place) {
    pages_->read_by(place->subgroup, core);
  }
}

tlm::tlm_response_status MuDevice::serve_dcr(tlm::tlm_generic_payload& access, sc_core::sc_time& delay,
                                             std::string& reason) {
  const std::uint64_t asked = access.get_address();
  const bool privileged = asked >= bgq_mu_dcr::kBlock.base + MuRegisters::kPrivileged;
  const std::uint64_t address = privileged ? asked - MuRegisters::kPrivileged : asked;
  if (!MuDcr::exists(address)) {
    reason = "access to the registers of the Messaging Unit where there is no register";
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  if (access.get_data_length() != 8 || access.get_byte_enable_ptr() != nullptr || access.get_streaming_width() < 8) {
    reason = "access of " + std::to_string(access.get_data_length()) +
             " bytes to a control register of the Messaging Unit, which takes words of 8 bytes only";
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  if (access.is_write() && !privileged) {
    reason = "write to a control register of the Messaging Unit, which only the kernel may make";
    return tlm::TLM_GENERIC_ERROR_RESPONSE;
  }
  synchronise(delay);
  if (access.is_read()) {
    const std::optional<std::uint64_t> value = engine_->read_dcr(address);
    if (value) store_word<std::uint64_t>(access.get_data_ptr(), *value);
    if (value) return tlm::TLM_OK_RESPONSE;
  } else if (engine_->write_dcr(address, load_word<std::uint64_t>(access.get_data_ptr()))) {
    return tlm::TLM_OK_RESPONSE;
  }
  reason =
      "the control register of the Messaging Unit can only be " + std::string(access.is_read() ? "written" : "read");
  return tlm::TLM_COMMAND_ERROR_RESPONSE;
}

unsigned MuDevice::transport_dbg(int, tlm::tlm_generic_payload& access) {
  clock_.sync_to(sc_core::sc_time_stamp());
  return debug_read<8>(access, [this](std::uint64_t address, std::uint8_t* word, std::string& reason) {
    if (const std::optional<MuPlace> place = MuRegisters::place_of(address))
      return registers_->peek(*place, word, reason);
    const bool privileged = address >= bgq_mu_dcr::kBlock.base + MuRegisters::kPrivileged;
    const auto value = engine_->read_dcr(privileged ? address - MuRegisters::kPrivileged : address);
    if (value) store_word<std::uint64_t>(word, *value);
    if (!value) reason = "there is no register there that can be read in the Messaging Unit";
    return value.has_value();
  });
}

const WatchedDevice& MuDevice::pages() const {
  return *pages_;
}

void MuDevice::announce(sc_core::sc_time when, std::optional<unsigned> core) {
  MuState& state = engine_->state;
  const auto changed = state.changed_pages;
  const bool lines = state.changed_lines;
  state.announced();
  if (!pages_->has_readers()) return;
  bool announced = changed.any() && pages_->announce(changed, when, core);
  if (lines) announced |= pages_->announce(MuPages::kInterrupts, when, std::nullopt);
  // SystemC's time must reach this cycle before the network passes it, unless it has already.
  if (announced && network_.wheel().running() && when > sc_core::sc_time_stamp())
    network_.wheel().hold(network_.wheel().now());
}

// Interrupts and faults. ----------------------------------------------------------------------------------------------

void MuDevice::read_lines() {
  clock_.sync_to(sc_core::sc_time_stamp());
  pages_->read_by(MuPages::kInterrupts, 0);
}

std::uint8_t MuDevice::interrupts(unsigned group) {
  read_lines();
  return engine_->interrupts(group);
}

std::uint8_t MuDevice::aggregated(unsigned group) {
  read_lines();
  return engine_->aggregated(group);
}

bool MuDevice::has_error() {
  read_lines();
  return engine_->has_error();
}

const WatchedDevice& MuDevice::interrupt_source() const {
  return pages_->interrupts();
}

void MuDevice::on_fault(std::function<void(const MuFault& fault)> tell) {
  faults_.listen(std::move(tell));
}

// The kernel. ---------------------------------------------------------------------------------------------------------

void MuDevice::set_register(unsigned subgroup, unsigned offset, std::uint64_t value) {
  sc_core::sc_time now;
  synchronise(now);
  registers_->write({offset, subgroup, true}, value);
  announce(access_.happens, std::nullopt);
}

std::uint64_t MuDevice::register_value(unsigned subgroup, unsigned offset) const {
  clock_.sync_to(sc_core::sc_time_stamp());
  return registers_->read({offset, subgroup, true});
}

void MuDevice::set_dcr(unsigned offset, std::uint64_t value) {
  sc_core::sc_time now;
  synchronise(now);
  if (!engine_->write_dcr(bgq_mu_dcr::kBlock.base + offset, value))
    throw std::logic_error("the Messaging Unit has no such control register that can be written");
  announce(access_.happens, std::nullopt);
}

std::uint64_t MuDevice::dcr(unsigned offset) const {
  clock_.sync_to(sc_core::sc_time_stamp());
  return engine_->read_dcr(bgq_mu_dcr::kBlock.base + offset).value();
}

std::uint32_t MuDevice::injection_checksum(unsigned fifo) const {
  clock_.sync_to(sc_core::sc_time_stamp());
  return engine_->network.checksum(fifo);
}

void MuDevice::clear_injection_checksum(unsigned fifo) {
  sc_core::sc_time now;
  synchronise(now);
  engine_->network.clear_checksum(fifo);
}

}  // namespace toroid
