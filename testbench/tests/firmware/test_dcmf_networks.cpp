// SPDX-License-Identifier: Apache-2.0
// Operations of all processes over the global interrupts and the collective network: what comes out, that they do use
// these networks, and that others do not.
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "firmware/bgp/dcmf/collective/networks.h"
#include "testbench/tests/firmware/dcmf_job.h"

namespace toroid::testing {
namespace {

void count_down(void* clientdata, DCMF_Error_t*) {
  --*static_cast<unsigned*>(clientdata);
}

/// Registrations of all ranks are alike, so that there is one of each.
class Networks : public ::testing::TestWithParam<unsigned> {
 public:
  Networks() {
    job = std::make_unique<DcmfJob>(3, 2, 1, GetParam(), 32 << 20);
    job->dma.meanwhile = 2;
    due.assign(job->size(), 0);
    DCMF_GlobalBarrier_Configuration_t of_barrier = {DCMF_GI_GLOBALBARRIER_PROTOCOL};
    DCMF_GlobalBcast_Configuration_t of_broadcast = {DCMF_TREE_GLOBALBCAST_PROTOCOL};
    DCMF_GlobalAllreduce_Configuration_t of_allreduce = {DCMF_TREE_GLOBALALLREDUCE_PROTOCOL};
    EXPECT_EQ(DCMF_GlobalBarrier_register(&barrier, &of_barrier), DCMF_SUCCESS);
    EXPECT_EQ(DCMF_GlobalBcast_register(&broadcast, &of_broadcast), DCMF_SUCCESS);
    EXPECT_EQ(DCMF_GlobalAllreduce_register(&allreduce, &of_allreduce), DCMF_SUCCESS);
  }
  ~Networks() override {
    EXPECT_EQ(job->dma.errors, std::vector<std::string>{});
    EXPECT_EQ(job->dma.collective.errors, std::vector<std::string>{});
  }
  /// Starts an operation on one rank.
  void start(unsigned rank, const std::function<int(DCMF_Request_t*, DCMF_Callback_t)>& call) {
    job->select(rank);
    ++due[rank];
    ASSERT_EQ(call(job->memory<DCMF_Request_t>(rank), {count_down, &due[rank]}), DCMF_SUCCESS);
  }
  void progress() {
    for (unsigned i = job->dma.random() % 30; i > 0; --i) {
      job->dma.step();
      if (job->dma.random() % 4 == 0) job->advance(static_cast<unsigned>(job->dma.random()) % job->size());
    }
  }
  void end() {
    job->settle();
    for (unsigned rank = 0; rank < job->size(); ++rank) ASSERT_EQ(due[rank], 0u) << "rank " << rank;
  }
  /// Starts it on all ranks, from a random one on, with progress in between.
  void all(const std::function<int(unsigned rank, DCMF_Request_t*, DCMF_Callback_t)>& call) {
    const auto first = static_cast<unsigned>(job->dma.random());
    for (unsigned i = 0; i < job->size(); ++i) {
      const unsigned rank = (first + i) % job->size();
      start(rank, [&](DCMF_Request_t* request, DCMF_Callback_t done) { return call(rank, request, done); });
      ASSERT_GE(due[rank], 1u) << "callbacks come from advance()";
      progress();
    }
  }
  template <typename T>
  std::vector<T*> buffers(std::size_t count, std::size_t beside = 0) {
    std::vector<T*> made;
    for (unsigned rank = 0; rank < job->size(); ++rank) {
      made.push_back(job->memory<T>(rank, count + 1, rank % 2 ? beside : 0));
    }
    return made;
  }
  /// Sums of what differs from rank to rank.
  template <typename T>
  void sum(std::size_t count, int root, DCMF_Dt dt, bool in_place = false) {
    const auto from = buffers<T>(count, alignof(T)), to = in_place ? from : buffers<T>(count, 8);
    for (unsigned rank = 0; rank < job->size(); ++rank) {
      for (std::size_t i = 0; i < count; ++i) from[rank][i] = static_cast<T>((rank + 1) * 100 + i % 97);
    }
    all([&](unsigned rank, DCMF_Request_t* request, DCMF_Callback_t done) {
      return DCMF_GlobalAllreduce(&allreduce, request, done, DCMF_MATCH_CONSISTENCY, root,
                                  reinterpret_cast<char*>(from[rank]), reinterpret_cast<char*>(to[rank]),
                                  static_cast<unsigned>(count), dt, DCMF_SUM);
    });
    end();
    const unsigned ranks = job->size();
    for (unsigned rank = 0; rank < ranks; ++rank) {
      if (root >= 0 && static_cast<unsigned>(root) != rank) continue;
      for (std::size_t i = 0; i < count; ++i) {
        const auto expected = static_cast<T>(ranks * (ranks + 1) / 2 * 100 + ranks * (i % 97));
        ASSERT_EQ(to[rank][i], expected) << "rank " << rank << " element " << i << " of " << count;
      }
    }
  }

