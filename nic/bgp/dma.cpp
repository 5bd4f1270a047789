// SPDX-License-Identifier: Apache-2.0
#include "nic/bgp/dma.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "nic/bgp/dma_engine.h"
#include "nic/bgp/dma_registers.h"
#include "nic/bgp/dma_regs.h"
#include "nic/common/bus_master.h"
#include "nic/common/change_log.h"
#include "nic/common/debug_read.h"
#include "nic/common/fault_reason.h"
#include "torus/torus/link_transport.h"

namespace toroid {
namespace {

/// Two of the four words of a counter read as its value.
bool is_value(std::uint64_t address) {
  constexpr std::uint64_t kCounterBytes = BGP_DMA_REC_COUNTER_VALUE_STRIDE;
  const std::uint64_t offset = address % bgp_dma::kBlock.stride;
  const auto within = [offset](std::uint64_t first, std::uint64_t count) {
    return offset - first < count * kCounterBytes && (offset - first) % kCounterBytes < 8;
  };
  return within(BGP_DMA_INJ_COUNTER_VALUE_OFFSET, BGP_DMA_INJ_COUNTER_VALUE_COUNT) ||
         within(BGP_DMA_REC_COUNTER_VALUE_OFFSET, BGP_DMA_REC_COUNTER_VALUE_COUNT);
}

}  // namespace

void DmaConfig::visit_parameters(ParameterVisitor& visitor) {
  visitor.count(start_cycles, "dma.start_cycles", "cycles", {1, 100000},
                "from a descriptor being there to the first request for its message");
  visitor.count(deliver_cycles, "dma.deliver_cycles", "cycles", {1, 100000},
                "from the last byte of a packet in its torus FIFO to the request to write it");
  visitor.count(memory_latency, "dma.memory_latency", "cycles", {1, 100000},
                "of each request of the DMA to memory, beside its bandwidth");
  visitor.count(packet_cycles, "dma.packet_cycles", "cycles", {1, 100000},
                "from one packet to the next, on each side of the DMA");
  visitor.count(outstanding_packets, "dma.outstanding_packets", "packets", {1, 256},
                "whose bytes are being read from memory");
  visitor.count(write_buffers, "dma.write_buffers", "packets", {1, 256}, "that are being written to memory");
  visitor.count(local_bytes_per_cycle, "dma.local_bytes_per_cycle", "bytes", {1, 1024},
                "a cycle of torus.clock, of messages inside the node");
  visitor.count(torus_fifo_depth, "torus_fifo.depth", "chunks", {BlueGeneLpFamily::kMaxChunks, 255},
                "of each torus injection and reception FIFO");
}

/// What cores read and may be parked at.
class DmaDevice::View : public WatchedDevice {
 public:
  View(const char* name, std::string title) : changes_(name), title_(std::move(title)) {}

  bool is_pure_read(std::uint64_t address) const override { return DmaRegisters::bank().is_pure(address); }
  const sc_core::sc_event& changed() const override { return changes_.changed(); }
  sc_core::sc_time last_change() const override { return changes_.last(); }
  std::string name_of(std::uint64_t address) const override {
    return DmaRegisters::bank().is_pure(address) ? title_ : "";
  }

  /// Cores that have read since the last announcement.
  void read_by(unsigned core) { readers_ |= 1u << core; }
  /// Returns whether somebody may have to know. Only a core that has read can be parked, and a core's own accesses come
  /// before it parks.
  bool announce(sc_core::sc_time when, std::optional<unsigned> core) {
    const unsigned own = core ? 1u << *core : 0;
    if ((readers_ & ~own) == 0) return false;
    readers_ = 0;
    changes_.add(when);
    return true;
  }
  bool has_readers() const { return readers_ != 0; }

 private:
  ChangeLog changes_;
  const std::string title_;
  unsigned readers_ = 0;  ///< bit c: core c
};

/// A group's registers. The values of its counters change with every packet, and most loops look at other words.
class DmaDevice::Page final : public View {
 public:
  explicit Page(unsigned group)
      : View(("group" + std::to_string(group)).c_str(), "the register page of DMA group " + std::to_string(group)),
        values_(("counters" + std::to_string(group)).c_str(), "the counters of DMA group " + std::to_string(group)) {}

  const WatchedDevice& part(std::uint64_t address) const override { return view(address); }
  const View& view(std::uint64_t address) const { return is_value(address) ? values_ : *this; }
  View& view(std::uint64_t address) { return is_value(address) ? values_ : *this; }
  View& values() { return values_; }

