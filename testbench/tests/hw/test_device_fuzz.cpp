// SPDX-License-Identifier: Apache-2.0
//
// Accesses that make no sense: four masters, the cores of two nodes, do whatever a broken driver could do to the
// devices of their nodes, in every size and order. Every access has an answer, and one that is refused a reason;
// nothing else is asked for than that the simulator goes on.
//
// TOROID_FUZZ_CASES is the number of accesses of each master, TOROID_FUZZ_SEED where their choice begins.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <systemc>

#include "hw/chips/bgl/bgl_chip.h"
#include "hw/isa/ppc32/ppc32.h"
#include "nic/bgl/addresses.h"
#include "nic/bgl/bic_regs.h"
#include "nic/bgl/global_interrupt_regs.h"
#include "nic/bgl/lockbox_regs.h"
#include "nic/bgl/sram_regs.h"
#include "nic/bgl/torus_packet.h"
#include "nic/bgl/torus_regs.h"
#include "nic/collective/tree_packet.h"
#include "nic/common/bus_master.h"
#include "nic/common/fault_reason.h"
#include "testbench/shipped.h"
#include "torus/tree/classes.h"

namespace toroid {
namespace {

constexpr unsigned kNodes = 2;
constexpr std::uint64_t kUsualCases = 50'000;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

Topology two_nodes() {
  return Topology(Shape::parse("2x1x1"));
}

/// One core's place, taken by nonsense.
class Master : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Master);
  Master(const sc_core::sc_module_name& name, BglChip& chip, unsigned core, std::uint64_t seed, std::uint64_t cases)
      : sc_module(name), chip_(chip), core_(core), random_(seed), cases_(cases) {
    SC_THREAD(work);
  }

  std::uint64_t done = 0, refused = 0;

 private:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  bool one_in(unsigned many) { return below(many) == 0; }

  void work() {
    while (done < cases_) {
      ++done;
      switch (below(16)) {
        case 0:
          control_register();
          break;
        case 1:
          look();
          break;
        default:
          access();
          break;
      }
      if (one_in(8)) wait(sc_core::sc_time(below(4000), sc_core::SC_NS));
    }
  }

  std::uint32_t address() {
    const unsigned group = below(2);
    const std::uint32_t torus = BGL_TORUS_BASE + group * BGL_TORUS_GROUP_STRIDE;
    const std::uint32_t tree = BGL_TREE_BASE;
    std::uint32_t at = 0;
    switch (below(10)) {
      case 0:
      case 1:
        at = torus + BGL_TORUS_INJECTION_OFFSET + below(4) * BGL_TORUS_INJECTION_STRIDE;
        break;
      case 2:
      case 3:
        at = torus + BGL_TORUS_RECEPTION_OFFSET + below(8) * BGL_TORUS_RECEPTION_STRIDE;
        break;
      case 4:
        at = torus + BGL_TORUS_STATUS_OFFSET + 16 * below(2);
        break;
      case 5:
      case 6:
        at = tree + 16 * below(8);
        break;
      case 7:
        at = BGL_LOCKBOX_BASE + 4 * below(1024);
        break;
      case 8:
        at = BGL_GI_BASE + BGL_GI_GROUP_STRIDE + 4 * below(64);
        break;
      default:
        at = BGL_SRAM_BASE + below(BGL_SRAM_DATA_BYTES);
        break;
    }
    if (one_in(16)) at += below(32);
    if (one_in(64)) at = static_cast<std::uint32_t>(random_());
    return at;
  }

  /// Sometimes what a device takes for a header of its own.
  void fill(std::uint8_t* data) {
    for (unsigned i = 0; i < 32; ++i) data[i] = static_cast<std::uint8_t>(random_());
    std::uint32_t words[2];
    switch (below(4)) {
      case 0:
        words[0] = TORUS_HEADER0_DYNAMIC_MASK | below(2) << TORUS_HEADER0_PID_SHIFT |
                   below(8) << TORUS_HEADER0_CHUNKS_SHIFT | below(kNodes) << TORUS_HEADER0_X_SHIFT;
        if (one_in(4)) words[0] |= TORUS_HINT_X_PLUS << TORUS_HEADER0_HINTS_SHIFT;
        words[1] = 0;
        break;
      case 1:
        words[0] = tree_collective_header(below(2), below(8), 1 + below(128), below(16));
        words[1] = 0;
        break;
      case 2:
        words[0] = below(3);
        words[1] = 0;
        break;
      default:
        return;
    }
    for (unsigned i = 0; i < 8; ++i) data[i] = static_cast<std::uint8_t>(words[i / 4] >> (24 - 8 * (i % 4)));
  }

