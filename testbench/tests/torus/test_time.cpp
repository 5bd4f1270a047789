// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#include "torus/base/clock.h"
#include "torus/base/time.h"
#include "torus/base/wheel.h"

namespace toroid {
namespace {

// What must not compile. ----------------------------------------------------------------------------------------------

template <typename A, typename B, typename = void>
struct Adds : std::false_type {};
template <typename A, typename B>
struct Adds<A, B, std::void_t<decltype(std::declval<A>() + std::declval<B>())>> : std::true_type {};

template <typename A, typename B, typename = void>
struct Subtracts : std::false_type {};
template <typename A, typename B>
struct Subtracts<A, B, std::void_t<decltype(std::declval<A>() - std::declval<B>())>> : std::true_type {};

template <typename A, typename B, typename = void>
struct Compares : std::false_type {};
template <typename A, typename B>
struct Compares<A, B, std::void_t<decltype(std::declval<A>() < std::declval<B>())>> : std::true_type {};

template <typename A, typename B>
constexpr bool mixes = Adds<A, B>::value || Subtracts<A, B>::value || Compares<A, B>::value ||
                       std::is_constructible_v<A, B> || std::is_assignable_v<A&, B>;

static_assert(mixes<Cycle, Cycle>, "the test itself finds what is allowed");
static_assert(!mixes<Cycle, CoreCycle> && !mixes<CoreCycle, Cycle>, "clocks do not mix");
static_assert(!mixes<Cycle, LinkBytes> && !mixes<LinkBytes, Cycle>, "bytes are no time");
static_assert(!mixes<CoreCycle, LinkBytes> && !mixes<LinkBytes, CoreCycle>, "bytes are no time");

// A number of 64 bits may be a time of another unit: it neither becomes an amount by itself nor counts as one.
static_assert(!std::is_convertible_v<std::uint64_t, Cycle> && std::is_constructible_v<Cycle, std::uint64_t>);
static_assert(!Adds<Cycle, std::uint64_t>::value && !Compares<Cycle, std::uint64_t>::value);
static_assert(!std::is_convertible_v<unsigned, Cycle> && Adds<Cycle, unsigned>::value);
static_assert(!std::is_convertible_v<Cycle, std::uint64_t> && !std::is_constructible_v<bool, Cycle>);
static_assert(!std::is_constructible_v<Cycle, double> && !std::is_constructible_v<Cycle, bool>);

static_assert(!std::is_invocable_v<decltype(&Wheel::run_until), Wheel&, CoreCycle>,
              "the wheel turns in network cycles");
static_assert(std::is_invocable_v<decltype(&Wheel::run_until), Wheel&, Cycle>);

// What amounts cost: nothing. -----------------------------------------------------------------------------------------

static_assert(sizeof(Cycle) == 8 && std::is_trivially_copyable_v<Cycle> && std::is_standard_layout_v<Cycle>);

TEST(Time, CountsAsItsNumberDoes) {
  Cycle cycle = 5;
  cycle += Cycle{7};
  cycle += 1u;
  EXPECT_EQ(cycle, 13);
  EXPECT_EQ(cycle - 3, Cycle{10});
  EXPECT_EQ(cycle++, 13);
  EXPECT_EQ(--cycle, 13);
  EXPECT_EQ(2 * cycle + cycle * 3, 65);
  EXPECT_EQ(cycle / Cycle{4}, std::uint64_t{3});
  EXPECT_EQ(cycle % 4, 1);
  EXPECT_LT(cycle, kNever);
  EXPECT_DOUBLE_EQ(static_cast<double>(cycle), 13.0);
}

TEST(Time, ConvertsWhereTheRateIsNamed) {
  EXPECT_EQ(in_cycles_of<CoreCycle>(Cycle{175}, 175, 700), CoreCycle{700});
  EXPECT_EQ(in_cycles_of<Cycle>(CoreCycle{5}, 700, 175), Cycle{2}) << "rounded up";
  EXPECT_EQ(time_of(Cycle{175}, 175), time_of(CoreCycle{700}, 700));
  EXPECT_EQ(cycle_at<CoreCycle>(time_of(Cycle{1}, 175), 700), CoreCycle{4});
  EXPECT_EQ(wire_time(LinkBytes{270}, 1), Cycle{270});
  EXPECT_EQ(wire_time(LinkBytes{266}, 4), Cycle{67});
}

}  // namespace
}  // namespace toroid