 private:
  View values_;
};

/// The engine's calls.
class DmaDevice::Outside : public DmaOutside {
 public:
  explicit Outside(DmaDevice& device) : device_(device) {}

  void send_packet(Packet& packet, unsigned fifo, Cycle at) override {
    toroid::send_packet(*device_.injection_out[0], packet, fifo, at);
  }
  void return_tokens(unsigned fifo, unsigned chunks, Cycle at) override {
    send_tokens(*device_.reception_in[0], fifo, chunks, at);
  }
  void fault(DmaFault fault) override { device_.faults_.add(std::move(fault)); }
  void settled() override {
    if (device_.is_read_) {
      device_.announce(device_.clock_.time_of(device_.network_.wheel().now()), std::nullopt);
    } else {
      device_.engine_->state.announced();
    }
  }
  void wake(Cycle at) override {
    if (at == wakes_) return;
    wakes_ = at;
    device_.network_.wheel().post(at, *device_.engine_, DmaEngine::kSettle, 0);
  }

 private:
  DmaDevice& device_;
  Cycle wakes_ = kNever;  ///< the latest cycle asked for
};

DmaDevice::DmaDevice(const sc_core::sc_module_name& name, const DmaConfig& config, TorusNetwork& network,
                     std::uint32_t node, NetworkClock& clock)
    : sc_module(name),
      bus_in("bus_in"),
      injection_out("injection_out"),
      reception_in("reception_in"),
      network_(network),
      clock_(clock),
      node_(node),
      outside_(std::make_unique<Outside>(*this)),
      engine_(std::make_unique<DmaEngine>(config, network, node, clock, *outside_)),
      faults_("faults", clock, network.wheel()) {
  check_ranges(config);
  if (network.topology().dimensions() != 3 || network.injection_fifos() != TorusInjection::kFifos ||
      network.reception_fifos() != Receiver::kLocalFifo ||
      network.config().reception_depth != config.torus_fifo_depth || network.config().injection_cycles == 0) {
    throw std::invalid_argument(
        "the DMA needs a network of 3 dimensions with 2 FIFO groups of 4 injection FIFOs, injection_cycles of at least "
        "1, and reception_depth equal to torus_fifo.depth");
  }
  registers_ = std::make_unique<DmaRegisters>(
      *engine_, [this](sc_core::sc_time& delay) { synchronise(delay); }, [this](unsigned fifo) { tell_watch(fifo); });
  for (unsigned group = 0; group < kGroups; ++group) pages_.push_back(std::make_unique<Page>(group));
  line_view_ = std::make_unique<View>("interrupts", "");
  bus_in.register_b_transport(this, &DmaDevice::b_transport);
  bus_in.register_transport_dbg(this, &DmaDevice::transport_dbg);
  injection_out.bind(static_cast<LinkBackward&>(*this));
  reception_in.bind(static_cast<LinkForward&>(*this));
}

DmaDevice::~DmaDevice() = default;

// Memory and router. --------------------------------------------------------------------------------------------------

MemoryClient& DmaDevice::reader() {
  return engine_->reader();
}
MemoryClient& DmaDevice::writer() {
  return engine_->writer();
}

void DmaDevice::connect_memory(MemoryPort& reads, MemoryPort& writes) {
  engine_->state.reads = &reads;
  engine_->state.writes = &writes;
}

tlm::tlm_sync_enum DmaDevice::nb_transport_fw(LinkPayload& payload, LinkPhase&, sc_core::sc_time&) {
  payload.packet->tail = payload.at;
  engine_->packet_received(*payload.packet, payload.channel);
  return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum DmaDevice::nb_transport_bw(LinkPayload& payload, LinkPhase&, sc_core::sc_time&) {
  engine_->injection_taken(payload.channel, payload.chunks, payload.at);
  return tlm::TLM_ACCEPTED;
}

// Bus. ----------------------------------------------------------------------------------------------------------------

void DmaDevice::synchronise(sc_core::sc_time& delay) {
  access_.synchronise(clock_, delay);
}

void DmaDevice::b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay) {
  const auto* master = access.get_extension<BusMaster>();
  const unsigned core = master == nullptr ? 0 : master->core;
  access_.core = core;
  std::string reason;
  const tlm::tlm_response_status response = registers_->serve(access, delay, reason);
  if (!respond(access, response, reason)) {
    ++engine_->state.counted.bad_access;
    return;
  }
  if (access.is_read()) {
    const std::uint64_t group = (access.get_address() - bgp_dma::kBlock.base) / bgp_dma::kBlock.stride;
    pages_[group]->view(access.get_address()).read_by(core);
    is_read_ = true;
  } else {
    announce(access_.happens, core);
  }
}

unsigned DmaDevice::transport_dbg(tlm::tlm_generic_payload& access) {
  clock_.sync_to(sc_core::sc_time_stamp());
  return debug_read<4>(access, [this](std::uint64_t address, std::uint8_t* word, std::string& reason) {
    return registers_->peek(address, word, reason);
  });
}

const WatchedDevice& DmaDevice::group(unsigned group) const {
  return *pages_[group];
}

void DmaDevice::announce(sc_core::sc_time when, std::optional<unsigned> core) {
  DmaState& state = engine_->state;
  const std::uint32_t pages = state.changed_pages, values = state.changed_values;
  const bool lines = state.changed_lines;
  state.announced();
  if (!is_read_) return;
  bool announced = false;
  for (unsigned group = 0; group < kGroups; ++group) {
    if ((pages & 1u << group) != 0) announced |= pages_[group]->announce(when, core);
    if ((values & 1u << group) != 0) announced |= pages_[group]->values().announce(when, core);
  }
  if (lines && line_view_->has_readers()) {
    bool changed = false;
    for (unsigned group = 0; group < lines_.size(); ++group) changed |= engine_->interrupts(group) != lines_[group];
    if (changed) announced |= line_view_->announce(when, std::nullopt);
  }
  // SystemC's time must reach this cycle before the network passes it, unless it has already.
  if (announced && network_.wheel().running() && when > sc_core::sc_time_stamp())
    network_.wheel().hold(network_.wheel().now());
  is_read_ = line_view_->has_readers();
  for (const auto& page : pages_) is_read_ = is_read_ || page->has_readers() || page->values().has_readers();
}

// Interrupts and faults. ----------------------------------------------------------------------------------------------

std::uint32_t DmaDevice::interrupts(unsigned bic_group) {
  if (bic_group >= lines_.size()) return 0;
  clock_.sync_to(sc_core::sc_time_stamp());
  line_view_->read_by(0);
  is_read_ = true;
  return lines_[bic_group] = engine_->interrupts(bic_group);
}

const WatchedDevice& DmaDevice::interrupt_source() const {
  return *line_view_;
}

void DmaDevice::on_fault(std::function<void(const DmaFault& fault)> tell) {
  faults_.listen(std::move(tell));
}

// Control registers. --------------------------------------------------------------------------------------------------

bool DmaDevice::read_dcr(unsigned number, std::uint32_t& value, sc_core::sc_time& delay, std::string& reason) {
  synchronise(delay);
  const std::optional<std::uint32_t> read = engine_->read_dcr(number);
  if (!read) {
    ++engine_->state.counted.bad_access;
    reason = "read of " + dcr_text(number) + ", of which the torus and the DMA have none that can be read";
    return false;
  }
  value = *read;
  return true;
}

bool DmaDevice::write_dcr(unsigned number, std::uint32_t value, sc_core::sc_time& delay, std::string& reason) {
  synchronise(delay);
  if (!engine_->write_dcr(number, value)) {
    ++engine_->state.counted.bad_access;
    reason = "write of " + dcr_text(number) + ", of which the torus and the DMA have none that can be written";
    return false;
  }
  announce(access_.happens, std::nullopt);
  return true;
}

std::optional<std::uint32_t> DmaDevice::peek_dcr(unsigned number) {
  clock_.sync_to(sc_core::sc_time_stamp());
  return engine_->read_dcr(number);
}

void DmaDevice::set_dcr(unsigned number, std::uint32_t value) {
  sc_core::sc_time now;
  std::string reason;
  if (!write_dcr(number, value, now, reason)) throw std::logic_error(reason);
}

std::uint32_t DmaDevice::dcr(unsigned number) {
  return peek_dcr(number).value();
}

void DmaDevice::set_register(unsigned group, unsigned offset, std::uint32_t value) {
  sc_core::sc_time now;
  synchronise(now);
  registers_->write(bgp_dma::kBlock.base + group * bgp_dma::kBlock.stride + offset, value);
  announce(access_.happens, std::nullopt);
}

std::uint32_t DmaDevice::register_value(unsigned group, unsigned offset) const {
  clock_.sync_to(sc_core::sc_time_stamp());
  return registers_->read(bgp_dma::kBlock.base + group * bgp_dma::kBlock.stride + offset);
}

}  // namespace toroid
