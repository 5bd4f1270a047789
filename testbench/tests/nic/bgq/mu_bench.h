// SPDX-License-Identifier: Apache-2.0
//
// Messaging Units with memory on a real torus, with the parameters of the shipped machine; a test takes the place of
// the cores and of the kernel.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "hw/memory/memory_arbiter.h"
#include "nic/bgq/mu.h"
#include "nic/bgq/mu_packet.h"
#include "nic/bgq/mu_regs.h"
#include "nic/common/l2_atomics.h"
#include "torus/collective/network.h"
#include "torus/torus/families/blue_gene_q_family.h"
#include "torus/torus/link_recovery.h"
#include "torus/torus/router.h"
#include "torus/torus/tlm_local_port.h"

namespace toroid::test {

using MuFamily = BlueGeneQFamily;
using MuTorus = BasicTorusNetwork<MuFamily>;

/// A descriptor, as a driver fills it in.
struct MuTestDescriptor {
  std::array<std::uint8_t, BGQ_DESCRIPTOR_BYTES> bytes{};

  std::uint8_t* header() { return bytes.data() + BGQ_DESCRIPTOR_HEADER; }
  MuTestDescriptor& what(const bgq_descriptor_t& fields) { return bgq_descriptor_encode(&fields, bytes.data()), *this; }
  MuTestDescriptor& network(const bgq_network_t& fields) { return bgq_network_encode(&fields, header()), *this; }
  bgq_descriptor_t what() const { return bgq_descriptor_decode(bytes.data()); }
  bgq_network_t network() const { return bgq_network_decode(bytes.data() + BGQ_DESCRIPTOR_HEADER); }
};

class MuNode : public sc_core::sc_module {
 public:
  static constexpr std::uint32_t kMemory = 4u << 20;
  static constexpr std::uint64_t kBandwidth = 40'000'000'000;
  static constexpr std::uint32_t kLine = 128;

  MuNode(const sc_core::sc_module_name& name, const MuConfig& config, MuTorus& network, std::uint32_t node,
         NetworkClock& clock);

  NodeMemory memory;
  WatchedMemory watched;
  MemoryArbiter arbiter;
  MuDevice mu;
  std::vector<MuFault> faults;  ///< those told

  /// As after a reset and the kernel's start: engines work, all of memory is valid, errors interrupt, nothing is a
  /// user's.
  void reset();

  std::uint64_t get(unsigned subgroup, unsigned offset) const { return mu.register_value(subgroup, offset); }
  void set(unsigned subgroup, unsigned offset, std::uint64_t value) { mu.set_register(subgroup, offset, value); }
  std::uint64_t dcr(unsigned offset) const { return mu.dcr(offset); }
  void set_dcr(unsigned offset, std::uint64_t value) { mu.set_dcr(offset, value); }
  void set_dcr_bits(unsigned offset, std::uint64_t mask, bool value) {
    set_dcr(offset, value ? dcr(offset) | mask : dcr(offset) & ~mask);
  }

  struct Ring {
    std::uint32_t start;
    std::uint32_t bytes;
  };
  /// As a kernel allocates and a process sets up FIFOs (over all groups) and base addresses of users.
  void open_injection(unsigned fifo, Ring ring, bool gets = false, bool high = false, bool system = false);
  void open_reception(unsigned fifo, Ring ring, bool system = false);
  void open_base(unsigned number, std::uint64_t value, bool system = false);

  std::uint64_t injection(unsigned fifo, unsigned offset) const { return get(fifo / 8, offset + fifo % 8 * 0x40); }
  std::uint64_t reception(unsigned fifo, unsigned offset) const { return get(fifo / 4, offset + fifo % 4 * 0x40); }

  /// Writes a descriptor at the tail, without moving it; and moves it.
  void inject(unsigned fifo, const MuTestDescriptor& descriptor);
  void write_descriptor(unsigned fifo, const MuTestDescriptor& descriptor);
  void move_tail(unsigned fifo, unsigned descriptors = 1);
  /// Takes the first packet out of a reception FIFO; empty if there is none.
  std::vector<std::uint8_t> take_packet(unsigned fifo);

  std::uint8_t* at(std::uint64_t address) { return memory.host(static_cast<std::uint32_t>(address)); }
  std::uint64_t word(std::uint64_t address) { return bgq_get(at(address), 8); }
  void set_word(std::uint64_t address, std::uint64_t value) { bgq_put(at(address), 8, value); }
  /// Bytes that depend on `seed`.
  void fill(std::uint32_t address, std::uint32_t bytes, unsigned seed);
  std::vector<std::uint8_t> bytes(std::uint32_t address, std::uint32_t count);

  /// Memory for MuDevice::describe().
  MuMemory seen() const {
    return [this](std::uint64_t address, std::uint64_t count) {
      return memory.contains(address, count) ? memory.host(static_cast<std::uint32_t>(address)) : nullptr;
    };
  }

  /// An access by a core, at once.
  struct Answer {
    tlm::tlm_response_status status;
    std::uint64_t value;
    std::string reason;
  };
  Answer access(std::uint64_t address, bool write, std::uint64_t value = 0, unsigned size = 8, unsigned core = 0);
  /// Address of a register of a subgroup, for a user.
  static std::uint64_t address(unsigned subgroup, unsigned offset) {
    return BGQ_MU_BASE + subgroup / 4 * 0x10000ull + subgroup % 4 * 0x1000ull + offset;
  }

 private:
  tlm_utils::simple_initiator_socket<MuNode, 32> bus_;
  BasicLinkSocketPort<MuFamily> port_;
};

/// A torus of nodes.
class MuMachine {
 public:
  struct Options {
    std::string shape = "2x2x1x1x1";
    double bit_error_rate = 0;
    std::uint64_t shuffle = 0;
    std::function<void(MuConfig&)> change;  ///< of the shipped parameters; may be none
  };
  MuMachine(const std::string& name, const Options& options);

  static MuConfig mu_config();
  static TorusConfig torus_config(double bit_error_rate = 0);

  Wheel wheel;
  MuTorus network;
  CollectiveNetwork collectives;
  NetworkClock clock;
  std::vector<std::unique_ptr<MuNode>> nodes;

  MuNode& operator[](unsigned node) { return *nodes[node]; }
  Cycle now() const { return wheel.now(); }
  /// Until nothing is left to do. Then nothing is in flight.
  void run();
  /// For that long, as if a core waited till then.
  void run_for(Cycle cycles);
  void reset();
  void observe(MuObserver* observer);

  // Descriptors for packets to `node`, deterministic, through any torus FIFO, or inside the node.
  MuTestDescriptor to(unsigned from, unsigned node, std::uint64_t payload, std::uint64_t length) const;
  MuTestDescriptor message(unsigned from, unsigned node, std::uint64_t payload, std::uint64_t length,
                           unsigned fifo) const;
  MuTestDescriptor put(unsigned from, unsigned node, std::uint64_t payload, std::uint64_t length, unsigned base,
                       std::uint64_t offset, unsigned counter_base, std::uint64_t counter_offset) const;
  MuTestDescriptor remote_get(unsigned from, unsigned node, std::uint64_t payload, std::uint64_t length,
                              unsigned fifo) const;

 private:
  sc_core::sc_event alarm_;
};

}  // namespace toroid::test