  std::unique_ptr<DcmfJob> job;
  std::vector<unsigned> due;
  DCMF_Protocol_t barrier, broadcast, allreduce;
};

TEST_P(Networks, BarriersWaitForAllAndFollowEachOther) {
  const auto meet = [&](unsigned rank) {
    start(rank,
          [&](DCMF_Request_t* request, DCMF_Callback_t done) { return DCMF_GlobalBarrier(&barrier, request, done); });
  };
  const std::uint64_t before = job->dma.packets;
  for (unsigned round = 0; round < 3; ++round) {
    for (unsigned last = 0; last < job->size(); ++last) {
      for (unsigned rank = 0; rank < job->size(); ++rank) {
        if (rank != last) meet(rank);
      }
      job->settle();
      for (unsigned rank = 0; rank < job->size(); ++rank) ASSERT_EQ(due[rank], rank == last ? 0u : 1u);
      meet(last);
      end();
    }
  }
  // Directly one after the other: who is through begins the next at once.
  std::vector<unsigned> begun(job->size(), 0);
  for (unsigned turns = 0; turns < 200000; ++turns) {
    const auto rank = static_cast<unsigned>(job->dma.random()) % job->size();
    if (due[rank] == 0 && begun[rank] < 20) {
      ++begun[rank];
      meet(rank);
    }
    if (job->dma.random() % 2) job->dma.step();
    job->advance(rank);
    const unsigned least = *std::min_element(begun.begin(), begun.end());
    for (unsigned each : begun) ASSERT_LE(each, least + 1);
    if (least == 20) break;
  }
  end();
  EXPECT_EQ(begun, std::vector<unsigned>(job->size(), 20));
  EXPECT_EQ(job->dma.packets, before) << "the torus has no part in it";
  EXPECT_EQ(job->dma.collective.fired, 6 * (3 * job->size() + 20));
}

TEST_P(Networks, SeveralBarriersAreStartedAtOnce) {
  for (unsigned i = 0; i < 3; ++i) {
    all([&](unsigned, DCMF_Request_t* request, DCMF_Callback_t done) {
      return DCMF_GlobalBarrier(&barrier, request, done);
    });
  }
  end();
}

TEST_P(Networks, BroadcastsFromAnyRank) {
  const std::uint64_t before = job->dma.packets;
  for (std::size_t bytes : {0u, 1u, 255u, 256u, 257u, 4096u, 4097u, 20000u}) {
    for (unsigned root = 0; root < job->size(); root += 1 + root % 3) {
      const auto data = buffers<std::uint8_t>(bytes, 3);
      for (std::size_t i = 0; i < bytes; ++i) data[root][i] = static_cast<std::uint8_t>(job->dma.random());
      all([&](unsigned rank, DCMF_Request_t* request, DCMF_Callback_t done) {
        return DCMF_GlobalBcast(&broadcast, request, done, DCMF_MATCH_CONSISTENCY, root,
                                reinterpret_cast<char*>(data[rank]), bytes);
      });
      end();
      for (const auto* each : data) {
        ASSERT_EQ(std::memcmp(each, data[root], bytes), 0) << bytes << " from " << root;
        ASSERT_EQ(each[bytes], 0) << "beside";
      }
    }
  }
  EXPECT_EQ(job->dma.packets, before) << "the torus has no part in it";
}

TEST_P(Networks, Sums) {
  const std::uint64_t before = job->dma.packets;
  for (std::size_t count : {0u, 1u, 63u, 64u, 65u, 1024u, 1025u, 3000u}) {
    for (int root : {-1, 0, static_cast<int>(job->size()) - 1}) {
      sum<unsigned>(count, root, DCMF_UNSIGNED_INT);
      if (count < 100) sum<int>(count, root, DCMF_SIGNED_INT, true);
    }
  }
  for (std::size_t count : {1u, 4u, 5u, 126u, 127u, 503u, 505u, 1600u}) {
    sum<double>(count, -1, DCMF_DOUBLE);
    sum<double>(count, 1, DCMF_DOUBLE, count % 2 == 0);
  }
  EXPECT_EQ(job->dma.packets, before) << "the torus has no part in it";
  EXPECT_GT(job->dma.collective.packets, 0u);
  // What the network cannot do goes by messages.
  sum<float>(10, -1, DCMF_FLOAT);
  EXPECT_GT(job->dma.packets, before);
}

TEST_P(Networks, OperationsWaitForEachOther) {
  const auto data = buffers<std::uint8_t>(9000);
  const auto from = buffers<unsigned>(3000), to = buffers<unsigned>(3000);
  job->on_all([&](unsigned rank) {
    std::fill_n(from[rank], 3000, rank);
    std::memset(data[rank], static_cast<int>(rank + 1), 9000);
  });
  const auto tell = [&](unsigned rank, DCMF_Request_t* request, DCMF_Callback_t done) {
    return DCMF_GlobalBcast(&broadcast, request, done, DCMF_MATCH_CONSISTENCY, 2, reinterpret_cast<char*>(data[rank]),
                            9000);
  };
  const auto reduce = [&](unsigned rank, DCMF_Request_t* request, DCMF_Callback_t done) {
    return DCMF_GlobalAllreduce(&allreduce, request, done, DCMF_MATCH_CONSISTENCY, -1,
                                reinterpret_cast<char*>(from[rank]), reinterpret_cast<char*>(to[rank]), 3000,
                                DCMF_UNSIGNED_INT, DCMF_MAX);
  };
  all(tell);
  all(reduce);
  all(tell);
  end();
  for (unsigned rank = 0; rank < job->size(); ++rank) {
    EXPECT_EQ(data[rank][8999], 3);
    EXPECT_EQ(to[rank][2999], job->size() - 1);
  }
}

TEST_P(Networks, OperationsAreRestarted) {
  std::vector<DCMF_Request_t*> requests;
  const auto from = buffers<unsigned>(100), to = buffers<unsigned>(100);
  job->on_all([&](unsigned rank) {
    requests.push_back(job->memory<DCMF_Request_t>(rank));
    due[rank] = 1;
    from[rank][99] = rank;
    DCMF_GlobalAllreduce(&allreduce, requests[rank], {count_down, &due[rank]}, DCMF_MATCH_CONSISTENCY, -1,
                         reinterpret_cast<char*>(from[rank]), reinterpret_cast<char*>(to[rank]), 100, DCMF_UNSIGNED_INT,
                         DCMF_MAX);
  });
  for (unsigned again = 0; again < 3; ++again) {
    end();
    job->on_all([&](unsigned rank) {
      EXPECT_EQ(to[rank][99], job->size() - 1 + again);
      ++from[rank][99];
      due[rank] = 1;
      EXPECT_EQ(DCMF_Restart(requests[rank]), DCMF_SUCCESS);
    });
  }
  end();
}

TEST_P(Networks, OnlyGeometriesOfTheWholeJob) {
  std::vector<unsigned> ranks(job->size());
  std::iota(ranks.begin(), ranks.end(), 0u);
  DCMF_CollectiveProtocol_t wired, tree, torus;
  DCMF_CollectiveProtocol_t* barriers[] = {&wired, &torus};
  DCMF_Barrier_Configuration_t of_wired = {DCMF_GI_BARRIER_PROTOCOL, nullptr};
  DCMF_Barrier_Configuration_t of_torus = {DCMF_TORUS_BINOMIAL_BARRIER_PROTOCOL, nullptr};
  DCMF_Broadcast_Configuration_t of_tree = {DCMF_TREE_BROADCAST_PROTOCOL};
  ASSERT_EQ(DCMF_Barrier_register(&wired, &of_wired), DCMF_SUCCESS);
  ASSERT_EQ(DCMF_Barrier_register(&torus, &of_torus), DCMF_SUCCESS);
  ASSERT_EQ(DCMF_Broadcast_register(&tree, &of_tree), DCMF_SUCCESS);
  for (const bool global : {true, false}) {
    for (const unsigned count : {job->size(), job->size() - 1}) {
      const bool serves = global && count == job->size();
      const std::uint64_t packets = job->dma.packets;
      const unsigned fired = job->dma.collective.fired;
      std::vector<DCMF_Geometry_t*> geometry;
      for (unsigned rank = 0; rank < count; ++rank) {
        job->select(rank);
        geometry.push_back(job->memory<DCMF_Geometry_t>(rank));
        ASSERT_EQ(DCMF_Geometry_initialize(geometry[rank], count + global, ranks.data(), count, barriers, 2, nullptr, 0,
                                           job->memory<DCMF_CollectiveRequest_t>(rank), 0, global),
                  DCMF_SUCCESS);
        EXPECT_EQ(DCMF_Geometry_analyze(geometry[rank], &wired), serves);
        EXPECT_EQ(DCMF_Geometry_analyze(geometry[rank], &tree), serves);
        EXPECT_EQ(DCMF_Geometry_analyze(geometry[rank], &torus), 1);
      }
      const auto data = buffers<std::uint8_t>(1000);
      data[1][999] = 7;
      for (unsigned rank = 0; rank < count; ++rank) {
        start(rank, [&](DCMF_Request_t*, DCMF_Callback_t done) {
          return DCMF_Barrier(geometry[rank], done, DCMF_MATCH_CONSISTENCY);
        });
        start(rank, [&](DCMF_Request_t*, DCMF_Callback_t done) {
          return DCMF_Broadcast(&tree, job->memory<DCMF_CollectiveRequest_t>(rank), done, DCMF_MATCH_CONSISTENCY,
                                geometry[rank], 1, reinterpret_cast<char*>(data[rank]), 1000);
        });
      }
      end();
      for (unsigned rank = 0; rank < count; ++rank) EXPECT_EQ(data[rank][999], 7);
      EXPECT_EQ(job->dma.packets == packets, serves);
      EXPECT_EQ(job->dma.collective.fired - fired, serves ? 6u : 0u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, Networks, ::testing::Values(1u, 2u, 4u));

TEST(NetworksMisused, AnotherOperationIsRefused) {
  DcmfJob job(2, 1, 1);
  DCMF_Protocol_t broadcast;
  DCMF_GlobalBcast_Configuration_t configuration = {DCMF_TREE_GLOBALBCAST_PROTOCOL};
  ASSERT_EQ(DCMF_GlobalBcast_register(&broadcast, &configuration), DCMF_SUCCESS);
  EXPECT_DEATH(
      {
        job.on_all([&](unsigned rank) {
          DCMF_GlobalBcast(&broadcast, job.memory<DCMF_Request_t>(rank), {nullptr, nullptr}, DCMF_MATCH_CONSISTENCY, 0,
                           job.memory<char>(rank, 1000), 100 + rank);
        });
        job.settle();
      },
      "operation 0 over the collective network is a broadcast of 101 bytes from rank 0 here, but a broadcast of 100 "
      "bytes from rank 0 at another process.*all processes must start the same operations");
}

TEST(NetworksLacking, MessagesDoIt) {
  DcmfJob job(2, 1, 1);
  job.on_all([&](unsigned rank) { job.state(rank).networks->barrier.usable = false; });
  DCMF_Protocol_t barrier;
  DCMF_GlobalBarrier_Configuration_t configuration = {DCMF_DEFAULT_GLOBALBARRIER_PROTOCOL};
  ASSERT_EQ(DCMF_GlobalBarrier_register(&barrier, &configuration), DCMF_SUCCESS);
  unsigned due[2] = {1, 1};
  job.on_all([&](unsigned rank) {
    DCMF_GlobalBarrier(&barrier, job.memory<DCMF_Request_t>(rank), {count_down, &due[rank]});
  });
  job.settle();
  EXPECT_EQ(due[0] + due[1], 0u);
  EXPECT_EQ(job.dma.collective.fired, 0u);
}

}  // namespace
}  // namespace toroid::testing
