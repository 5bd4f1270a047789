// SPDX-License-Identifier: Apache-2.0
// What PAMI's geometries have of the network: which sets of tasks are rectangles of nodes, and how members agree.
#include <gtest/gtest.h>

#include <set>

#include "testbench/tests/firmware/pami_double.h"

extern "C" {
#include "firmware/bgq/pami/geometry/rectangle.h"
}

namespace toroid_test {
namespace {

/// Nodes of a 4x3 plane of A and B, two processes each, in the order of ranks.
class Rectangles : public testing::Test {
 protected:
  Rectangles() {
    for (std::uint32_t task = 0; task < 24; ++task) {
      const std::uint32_t node = task / 2, a = node / 3, b = node % 3;
      map.push_back(a | b << 5 | task % 2 << 25);
    }
    pami_job = {};
    pami_job.tasks = 24;
    pami_job.processes = 2;
    pami_job.map = map.data();
  }

  bool is_one(std::vector<pami_task_t> tasks) {
    pami_geometry_impl_t geometry{};
    geometry.tasks = tasks.data();
    geometry.size = static_cast<std::uint32_t>(tasks.size());
    return pami_rectangle_of(&geometry, &found);
  }

  std::vector<std::uint32_t> map;
  pami_rectangle_t found{};
};

TEST_F(Rectangles, OfWholeNodes) {
  EXPECT_TRUE(is_one({0, 1}));
  EXPECT_TRUE(is_one({7, 0, 6, 1}));  // A 0 and 1 of B 0, in any order
  EXPECT_EQ(found.low[0], 0);
  EXPECT_EQ(found.high[0], 1);
  EXPECT_EQ(found.low[1], 0);
  EXPECT_EQ(found.high[1], 0);
  EXPECT_EQ(pami_rectangle_nodes(&found), 2U);
  EXPECT_TRUE(is_one({8, 9, 10, 11, 14, 15, 16, 17}));
}

TEST_F(Rectangles, NotWithoutAProcessOrANode) {
  EXPECT_FALSE(is_one({0}));
  EXPECT_FALSE(is_one({0, 2}));        // a process of each node
  EXPECT_FALSE(is_one({0, 1, 2}));     // a node in part
  EXPECT_FALSE(is_one({0, 1, 4, 5}));  // a hole
  EXPECT_FALSE(is_one({0, 1, 8, 9}));  // across
  EXPECT_FALSE(is_one({0, 1, 2, 3, 6, 7}));
}

TEST_F(Rectangles, OfRanges) {
  pami_geometry_range_t ranges[] = {{0, 3}, {6, 9}};
  pami_geometry_impl_t geometry{};
  geometry.ranges = ranges;
  geometry.range_count = 2;
  geometry.size = 8;
  EXPECT_TRUE(pami_rectangle_of(&geometry, &found));
  EXPECT_EQ(pami_rectangle_nodes(&found), 4U);
  ranges[1] = {8, 11};
  EXPECT_FALSE(pami_rectangle_of(&geometry, &found));
}

TEST_F(Rectangles, OneMemberForEachTask) {
  pami_geometry_range_t all{0, 23};
  pami_geometry_impl_t geometry{};
  geometry.ranges = &all;
  geometry.range_count = 1;
  geometry.size = 24;
  geometry.contexts = 1;
  EXPECT_TRUE(pami_rectangle_of(&geometry, &found));
  geometry.size = 48;
  geometry.contexts = 2;
  EXPECT_FALSE(pami_rectangle_of(&geometry, &found));
}

/// Members 0, 2, 3 and so on of a job; task 1 is none.
class Agreement : public testing::TestWithParam<unsigned> {
 protected:
  Agreement() : job(GetParam(), 2, 99), geometries(job.tasks(), nullptr), told(job.tasks(), 0) {
    for (unsigned task = 0; task < job.tasks(); ++task) {
      if (task != 1) members.push_back(task);
    }
    job.routes.can = [](const pami_geometry_impl_t*) { return true; };
    job.routes.settle = [](const pami_route_bits_t*) { return PAMI_ROUTE_MADE; };
    job.routes.give = [](unsigned, pami_route_bits_t*) {};
  }

  static void tell(pami_context_t, void* cookie, pami_result_t) { ++*static_cast<int*>(cookie); }

  pami_configuration_t wish(int optimize) {
    pami_configuration_t configuration{};
    configuration.name = PAMI_GEOMETRY_OPTIMIZE;
    configuration.value.intval = static_cast<size_t>(optimize);
    return configuration;
  }

  bool all_told() {
    for (const unsigned task : members) {
      if (told[task] == 0) return false;
    }
    return true;
  }

  void wait() {
    ASSERT_TRUE(job.advance_until([&] { return all_told(); }));
    std::fill(told.begin(), told.end(), 0);
  }

  void make(int optimize, size_t offset = 0) {
    pami_configuration_t configuration = wish(optimize);
    for (const unsigned task : members) {
      ASSERT_EQ(
          PAMI_Geometry_create_tasklist(job.client(task), offset, &configuration, 1, &geometries[task], nullptr, 7,
                                        members.data(), members.size(), job.context(task, 1), tell, &told[task]),
          PAMI_SUCCESS);
    }
    wait();
  }

