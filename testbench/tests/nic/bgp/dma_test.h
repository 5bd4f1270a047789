// SPDX-License-Identifier: Apache-2.0
//
// What tests of the DMA on one machine share: the machine, which is built once for all of them, and where in a node's
// memory things lie.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "testbench/tests/nic/bgp/dma_bench.h"

namespace toroid::test {

inline constexpr std::uint32_t kRing = 0x1000;         // of descriptors
inline constexpr std::uint32_t kDescriptors = 0x8000;  // that remote gets bring
inline constexpr std::uint32_t kSource = 0x10000;
inline constexpr std::uint32_t kFifo = 0x40000;
inline constexpr std::uint32_t kFifoBytes = 8704;
inline constexpr std::uint32_t kTarget = 0x80000;
inline constexpr std::uint64_t kPage = BGP_DMA_BASE;  // of group 0's registers

inline std::unique_ptr<DmaMachine> machine;

/// Runs all tests of a program on a machine of `shape`.
inline int run_dma_tests(int argc, char* argv[], const std::string& shape) {
  testing::InitGoogleTest(&argc, argv);
  machine = std::make_unique<DmaMachine>("machine", DmaMachine::Options{shape});
  const int result = RUN_ALL_TESTS();
  machine.reset();
  return result;
}

/// The machine as after a reset; a message goes from `from` to `to`.
class DmaTest : public testing::Test {
 protected:
  DmaTest() : from((*machine)[0]), to((*machine)[1]) { machine->reset(); }

  DmaNode& from;
  DmaNode& to;
};

/// Each node has injection FIFO 0, whose packets stay in order, and counters: 0 of injection and 3 of reception.
class DmaOrderedTest : public DmaTest {
 protected:
  DmaOrderedTest() {
    for (const auto& node : machine->nodes) {
      node->open_injection(0, {kRing, 1024});
      node->set_dcr(BGP_DMA_DCR_INJ_FIFO_MAP_OFFSET, 0x80808080u);
      node->open_injection_counter(0, kSource, 0);
      node->open_reception_counter(3, kTarget, 0x40000, 0);
    }
  }
  /// To the other node's memory FIFO 0.
  void send_to_fifo(unsigned packets) { from.inject(0, machine->message(1, 0, 0, 240 * packets, 0, 1, 2)); }
};

}  // namespace toroid::test
