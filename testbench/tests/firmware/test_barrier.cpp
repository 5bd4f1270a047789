// SPDX-License-Identifier: Apache-2.0
// The barrier, for numbers of ranks that are no powers of two: each rank runs in a thread of its own, one at a time.
#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "testbench/tests/firmware/job.h"

namespace toroid::testing {
namespace {

/// Lets one thread run at a time. The one that runs gives the turn to the next at each status read of its advance loop.
class Baton {
 public:
  Baton(Job& job, std::function<void(unsigned rank)> work) : job_(job) {
    running_.assign(job.size(), true);
    job.torus.on_status = [this] { pass(job_.torus.node); };
    std::vector<std::thread> threads;
    for (unsigned rank = 0; rank < job.size(); ++rank) {
      threads.emplace_back([this, rank, &work] {
        take(rank);
        work(rank);
        running_[rank] = false;
        give(rank);
      });
    }
    for (std::thread& thread : threads) thread.join();
    job.torus.on_status = nullptr;
  }

 private:
  void take(unsigned rank) {
    std::unique_lock lock(mutex_);
    turn_changed_.wait(lock, [&] { return turn_ == rank; });
    job_.select(rank);
  }
  void give(unsigned rank) {
    std::unique_lock lock(mutex_);
    job_.torus.settle();
    for (unsigned step = 1; step <= job_.size(); ++step) {
      turn_ = (rank + step) % job_.size();
      if (running_[turn_]) break;
    }
    turn_changed_.notify_all();
  }
  void pass(unsigned rank) {
    give(rank);
    take(rank);
  }

  Job& job_;
  std::mutex mutex_;
  std::condition_variable turn_changed_;
  unsigned turn_ = 0;
  std::vector<char> running_;
};

class Barrier : public ::testing::TestWithParam<unsigned> {};

/// Barriers to which ranks come at different times.
void expect_that_nobody_leaves_early(Job& job) {
  const unsigned ranks = job.size();
  constexpr unsigned kBarriers = 5;
  std::vector<unsigned> entered(ranks, 0);
  unsigned early = 0;
  Baton baton(job, [&](unsigned rank) {
    for (unsigned number = 1; number <= kBarriers; ++number) {
      // Ranks come at different times.
      for (unsigned wait = 0; wait < (rank * 7 + number * 3) % 10; ++wait) bglml_advance();
      entered[rank] = number;
      bglml_barrier();
      if (*std::min_element(entered.begin(), entered.end()) < number) ++early;
    }
  });
  EXPECT_EQ(early, 0u);
  EXPECT_EQ(entered, std::vector<unsigned>(ranks, kBarriers));
  EXPECT_EQ(job.torus.errors, std::vector<std::string>{});
}

TEST_P(Barrier, NobodyLeavesBeforeTheLastHasCome) {
  Job job(GetParam(), 1, 1);
  expect_that_nobody_leaves_early(job);
  EXPECT_EQ(job.torus.sent.empty(), job.size() == 1);
}

TEST_P(Barrier, NorOverTheGlobalInterrupts) {
  Job job(GetParam(), 1, 1, 7, false);
  job.torus.wires.nodes = job.size();
  job.on_all([](unsigned) { bglml_init(nullptr); });
  expect_that_nobody_leaves_early(job);
  EXPECT_TRUE(job.torus.sent.empty());
  EXPECT_EQ(job.torus.wires.fired, 5 * job.size());
}

/// A rank that the message layer leaves out fires nothing: then it is messages.
TEST(WiredBarrier, IsNotForAPartOfTheJob) {
  Job job(3, 1, 1, 7, false);
  job.torus.wires.nodes = 3;
  bglml_options_t options = {};
  options.max_ranks = 2;
  for (unsigned rank = 0; rank < 2; ++rank) {
    job.on(rank, [&options] { bglml_init(&options); });
    EXPECT_FALSE(bglml_barrier_is_wired());
  }
  Job all(3, 1, 1, 7, false);
  all.torus.wires.nodes = 3;
  all.on(0, [] { bglml_init(nullptr); });
  EXPECT_TRUE(bglml_barrier_is_wired());
}

/// Nobody leaves with a message in its queue, even if all the others are there already.
TEST(WiredBarrier, SendsWhatWaits) {
  Job job(2, 1, 1, 7, false);
  job.torus.wires.nodes = 2;
  job.on_all([](unsigned) { bglml_init(nullptr); });
  Baton baton(job, [&](unsigned rank) {
    const bglml_port_t port =
        bglml_one_packet_register([](void*, uint32_t, uint32_t, const void*, uint32_t) {}, nullptr);
    bglml_one_packet_t message;
    bglml_one_packet_init(&message, port, 1 - rank, 0, nullptr, 0, nullptr, nullptr);
    if (rank == 1) bglml_one_packet_post(&message);
    bglml_barrier();
  });
  EXPECT_EQ(job.torus.sent.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Ranks, Barrier, ::testing::Values(1u, 2u, 3u, 5u, 8u, 13u));

}  // namespace
}  // namespace toroid::testing
