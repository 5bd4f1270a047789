// SPDX-License-Identifier: Apache-2.0
//
// What lies behind a first level: prefetch buffers, levels before memory, victim levels.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <systemc>
#include <vector>

#include "hw/core/memory_path.h"
#include "hw/core/outer_levels.h"
#include "memory_bench.h"
#include "testbench/shipped.h"

namespace toroid {
namespace {

constexpr std::uint32_t kLine = 64, kKibibyte = 1024;
constexpr unsigned kUse = 3;  // cycles of a load that hits

/// 1, 4 and 16 KiB, each of its own.
MemoryConfig victims() {
  MemoryConfig config = test::shipped<MemoryConfig>();
  config.levels = MemoryConfig::Levels::victim;
  config.l1_bytes = kKibibyte;
  config.l1_line = kLine;
  config.l1_ways = config.l1_code_ways = 2;
  config.load_misses = config.line_fills = 8;
  config.second_bytes = 4 * kKibibyte;
  config.second_ways = 4;
  config.second_latency = 16;
  config.prefetch_bytes = 0;
  config.last_bytes = 16 * kKibibyte;
  config.last_ways = 4;
  config.last_latency = 57;
  config.probe_filter_bytes = 0;
  config.memory_latency = 137;
  config.memory_line_cycles = 14;
  config.write_back_cycles = 14;
  return config;
}

/// As those of Blue Gene/Q, with a second level of 64 KiB.
MemoryConfig a2() {
  MemoryConfig config = test::shipped<MemoryConfig>();
  config.levels = MemoryConfig::Levels::l1p_prefetch;
  config.l1_bytes = 16 * kKibibyte;
  config.l1_line = kLine;
  config.l1_ways = 8;
  config.l1_code_ways = 4;
  config.l1_writes = MemoryConfig::Writes::through;
  config.outer_line = 2 * kLine;
  config.prefetch_bytes = 4 * kKibibyte;
  config.prefetch_latency = 24;
  config.prefetch_streams = 16;
  config.prefetch_depth = 3;
  config.prefetch_line_cycles = 8;
  config.last_bytes = 64 * kKibibyte;
  config.last_ways = 16;
  config.last_latency = 82;
  config.memory_latency = 400;
  config.memory_line_cycles = 7;
  return config;
}

/// Loads a line of each `stride` bytes of `bytes`.
CoreCycle load_all(Bench& bench, std::uint32_t bytes, std::uint32_t stride = kLine, std::uint32_t from = kData) {
  CoreCycle stalls{0};
  for (std::uint32_t at = 0; at < bytes; at += stride) {
    bench.now += 1000;  // what is under way has come
    stalls += bench.enter(kLoadAndUse, from + at);
  }
  return stalls;
}

TEST(VictimLevels, AnswerWithTheirLatencies) {
  Bench bench(victims());
  EXPECT_EQ(bench.enter(kLoadAndUse), 137u - kUse);
  EXPECT_EQ(bench.enter(kLoadAndUse, kData + kLine - 4), 0u);
  load_all(bench, 2 * 512, 512, kData + 512);  // the set's two ways
  EXPECT_EQ(bench.enter(kLoadAndUse), 16u - kUse);
  EXPECT_EQ(bench.counters.second_hits, 1u);
  // Four lines more of the second level's set, of the last level's as well: the first one falls into the last level.
  load_all(bench, 7 * 1024, 1024, kData + 1024);
  EXPECT_EQ(bench.enter(kLoadAndUse), 57u - kUse);
  EXPECT_EQ(bench.counters.last_hits, 1u);
}

TEST(VictimLevels, HoldALineOnlyOnce) {
  Bench bench(victims());
  // What first and second level hold together.
  load_all(bench, 5 * kKibibyte);
  EXPECT_EQ(bench.counters.memory_reads, 80u);
  for (unsigned turn = 0; turn < 3; ++turn) load_all(bench, 5 * kKibibyte);
  EXPECT_EQ(bench.counters.memory_reads, 80u);
  EXPECT_EQ(bench.counters.last_hits, 0u);
  EXPECT_EQ(bench.counters.second_hits, 3 * 80u);
  // And with the last one: five lines a set of it, one of which is in the levels before.
  Bench more(victims());
  for (unsigned turn = 0; turn < 4; ++turn) load_all(more, 20 * kKibibyte);
  EXPECT_EQ(more.counters.memory_reads, 320u);
  EXPECT_EQ(more.counters.last_hits, 3 * 320u);
}

TEST(VictimLevels, MoveDirtyLines) {
  Bench bench(victims());
  for (std::uint32_t at = 0; at < 20 * kKibibyte; at += kLine) bench.enter({stw(4, 0, 3)}, kData + at);
  for (unsigned turn = 0; turn < 2; ++turn) load_all(bench, 20 * kKibibyte);
  EXPECT_EQ(bench.counters.memory_reads, 320u);
  EXPECT_EQ(bench.counters.memory_writes, 0u);
  load_all(bench, 64 * kKibibyte, kLine, kData + (1u << 20));
  EXPECT_EQ(bench.counters.memory_writes, 320u);  // each once
  load_all(bench, 64 * kKibibyte, kLine, kData + (2u << 20));
  EXPECT_EQ(bench.counters.memory_writes, 320u);  // the rest was clean
}

/// Random loads and stores of what the levels hold together: read once, and written back once, by flushes.
TEST(VictimLevels, LoseNoLine) {
  std::mt19937 random(3);
  Bench bench(victims());
  std::set<std::uint32_t> touched, stored;
  for (unsigned step = 0; step < 20'000; ++step) {
    const std::uint32_t at = kData + random() % 256 * kLine;  // four lines a set of the last level
    const bool store = random() % 3 == 0;
    bench.enter({store ? stw(4, 4, 3) : lwz(4, 4, 3)}, at);
    touched.insert(at);
    if (store) stored.insert(at);
  }
  EXPECT_EQ(bench.counters.memory_reads, touched.size());
  EXPECT_EQ(bench.counters.memory_writes, 0u);
  for (std::uint32_t line = 0; line < 256; ++line) {
    EXPECT_TRUE(bench.path.holds(kData + line * kLine, 1));
    bench.enter({cache(86)}, kData + line * kLine);  // dcbf
    EXPECT_FALSE(bench.path.holds(kData + line * kLine, 1));
  }
  EXPECT_EQ(bench.counters.memory_writes, stored.size());
}

TEST(VictimLevels, LeaveCopiesOfCodeInTheLastLevel) {
  for (const auto use : {OuterLevels::Use::data, OuterLevels::Use::code}) {
    MemoryCounters counters;
    OuterLevels levels(victims(), counters);
    for (std::uint32_t line = 0; line < 5; ++line) levels.put(kData + line * 1024, false, 0);  // a set, and one more
    EXPECT_EQ(levels.read(kData, use, 1000).ready, 1057u);
    EXPECT_EQ(levels.read(kData, use, 2000).ready, use == OuterLevels::Use::code ? 2057u : 2137u);
  }
}

TEST(VictimLevels, LetALineGoThatIsReadOrMade) {
  MemoryCounters counters;
  OuterLevels levels(victims(), counters);
  levels.put(kData, true, 0);
  const OuterLevels::Line found = levels.read(kData, OuterLevels::Use::data, 1000);
  EXPECT_EQ(found.ready, 1016u);
  EXPECT_TRUE(found.dirty);
  EXPECT_FALSE(levels.holds(kData, kLine));
  for (std::uint32_t line = 0; line < 5; ++line) levels.put(kData + line * 1024, true, 0);  // the first into the last
  EXPECT_TRUE(levels.read(kData, OuterLevels::Use::data, 1000).dirty);
  EXPECT_FALSE(levels.holds(kData, kLine));
  for (std::uint32_t line = 0; line < 6; ++line) {
    levels.put(kData + line * 1024, true, 0);
    levels.drop(kData + line * 1024);
    EXPECT_FALSE(levels.holds(kData + line * 1024, kLine));
  }
}

TEST(VictimLevels, FillVacantPlacesFirst) {
  MemoryCounters counters;
  OuterLevels levels(victims(), counters);
  for (std::uint32_t line = 0; line < 4; ++line) levels.put(kData + line * 1024, false, 0);  // a set
  levels.read(kData + 2 * 1024, OuterLevels::Use::data, 1000);
  levels.put(kData + 4 * 1024, false, 1000);
  EXPECT_EQ(levels.read(kData, OuterLevels::Use::data, 2000).ready, 2016u);
}

TEST(VictimLevels, LoseWhatABusMasterWrites) {
  Bench bench(victims());
  load_all(bench, 20 * kKibibyte);
  bench.path.invalidate(kData, 20 * kKibibyte);
  EXPECT_FALSE(bench.path.holds(kData, 20 * kKibibyte));
  load_all(bench, 20 * kKibibyte);
  EXPECT_EQ(bench.counters.memory_reads, 640u);
}

TEST(VictimLevels, MakeALineWithoutReadingItOnlyOnce) {
  Bench bench(victims());
  bench.enter({stw(4, 0, 3)});
  load_all(bench, 2 * 512, 512, kData + 512);  // the line is in the second level
  bench.enter({cache(1014)});                  // dcbz
  bench.enter({cache(86)});                    // dcbf
  EXPECT_EQ(bench.counters.memory_writes, 1u);
  EXPECT_FALSE(bench.path.holds(kData, kLine));
}

TEST(VictimLevels, PrefetchIntoABufferOfTheirOwn) {
  MemoryConfig config = victims();
  config.prefetch_bytes = 2 * kKibibyte;
  config.prefetch_latency = 16;
  config.prefetch_streams = 8;
  config.prefetch_depth = 3;
  config.prefetch_line_cycles = 8;
  Bench bench(config);
  const CoreCycle stalls = load_all(bench, 1u << 20);
  EXPECT_EQ(bench.counters.prefetch_streams, 1u);
  EXPECT_EQ(bench.counters.prefetch_hits, (1u << 20) / kLine - 2);
  EXPECT_EQ(stalls, CoreCycle{2 * (137 - kUse) + bench.counters.prefetch_hits * (16 - kUse)});
  // A line that has been used is in the first level alone.
  bench.enter({cache(86)}, kData + (1u << 20) - kLine);
  EXPECT_FALSE(bench.path.holds(kData + (1u << 20) - kLine, kLine));
}

TEST(VictimLevels, TakeMemorysTimeForEachLine) {
  MemoryConfig config = victims();
  for (const unsigned sharers : {1u, 6u}) {
    MemoryConfig share = config;
    share.share(sharers);
    share.last_ways = 4;
    Bench bench(share);
    // Eight lines at once: the last one waits for seven before it.
    std::vector<std::uint32_t> loads;
    for (unsigned i = 0; i < 8; ++i) loads.push_back(lwz(4 + i, static_cast<int>(i * 0x1000), 3));
    const CoreCycle stall = bench.enter(loads);
    EXPECT_GE(stall, CoreCycle{7 * 14 * sharers + 137 - 8});
    EXPECT_LE(stall, CoreCycle{7 * 14 * sharers + 137});
  }
}

TEST(VictimLevels, ShareTheLastLevelByWays) {
  MemoryConfig config = victims();
  config.last_bytes = 6144 * kKibibyte;
  config.last_ways = 48;
  EXPECT_NO_THROW(config.validate());
  EXPECT_EQ(config.last_usable_ways(), 48u);
  config.probe_filter_bytes = 1024 * kKibibyte;
  EXPECT_NO_THROW(config.validate());
  EXPECT_EQ(config.last_usable_ways(), 40u);
  EXPECT_EQ(config.last_lines(), 5120 * kKibibyte / kLine);
  config.share(6);
  EXPECT_EQ(config.last_usable_ways(), 6u);
  EXPECT_EQ(config.last_lines(), 6 * 128 * kKibibyte / kLine);
  EXPECT_EQ(config.memory_line_cycles, 6 * 14u);
  for (const std::uint32_t probe_filter : {100 * kKibibyte, 6144 * kKibibyte}) {
    config.probe_filter_bytes = probe_filter;
    EXPECT_THROW(config.validate(), std::invalid_argument);
  }
  config = victims();
  config.last_ways = 3;
  EXPECT_THROW(config.validate(), std::invalid_argument);
  config = victims();
  config.second_bytes = 3 * kKibibyte;
  EXPECT_THROW(config.validate(), std::invalid_argument);
}

TEST(PrefetchingL1, AnswersTheOtherHalfOfALine) {
  Bench bench(a2());
  EXPECT_EQ(bench.enter(kLoadAndUse), 400u - kUse);
  EXPECT_EQ(bench.enter(kLoadAndUse, kData + kLine), 24u - kUse);
  // Lines of its set of the first level, and more than the prefetch buffer has; the second level keeps it.
  load_all(bench, 31 * 2048, 2048, kData + 2048);
  load_all(bench, 2 * 4096, 4096, kData + 512);
  EXPECT_EQ(bench.enter(kLoadAndUse), 82u - kUse);
  EXPECT_EQ(bench.counters.prefetch_hits, 1u);
  EXPECT_EQ(bench.counters.last_hits, 1u);
}

TEST(PrefetchingL1, FollowsStreamsAsFarAsMemoryLets) {
  constexpr std::uint32_t kBytes = 1u << 20;
  const auto rate = [](const MemoryConfig& config) {
    Bench bench(config);
    const CoreCycle begin = bench.now;
    for (std::uint32_t at = 0; at < kBytes; at += 2 * kLine)
      bench.enter({lwz(4, 0, 3), lwz(5, 64, 3), addi(6, 5, 1)}, kData + at);
    return static_cast<double>(kBytes) / static_cast<double>((bench.now - begin).count());
  };
  MemoryConfig config = a2();
  // Three lines under way beside the one that is asked for.
  EXPECT_NEAR(rate(config), 4 * 128 / 400.0, 0.02);
  config.prefetch_depth = 1;
  EXPECT_NEAR(rate(config), 2 * 128 / 400.0, 0.01);
  config = a2();
  config.share(2);
  EXPECT_EQ(config.last_bytes, 32 * kKibibyte);
  EXPECT_EQ(config.memory_line_cycles, 14u);
  config.memory_line_cycles = 448;  // as 64 processes share it
  EXPECT_NEAR(rate(config), 128 / 448.0, 0.01);
}

TEST(PrefetchingL1, KeepsTheLastLevelWhenABusMasterWrites) {
  Bench bench(a2());
  bench.enter(kLoadAndUse);
  bench.path.invalidate(kData, kLine);
  EXPECT_FALSE(bench.path.holds(kData, kLine));
  EXPECT_EQ(bench.enter(kLoadAndUse), 82u - kUse);
}

TEST(PrefetchingL1, LetsStoresPass) {
  Bench bench(a2());
  EXPECT_EQ(bench.enter({stw(4, 0, 3)}), 0u);
  EXPECT_FALSE(bench.path.holds(kData, kLine));
  EXPECT_EQ(bench.counters.l1_misses, 0u);
  EXPECT_EQ(bench.counters.write_backs, 0u);
}

/// Stores to each line of 128 bytes; returns the cycles of a line.
double store_all(Bench& bench, std::uint32_t from, std::uint32_t bytes, std::uint32_t how = stw(4, 0, 3)) {
  const CoreCycle begin = bench.now;
  for (std::uint32_t at = 0; at < bytes; at += 2 * kLine) bench.enter({how}, from + at);
  return static_cast<double>((bench.now - begin).count()) / (bytes / (2 * kLine));
}

TEST(StoresThatPass, TakeMemorysTime) {
  for (const double line_cycles : {5.5, 20.0}) {
    MemoryConfig config = a2();
    config.memory_line_cycles = line_cycles;
    Bench bench(config);
    EXPECT_NEAR(store_all(bench, kData, 64 * kKibibyte), line_cycles, 0.3);  // each line is fetched,
    EXPECT_EQ(bench.counters.memory_writes, 0u);
    EXPECT_NEAR(store_all(bench, kData + 64 * kKibibyte, 128 * kKibibyte), 2 * line_cycles, 0.3);  // another written
    EXPECT_EQ(bench.counters.memory_reads, 192u * 8);
    EXPECT_EQ(bench.counters.memory_writes, 128u * 8);
    EXPECT_EQ(bench.counters.l1_hits + bench.counters.l1_misses, 0u);
    // Lines that dcbz makes are not fetched, and wait for those that are written all the same.
    EXPECT_NEAR(store_all(bench, kData + 192 * kKibibyte, 64 * kKibibyte, cache(1014)), line_cycles, 0.3);
    EXPECT_EQ(bench.counters.memory_reads, 192u * 8);
  }
}

TEST(StoresThatPass, WaitOnlyForThoseThatMemoryHasNotTakenUp) {
  MemoryConfig config = a2();
  config.memory_line_cycles = 100;
  config.line_fills = 3;
  Bench bench(config);
  const CoreCycle begin = bench.now;
  for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(bench.enter({stw(4, 0, 3)}, kData + 4096 * i), 0u);
  EXPECT_GT(bench.enter({stw(4, 0, 3)}, kData + 4096 * 4), 0u);  // until memory is free for the second
  EXPECT_NEAR(static_cast<double>((bench.now - begin).count()), 100, 3);
  // Memory has five lines to read before it reads what a load waits for.
  EXPECT_NEAR(static_cast<double>(bench.enter(kLoadAndUse, kData + 4096 * 5).count()), 400 + 400 - kUse, 5);
}

TEST(StoresThatPass, CostNothingWhereTheLineIsDirtyBehind) {
  Bench bench(a2());
  bench.enter({stw(4, 0, 3)});
  const std::uint64_t changes = bench.path.changes();
  EXPECT_EQ(bench.enter({stw(4, 8, 3), stw(4, 64, 3)}), 0u);  // its second half, too
  EXPECT_EQ(bench.path.changes(), changes);
  EXPECT_EQ(bench.enter(kLoadAndUse), 82u - kUse);
  const std::uint64_t loaded = bench.path.changes();
  bench.enter({stw(4, 0, 3)});
  EXPECT_EQ(bench.path.changes(), loaded);
  EXPECT_EQ(bench.enter(kLoadAndUse), 0u);
  EXPECT_EQ(bench.counters.memory_reads, 1u);
  bench.enter({cache(1014)}, kData + 4096);  // dcbz
  EXPECT_EQ(bench.counters.memory_reads, 1u);
  bench.enter({stw(4, 0, 3)}, kData + 4096);
  EXPECT_EQ(bench.counters.memory_reads, 1u);
}

TEST(StoresThatPass, FetchALineAgainThatHasLeft) {
  Bench bench(a2());
  for (std::uint32_t way = 0; way <= 16; ++way) bench.enter({stw(4, 0, 3), stw(4, 64, 3)}, kData + 4096 * way);
  EXPECT_EQ(bench.counters.memory_reads, 17u);
  EXPECT_EQ(bench.counters.memory_writes, 1u);
  bench.enter({stw(4, 64, 3)});
  EXPECT_EQ(bench.counters.memory_reads, 18u);
  bench.enter({stw(4, 0, 3)});
  EXPECT_EQ(bench.counters.memory_reads, 18u);
}

TEST(MemoryCounters, AreNamedByTheLevels) {
  const auto name_of = [](MemoryConfig::Levels levels, std::uint64_t MemoryCounters::*value) -> std::string {
    for (const auto& counter : MemoryCounters::of(levels)) {
      if (counter.value == value) return counter.name == nullptr ? "" : counter.name;
    }
    return "?";
  };
  using Levels = MemoryConfig::Levels;
  EXPECT_EQ(name_of(Levels::l2_prefetch, &MemoryCounters::second_hits), "");
  EXPECT_EQ(name_of(Levels::l2_prefetch, &MemoryCounters::prefetch_hits), "l2_hits");
  EXPECT_EQ(name_of(Levels::l2_prefetch, &MemoryCounters::last_hits), "l3_hits");
  EXPECT_EQ(name_of(Levels::l1p_prefetch, &MemoryCounters::prefetch_hits), "l1p_hits");
  EXPECT_EQ(name_of(Levels::l1p_prefetch, &MemoryCounters::last_hits), "l2_hits");
  EXPECT_EQ(name_of(Levels::victim, &MemoryCounters::second_hits), "l2_hits");
  EXPECT_EQ(name_of(Levels::victim, &MemoryCounters::last_hits), "l3_hits");
}

}  // namespace
}  // namespace toroid
