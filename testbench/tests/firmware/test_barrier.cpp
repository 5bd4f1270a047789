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

TEST_P(Barrier, NobodyLeavesBeforeTheLastHasCome) {
  const unsigned ranks = GetParam();
  constexpr unsigned kBarriers = 4;
  Job job(ranks, 1, 1);
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

INSTANTIATE_TEST_SUITE_P(Ranks, Barrier, ::testing::Values(1u, 2u, 3u, 5u, 8u, 13u));

}  // namespace
}  // namespace toroid::testing
