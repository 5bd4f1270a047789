// SPDX-License-Identifier: Apache-2.0
// The order of an all-to-all's distances against its promises: each once, 0 first, and the links that any packets in a
// row have to cross near to their mean, on rings of every length and whichever dimension is the fastest.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "firmware/bgl/msglayer/exchange_order.h"

namespace toroid::testing {
namespace {

struct Case {
  bglml_exchange_order_t order;

  std::uint32_t count() const {
    return std::accumulate(std::begin(order.sizes), std::end(order.sizes), 1u, std::multiplies<>());
  }
  unsigned fastest() const { return order.slowest_first[BGLML_ORDER_DIMENSIONS - 1]; }
  unsigned size() const { return order.sizes[fastest()]; }

  std::vector<std::uint32_t> distances() const {
    std::vector<std::uint32_t> distances(count() + 1, ~0u), scratch(count());
    bglml_exchange_order(&order, distances.data(), scratch.data());
    EXPECT_EQ(distances.back(), ~0u) << "written past the end";
    distances.pop_back();
    return distances;
  }
  /// The distance without its part along the fastest dimension.
  std::uint32_t rest(std::uint32_t distance) const {
    std::uint32_t stride = 1;
    for (unsigned d = 0; d < fastest(); ++d) stride *= order.sizes[d];
    return distance - offset(distance, fastest()) * stride;
  }
  unsigned offset(std::uint32_t distance, unsigned dimension) const {
    for (unsigned d = 0; d < dimension; ++d) distance /= order.sizes[d];
    return distance % order.sizes[dimension];
  }
};

class ExchangeOrder : public ::testing::TestWithParam<Case> {};

TEST_P(ExchangeOrder, HasEachDistanceOnceAndTheOwnPlaceFirst) {
  std::vector<std::uint32_t> distances = GetParam().distances();
  EXPECT_EQ(distances[0], 0u);
  std::sort(distances.begin(), distances.end());
  for (std::uint32_t i = 0; i < distances.size(); ++i) ASSERT_EQ(distances[i], i);
}

TEST_P(ExchangeOrder, GoesThroughAllOffsetsOfTheFastestDimensionInEachRow) {
  const Case& machine = GetParam();
  const std::vector<std::uint32_t> distances = machine.distances();
  for (std::uint32_t row = 0; row < distances.size(); row += machine.size()) {
    std::vector<bool> seen(machine.size());
    for (unsigned i = 0; i < machine.size(); ++i) seen[machine.offset(distances[row + i], machine.fastest())] = true;
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), machine.size()) << "row at " << row;
    if (distances.size() == machine.size()) continue;
    for (unsigned i = 1; i < machine.size(); ++i) {
      EXPECT_NE(machine.rest(distances[row + i]), machine.rest(distances[row + i - 1])) << "row at " << row;
    }
  }
}

/// The way each direction's packets have gone is, after any of them, no further from as many mean ways than the longest
/// way is long: a random order strays further the longer it goes on.
TEST_P(ExchangeOrder, LoadsEachDirectionEvenly) {
  const Case& machine = GetParam();
  const int size = static_cast<int>(machine.size());
  std::array<std::vector<int>, 2> ways;
  for (const std::uint32_t distance : machine.distances()) {
    const int offset = static_cast<int>(machine.offset(distance, machine.fastest()));
    if (offset == 0) continue;
    const bool plus = 2 * offset <= size;
    ways[plus ? 0 : 1].push_back(plus ? offset : size - offset);
  }
  for (const std::vector<int>& way : ways) {
    const long total = std::accumulate(way.begin(), way.end(), 0L);
    long gone = 0;
    for (std::size_t i = 0; i < way.size(); ++i) {
      gone += way[i];
      const long packets = static_cast<long>(way.size());
      const long stray = std::labs(gone * packets - total * static_cast<long>(i + 1));
      ASSERT_LE(stray, packets * (size / 2)) << "after packet " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, ExchangeOrder,
                         ::testing::Values(Case{{{1, 1, 1, 1}, {3, 0, 1, 2}}}, Case{{{2, 1, 1, 1}, {3, 2, 1, 0}}},
                                           Case{{{4, 4, 4, 1}, {3, 0, 1, 2}}}, Case{{{8, 4, 4, 1}, {3, 1, 2, 0}}},
                                           Case{{{3, 7, 2, 2}, {3, 2, 0, 1}}}, Case{{{5, 5, 9, 1}, {3, 0, 1, 2}}},
                                           Case{{{2, 2, 64, 2}, {3, 0, 1, 2}}}, Case{{{255, 2, 1, 1}, {3, 2, 1, 0}}}));

}  // namespace
}  // namespace toroid::testing