  void access() {
    static const unsigned sizes[] = {4, 4, 4, 16, 16, 16, 16, 1, 2, 8, 3, 32};
    std::uint8_t data[32];
    fill(data);
    tlm::tlm_generic_payload payload;
    FaultReason reason;
    BusMaster master;
    master.core = core_;
    payload.set_command(one_in(2) ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
    if (one_in(100)) payload.set_command(tlm::TLM_IGNORE_COMMAND);
    payload.set_address(address());
    payload.set_data_ptr(data);
    payload.set_data_length(sizes[below(12)]);
    payload.set_streaming_width(one_in(200) ? 1 : payload.get_data_length());
    payload.set_extension(&reason);
    payload.set_extension(&master);
    sc_core::sc_time delay(below(2000), sc_core::SC_NS);
    chip_.core(core_).bus->b_transport(payload, delay);
    payload.clear_extension(&master);
    payload.clear_extension(&reason);
    EXPECT_NE(payload.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE) << std::hex << payload.get_address();
    if (payload.get_response_status() != tlm::TLM_OK_RESPONSE) {
      ++refused;
      EXPECT_EQ(reason.text.find('\n'), std::string::npos);
    }
    if (delay != sc_core::SC_ZERO_TIME) wait(delay);
  }

  void control_register() {
    static const unsigned blocks[] = {BGL_BIC_DCR_BASE, BGL_TREE_DCR_BASE, BGL_TORUS_DCR_BASE};
    const unsigned number = one_in(20) ? static_cast<unsigned>(random_()) : blocks[below(3)] + below(0x80);
    if (one_in(2)) {
      chip_.read_dcr(number);
    } else {
      chip_.write_dcr(number, one_in(2) ? 1u << below(32) : static_cast<std::uint32_t>(random_()));
    }
  }

  /// What a debugger and the report of a run do.
  void look() {
    std::uint8_t data[16] = {};
    std::string reason;
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(address());
    payload.set_data_ptr(data);
    payload.set_data_length(1 + below(16));
    chip_.core(core_).bus->transport_dbg(payload);
    for (const PendingWork& work : chip_.pending_work("here")) {
      EXPECT_NE(work.text.find("here"), std::string::npos) << work.text;
      EXPECT_EQ(work.text.find('\n'), std::string::npos) << work.text;
    }
  }

  BglChip& chip_;
  const unsigned core_;
  std::mt19937_64 random_;
  const std::uint64_t cases_;
};

TEST(Devices, AnswerWhateverIsDoneToThem) {
  const std::uint64_t seed = from_environment("TOROID_FUZZ_SEED", 1);
  const std::uint64_t cases = from_environment("TOROID_FUZZ_CASES", kUsualCases);
  const Topology topology = two_nodes();
  Wheel wheel;
  TorusConfig torus_config = test::shipped_torus();
  auto chip_config = test::shipped<BglChipConfig>();
  chip_config.core.isa = ppc32::make_isa(chip_config.pipeline, chip_config.core.pipeline);
  torus_config.reception_depth = chip_config.torus_fifo.depth;
  TorusNetwork torus(wheel, torus_config, topology, seed);
  TreeNetwork tree(wheel, test::shipped<TreeConfig>(), topology, seed);
  GlobalInterrupts interrupts(wheel, test::shipped<GlobalInterruptConfig>(), tree.topology());
  NetworkClock clock("network_clock", wheel, torus_config.clock_mhz);
  const std::vector<bool> members(tree.topology().nodes(), true);
  tree.set_class(0, tree_reduction_class(tree.topology(), {true, true, false}));
  tree.set_class(1, tree_broadcast_class(tree.topology(), {true, true, false}));
  std::vector<std::unique_ptr<BglChip>> chips;
  std::vector<std::unique_ptr<Master>> masters;
  for (unsigned node = 0; node < kNodes; ++node) {
    const std::string name = "node" + std::to_string(node);
    chips.push_back(std::make_unique<BglChip>(name.c_str(), chip_config, torus, tree, interrupts, node, clock));
    for (unsigned core = 0; core < BglChip::kCores; ++core) {
      const std::string who = "master" + std::to_string(node) + std::to_string(core);
      masters.push_back(std::make_unique<Master>(who.c_str(), *chips.back(), core, seed * 8 + masters.size(), cases));
    }
  }
  interrupts.start();
  const auto all_done = [&] {
    for (const auto& master : masters) {
      if (master->done < cases) return false;
    }
    return true;
  };
  std::uint64_t slices = 0;
  while (!all_done() && ++slices < 1000 * cases) sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
  ASSERT_TRUE(all_done());
  for (const auto& master : masters) {
    EXPECT_GT(master->refused, cases / 10);
    EXPECT_LT(master->refused, cases);
  }
  EXPECT_GT(torus.injected(), 0u);
}

}  // namespace
}  // namespace toroid
