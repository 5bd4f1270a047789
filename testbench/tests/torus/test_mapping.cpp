// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sstream>

#include "torus/torus/mapping.h"

namespace toroid {
namespace {

const Topology kCube{Shape::parse("2x2x2")};
constexpr const char* kGood = "0 0 0 0\n1 0 0 0\n0 1 0 0\n1 1 0 0\n0 0 1 0\n1 0 1 0\n0 1 1 0\n1 1 1 0\n";

Mapping parse(const std::string& text, const Topology& topology = kCube, unsigned processors = 1,
              std::uint32_t ranks = 0) {
  std::istringstream stream(text);
  return Mapping::parse(stream, "job.map", topology, processors, ranks);
}

std::string fault(const std::string& text, unsigned processors = 1, std::uint32_t ranks = 0) {
  try {
    parse(text, kCube, processors, ranks);
  } catch (const MappingError& error) {
    return error.what();
  }
  return "no fault";
}

TEST(Mapping, DefaultCountsXFastestAndTheProcessorSlowest) {
  const Mapping mapping = Mapping::xyzt(kCube, 2);
  ASSERT_EQ(mapping.ranks(), 16u);
  for (std::uint32_t rank = 0; rank < 16; ++rank) {
    EXPECT_EQ(mapping.place(rank).node, rank % 8);
    EXPECT_EQ(mapping.place(rank).processor, rank / 8);
    EXPECT_EQ(mapping.rank(mapping.place(rank)), rank);
  }
}

TEST(Mapping, LettersCountTheLastFastest) {
  const Topology topology(Shape::parse("2x3x2x1x2", "ABCDE"));
  const Mapping usual = Mapping::by_letters("ABCDET", topology, 4);
  EXPECT_EQ(usual.ranks(), 24u * 4);
  for (std::uint32_t rank = 0; rank < usual.ranks(); ++rank) {
    const Coordinates at = topology.coordinates(usual.place(rank).node);
    const unsigned t = usual.place(rank).processor;
    EXPECT_EQ(rank, ((((at[0] * 3u + at[1]) * 2 + at[2]) * 1 + at[3]) * 2 + at[4]) * 4 + t);
    EXPECT_EQ(usual.rank(usual.place(rank)), rank);
  }
  // T slowest, A fastest: XYZT's order.
  const Mapping reversed = Mapping::by_letters("TEDCBA", topology, 4);
  const Mapping xyzt = Mapping::xyzt(topology, 4);
  for (std::uint32_t rank = 0; rank < xyzt.ranks(); ++rank) {
    EXPECT_EQ(reversed.place(rank).node, xyzt.place(rank).node);
    EXPECT_EQ(reversed.place(rank).processor, xyzt.place(rank).processor);
  }
  const Mapping other = Mapping::by_letters("TBCAED", topology, 2);
  EXPECT_EQ(topology.coordinates(other.place(2).node), (Coordinates{1, 0, 0, 0, 0}));
  EXPECT_EQ(other.place(24).processor, 1u);
  for (const char* wrong : {"ABCDE", "ABCDEE", "ABCDEX", ""}) {
    EXPECT_THROW(Mapping::by_letters(wrong, topology), MappingError);
  }
}

TEST(Mapping, FileGivesOnePlaceALine) {
  const Mapping mapping = parse("# eight ranks\n1 1 1 0  # rank 0\n\n" + std::string(kGood).substr(0, 7 * 8));
  ASSERT_EQ(mapping.ranks(), 8u);
  EXPECT_EQ(mapping.place(0).node, 7u);
  EXPECT_EQ(mapping.place(1).node, 0u);
  EXPECT_EQ(mapping.rank(Place{7, 0}), 0u);
}

TEST(Mapping, FiveDimensionsTakeSixNumbers) {
  const Topology topology(Shape::parse("1x2x1x1x2"));
  const Mapping mapping = parse("0 1 0 0 1 0\n0 0 0 0 1 0\n0 1 0 0 0 0\n0 0 0 0 0 0\n", topology);
  EXPECT_EQ(mapping.place(0).node, 3u);
  EXPECT_EQ(mapping.place(3).node, 0u);
}

TEST(Mapping, FaultsNameFileAndLine) {
  EXPECT_EQ(fault(kGood), "no fault");
  EXPECT_EQ(fault("0 0 0 0\n1 0 0 0\n\n0 0 0 0\n"), "job.map:4: (0,0,0,0) has been given to rank 0 in line 1");
  EXPECT_EQ(fault("0 0 0 0\n2 0 0 0\n"),
            "job.map:2: coordinate 2 of dimension 0 is outside the machine, 2x2x2; it may be 0 to 1");
  EXPECT_EQ(fault("0 0 0 1\n"), "job.map:1: processor 1 where a node has 1 of them; it may be 0 to 0");
  EXPECT_EQ(fault("0 0 0\n"), "job.map:1: 3 numbers where 4 are needed: 3 coordinates and the processor");
  EXPECT_EQ(fault("0 0 0 0 0\n"), "job.map:1: 5 numbers where 4 are needed: 3 coordinates and the processor");
  EXPECT_EQ(fault("0 0 zero 0\n"), "job.map:1: 'zero' is not a coordinate");
  EXPECT_EQ(fault("0 0 -1 0\n"), "job.map:1: '-1' is not a coordinate");
  EXPECT_EQ(fault("0 0 99999999999999999999 0\n"), "job.map:1: '99999999999999999999' is not a coordinate");
  EXPECT_EQ(fault("0 0 0 0\n1 0 0 0\n1 1 0 0\n"), "job.map: 3 places for 8 ranks; (0,1,0,0) is missing");
  EXPECT_EQ(fault(""), "job.map: 0 places for 8 ranks; (0,0,0,0) is missing");
}

TEST(Mapping, FewerRanksNeedFewerLines) {
  EXPECT_EQ(fault("0 0 0 0\n1 1 1 0\n", 1, 2), "no fault");
  EXPECT_EQ(fault("0 0 0 0\n", 1, 2), "job.map: 1 places for 2 ranks; (1,0,0,0) is missing");
}

TEST(Mapping, FileThatIsNotThere) {
  EXPECT_THROW(Mapping::load("/no/such/file.map", kCube), MappingError);
}

}  // namespace
}  // namespace toroid
