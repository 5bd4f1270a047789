// SPDX-License-Identifier: Apache-2.0
// Slices of a broadcast that are offered in an order which the network does not often give.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "firmware/bgl/msglayer/relay.h"
#include "testbench/tests/firmware/job.h"

namespace toroid::testing {
namespace {

constexpr std::uint32_t kSlices = 5;

struct Slice {
  bglml_pass_send_t send;
  bool sent = false;
};

void mark(void* sent) {
  *static_cast<bool*>(sent) = true;
}

/// Rank 0 offers the slices in this order; each has a place at rank 1, but one that is still in use by the slice before
/// makes its offer wait.
void expect_all_in_place(const std::vector<std::uint32_t>& order) {
  Job job{2, 1, 1};
  std::vector<std::uint8_t> source(kSlices * BGLML_SLICE), destination(source.size() + 1, 0xEE);
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::uint8_t>(i / 251 + i);
  bglml_relay_t& relay = job.state(1).relay;
  job.on(1,
         [&] { bglml_relay_prepare(&relay, destination.data(), static_cast<std::uint32_t>(source.size()), 1, false); });
  std::vector<Slice> slices(kSlices);
  bool done = false;
  for (const std::uint32_t number : order) {
    job.on(0, [&] {
      bglml_pass(&slices[number].send, 1, number, source.data() + number * BGLML_SLICE, BGLML_SLICE, true, mark,
                 &slices[number].sent);
    });
    job.settle();
    if (number % BGLML_SLICES_AHEAD != 0) continue;  // whoever computes meanwhile takes in several at once
    job.on(1, [&] { done = bglml_relay_progress(&relay); });
    job.settle();
  }
  for (unsigned turn = 0; turn < kSlices && !done; ++turn) {
    job.on(1, [&] { done = bglml_relay_progress(&relay); });
    job.settle();
  }
  EXPECT_TRUE(done);
  EXPECT_TRUE(std::all_of(slices.begin(), slices.end(), [](const Slice& slice) { return slice.sent; }));
  EXPECT_TRUE(std::equal(source.begin(), source.end(), destination.begin()));
  EXPECT_EQ(destination.back(), 0xEE);
  EXPECT_EQ(job.torus.errors, std::vector<std::string>{});
}

TEST(Relay, TakesSlicesInOrder) {
  expect_all_in_place({0, 1, 2, 3, 4});
}

TEST(Relay, AnOfferThatOvertookWaitsForItsPlace) {
  expect_all_in_place({0, 2, 1, 4, 3});
  expect_all_in_place({1, 0, 3, 2, 4});
  expect_all_in_place({1, 3, 0, 2, 4});
}

}  // namespace
}  // namespace toroid::testing
