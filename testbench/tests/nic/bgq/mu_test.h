// SPDX-License-Identifier: Apache-2.0
//
// What tests of the Messaging Unit on one machine share: the machine, which is built once for all of them, and where in
// a node's memory things lie.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "testbench/tests/nic/bgq/mu_bench.h"

namespace toroid::test {

inline std::unique_ptr<MuMachine> machine;

/// Runs all tests of a program on a machine.
inline int run_mu_tests(int argc, char* argv[], const MuMachine::Options& options) {
  testing::InitGoogleTest(&argc, argv);
  machine = std::make_unique<MuMachine>("machine", options);
  const int result = RUN_ALL_TESTS();
  machine.reset();
  return result;
}

// Where in a node's memory things lie.
inline constexpr std::uint32_t kRing = 0x1000;
inline constexpr std::uint32_t kGetRing = 0x4000;
inline constexpr std::uint32_t kDescriptors = 0x8000;
inline constexpr std::uint32_t kCounter = 0xC000;
inline constexpr std::uint32_t kSource = 0x10000;
inline constexpr std::uint32_t kFifo = 0x100000;
inline constexpr std::uint32_t kFifoBytes = 0x8000;
inline constexpr std::uint32_t kTarget = 0x200000;

/// The machine as after a reset; each node has injection FIFO 3 (subgroup 0), reception FIFO 5 (subgroup 1), FIFO 12
/// for remote gets (subgroup 1), base address 9 at 0 and 10 at 0 with the operation store-add.
class MuTest : public testing::Test {
 protected:
  MuTest() : from((*machine)[0]), to((*machine)[1]) {
    machine->reset();
    for (const auto& node : machine->nodes) {
      node->open_injection(3, {kRing, 1024});
      node->open_injection(12, {kGetRing, 1024}, true);
      node->open_reception(5, {kFifo, kFifoBytes});
      node->open_base(9, 0);
      node->open_base(10, bgq_atomic_address(0, static_cast<unsigned>(L2Store::add)));
    }
  }

  MuNode& from;
  MuNode& to;
};

}  // namespace toroid::test
