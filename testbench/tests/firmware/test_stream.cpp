// SPDX-License-Identifier: Apache-2.0
// Streams of full packets, with all that may come between them: packets of one chunk, which are found out only when
// three quads have been read ahead; packets of another message; the stream's own ones in any order.
#include <gtest/gtest.h>

#include <numeric>

#include "testbench/tests/firmware/inbox.h"
#include "testbench/tests/firmware/job.h"

namespace toroid::testing {
namespace {

using Adversary = TorusDouble::Adversary;

constexpr std::uint32_t kLength = 300 * BGLML_ONE_PACKET_MAX + 7;
constexpr unsigned kNotes = 60;
constexpr unsigned kEmptyTurns = 20, kEmptyNotes = kEmptyTurns * 3 * 2;

/// What rank 1 receives: a long message into an aligned buffer, and notes of one chunk.
struct Receiver {
  alignas(16) std::uint8_t buffer[kLength] = {};
  bglml_rendezvous_receive_t rendezvous{};
  bglml_eager_receive_t eager{};
  unsigned notes = 0, wrong_notes = 0, empty_notes = 0, done = 0;

  static void finish(void* context) { ++static_cast<Receiver*>(context)->done; }

  static bglml_rendezvous_receive_t* on_offer(void* context, const bglml_rendezvous_offer_t*) {
    auto* self = static_cast<Receiver*>(context);
    bglml_rendezvous_receive_init(&self->rendezvous, self->buffer, sizeof self->buffer, finish, self);
    return &self->rendezvous;
  }
  static bglml_eager_receive_t* on_eager(void* context, std::uint32_t, const bglml_metadata_t*, std::uint32_t) {
    auto* self = static_cast<Receiver*>(context);
    bglml_eager_receive_init(&self->eager, self->buffer, finish, self);
    return &self->eager;
  }
  static void on_note(void* context, std::uint32_t, std::uint32_t argument, const void* bytes, std::uint32_t length) {
    auto* self = static_cast<Receiver*>(context);
    if (length == 0) {
      ++self->empty_notes;
      return;
    }
    const bool right = length == 16 && static_cast<const std::uint8_t*>(bytes)[15] == (argument & 0xFF);
    if (!right || argument != self->notes) ++self->wrong_notes;
    ++self->notes;
  }
};

struct Case {
  const char* name;
  bool eager;  ///< else rendezvous
  Adversary adversary;
  bool patient;  ///< the receiver looks only when its FIFOs are full
};

class Stream : public ::testing::TestWithParam<Case> {};

TEST_P(Stream, LetsOtherPacketsThrough) {
  const Case& parameter = GetParam();
  Job job(3, 1, 1);
  job.torus.adversary = parameter.adversary;
  Receiver receiver;
  bglml_port_t offers = 0, eagers = 0, notes = 0;
  job.on_all([&](unsigned) {
    offers = bglml_rendezvous_register(Receiver::on_offer, &receiver);
    eagers = bglml_eager_register(Receiver::on_eager, &receiver);
    notes = bglml_one_packet_register(Receiver::on_note, &receiver);
  });
  alignas(16) static std::uint8_t source[kLength];
  std::iota(std::begin(source), std::end(source), std::uint8_t{1});
  alignas(16) static std::uint8_t note[kNotes][16];
  bglml_rendezvous_t rendezvous;
  bglml_eager_t eager;
  std::vector<bglml_one_packet_t> messages(kNotes);
  job.on(0, [&] {
    if (parameter.eager) {
      bglml_eager_init(&eager, eagers, 1, nullptr, source, kLength, nullptr, nullptr);
      bglml_eager_post(&eager);
    } else {
      bglml_rendezvous_init(&rendezvous, offers, 1, nullptr, source, kLength, nullptr, nullptr);
      bglml_rendezvous_post(&rendezvous);
    }
  });
  // Notes come beside rendezvous data from the same rank; beside eager data from rank 2, through another FIFO.
  const unsigned writer = parameter.eager ? 2 : 0;
  unsigned posted = 0;
  for (unsigned turn = 0; turn < 2000; ++turn) {
    if (posted < kNotes && turn >= 4) {
      note[posted][15] = static_cast<std::uint8_t>(posted);
      job.on(writer, [&] {
        bglml_one_packet_init(&messages[posted], notes, 1, posted, note[posted], 16, nullptr, nullptr);
        bglml_one_packet_post(&messages[posted]);
      });
      ++posted;
    }
    job.advance(0);
    job.advance(2);
    for (unsigned node = 0; node < 3; ++node) {
      for (unsigned fifo = 0; fifo < 6; ++fifo) {
        for (unsigned times = 0; times < 3; ++times) job.torus.move(node, fifo / 3, fifo % 3);
      }
    }
    // Packets of one chunk among those of the stream, in the FIFOs that it may come through.
    for (unsigned times = 0; times < 12; ++times) {
      job.torus.deliver(1), job.torus.deliver(0);
      if (turn >= 8 && turn < 8 + kEmptyTurns && times % 5 == 1) {
        for (unsigned group = 0; group < 2; ++group) {
          job.torus.plant(1, group, BGL_TORUS_R1, {0, 0, bglml_word2(notes, 2), 0}, 1);
        }
      }
    }
    if (!parameter.patient || turn % 4 == 3 || turn < 8) job.advance(1);
  }
  job.settle();
  EXPECT_EQ(receiver.done, 1u);
  EXPECT_EQ(receiver.notes, kNotes);
  EXPECT_EQ(receiver.wrong_notes, 0u);
  EXPECT_EQ(receiver.empty_notes, kEmptyNotes);
  EXPECT_TRUE(std::equal(std::begin(source), std::end(source), std::begin(receiver.buffer)));
  EXPECT_EQ(job.torus.errors, std::vector<std::string>{});
  const bglml_traffic_t& received = job.counters(1).received;
  EXPECT_GE(received.direct, 290u * BGLML_ONE_PACKET_MAX);
  EXPECT_EQ(received.packets[parameter.eager ? BGLML_COUNT_EAGER : BGLML_COUNT_RENDEZVOUS],
            job.counters(0).sent.packets[parameter.eager ? BGLML_COUNT_EAGER : BGLML_COUNT_RENDEZVOUS]);
}

INSTANTIATE_TEST_SUITE_P(Streams, Stream,
                         ::testing::Values(Case{"eager", true, Adversary::none, false},
                                           Case{"eager_in_heaps", true, Adversary::none, true},
                                           Case{"rendezvous", false, Adversary::none, false},
                                           Case{"rendezvous_in_heaps", false, Adversary::none, true},
                                           Case{"rendezvous_anyhow", false, Adversary::random, true}),
                         [](const auto& parameter) { return parameter.param.name; });

}  // namespace
}  // namespace toroid::testing
