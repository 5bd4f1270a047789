// SPDX-License-Identifier: Apache-2.0
// Balanced factors, as MPI_Dims_create() gives them, against all products there are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

extern "C" {
#include "firmware/mpi/balanced_factors.h"
}

namespace toroid::testing {
namespace {

using Factors = std::vector<int>;

Factors balanced(int number, std::size_t count) {
  Factors factors(count + 1, -1);
  mpii_balanced_factors(number, static_cast<int>(count), factors.data());
  EXPECT_EQ(factors.back(), -1) << "written past the end";
  factors.pop_back();
  return factors;
}

/// The least difference first; then the one whose least factors are the greatest.
bool is_better(const Factors& one, const Factors& other) {
  const int difference = one.front() - one.back(), than = other.front() - other.back();
  if (difference != than) return difference < than;
  return std::lexicographical_compare(other.rbegin(), other.rend(), one.rbegin(), one.rend());
}

constexpr int limit = 100'000;

/// Go through all products of `count` factors up to the limit, the greatest factor last, and keep each number's best.
void go_through(Factors& ascending, std::size_t count, int product, std::vector<Factors>& best) {
  if (ascending.size() == count) {
    const Factors factors(ascending.rbegin(), ascending.rend());
    Factors& place = best[static_cast<std::size_t>(product)];
    if (place.empty() || is_better(factors, place)) place = factors;
    return;
  }
  const int first = ascending.empty() ? 1 : ascending.back();
  for (int factor = first; product <= limit / factor; ++factor) {
    ascending.push_back(factor);
    go_through(ascending, count, product * factor, best);
    ascending.pop_back();
  }
}

class BalancedFactors : public ::testing::TestWithParam<std::size_t> {};

TEST_P(BalancedFactors, AreTheBestOfAllProducts) {
  std::vector<Factors> best(limit + 1);
  Factors factors;
  go_through(factors, GetParam(), 1, best);
  for (int number = 1; number <= limit; ++number) {
    ASSERT_EQ(balanced(number, GetParam()), best[static_cast<std::size_t>(number)]) << number;
  }
}

INSTANTIATE_TEST_SUITE_P(Counts, BalancedFactors, ::testing::Values(1, 2, 3, 4, 5));

TEST(BalancedFactorsOf, NumbersWhoseLeastGreatestFactorIsNotTheBest) {
  EXPECT_EQ(balanced(4620, 3), (Factors{22, 15, 14}));   // not 21 x 20 x 11
  EXPECT_EQ(balanced(5850, 3), (Factors{26, 15, 15}));   // not 25 x 18 x 13
  EXPECT_EQ(balanced(7488, 3), (Factors{26, 18, 16}));   // not 24 x 24 x 13
  EXPECT_EQ(balanced(34425, 3), (Factors{51, 27, 25}));  // not 45 x 45 x 17
}

// What is slow if anything is: many divisors, great primes, and more factors than there are primes.
TEST(BalancedFactorsOf, TheGreatestNumbers) {
  for (const int number : {2'147'483'647, 2'147'395'600, 2'095'133'040, 1'102'701'600, 2'147'117'569, 1'073'741'824}) {
    for (std::size_t count = 1; count <= 40; ++count) {
      const Factors factors = balanced(number, count);
      EXPECT_TRUE(std::is_sorted(factors.rbegin(), factors.rend())) << number;
      EXPECT_EQ(std::accumulate(factors.begin(), factors.end(), 1LL, std::multiplies<>()), number);
    }
  }
  EXPECT_EQ(balanced(2'147'483'647, 3), (Factors{2'147'483'647, 1, 1}));
  EXPECT_EQ(balanced(46'337 * 46'337, 2), (Factors{46'337, 46'337}));
  EXPECT_EQ(balanced(1 << 30, 4), (Factors{256, 256, 128, 128}));
}

}  // namespace
}  // namespace toroid::testing
