// SPDX-License-Identifier: Apache-2.0
// Broadcasts along lines: what comes out on rings, meshes and parts of the machine, that packets
// with the deposit bit carry it, and that others go by messages.
#include <gtest/gtest.h>

#include <cstring>
#include <deque>

#include "firmware/bgp/dcmf/collective/networks.h"
#include "testbench/tests/firmware/dcmf_job.h"

namespace toroid::testing {
namespace {

/// A broadcast on one rank. What is done may be overwritten at the root, and is.
struct Part {
  unsigned* due;
  std::uint8_t* buffer;
  std::size_t scribble;  ///< bytes
};

void end_part(void* clientdata, DCMF_Error_t*) {
  auto* part = static_cast<Part*>(clientdata);
  std::memset(part->buffer, 0xEE, part->scribble);
  --*part->due;
}

struct Broadcast {
  unsigned geometry;  ///< which of those of the rank
  unsigned root;
  std::size_t bytes;
};

class Lines : public ::testing::Test {
 public:
  void make(unsigned x, unsigned y, unsigned z, unsigned processes, unsigned rings) {
    job = std::make_unique<DcmfJob>(x, y, z, processes, 32 << 20, rings);
    job->dma.meanwhile = 2;
    due.assign(job->size(), 0);
    geometries.assign(job->size(), {});
    DCMF_Broadcast_Configuration_t configuration = {DCMF_TORUS_RECTANGLE_BROADCAST_PROTOCOL};
    ASSERT_EQ(DCMF_Broadcast_register(&protocol, &configuration), DCMF_SUCCESS);
  }
  ~Lines() override { EXPECT_EQ(job->dma.errors, std::vector<std::string>{}); }
  void choose(std::vector<unsigned> ranks, unsigned id, bool along_lines = true) {
    for (const unsigned rank : ranks) {
      job->select(rank);
      auto* geometry = job->memory<DCMF_Geometry_t>(rank);
      geometries[rank].push_back(geometry);
      ASSERT_EQ(DCMF_Geometry_initialize(geometry, id, ranks.data(), static_cast<unsigned>(ranks.size()), nullptr, 0,
                                         nullptr, 0, job->memory<DCMF_CollectiveRequest_t>(rank), 0, 0),
                DCMF_SUCCESS);
      EXPECT_EQ(DCMF_Geometry_analyze(geometry, &protocol), along_lines);
    }
  }
  std::vector<unsigned> everyone() const {
    std::vector<unsigned> ranks(job->size());
    for (unsigned rank = 0; rank < job->size(); ++rank) ranks[rank] = rank;
    return ranks;
  }
  /// All ranks start all of them, in this order, at any time; a rank takes part in those of the geometries it has.
  void run(const std::vector<Broadcast>& broadcasts) {
    std::vector<std::vector<std::uint8_t*>> data(broadcasts.size(), std::vector<std::uint8_t*>(job->size()));
    std::deque<Part> parts;
    const auto first = static_cast<unsigned>(job->dma.random());
    for (unsigned i = 0; i < job->size(); ++i) {
      const unsigned rank = (first + i) % job->size();
      for (std::size_t n = 0; n < broadcasts.size(); ++n) {
        const auto& [which, root, bytes] = broadcasts[n];
        if (which >= geometries[rank].size()) continue;
        job->select(rank);
        std::uint8_t* buffer = data[n][rank] = job->memory<std::uint8_t>(rank, bytes + 1);
        if (rank == root) fill(buffer, bytes, n);
        parts.push_back({&due[rank], buffer, rank == root ? bytes : 0});
        ++due[rank];
        ASSERT_EQ(DCMF_Broadcast(&protocol, job->memory<DCMF_CollectiveRequest_t>(rank), {end_part, &parts.back()},
                                 DCMF_MATCH_CONSISTENCY, geometries[rank][which], root, reinterpret_cast<char*>(buffer),
                                 static_cast<unsigned>(bytes)),
                  DCMF_SUCCESS);
      }
      for (unsigned turns = job->dma.random() % 40; turns > 0; --turns) {
        job->dma.step();
        job->advance(static_cast<unsigned>(job->dma.random()) % job->size());
      }
    }
    job->settle();
    for (unsigned rank = 0; rank < job->size(); ++rank) {
      EXPECT_EQ(due[rank], 0u) << "rank " << rank;
      for (std::size_t n = 0; n < broadcasts.size(); ++n) {
        if (data[n][rank] == nullptr || rank == broadcasts[n].root) continue;
        std::vector<std::uint8_t> expected(broadcasts[n].bytes + 1);
        fill(expected.data(), broadcasts[n].bytes, n);
        EXPECT_EQ(std::memcmp(data[n][rank], expected.data(), expected.size()), 0) << "rank " << rank << ", " << n;
      }
    }
  }
  static void fill(std::uint8_t* to, std::size_t bytes, std::size_t key) {
    for (std::size_t i = 0; i < bytes; ++i) to[i] = static_cast<std::uint8_t>(i * 31 + i / 240 + key * 7 + 1);
  }

  std::unique_ptr<DcmfJob> job;
  std::vector<unsigned> due;
  std::vector<std::vector<DCMF_Geometry_t*>> geometries;
  DCMF_CollectiveProtocol_t protocol{};
};

TEST_F(Lines, RootsAndSizesOnRingsAndMeshes) {
  for (const unsigned rings : {7u, 0u, 2u}) {
    make(3, 2, 2, 1, rings);
    choose(everyone(), 5);
    for (const std::size_t bytes : {0u, 1u, 240u, 241u, 5000u, 30000u}) {
      for (const unsigned root : {0u, 4u, 11u}) run({{0, root, bytes}});
    }
  }
}

TEST_F(Lines, BehindEachOther) {
  make(4, 3, 1, 1, 7);
  choose(everyone(), 0);
  for (unsigned round = 0; round < 40; ++round) run({{0, round % 12, 3000}, {0, (round + 5) % 12, 700}, {0, 1, 0}});
  EXPECT_GE(job->dma.deposits, 40u * (13 + 3));
}

TEST_F(Lines, ManyAtOnce) {
  make(3, 2, 1, 1, 7);
  choose(everyone(), 0);
  std::vector<Broadcast> all;
  for (unsigned n = 0; n < 100; ++n) all.push_back({0, n % 5, 500});
  run(all);
}

TEST_F(Lines, PartsOfTheMachineSideBySide) {
  make(4, 3, 1, 1, 7);
  choose(everyone(), 1);
  choose({5, 6, 9, 10}, 2);
  choose({5, 6, 9, 10}, 3);
  for (unsigned round = 0; round < 10; ++round) run({{1, 6, 4000}, {0, 2, 4000}, {2, 9, 4000}, {1, 10, 2000}});
}

TEST_F(Lines, WithManyProcessesOnANodeOrInOtherShapesMessagesCarryIt) {
  make(2, 2, 1, 4, 7);
  choose(everyone(), 1, false);
  run({{0, 3, 4000}});
  EXPECT_EQ(job->dma.deposits, 0u);
  make(2, 2, 1, 1, 7);
  choose({0, 1, 2}, 1, false);
  run({{0, 1, 4000}});
  EXPECT_EQ(job->dma.deposits, 0u);
}

}  // namespace
}  // namespace toroid::testing
