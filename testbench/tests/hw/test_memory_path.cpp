// SPDX-License-Identifier: Apache-2.0
//
// Caches: what a block's accesses cost, and what they leave behind.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <systemc>
#include <utility>
#include <vector>

#include "hw/core/foreign_writes.h"
#include "hw/core/memory_path.h"
#include "hw/isa/block_table.h"
#include "hw/isa/power/decoder.h"
#include "hw/memory/big_endian.h"
#include "hw/memory/node_memory.h"
#include "memory_bench.h"
#include "testbench/shipped.h"

namespace toroid {
namespace {

TEST(MemoryPath, ChargesLevelsByTheirLatency) {
  Bench bench;
  EXPECT_EQ(bench.enter(kLoadAndUse), 86u - 3u);              // main memory
  EXPECT_EQ(bench.enter(kLoadAndUse), 0u);                    // L1
  EXPECT_EQ(bench.enter(kLoadAndUse, kData + 28), 0u);        // the same line
  EXPECT_EQ(bench.enter(kLoadAndUse, kData + 32), 11u - 3u);  // the other lines of 128 bytes are in L2
  EXPECT_EQ(bench.counters.l1_hits, 2u);
  EXPECT_EQ(bench.counters.l1_misses, 2u);
  EXPECT_EQ(bench.counters.prefetch_hits, 1u);
  EXPECT_EQ(bench.counters.memory_reads, 1u);
  // 16 lines elsewhere displace it from L2; the line itself, asked for again, comes from L3.
  for (std::uint32_t i = 1; i <= 16; ++i) bench.enter(kLoadAndUse, kData + i * 0x1000);
  EXPECT_EQ(bench.enter(kLoadAndUse, kData + 64), 35u - 3u);
  EXPECT_EQ(bench.counters.last_hits, 1u);
}

TEST(MemoryPath, WaitsAtTheUseOrTheBlocksEnd) {
  Bench bench;
  std::vector<std::uint32_t> late = {lwz(4, 0, 3)};
  for (int i = 0; i < 40; ++i) late.push_back(addi(5, 5, 1));  // a chain: a cycle each, the use beside the last
  late.push_back(addi(6, 4, 1));
  bench.enter(late, kData + 0x2000);  // brings in the code
  EXPECT_EQ(bench.enter(late), 86u - 39u);
  EXPECT_EQ(bench.enter({lwz(4, 0, 3)}, kData + 0x1000), 86u - 1u);  // the block is over
}

TEST(MemoryPath, OverlapsMisses) {
  Bench bench;
  EXPECT_EQ(bench.enter({lwz(4, 0, 3), lwz(5, 0x1000, 3), lwz(6, 0x2000, 3)}), 86u + 2u - 3u);
  // Three line fills: a fourth line waits for the first.
  EXPECT_EQ(bench.enter({lwz(4, 0x3000, 3), lwz(5, 0x4000, 3), lwz(6, 0x5000, 3), lwz(7, 0x6000, 3)}), 86u + 86u - 4u);
}

TEST(MemoryPath, LetsStoresGoOn) {
  Bench bench;
  EXPECT_EQ(bench.enter({stw(4, 0, 3)}), 0u);
  EXPECT_EQ(bench.counters.l1_misses, 1u);
  EXPECT_EQ(bench.enter({lwz(4, 0, 3), addi(5, 4, 1)}), 0u);
  // But not when all fills are under way.
  EXPECT_GT(bench.enter({stw(4, 0x1000, 3), stw(4, 0x2000, 3), stw(4, 0x3000, 3)}), 0u);
}

TEST(MemoryPath, ReadsAheadOfStreams) {
  Bench bench;
  const std::uint32_t lines = 4096;
  const CoreCycle begin = bench.now;
  for (std::uint32_t i = 0; i < lines; i += 4)
    bench.enter({lwz(4, 0, 3), lwz(5, 32, 3), lwz(6, 64, 3), lwz(7, 96, 3)}, kData + 32 * i);
  const double rate = 32.0 * lines / static_cast<double>(bench.now - begin);
  EXPECT_NEAR(rate, 128.0 / 30, 0.05);  // the engine's rate
  EXPECT_EQ(bench.counters.prefetch_streams, 1u);
  EXPECT_EQ(bench.counters.prefetches, lines / 4);
}

TEST(MemoryPath, ReplacesInTurnAndWritesBack) {
  Bench bench;
  const std::uint32_t set = 512;  // bytes from a line to the next in its set
  bench.enter({stw(4, 0, 3)});
  for (std::uint32_t i = 1; i < 64; ++i) bench.enter(kLoadAndUse, kData + i * set);
  EXPECT_EQ(bench.enter(kLoadAndUse), 0u);  // the set is just full; the hit does not save the line
  EXPECT_EQ(bench.counters.write_backs, 0u);
  bench.enter(kLoadAndUse, kData + 64 * set);
  EXPECT_EQ(bench.counters.write_backs, 1u);
  EXPECT_EQ(bench.enter(kLoadAndUse, kData + set), 0u);  // the second oldest is still there
  EXPECT_GT(bench.enter(kLoadAndUse), 0u);
}

TEST(MemoryPath, FollowsCacheInstructions) {
  Bench bench;
  EXPECT_EQ(bench.enter({cache(1014)}), 0u);  // dcbz: allocates without a fetch
  EXPECT_EQ(bench.enter(kLoadAndUse), 0u);
  EXPECT_EQ(bench.counters.l1_misses, 0u);
  bench.enter({cache(54)});  // dcbst: written back, still there
  EXPECT_EQ(bench.counters.write_backs, 1u);
  EXPECT_EQ(bench.enter(kLoadAndUse), 0u);
  bench.enter({cache(54)});  // clean: nothing to do
  EXPECT_EQ(bench.counters.write_backs, 1u);
  bench.enter({stw(4, 0, 3), cache(86)});  // dcbf
  EXPECT_EQ(bench.counters.write_backs, 2u);
  EXPECT_EQ(bench.enter(kLoadAndUse), 35u - 3u);
  EXPECT_EQ(bench.enter({cache(278)}, kData + 0x1000), 0u);  // dcbt does not wait
  EXPECT_EQ(bench.enter(kLoadAndUse, kData + 0x1000), 0u);
}

TEST(MemoryPath, FlushesAllData) {
  Bench bench;
  for (std::uint32_t i = 0; i < 10; ++i) bench.enter({stw(4, 0, 3)}, kData + 32 * i);
  EXPECT_EQ(bench.path.flush_data(bench.now), 1024u * 4u);
  EXPECT_EQ(bench.counters.write_backs, 10u);
  EXPECT_GT(bench.enter(kLoadAndUse), 0u);
}

TEST(MemoryPath, FetchesCode) {
  MemoryCounters counters;
  MemoryPath path(test::shipped<MemoryConfig>(), 4, counters);
  const MemoryView view(memory());
  path.set_view(view);
  const std::vector<std::uint8_t> code(256);
  BlockTable table(std::make_unique<power::Decoder>(
                       power::Pipeline(test::shipped<power::PipelineConfig>(), power::Dispatch::two_to_their_pipes),
                       power::Width::narrow, std::vector<CodeSpan>{{code.data(), kCode, 256}}),
                   LineSize(32));
  path.set_program(table);
  const std::array<std::uint32_t, 32> gpr{};
  EXPECT_EQ(path.enter(table.find(kCode + 16, 32), GeneralRegisters(gpr.data()), 1000, 10), 86u + 11u);  // two lines
  EXPECT_EQ(path.enter(table.find(kCode, 64), GeneralRegisters(gpr.data()), 2000, 10), 0u);
  EXPECT_EQ(counters.l1_code_misses, 2u);
}

TEST(MemoryPath, CountsChangesOnly) {
  Bench bench;
  bench.enter({stw(4, 0, 3), lwz(5, 0x1000, 3)});
  const std::uint64_t changes = bench.path.changes();
  bench.enter({stw(4, 4, 3), lwz(5, 0x1004, 3), lwz(6, 0, 3), cache(278)});
  EXPECT_EQ(bench.path.changes(), changes);
  bench.enter({stw(4, 0x1000, 3)});  // a clean line becomes dirty
  EXPECT_EQ(bench.path.changes(), changes + 1);
  bench.enter({lwz(4, 0x2000, 3)});
  EXPECT_EQ(bench.path.changes(), changes + 2);
}

TEST(MemoryPath, HasLinesOfTheDescriptionsSize) {
  for (const std::uint32_t bytes : {32u, 64u, 128u}) {
    SCOPED_TRACE(bytes);
    MemoryConfig config = test::shipped<MemoryConfig>();
    config.l1_line = bytes;
    EXPECT_NO_THROW(config.validate());
    Bench bench(config);
    EXPECT_EQ(bench.enter(kLoadAndUse), 86u - 3u);
    EXPECT_EQ(bench.enter(kLoadAndUse, kData + bytes - 4), 0u);
    EXPECT_EQ(bench.enter(kLoadAndUse, kData + bytes), bytes == 128 ? 86u - 3u : 11u - 3u);
    EXPECT_EQ(bench.enter({lwz(4, -2, 3), addi(5, 4, 1)}, kData + bytes), 0u);  // in both lines
    EXPECT_EQ(bench.counters.l1_misses, 2u);
    bench.enter(kLoadAndUse, kData + 0x10'0000 - 2);  // across a boundary, neither line there
    EXPECT_EQ(bench.counters.l1_misses, 4u);
    // Sixty-four ways of the set, then the first one is gone.
    const std::uint32_t set = config.l1_bytes / config.l1_ways;
    for (std::uint32_t i = 1; i <= 64; ++i) bench.enter(kLoadAndUse, kData + i * set);
    EXPECT_GT(bench.enter(kLoadAndUse), 0u);
    EXPECT_EQ(bench.path.flush_data(bench.now), (32u << 10) / bytes * 4);
    bench.enter({stw(4, 0, 3)}, kData);
    EXPECT_TRUE(bench.path.holds(kData + bytes - 1, 1));
    bench.path.invalidate(kData + bytes - 1, 1);
    EXPECT_FALSE(bench.path.holds(kData, 4));
  }
}

TEST(MemoryPath, HasOuterLinesOfTheDescriptionsSize) {
  for (const std::uint32_t bytes : {32u, 64u, 128u}) {
    SCOPED_TRACE(bytes);
    MemoryConfig config = test::shipped<MemoryConfig>();
    config.outer_line = bytes;
    EXPECT_NO_THROW(config.validate());
    Bench bench(config);
    bench.enter(kLoadAndUse);
    EXPECT_EQ(bench.enter(kLoadAndUse, kData + bytes - 4), bytes == 32 ? 0u : 11u - 3u);
    EXPECT_EQ(bench.enter(kLoadAndUse, kData + bytes), 86u - 3u);
    EXPECT_EQ(bench.counters.memory_reads, 4u);  // two of them ahead of the stream
  }
}

TEST(MemoryPath, HasItsOwnWaysOfCode) {
  for (const unsigned ways : {1u, 4u}) {
    MemoryConfig config = test::shipped<MemoryConfig>();
    config.l1_bytes = 1024;
    config.l1_line = 64;
    config.l1_ways = 8;
    config.l1_code_ways = ways;
    EXPECT_NO_THROW(config.validate());
    MemoryCounters counters;
    MemoryPath path(config, 4, counters);
    path.set_view(MemoryView(memory()));
    const std::vector<std::uint8_t> code(4096);
    BlockTable table(std::make_unique<power::Decoder>(
                         power::Pipeline(test::shipped<power::PipelineConfig>(), power::Dispatch::two_to_their_pipes),
                         power::Width::narrow, std::vector<CodeSpan>{{code.data(), kCode, 4096}}),
                     LineSize(64));
    path.set_program(table);
    const std::array<std::uint32_t, 32> gpr{};
    for (unsigned turn = 0; turn < 2; ++turn) {
      for (std::uint32_t block = 0; block < 4; ++block)  // four lines of one set
        path.enter(table.find(kCode + block * 1024, 4), GeneralRegisters(gpr.data()), CoreCycle{1000 * turn}, 1);
    }
    EXPECT_EQ(counters.l1_code_misses, ways == 1 ? 8u : 4u);
  }
}

TEST(MemoryPath, LeavesDevicesAlone) {
  Bench bench;
  EXPECT_EQ(bench.enter({lwz(4, 0, 3)}, 0xB114'0000), 0u);
  EXPECT_EQ(bench.counters.uncached, 1u);
  EXPECT_EQ(bench.counters.l1_hits, 0u);
}

TEST(MemoryPath, TellsViewsOfOneMemoryApart) {
  Bench bench;
  bench.enter(kLoadAndUse);
  const MemoryView other(memory(), 0, 32u << 20, 16u << 20);
  bench.path.set_view(other);
  EXPECT_GT(bench.enter(kLoadAndUse), 0u);  // other memory at the same address
  const MemoryView back(memory(), 0, 0, 16u << 20);
  bench.path.set_view(back);
  EXPECT_EQ(bench.enter(kLoadAndUse), 0u);  // caches hold physical lines
}

/// Loads, stores and cache instructions in random order, with `lines` of data under the one at r3.
std::vector<std::uint32_t> random_block(std::mt19937& random, int lines) {
  std::vector<std::uint32_t> words;
  for (unsigned i = 0; i <= random() % 4; ++i) {
    const unsigned t = 4 + random() % 8;
    const int offset = 32 * static_cast<int>(random() % lines) + 4 * static_cast<int>(random() % 8);
    constexpr unsigned kCacheInstructions[] = {1014, 54, 86, 278};
    switch (random() % 16) {
      case 0:
        words.push_back(cache(kCacheInstructions[random() % 4]));
        break;
      case 1:
      case 2:
      case 3:
      case 4:
        words.push_back(stw(t, offset, 3));
        break;
      default:
        words.push_back(lwz(t, offset, 3));
    }
  }
  return words;
}

/// What a trace costs depends on physical addresses alone: not on the pieces of a view, not on which of several
/// addresses of the same memory it uses.
class AnyLine : public testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(LineSizes, AnyLine, testing::Values(32, 64, 128));

TEST_P(AnyLine, CostsTheSameByAnyPieceOfAView) {
  constexpr std::uint32_t kSize = 64u << 10;
  MemoryConfig config = test::shipped<MemoryConfig>();
  config.l1_line = GetParam();
  MemoryView pieces(memory(), 0, 0, 1u << 20);
  pieces.add({0xC000'0000, 32u << 20, kSize});
  pieces.add({0xD000'0000, 32u << 20, kSize});  // the same memory
  Bench seen(config, pieces), physical(config);
  std::mt19937 random(1);
  for (unsigned step = 0; step < 20'000; ++step) {
    const bool shared = random() % 2 == 0;
    const std::uint32_t at = random() % (kSize / 32 - 4) * 32;
    const std::uint32_t address = shared ? at + (random() % 2 == 0 ? 0xC000'0000 : 0xD000'0000) : at + (512u << 10);
    const std::uint32_t there = shared ? at + (32u << 20) : address;
    if (random() % 64 == 0) {
      ASSERT_EQ(seen.path.holds(there, 128), physical.path.holds(there, 128));
      seen.path.invalidate(there, 128);
      physical.path.invalidate(there, 128);
    }
    const std::vector<std::uint32_t> words = random_block(random, 4);
    ASSERT_EQ(seen.enter(words, address), physical.enter(words, there)) << "step " << step;
    ASSERT_EQ(seen.counters, physical.counters) << "step " << step;
    ASSERT_EQ(seen.path.changes(), physical.path.changes()) << "step " << step;
  }
  EXPECT_GT(seen.counters.l1_hits, 1'000u);
  EXPECT_GT(seen.counters.write_backs, 1'000u);
  EXPECT_EQ(seen.enter(kLoadAndUse, 0xC000'0000 + kSize), 0u);  // behind the piece
  EXPECT_EQ(seen.counters.uncached, 1u);
}

/// Against sets that are lists, the oldest line first.
TEST(CacheSets, ReplaceInTurn) {
  for (const auto& [lines, ways] : {std::pair(1024u, 64u), std::pair(16'384u, 16u), std::pair(64u, 1u),
                                    std::pair(5u * 64u, 5u), std::pair(40u * 256u, 40u), std::pair(7u * 2048u, 7u)}) {
    std::mt19937 random(lines);
    CacheSets cache(lines, ways);
    const std::uint32_t sets = lines / ways;
    std::vector<std::vector<std::optional<std::pair<std::uint32_t, bool>>>> model(sets);
    std::vector<std::size_t> next(sets);
    for (unsigned step = 0; step < 40'000; ++step) {
      const std::uint32_t line = random() % (3 * lines), set = line % sets;
      auto& places = model[set];
      const auto known = std::find_if(places.begin(), places.end(),
                                      [line = line](const auto& place) { return place && place->first == line; });
      const bool present = known != places.end(), dirty = random() % 2 == 0;
      ASSERT_EQ(cache.state(line).present, present);
      ASSERT_EQ(cache.state(line).dirty, present && (*known)->second);
      if (present && random() % 4 == 0) {
        ASSERT_EQ(cache.remove(line).dirty, (*known)->second);
        known->reset();
      } else if (present) {
        cache.mark(line, dirty);
        (*known)->second = dirty;
      } else {
        const CacheSets::Victim victim = cache.fill(line, dirty);
        if (places.size() < ways) places.emplace_back();
        auto& place = places[next[set]];
        ASSERT_EQ(victim.present, place.has_value());
        if (place) {
          ASSERT_EQ(std::pair(victim.line, victim.dirty), *place);
        }
        place = {line, dirty};
        next[set] = (next[set] + 1) % ways;
      }
    }
  }
}

TEST(CacheSets, FillWhatIsVacantFirst) {
  for (const unsigned ways : {2u, 7u, 16u}) {
    CacheSets cache(16 * ways, ways);
    for (std::uint32_t way = 0; way < ways; ++way) EXPECT_FALSE(cache.fill_vacant(16 * way, false).present);
    EXPECT_TRUE(cache.remove(16).present);
    EXPECT_FALSE(cache.fill_vacant(16 * ways, true).present);  // in the place of the second
    const CacheSets::Victim victim = cache.fill_vacant(16 * (ways + 1), false);
    EXPECT_TRUE(victim.present);
    EXPECT_EQ(victim.line, 0u);  // the oldest
    EXPECT_TRUE(cache.state(16 * ways).dirty);
  }
}

TEST(LineFilter, TellsAddressesOf64BitsApart) {
  constexpr std::uint8_t kPresent = PlannedAccess::kPresent, kDirty = PlannedAccess::kDirty;
  for (const std::uint32_t bytes : {32u, 64u, 128u}) {
    SCOPED_TRACE(bytes);
    const LineSize line(bytes);
    LineFilter filter(8, line);
    const std::uint64_t low = 0x1234'5680, high = 0x7F00'1234'5680, last = bytes - 1;
    const std::uint64_t low_line = line.number(low), high_line = line.number(high);
    filter.add(high_line, false);
    EXPECT_TRUE(filter.has(high_line));
    EXPECT_FALSE(filter.has(high_line + 1));
    EXPECT_FALSE(filter.has(low_line));  // the same entry
    EXPECT_TRUE(filter.matches<std::uint64_t>(high + 4, high + last, kPresent | kDirty, kDirty));
    EXPECT_FALSE(filter.matches<std::uint64_t>(low + 4, low + last, kPresent | kDirty, kDirty));
    EXPECT_FALSE(filter.matches<std::uint64_t>(high + last, high + last + 1, kPresent | kDirty, kDirty));
    EXPECT_FALSE(filter.matches<std::uint64_t>(high, high, kPresent | kDirty, 0));
    EXPECT_FALSE(filter.matches<std::uint64_t>(high, high, PlannedAccess::kUnmatched, 0));
    filter.add(high_line, true);
    EXPECT_TRUE(filter.matches<std::uint64_t>(high, high, kPresent | kDirty, 0));
    EXPECT_FALSE(filter.matches<std::uint64_t>(high, high, PlannedAccess::kUnmatched, 0));
    filter.remove(low_line);
    EXPECT_TRUE(filter.has(high_line));
    filter.remove(high_line);
    EXPECT_FALSE(filter.has(high_line));
  }
}

template <typename Word>
void store_and_forget() {
  constexpr std::uint8_t kAll = PlannedAccess::kPresent | PlannedAccess::kDirty;
  LineFilter filter(sizeof(Word), LineSize(64));
  const auto loads = [&filter] { return filter.matches<Word>(0, 63, kAll, PlannedAccess::kDirty); };
  const auto stores = [&filter] { return filter.matches<Word>(0, 63, kAll, PlannedAccess::kPresent); };
  EXPECT_FALSE(stores());
  filter.remove_stored(0);
  filter.add_stored(0);
  EXPECT_TRUE(stores() && !loads() && !filter.has(0));
  filter.add_stored(LineFilter::kEntries);  // the same entry
  EXPECT_FALSE(stores());
  filter.remove_stored(0);
  EXPECT_TRUE(
      filter.matches<Word>(64 * LineFilter::kEntries, 64 * LineFilter::kEntries, kAll, PlannedAccess::kPresent));
  filter.add(0, false);
  EXPECT_TRUE(!stores() && loads());
  filter.add_stored(0);
  EXPECT_TRUE(stores() && loads() && filter.has(0));
  filter.remove_stored(0);
  EXPECT_TRUE(!stores() && loads() && filter.has(0));
  filter.remove(0);
  filter.add_stored(0);
  filter.remove_stored(0);
  EXPECT_FALSE(stores() || loads());
}

TEST(LineFilter, TellsLinesThatAreStoredToFromThoseThatAreThere) {
  store_and_forget<std::uint32_t>();
  store_and_forget<std::uint64_t>();
}

MemoryConfig writing_through() {
  MemoryConfig config = test::shipped<MemoryConfig>();
  config.l1_writes = MemoryConfig::Writes::through;
  config.store_cycles = 3;
  return config;
}

TEST(WriteThrough, NeitherAllocatesNorDirties) {
  Bench bench(writing_through());
  const std::uint64_t changes = bench.path.changes();
  EXPECT_EQ(bench.enter({stw(4, 0, 3), stw(4, 0x1000, 3), stw(4, 0x2000, 3), stw(4, 0x3000, 3)}), 0u);
  EXPECT_EQ(bench.enter({cache(1014)}), 0u);  // dcbz
  EXPECT_EQ(bench.path.changes(), changes);
  EXPECT_EQ(bench.counters, MemoryCounters());
  EXPECT_EQ(bench.enter(kLoadAndUse), 86u - 3u);  // no store has brought the line
  EXPECT_EQ(bench.enter({stw(4, 0, 3)}), 0u);
  EXPECT_EQ(bench.enter(kLoadAndUse), 0u);  // nor taken it
  bench.enter({cache(54)});                 // dcbst
  bench.enter({cache(86)});                 // dcbf
  EXPECT_EQ(bench.counters.write_backs, 0u);
  EXPECT_EQ(bench.counters.l1_hits, 1u + 2u);
  EXPECT_EQ(bench.enter(kLoadAndUse), 11u - 3u);  // it is in the prefetch buffer
}

/// What loads cost is what they cost without the stores.
TEST(WriteThrough, LooksUpLoadsAlone) {
  Bench all(writing_through()), loads(writing_through());
  std::mt19937 random(2);
  for (unsigned step = 0; step < 5'000; ++step) {
    const std::uint32_t at = kData + random() % 4096 * 32;
    const bool store = random() % 3 == 0;
    ASSERT_EQ(all.enter({store ? stw(4, 4, 3) : lwz(4, 4, 3)}, at),
              store ? CoreCycle{0} : loads.enter({lwz(4, 4, 3)}, at));
    loads.now = all.now;
  }
  EXPECT_EQ(all.counters, loads.counters);
}

TEST(WriteThrough, CostsABlockItsStores) {
  std::vector<std::uint8_t> code(80);
  for (unsigned i = 0; i < 20; ++i) store_be32(code.data() + 4 * i, stw(4, 4 * static_cast<int>(i), 3));
  BlockTable table(std::make_unique<power::Decoder>(
                       power::Pipeline(test::shipped<power::PipelineConfig>(), power::Dispatch::two_to_their_pipes),
                       power::Width::narrow, std::vector<CodeSpan>{{code.data(), kCode, code.size()}}),
                   LineSize(32));
  const Block& block = table.find(kCode, 80);
  MemoryConfig config = writing_through();
  EXPECT_EQ(WritePolicy(config).least_cycles(block), 20u * 3u);
  EXPECT_EQ(WritePolicy(config).lookups(block), 0u);
  config.modelled = false;
  EXPECT_EQ(WritePolicy(config).least_cycles(block), 0u);
  config = test::shipped<MemoryConfig>();
  EXPECT_EQ(WritePolicy(config).least_cycles(block), 0u);
  EXPECT_EQ(WritePolicy(config).lookups(block), 20u);
}

TEST(MemoryPath, DoesWithoutAPrefetchBuffer) {
  MemoryConfig config = test::shipped<MemoryConfig>();
  config.prefetch_bytes = 0;
  EXPECT_NO_THROW(config.validate());
  Bench bench(config);
  EXPECT_EQ(bench.enter(kLoadAndUse), 86u - 3u);
  EXPECT_EQ(bench.enter(kLoadAndUse, kData + 32), 35u - 3u);  // the line of 128 bytes is in the third level
  for (std::uint32_t i = 0; i < 64; ++i) bench.enter(kLoadAndUse, kData + 128 * i);
  EXPECT_EQ(bench.counters.prefetch_hits, 0u);
  EXPECT_EQ(bench.counters.prefetches, 0u);
  bench.path.invalidate(kData, 64u << 10);
  EXPECT_FALSE(bench.path.holds(kData, 64u << 10));
  EXPECT_EQ(bench.enter(kLoadAndUse), 35u - 3u);
}

TEST(MemoryConfig, RefusesImpossibleCaches) {
  MemoryConfig config = test::shipped<MemoryConfig>();
  EXPECT_NO_THROW(config.validate());
  config.l1_bytes = 24u << 10;
  EXPECT_THROW(config.validate(), std::invalid_argument);
  config = test::shipped<MemoryConfig>();
  config.last_ways = 12;
  EXPECT_THROW(config.validate(), std::invalid_argument);
  config = test::shipped<MemoryConfig>();
  config.l1_bytes = 1024;
  EXPECT_THROW(config.validate(), std::invalid_argument);
  for (const std::uint32_t bytes : {16u, 48u, 256u}) {
    config = test::shipped<MemoryConfig>();
    config.l1_line = bytes;
    EXPECT_THROW(config.validate(), std::invalid_argument);
    config = test::shipped<MemoryConfig>();
    config.outer_line = bytes;
    EXPECT_THROW(config.validate(), std::invalid_argument);
  }
  config = test::shipped<MemoryConfig>();
  config.l1_line = 64;
  config.outer_line = 32;
  EXPECT_THROW(config.validate(), std::invalid_argument);
}

// A long message: as many writes, each behind the last, as packets. What else is in the caches stays there.
TEST(ForeignWrites, KeepWhatALongMessageDoesNotTouch) {
  Bench bench;
  bench.enter(kLoadAndUse);
  bench.enter(kLoadAndUse, kData + 0x10'0000 + 240 * 9'999);
  ForeignWrites writes(memory().size());
  for (std::uint32_t packet = 0; packet < 10'000; ++packet) {
    writes.add(kData + 0x10'0000 + 240 * packet, 240);
    writes.add(kData + 0x80'0000 + 240 * packet, 240);  // another message at the same time
  }
  writes.see(sc_core::sc_time_stamp(), bench.path);
  EXPECT_TRUE(bench.path.holds(kData, 4));
  EXPECT_FALSE(bench.path.holds(kData + 0x10'0000 + 240 * 9'999, 4));
}

TEST(ForeignWrites, EmptyTheCachesIfTheyAreTooMany) {
  Bench bench;
  bench.enter(kLoadAndUse);
  ForeignWrites writes(memory().size());
  for (std::uint32_t i = 0; i < 10'000; ++i) writes.add(kData + 0x10'0000 + 0x1000 * (i % 4096), 4);
  writes.see(sc_core::sc_time_stamp(), bench.path);
  EXPECT_FALSE(bench.path.holds(kData, 4));
}

}  // namespace
}  // namespace toroid
