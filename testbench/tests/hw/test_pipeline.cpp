// SPDX-License-Identifier: Apache-2.0
//
// The scoreboard: which instructions go together, and who waits for whom.
#include <gtest/gtest.h>

#include <systemc>

#include "hw/isa/power/pipeline.h"
#include "testbench/shipped.h"

namespace toroid::power {
namespace {

// Instructions, in the assembler's order of operands.
std::uint32_t d_form(unsigned primary, unsigned t, unsigned a, int d) {
  return primary << 26 | t << 21 | a << 16 | (static_cast<unsigned>(d) & 0xFFFF);
}
std::uint32_t x_form(unsigned t, unsigned a, unsigned b, unsigned extended) {
  return 31u << 26 | t << 21 | a << 16 | b << 11 | extended << 1;
}
std::uint32_t addi(unsigned t, unsigned a, int d) {
  return d_form(14, t, a, d);
}
std::uint32_t lwz(unsigned t, int d, unsigned a) {
  return d_form(32, t, a, d);
}
std::uint32_t lwzu(unsigned t, int d, unsigned a) {
  return d_form(33, t, a, d);
}
std::uint32_t stw(unsigned s, int d, unsigned a) {
  return d_form(36, s, a, d);
}
std::uint32_t lmw(unsigned t, int d, unsigned a) {
  return d_form(46, t, a, d);
}
std::uint32_t lfd(unsigned t, int d, unsigned a) {
  return d_form(50, t, a, d);
}
std::uint32_t cmpwi(unsigned a, int d) {
  return d_form(11, 0, a, d);
}
std::uint32_t mullw(unsigned t, unsigned a, unsigned b) {
  return x_form(t, a, b, 235);
}
std::uint32_t divw(unsigned t, unsigned a, unsigned b) {
  return x_form(t, a, b, 491);
}
std::uint32_t lvx(unsigned t, unsigned a, unsigned b) {
  return x_form(t, a, b, 103);
}
std::uint32_t mfcr(unsigned t) {
  return x_form(t, 0, 0, 19);
}
std::uint32_t adde(unsigned t, unsigned a, unsigned b) {
  return x_form(t, a, b, 138);
}
std::uint32_t addc(unsigned t, unsigned a, unsigned b) {
  return x_form(t, a, b, 10);
}
std::uint32_t float_form(unsigned t, unsigned a, unsigned b, unsigned c, unsigned extended) {
  return 63u << 26 | t << 21 | a << 16 | b << 11 | c << 6 | extended << 1;
}
std::uint32_t fadd(unsigned t, unsigned a, unsigned b) {
  return float_form(t, a, b, 0, 21);
}
std::uint32_t fdiv(unsigned t, unsigned a, unsigned b) {
  return float_form(t, a, b, 0, 18);
}
std::uint32_t fmadd(unsigned t, unsigned a, unsigned c, unsigned b) {
  return float_form(t, a, b, c, 29);
}
constexpr std::uint32_t kBne = 0x40820008, kBranch = 0x48000008, kReturn = 0x4E800020, kBctr = 0x4E800420;
constexpr std::uint32_t kBdnz = 0x4200FFF0, kSync = 0x7C0004AC, kMtctr3 = 0x7C6903A6, kMtlr3 = 0x7C6803A6;

Schedule run(const std::vector<std::uint32_t>& words, const PipelineConfig& config = test::shipped<PipelineConfig>(),
             const PipelineState& entry = {}) {
  const Pipeline pipeline(config, Dispatch::two_to_their_pipes);
  std::vector<PipelineInstruction> block;
  for (const std::uint32_t word : words) block.push_back(pipeline.analyse(Instruction(word, Width::narrow)));
  return pipeline.schedule(block, entry);
}

// The cycle in which the last instruction begins.
unsigned last(const std::vector<std::uint32_t>& words) {
  return run(words).issue.back();
}

TEST(Pipeline, DispatchesTwoACycle) {
  EXPECT_EQ(run({addi(3, 4, 1)}).cycles, 1u);
  EXPECT_EQ(run({addi(3, 4, 1), addi(5, 6, 1)}).cycles, 1u);
  EXPECT_EQ(run({addi(3, 4, 1), addi(5, 6, 1), addi(7, 8, 1)}).cycles, 2u);
  EXPECT_EQ(run({addi(3, 4, 1), lwz(5, 0, 6)}).cycles, 1u);  // the addition makes room for the load
  EXPECT_EQ(run({lwz(5, 0, 6), addi(3, 4, 1)}).cycles, 1u);
  EXPECT_EQ(run({lwz(5, 0, 6), lwz(7, 4, 6)}).cycles, 2u);  // one load/store pipe
  EXPECT_EQ(run({stw(5, 0, 6), lwz(7, 4, 6)}).cycles, 2u);
  EXPECT_EQ(run({cmpwi(3, 0), cmpwi(4, 0)}).cycles, 2u);  // one complex integer pipe
  EXPECT_EQ(run({cmpwi(3, 0), lwz(5, 0, 6)}).cycles, 1u);
  EXPECT_EQ(run({fadd(1, 2, 3), fadd(4, 5, 6)}).cycles, 2u);  // one floating-point pipe
  EXPECT_EQ(run({fadd(1, 2, 3), lfd(4, 0, 6)}).cycles, 1u);
}

TEST(Pipeline, FollowsDependences) {
  EXPECT_EQ(last({addi(3, 4, 1), addi(5, 3, 1)}), 1u);
  EXPECT_EQ(last({lwz(3, 0, 4), addi(5, 3, 1)}), 3u);
  EXPECT_EQ(last({lfd(3, 0, 4), fadd(5, 3, 1)}), 4u);
  EXPECT_EQ(last({lvx(3, 0, 4), 0x10000000u | 5 << 21 | 3 << 16 | 1 << 11}), 4u);   // vaddubm v5,v3,v1
  EXPECT_EQ(last({lwz(3, 0, 4), lfd(3, 0, 5), addi(6, 7, 1), fadd(1, 2, 3)}), 5u);  // banks are apart
  EXPECT_EQ(last({mullw(3, 4, 5), addi(5, 3, 1)}), 3u);
  EXPECT_EQ(last({d_form(7, 3, 4, 10), addi(5, 3, 1)}), 2u);  // mulli
  EXPECT_EQ(last({divw(3, 4, 5), addi(5, 3, 1)}), 33u);
  EXPECT_EQ(last({divw(3, 4, 5), mullw(6, 7, 8)}), 33u);  // the divider is the pipe's
  EXPECT_EQ(last({mullw(3, 4, 5), mullw(6, 7, 8)}), 1u);
  EXPECT_EQ(last({fadd(1, 2, 3), fadd(4, 1, 5)}), 5u);
  EXPECT_EQ(last({fadd(1, 2, 3), fmadd(4, 5, 6, 1)}), 5u);
  EXPECT_EQ(last({fadd(1, 2, 3), fmadd(4, 5, 1, 6)}), 5u);
  EXPECT_EQ(last({fdiv(1, 2, 3), fadd(4, 1, 5)}), 30u);
  EXPECT_EQ(last({cmpwi(3, 0), kBne}), 2u);
  EXPECT_EQ(last({cmpwi(3, 0), mfcr(4)}), 2u);
  EXPECT_EQ(last({0x2C830000u, kBne}), 1u);  // cmpwi cr1: another field than the branch's
  EXPECT_EQ(last({addc(3, 4, 5), adde(6, 7, 8)}), 1u);
  EXPECT_EQ(last({kMtctr3, kBctr}), 4u);
  EXPECT_EQ(last({kMtlr3, kReturn}), 4u);
  EXPECT_EQ(last({kMtctr3, kBdnz}), 4u);
  EXPECT_EQ(last({lwzu(3, 4, 4), lwz(5, 0, 4)}), 1u);  // the update does not wait for the load
  EXPECT_EQ(last({lwzu(3, 4, 4), lwz(5, 0, 3)}), 3u);
  EXPECT_EQ(last({addi(3, 4, 1), stw(3, 0, 5)}), 0u);  // a store's data is read a cycle later
  EXPECT_EQ(last({addi(5, 4, 1), stw(3, 0, 5)}), 1u);  // its address is not
  EXPECT_EQ(last({lwz(3, 0, 4), stw(3, 0, 5)}), 2u);
  EXPECT_EQ(last({lmw(29, 0, 4), addi(5, 31, 1)}), 5u);
  EXPECT_EQ(last({lmw(29, 0, 4), lwz(5, 0, 6)}), 3u);
  EXPECT_EQ(last({addi(0, 4, 1), lwz(5, 0, 0)}), 1u - 1u);  // base 0 is no register
}

TEST(Pipeline, WaitsInOnePipeOnly) {
  // The addition waits for the first load in the complex pipe; the second load goes by; the compare has to queue.
  const Schedule schedule = run({lwz(3, 0, 4), addi(5, 3, 1), lwz(6, 4, 4), cmpwi(7, 0)});
  EXPECT_EQ(schedule.issue, (std::vector<std::uint16_t>{0, 3, 1, 4}));
  EXPECT_EQ(schedule.cycles, 5u);
}

TEST(Pipeline, ChargesBranches) {
  EXPECT_EQ(run({kBranch}).cycles, 2u);
  EXPECT_EQ(run({kBne}).cycles, 2u);
  EXPECT_EQ(run({cmpwi(3, 0), kBne}).cycles, 3u);  // predicted: what follows does not wait for the compare
  EXPECT_EQ(run({kMtctr3, kBctr}).cycles, 6u);     // the target is not
  PipelineConfig config = test::shipped<PipelineConfig>();
  config.branch_taken = 3;
  config.branch_conditional = 7;
  EXPECT_EQ(run({kBranch}, config).cycles, 4u);
  EXPECT_EQ(run({kBne}, config).cycles, 8u);
  EXPECT_EQ(run({kReturn}, config).cycles, 4u);
}

TEST(Pipeline, Serialises) {
  EXPECT_EQ(run({lwz(3, 0, 4), kSync, addi(5, 6, 1)}).issue, (std::vector<std::uint16_t>{0, 3, 8}));
  EXPECT_TRUE(run({lwz(3, 0, 4), kSync}).exit.settled());
}

TEST(Pipeline, TellsWhenALoadIsUsed) {
  const Schedule schedule = run({lwz(3, 0, 4), lwz(5, 4, 4), lwz(6, 8, 4), addi(6, 7, 1), addi(8, 5, 1)});
  EXPECT_EQ(schedule.use[0], schedule.cycles);  // not in the block
  EXPECT_EQ(schedule.use[1], schedule.issue[4]);
  EXPECT_EQ(schedule.use[2], schedule.cycles);  // overwritten
}

TEST(Pipeline, HandsOnWhatIsOwed) {
  const PipelineState owed = run({addi(7, 5, 1), lwz(3, 0, 4)}).exit;
  EXPECT_FALSE(owed.settled());
  EXPECT_EQ(run({addi(5, 3, 1)}, {}, owed).issue[0], 2u);
  EXPECT_EQ(run({addi(5, 6, 1)}, {}, owed).issue[0], 0u);
  EXPECT_TRUE(run({addi(4, 5, 1)}).exit.settled());
}

}  // namespace
}  // namespace toroid::power
