// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "hw/core/memory_path.h"
#include "hw/isa/block_table.h"
#include "hw/isa/power/decoder.h"
#include "hw/memory/big_endian.h"
#include "hw/memory/node_memory.h"
#include "testbench/shipped.h"

namespace toroid {

inline constexpr std::uint32_t kCode = 0x1'0000, kData = 0x10'0000, kBlank = 0x38000000;  // li r0,0

inline std::uint32_t d_form(unsigned primary, unsigned t, unsigned a, int d) {
  return primary << 26 | t << 21 | a << 16 | (static_cast<unsigned>(d) & 0xFFFF);
}
inline std::uint32_t lwz(unsigned t, int d, unsigned a) {
  return d_form(32, t, a, d);
}
inline std::uint32_t stw(unsigned t, int d, unsigned a) {
  return d_form(36, t, a, d);
}
inline std::uint32_t addi(unsigned t, unsigned a, int d) {
  return d_form(14, t, a, d);
}
/// dcbf and the like for the line at r3.
inline std::uint32_t cache(unsigned extended) {
  return 31u << 26 | 3u << 11 | extended << 1;
}

inline NodeMemory& memory() {
  static NodeMemory memory("memory", 64u << 20);
  return memory;
}

/// A path to memory, and blocks made of words.
class Bench {
 public:
  explicit Bench(const MemoryConfig& config = test::shipped<MemoryConfig>(),
                 const MemoryView& view = MemoryView(memory()))
      : path(config, 4, counters), line(config.l1_line) {
    path.set_view(view);
    enter({kBlank});  // the code's line is there
    counters = {};
  }

  /// Executes `words` as a block with r3 as given; returns what it takes beyond hits.
  CoreCycle enter(const std::vector<std::uint32_t>& words, std::uint32_t r3 = kData) {
    std::vector<std::uint8_t> code(4 * words.size());
    for (std::size_t i = 0; i < words.size(); ++i) store_be32(code.data() + 4 * i, words[i]);
    BlockTable table(std::make_unique<power::Decoder>(
                         power::Pipeline(test::shipped<power::PipelineConfig>(), power::Dispatch::two_to_their_pipes),
                         power::Width::narrow, std::vector<CodeSpan>{{code.data(), kCode, code.size()}}),
                     line);
    path.set_program(table);
    const Block& block = table.find(kCode, static_cast<std::uint32_t>(code.size()));
    gpr_[3] = r3;
    const CoreCycle stall = path.enter(block, GeneralRegisters(gpr_.data()), now, CoreCycle{block.cycles});
    now += stall + block.cycles;
    return stall;
  }

  MemoryCounters counters;
  MemoryPath path;
  LineSize line;
  CoreCycle now = 1'000'000;

 private:
  std::array<std::uint32_t, 32> gpr_{};
};

// A block of a lone load and its use: 3 cycles to the use when it hits, 4 in all.
inline const std::vector<std::uint32_t> kLoadAndUse = {lwz(4, 0, 3), addi(5, 4, 1), addi(6, 4, 1), addi(7, 4, 1)};

}  // namespace toroid