  void update(int optimize) {
    pami_configuration_t configuration = wish(optimize);
    for (const unsigned task : members) {
      ASSERT_EQ(PAMI_Geometry_update(geometries[task], &configuration, 1, job.context(task, 1), tell, &told[task]),
                PAMI_SUCCESS);
    }
    wait();
  }

  void destroy() {
    for (const unsigned task : members) {
      ASSERT_EQ(PAMI_Geometry_destroy(job.client(task), &geometries[task], job.context(task, 1), tell, &told[task]),
                PAMI_SUCCESS);
    }
    wait();
  }

  PamiJob job;
  std::vector<pami_task_t> members;
  std::vector<pami_geometry_t> geometries;
  std::vector<int> told;
};

TEST_P(Agreement, AllGetWhatAllHaveGiven) {
  unsigned calls[PAMI_ROUTE_ROUNDS] = {};
  std::vector<std::uint32_t> got[PAMI_ROUTE_ROUNDS];
  job.routes.give = [&](unsigned round, pami_route_bits_t* bits) {
    if (round > 0) got[round - 1].push_back(bits->word[3]);
    // Each member leaves out another bit.
    for (std::uint32_t& word : bits->word) word = ~(1U << calls[round]) << round;
    ++calls[round];
  };
  job.routes.settle = [&](const pami_route_bits_t* bits) {
    got[PAMI_ROUTE_ROUNDS - 1].push_back(bits->word[3]);
    return PAMI_ROUTE_MADE;
  };
  make(1);
  const auto n = static_cast<unsigned>(members.size());
  for (unsigned round = 0; round < PAMI_ROUTE_ROUNDS; ++round) {
    EXPECT_EQ(got[round], std::vector<std::uint32_t>(n, ~((1U << n) - 1) << round)) << "round " << round;
  }
  EXPECT_EQ(job.routes.made, n);
  EXPECT_EQ(job.routes.freed, 0U);
  destroy();
  EXPECT_EQ(job.routes.freed, n);
  EXPECT_TRUE(job.idle());
}

TEST_P(Agreement, NobodyIsARoundAhead) {
  std::vector<unsigned> rounds;
  job.routes.give = [&](unsigned round, pami_route_bits_t*) { rounds.push_back(round); };
  make(1);
  const size_t n = members.size();
  for (size_t i = 0; i < rounds.size(); ++i) EXPECT_EQ(rounds[i], i / n);
}

TEST_P(Agreement, TriesAgainTogether) {
  unsigned rounds = 0, ends = 0;
  const auto n = static_cast<unsigned>(members.size());
  job.routes.give = [&](unsigned, pami_route_bits_t*) { ++rounds; };
  job.routes.settle = [&](const pami_route_bits_t*) { return ends++ < 3 * n ? PAMI_ROUTE_AGAIN : PAMI_ROUTE_MADE; };
  make(1);
  EXPECT_EQ(rounds, 4 * PAMI_ROUTE_ROUNDS * n);
  EXPECT_EQ(job.routes.made, n);
}

TEST_P(Agreement, BeginsWhenItMay) {
  unsigned asked = 0, rounds = 0;
  job.routes.begins = [&] { return ++asked > 100; };
  job.routes.give = [&](unsigned, pami_route_bits_t*) {
    EXPECT_GT(asked, 100U);
    ++rounds;
  };
  make(1);
  EXPECT_EQ(rounds, PAMI_ROUTE_ROUNDS * static_cast<unsigned>(members.size()));
}

TEST_P(Agreement, WhereNothingIsLeftNothingStays) {
  job.routes.settle = [](const pami_route_bits_t*) { return PAMI_ROUTE_NONE; };
  make(1);
  EXPECT_EQ(job.routes.freed, members.size());
  destroy();
  EXPECT_EQ(job.routes.freed, members.size());
}

TEST_P(Agreement, UpdatesTakeAndGiveBack) {
  const auto n = static_cast<unsigned>(members.size());
  make(0);
  EXPECT_EQ(job.routes.made, 0U);
  update(1);
  EXPECT_EQ(job.routes.made, n);
  update(1);
  EXPECT_EQ(job.routes.made, n);
  update(0);
  EXPECT_EQ(job.routes.freed, n);
  update(1);
  EXPECT_EQ(job.routes.made, 2 * n);
  destroy();
  EXPECT_EQ(job.routes.freed, 2 * n);
}

TEST_P(Agreement, PlainGeometriesSendNothingMore) {
  job.routes.give = [](unsigned, pami_route_bits_t*) { FAIL() << "nobody asked for a route"; };
  make(0);
  destroy();
  job.routes.can = [](const pami_geometry_impl_t*) { return false; };
  make(1);
  destroy();
  EXPECT_EQ(job.routes.made, 0U);
}

INSTANTIATE_TEST_SUITE_P(Jobs, Agreement, testing::Values(3U, 4U, 6U, 9U, 18U));

}  // namespace
}  // namespace toroid_test
