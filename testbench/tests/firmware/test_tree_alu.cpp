// SPDX-License-Identifier: Apache-2.0
// Software's copy of the tree's ALU against the network's own.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>

#include "firmware/tree/stream.h"
#include "torus/tree/alu.h"

namespace {

using Packet = std::array<std::uint32_t, TREE_PAYLOAD_BYTES / 4>;

// The core is big-endian.
toroid::TreeData on_wire(const Packet& packet) {
  toroid::TreeData data{};
  for (std::size_t i = 0; i < data.bytes.size(); ++i) {
    data.bytes[i] = static_cast<std::uint8_t>(packet[i / 4] >> (24 - 8 * (i % 4)));
  }
  return data;
}

TEST(TreeAlu, SoftwareDoesWhatTheNetworkDoes) {
  std::mt19937 random(1);
  for (unsigned round = 0; round < 200; ++round) {
    for (const unsigned opcode : {TREE_OR, TREE_AND, TREE_XOR, TREE_MAX, TREE_ADD}) {
      for (const unsigned words : {1u, 2u, 4u, 6u, 128u}) {
        Packet a, b;
        for (std::uint32_t& word : a) word = static_cast<std::uint32_t>(random());
        b = a;  // equal words, and carries through many
        for (std::uint32_t& word : b) {
          const auto draw = random() % 3;
          word = draw == 0 ? static_cast<std::uint32_t>(random()) : draw == 1 ? ~word : word;
        }
        toroid::TreeData expected = on_wire(a);
        toroid::tree_combine(static_cast<toroid::TreeOpcode>(opcode), words, expected, on_wire(b));
        ::tree_combine(opcode, words, a.data(), b.data());
        ASSERT_EQ(on_wire(a).bytes, expected.bytes) << "opcode " << opcode << ", operands of " << words;
      }
    }
  }
}

}  // namespace
