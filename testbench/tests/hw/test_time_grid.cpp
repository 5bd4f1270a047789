// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hw/core/local_time.h"

namespace toroid {
namespace {

constexpr CoreCycle kEnd{TimeGrid::kWatchful * 160};

TEST(TimeGrid, EmptyHasNoPoints) {
  EXPECT_FALSE(TimeGrid{}.is_used());
  EXPECT_TRUE(TimeGrid::each(160).is_used());
}

TEST(TimeGrid, PointsAreMultiplesBehindACycle) {
  const TimeGrid grid = TimeGrid::each(160);
  EXPECT_EQ(grid.behind(0, 0), CoreCycle{160});
  EXPECT_EQ(grid.behind(159, 0), CoreCycle{160});
  EXPECT_EQ(grid.behind(160, 0), CoreCycle{320});
  EXPECT_EQ(grid.behind(kEnd + 1, 0), kEnd + 160);
}

TEST(TimeGrid, CalmCoreLooksSeldom) {
  const TimeGrid grid{160, 640};
  EXPECT_EQ(grid.behind(kEnd - 1, 0), kEnd);
  EXPECT_EQ(grid.behind(kEnd, 0), (kEnd / 640 + 1) * 640);
  const CoreCycle accessed = 64'001;
  EXPECT_FALSE(grid.is_calm(accessed + kEnd - 2, accessed));
  EXPECT_TRUE(grid.is_calm(accessed + kEnd - 1, accessed));
}

/// A core that has left out turns of a loop goes on from another cycle, at the same points.
TEST(TimeGrid, PointsDoNotDependOnWhereTheCoreGoesOn) {
  const TimeGrid grid{160, 640};
  CoreCycle point = 0;
  for (CoreCycle cycle = 0; cycle < kEnd + 10'000; ++cycle) {
    if (cycle == grid.behind(point, 0)) point = cycle;
    ASSERT_EQ(grid.behind(cycle, 0), grid.behind(point, 0)) << cycle;
  }
}

}  // namespace
}  // namespace toroid
