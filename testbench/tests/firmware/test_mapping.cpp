// SPDX-License-Identifier: Apache-2.0
// Ranks, places, routes and the FIFO each peer is pinned to.
#include <gtest/gtest.h>

#include <set>

#include "testbench/tests/firmware/inbox.h"
#include "testbench/tests/firmware/job.h"

namespace toroid::testing {
namespace {

TEST(Mapping, RanksAndPlaces) {
  Job job(4, 3, 2);
  job.on_all([&](unsigned rank) {
    EXPECT_EQ(bglml_rank(), rank);
    EXPECT_EQ(bglml_size(), 24u);
    const bglml_coordinates_t at = bglml_coordinates(rank);
    EXPECT_EQ(at.x + 4u * (at.y + 3u * at.z), rank);
    EXPECT_EQ(bglml_rank_at(at), rank);
  });
  job.on(0, [] {
    EXPECT_EQ(bglml_rank_at({4, 0, 0, 0}), BGLML_NO_RANK);
    EXPECT_EQ(bglml_hops(0, 3), 1u);
    EXPECT_EQ(bglml_hops(0, 2), 2u);
    EXPECT_EQ(bglml_hops(0, 8), 1u);
    EXPECT_EQ(bglml_hops(0, 12 + 4 + 2), 4u);
    EXPECT_EQ(bglml_hops(5, 5), 0u);
    EXPECT_EQ(bglml_shape().x, 4);
    EXPECT_EQ(bglml_shape().z, 2);
  });
}

TEST(Mapping, MeshesHaveNoWayRound) {
  Job job(8, 4, 1, 2);  // X a mesh, Y a ring
  job.on(0, [] {
    EXPECT_EQ(bglml_hops(0, 7), 7u);
    EXPECT_EQ(bglml_hops(0, 24), 1u);
    EXPECT_EQ(bglml_route(&bglml_instance->mapping, bglml_coordinates(7)).hints, TORUS_HINT_X_PLUS);
    EXPECT_EQ(bglml_route(&bglml_instance->mapping, bglml_coordinates(24)).hints, TORUS_HINT_Y_MINUS);
  });
}

/// X goes through I0, Y through I1, Z through I2; plus through group 0, minus through group 1; hints all the way.
TEST(Mapping, FifosByDirectionOfTravel) {
  Job job(5, 5, 5);
  Inbox inbox[125];
  job.on_all([&](unsigned rank) { inbox[rank].open(); });
  struct Case {
    unsigned peer, group, fifo;
    std::uint8_t hints;
  };
  const Case cases[] = {
      {1, 0, 0, TORUS_HINT_X_PLUS},
      {4, 1, 0, TORUS_HINT_X_MINUS},
      {10, 0, 1, TORUS_HINT_Y_PLUS},
      {15, 1, 1, TORUS_HINT_Y_MINUS},
      {25, 0, 2, TORUS_HINT_Z_PLUS},
      {100, 1, 2, TORUS_HINT_Z_MINUS},
      {100 + 5 + 4, 1, 0, TORUS_HINT_X_MINUS | TORUS_HINT_Y_PLUS | TORUS_HINT_Z_MINUS},
      {50 + 15, 1, 1, TORUS_HINT_Y_MINUS | TORUS_HINT_Z_PLUS},
  };
  for (const Case& expected : cases) {
    job.torus.sent.clear();
    bglml_one_packet_t message;
    job.on(0, [&] {
      bglml_one_packet_init(&message, inbox[0].one_packet, expected.peer, 0, "x", 1, nullptr, nullptr);
      bglml_one_packet_post(&message);
    });
    job.settle();
    ASSERT_EQ(job.torus.sent.size(), 1u);
    const auto& sent = job.torus.sent[0];
    EXPECT_EQ(sent.group, expected.group) << expected.peer;
    EXPECT_EQ(sent.fifo, expected.fifo) << expected.peer;
    EXPECT_EQ(sent.fields.hints, expected.hints) << expected.peer;
    EXPECT_EQ(sent.fields.pid, expected.group);
    EXPECT_EQ(sent.fields.dynamic, 0);
    EXPECT_EQ(sent.fields.vc, TORUS_VC_BUBBLE);
    EXPECT_EQ(sent.fields.destination[0], expected.peer % 5);
    EXPECT_EQ(sent.fields.destination[1], expected.peer / 5 % 5);
    EXPECT_EQ(sent.fields.destination[2], expected.peer / 25);
    ASSERT_EQ(inbox[expected.peer].messages.size(), 1u);
    EXPECT_EQ(inbox[expected.peer].messages[0].source, 0u);
  }
}

/// Half-way round a ring, even nodes go up and odd ones down.
TEST(Mapping, TiesAreShared) {
  Job job(4, 1, 1);
  std::vector<unsigned> hints;
  job.on_all([&](unsigned rank) {
    hints.push_back(bglml_route(&bglml_instance->mapping, bglml_coordinates((rank + 2) % 4)).hints);
  });
  EXPECT_EQ(hints,
            (std::vector<unsigned>{TORUS_HINT_X_PLUS, TORUS_HINT_X_MINUS, TORUS_HINT_X_PLUS, TORUS_HINT_X_MINUS}));
}

}  // namespace
}  // namespace toroid::testing
