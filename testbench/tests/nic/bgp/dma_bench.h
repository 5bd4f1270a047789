// SPDX-License-Identifier: Apache-2.0
//
// DMA engines with memory on a real torus, with the parameters of the shipped machine; a test takes the place of the
// cores.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "hw/memory/memory_arbiter.h"
#include "nic/bgp/dma.h"
#include "nic/bgp/dma_descriptor.h"
#include "nic/bgp/dma_regs.h"

namespace toroid::test {

/// A descriptor, as a driver fills it in.
struct Descriptor {
  bool local = false;
  bool prefetch = false;
  unsigned counter = 0;      ///< of injection, over all groups
  std::uint32_t offset = 0;  ///< from its base
  std::uint32_t length = 0;
  torus_fields_t fields{};  ///< a deterministic packet to (0,0,0) of as many chunks as the length needs
  unsigned pid = 0;
  bool direct = false;
  std::uint32_t word2 = 0;
  std::uint32_t word3 = 0;

  std::array<std::uint8_t, 32> bytes() const;
};

class DmaNode : public sc_core::sc_module {
 public:
  static constexpr std::uint32_t kMemory = 4u << 20;
  static constexpr std::uint64_t kBandwidth = 13'600'000'000;
  static constexpr std::uint32_t kLine = 128;

  DmaNode(const sc_core::sc_module_name& name, const DmaConfig& config, TorusNetwork& network, std::uint32_t node,
          NetworkClock& clock);

  NodeMemory memory;
  WatchedMemory watched;
  MemoryArbiter arbiter;
  DmaDevice dma;
  std::vector<DmaFault> faults;  ///< those told

  /// Registers as after a reset, all of memory valid for both sides, all eight torus FIFOs in every map.
  void reset();

  std::uint32_t get(unsigned group, unsigned offset) const { return dma.register_value(group, offset); }
  void set(unsigned group, unsigned offset, std::uint32_t value) { dma.set_register(group, offset, value); }
  std::uint32_t dcr(unsigned offset) { return dma.dcr(BGP_DMA_DCR_BASE + offset); }
  void set_dcr(unsigned offset, std::uint32_t value) { dma.set_dcr(BGP_DMA_DCR_BASE + offset, value); }
  /// Sets or clears a bit (IBM's numbering).
  void set_dcr_bit(unsigned offset, unsigned bit, bool value);

  struct Ring {
    std::uint32_t start;
    std::uint32_t bytes;
  };
  /// An injection FIFO (over all groups) that is empty, enabled and active.
  void open_injection(unsigned fifo, Ring ring, bool local = false, bool high = false);
  void open_reception(unsigned fifo, Ring ring);
  void open_injection_counter(unsigned counter, std::uint32_t base, std::uint32_t value);
  void open_reception_counter(unsigned counter, std::uint32_t base, std::uint32_t bytes, std::uint32_t value);

  /// Writes a descriptor at the tail, without moving it; and moves it.
  void inject(unsigned fifo, const Descriptor& descriptor);
  void write_descriptor(unsigned fifo, const Descriptor& descriptor);
  void move_tail(unsigned fifo, unsigned descriptors = 1);

  std::uint32_t injection(unsigned fifo, unsigned offset) const { return get(fifo / 32, offset + fifo % 32 * 16); }
  std::uint32_t reception(unsigned fifo, unsigned offset) const { return get(fifo / 8, offset + fifo % 8 * 16); }
  std::uint32_t injection_counter(unsigned counter) const {
    return get(counter / 64, BGP_DMA_INJ_COUNTER_VALUE_OFFSET + counter % 64 * 16);
  }
  std::uint32_t reception_counter(unsigned counter) const {
    return get(counter / 64, BGP_DMA_REC_COUNTER_VALUE_OFFSET + counter % 64 * 16);
  }
  bool injection_hit_zero(unsigned counter) const;
  bool reception_hit_zero(unsigned counter) const;

  std::uint8_t* at(std::uint32_t address) { return memory.host(address); }
  /// Bytes that depend on `seed`.
  void fill(std::uint32_t address, std::uint32_t bytes, unsigned seed);
  /// Sum of the bytes, for comparing.
  std::vector<std::uint8_t> bytes(std::uint32_t address, std::uint32_t count);

  /// A word's access by a core, at once.
  struct Answer {
    tlm::tlm_response_status status;
    std::uint32_t value;
    std::string reason;
  };
  Answer access(std::uint64_t address, bool write, std::uint32_t value, unsigned size = 4, unsigned core = 0);

 private:
  tlm_utils::simple_initiator_socket<DmaNode, 32> bus_;
  LinkSocketPort port_;
};

/// What an observer was told.
struct DmaRecord : DmaObserver {
  void on_descriptor(const Message& message, Cycle) override { messages.push_back(message); }
  void on_message_read(std::uint32_t, std::uint32_t number, Cycle) override { read.push_back(number); }
  void on_packet(std::uint32_t, std::uint32_t, std::uint32_t number, Cycle at) override {
    packets.push_back({number, at.count()});
  }
  void on_counter(std::uint32_t node, Side side, unsigned counter, std::uint32_t value, bool, bool, Cycle at) override {
    counters.push_back({node, static_cast<std::uint64_t>(side), counter, value, at.count()});
  }
  void on_fifo(std::uint32_t node, Side side, unsigned fifo, std::uint32_t bytes, Cycle at) override {
    fifos.push_back({node, static_cast<std::uint64_t>(side), fifo, bytes, at.count()});
  }
  std::vector<Message> messages;
  std::vector<std::uint32_t> read;
  std::vector<std::array<std::uint64_t, 2>> packets;   ///< number of the message, cycle
  std::vector<std::array<std::uint64_t, 5>> counters;  ///< node, side, counter, value, cycle
  std::vector<std::array<std::uint64_t, 5>> fifos;     ///< node, side, FIFO, bytes, cycle
};

/// A torus of nodes.
class DmaMachine {
 public:
  struct Options {
    std::string shape = "2x1x1";
    double bit_error_rate = 0;
    std::uint64_t shuffle = 0;
  };
  DmaMachine(const std::string& name, const Options& options);

  static DmaConfig dma_config();
  static TorusConfig torus_config(double bit_error_rate = 0);

  Wheel wheel;
  TorusNetwork network;
  NetworkClock clock;
  std::vector<std::unique_ptr<DmaNode>> nodes;

  DmaNode& operator[](unsigned node) { return *nodes[node]; }
  Cycle now() const { return wheel.now(); }
  /// Until nothing is left to do. Then nothing is in flight.
  void run();
  void run_for(Cycle cycles);
  /// For that long, as if a core waited till then.
  void run_to(sc_core::sc_time delay);
  void reset();
  /// From now on, or no longer.
  void observe(DmaObserver* observer);

  // Descriptors for packets from `from` to `to`; the payload of a remote get is descriptors.
  Descriptor to(unsigned node, std::uint32_t length) const;
  Descriptor put(unsigned node, unsigned counter, std::uint32_t offset, std::uint32_t length, unsigned to_counter,
                 std::uint32_t to_offset) const;
  Descriptor message(unsigned node, unsigned counter, std::uint32_t offset, std::uint32_t length, unsigned pid,
                     unsigned function, std::uint32_t argument) const;
  Descriptor remote_get(unsigned node, unsigned counter, std::uint32_t offset, unsigned descriptors,
                        unsigned to_fifo) const;

 private:
  sc_core::sc_event alarm_;
};

}  // namespace toroid::test
