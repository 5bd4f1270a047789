// SPDX-License-Identifier: Apache-2.0
// Collective operations against what they are to result in, on geometries of all sizes, while processes start them at
// any time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "firmware/bgp/dcmf/collective/collective.h"
#include "testbench/tests/firmware/dcmf_job.h"

namespace toroid::testing {
namespace {

void count_down(void* clientdata, DCMF_Error_t*) {
  --*static_cast<unsigned*>(clientdata);
}

class Collectives : public ::testing::Test {
 public:
  void make(unsigned x, unsigned y, unsigned z, unsigned processes) {
    job = std::make_unique<DcmfJob>(x, y, z, processes, 32 << 20);
    job->dma.meanwhile = 2;
    due.assign(job->size(), 0);
  }
  /// Geometries of `ranks`, in that order.
  void choose(const std::vector<unsigned>& ranks, unsigned id) {
    members = ranks;
    geometry.clear();
    for (unsigned rank : ranks) {
      job->select(rank);
      geometry.push_back(job->memory<DCMF_Geometry_t>(rank));
      std::vector<unsigned> list = ranks;
      ASSERT_EQ(DCMF_Geometry_initialize(geometry.back(), id, list.data(), static_cast<unsigned>(list.size()), nullptr,
                                         0, nullptr, 0, job->memory<DCMF_CollectiveRequest_t>(rank), 0, 1),
                DCMF_SUCCESS);
    }
  }
  /// Starts an operation on all members, in any order, with random progress between them, and ends it.
  void all(const std::function<void(unsigned place, DCMF_CollectiveRequest_t*, DCMF_Callback_t)>& start) {
    std::vector<unsigned> order(members.size());
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), random);
    for (unsigned place : order) {
      const unsigned rank = members[place];
      job->select(rank);
      ++due[rank];
      start(place, job->memory<DCMF_CollectiveRequest_t>(rank), {count_down, &due[rank]});
      ASSERT_EQ(due[rank], 1u) << "callbacks come from advance()";
      for (unsigned i = random() % 30; i > 0; --i) {
        job->dma.step();
        if (random() % 4 == 0) job->advance(static_cast<unsigned>(random()) % job->size());
      }
    }
    job->settle();
    for (unsigned rank : members) ASSERT_EQ(due[rank], 0u);
    ASSERT_EQ(job->dma.errors, std::vector<std::string>{});
  }
  template <typename T>
  std::vector<T*> buffers(std::size_t count) {
    std::vector<T*> made;
    for (unsigned rank : members) made.push_back(job->memory<T>(rank, count ? count : 1));
    return made;
  }

  std::unique_ptr<DcmfJob> job;
  std::vector<unsigned> due;
  std::vector<unsigned> members;
  std::vector<DCMF_Geometry_t*> geometry;
  std::mt19937 random{3};
};

TEST_F(Collectives, BarrierWaitsForAll) {
  make(3, 2, 2, 1);
  for (unsigned count : {1u, 2u, 3u, 5u, 8u, 12u}) {
    std::vector<unsigned> ranks(12);
    std::iota(ranks.begin(), ranks.end(), 0u);
    std::shuffle(ranks.begin(), ranks.end(), random);
    ranks.resize(count);
    choose(ranks, count);
    for (unsigned last = 0; last < count; ++last) {
      for (unsigned place = 0; place < count; ++place) {
        if (place == last) continue;
        job->select(members[place]);
        ++due[members[place]];
        ASSERT_EQ(DCMF_Barrier(geometry[place], {count_down, &due[members[place]]}, DCMF_MATCH_CONSISTENCY),
                  DCMF_SUCCESS);
      }
      job->settle();
      for (unsigned place = 0; place < count; ++place) EXPECT_EQ(due[members[place]], place == last ? 0u : 1u);
      job->select(members[last]);
      ++due[members[last]];
      DCMF_Barrier(geometry[last], {count_down, &due[members[last]]}, DCMF_MATCH_CONSISTENCY);
      job->settle();
      for (unsigned rank : members) EXPECT_EQ(due[rank], 0u);
    }
  }
}

TEST_F(Collectives, GlobalBarrierIsRestarted) {
  make(2, 2, 1, 2);
  std::vector<DCMF_Request_t*> requests;
  DCMF_Protocol_t protocol;
  job->on_all([&](unsigned rank) {
    DCMF_GlobalBarrier_Configuration_t configuration = {DCMF_DEFAULT_GLOBALBARRIER_PROTOCOL};
    ASSERT_EQ(DCMF_GlobalBarrier_register(&protocol, &configuration), DCMF_SUCCESS);
    requests.push_back(job->memory<DCMF_Request_t>(rank));
    due[rank] = 1;
    DCMF_GlobalBarrier(&protocol, requests[rank], {count_down, &due[rank]});
  });
  for (unsigned again = 0; again < 3; ++again) {
    job->settle();
    for (unsigned count : due) EXPECT_EQ(count, 0u);
    job->on_all([&](unsigned rank) {
      due[rank] = 1;
      EXPECT_EQ(DCMF_Restart(requests[rank]), DCMF_SUCCESS);
    });
    EXPECT_EQ(due, std::vector<unsigned>(job->size(), 1u));
  }
  job->settle();
}

TEST_F(Collectives, Broadcast) {
  make(3, 2, 2, 1);
  choose({7, 2, 11, 0, 5, 3, 9}, 77);
  for (std::size_t bytes : {0u, 1u, 100u, 224u, 225u, 5000u, 300000u}) {
    for (unsigned root = 0; root < members.size(); root += 3) {
      const auto data = buffers<std::uint8_t>(bytes);
      for (std::size_t i = 0; i < bytes; ++i) data[root][i] = static_cast<std::uint8_t>(random());
      all([&](unsigned place, DCMF_CollectiveRequest_t* request, DCMF_Callback_t done) {
        ASSERT_EQ(DCMF_Broadcast(nullptr, request, done, DCMF_MATCH_CONSISTENCY, geometry[place], members[root],
                                 reinterpret_cast<char*>(data[place]), static_cast<unsigned>(bytes)),
                  DCMF_SUCCESS);
      });
      for (const auto* each : data) EXPECT_EQ(std::memcmp(each, data[root], bytes), 0) << bytes << " from " << root;
    }
  }
}

/// What the receivers of an asynchronous broadcast have been asked. The callback knows them by who is selected.
struct AsyncReceiver {
  DCMF_Geometry_t* geometry = nullptr;
  DCMF_CollectiveRequest_t* request = nullptr;
  char* buffer = nullptr;
  unsigned take = 0;  ///< bytes that are taken
  unsigned asked = 0;
  unsigned done = 0;
  unsigned root = 0, comm = 0, bytes = 0;
};
std::vector<AsyncReceiver> async_receivers;

DCMF_Geometry_t* find_geometry(int) {
  return async_receivers[DCMF_Messager_rank()].geometry;
}
void async_done(void* clientdata, DCMF_Error_t*) {
  ++static_cast<AsyncReceiver*>(clientdata)->done;
}
void* receive_async(unsigned root, unsigned comm, const unsigned bytes, unsigned* taken, char** buffer,
                    DCMF_Callback_t* const done) {
  AsyncReceiver& receiver = async_receivers[DCMF_Messager_rank()];
  ++receiver.asked;
  receiver.root = root, receiver.comm = comm, receiver.bytes = bytes;
  *taken = std::min(bytes, receiver.take);
  *buffer = receiver.buffer;
  *done = {async_done, &receiver};
  return receiver.request;
}

TEST_F(Collectives, AsynchronousBroadcastAsksReceiversThatDoNotCall) {
  make(3, 2, 2, 1);
  choose({7, 2, 11, 0, 5, 3, 9}, 78);
  std::vector<DCMF_CollectiveProtocol_t*> protocols;
  job->on_all([&](unsigned rank) {
    protocols.push_back(job->memory<DCMF_CollectiveProtocol_t>(rank));
    DCMF_AsyncBroadcast_Configuration_t configuration = {DCMF_TORUS_ASYNCBROADCAST_BINOMIAL_PROTOCOL, receive_async,
                                                         find_geometry, 0};
    ASSERT_EQ(DCMF_AsyncBroadcast_register(protocols.back(), &configuration), DCMF_SUCCESS);
  });
  for (std::size_t bytes : {0u, 1u, 224u, 225u, 1201u, 70000u}) {
    const unsigned root = static_cast<unsigned>(random() % members.size());
    const auto data = buffers<char>(bytes);
    for (std::size_t i = 0; i < bytes; ++i) data[root][i] = static_cast<char>(random());
    async_receivers.assign(job->size(), {});
    for (unsigned place = 0; place < members.size(); ++place) {
      // One takes half of it, another drops it: those behind them get all the same.
      const std::size_t take = place % 3 == 1 ? bytes / 2 : bytes;
      async_receivers[members[place]] = {
          geometry[place],
          place == (root + 1) % members.size() ? nullptr : job->memory<DCMF_CollectiveRequest_t>(members[place]),
          data[place], static_cast<unsigned>(take)};
    }
    const unsigned rank = members[root];
    job->select(rank);
    due[rank] = 1;
    ASSERT_EQ(
        DCMF_AsyncBroadcast(protocols[rank], async_receivers[rank].request, {count_down, &due[rank]},
                            DCMF_MATCH_CONSISTENCY, geometry[root], rank, data[root], static_cast<unsigned>(bytes)),
        DCMF_SUCCESS);
    EXPECT_EQ(due[rank], 1u) << "callbacks come from advance()";
    job->settle();
    EXPECT_EQ(due[rank], 0u);
    for (unsigned place = 0; place < members.size(); ++place) {
      const AsyncReceiver& receiver = async_receivers[members[place]];
      EXPECT_EQ(receiver.asked, place == root ? 0u : 1u);
      if (place == root) continue;
      EXPECT_EQ(receiver.root, rank);
      EXPECT_EQ(receiver.comm, 78u);
      EXPECT_EQ(receiver.bytes, bytes);
      EXPECT_EQ(receiver.done, receiver.request ? 1u : 0u);
      const std::size_t take = receiver.request ? receiver.take : 0;
      EXPECT_EQ(std::memcmp(data[place], data[root], take), 0) << bytes << " at " << place;
      for (std::size_t i = take; i < bytes; ++i) ASSERT_EQ(data[place][i], 0);
    }
    EXPECT_EQ(job->dma.errors, std::vector<std::string>{});
  }
}

template <typename T>
T value(unsigned place, std::size_t i) {
  return static_cast<T>((place * 7 + i * 3) % 5 + 1);
}

TEST_F(Collectives, SumsOfAllSizes) {
  make(3, 2, 2, 1);
  for (unsigned size : {1u, 2u, 3u, 6u, 7u, 12u}) {
    std::vector<unsigned> ranks(12);
    std::iota(ranks.begin(), ranks.end(), 0u);
    std::shuffle(ranks.begin(), ranks.end(), random);
    ranks.resize(size);
    choose(ranks, 100 + size);
    for (std::size_t count : {0u, 1u, 5u, 100u, 5000u}) {
      for (int root : {-1, 0, static_cast<int>(size) - 1}) {
        const bool in_place = count == 5;
        const auto from = buffers<double>(count), to = in_place ? from : buffers<double>(count);
        for (unsigned place = 0; place < size; ++place) {
          for (std::size_t i = 0; i < count; ++i) from[place][i] = value<double>(place, i);
        }
        all([&](unsigned place, DCMF_CollectiveRequest_t* request, DCMF_Callback_t done) {
          auto* s = reinterpret_cast<char*>(from[place]);
          auto* r = reinterpret_cast<char*>(to[place]);
          if (root < 0) {
            ASSERT_EQ(DCMF_Allreduce(nullptr, request, done, DCMF_MATCH_CONSISTENCY, geometry[place], s, r,
                                     static_cast<unsigned>(count), DCMF_DOUBLE, DCMF_SUM),
                      DCMF_SUCCESS);
          } else {
            const int rank = static_cast<int>(members[static_cast<unsigned>(root)]);
            ASSERT_EQ(DCMF_Reduce(nullptr, request, done, DCMF_MATCH_CONSISTENCY, geometry[place], rank, s,
                                  static_cast<unsigned>(root) == place ? r : nullptr, static_cast<unsigned>(count),
                                  DCMF_DOUBLE, DCMF_SUM),
                      DCMF_SUCCESS);
          }
        });
        for (unsigned place = 0; place < size; ++place) {
          if (root >= 0 && static_cast<unsigned>(root) != place) continue;
          for (std::size_t i = 0; i < count; ++i) {
            double sum = 0;
            for (unsigned p = 0; p < size; ++p) sum += value<double>(p, i);
            ASSERT_EQ(to[place][i], sum) << size << " processes, " << count << " elements, root " << root;
          }
        }
      }
    }
  }
}

TEST_F(Collectives, GlobalOperations) {
  make(2, 2, 1, 4);
  members.resize(job->size());
  std::iota(members.begin(), members.end(), 0u);
  const auto from = buffers<long long>(9), to = buffers<long long>(9);
  for (int root : {-1, 5}) {
    for (unsigned rank = 0; rank < job->size(); ++rank) {
      for (unsigned i = 0; i < 9; ++i) from[rank][i] = static_cast<long long>(rank * 100 + i), to[rank][i] = -1;
    }
    all([&](unsigned rank, DCMF_CollectiveRequest_t* request, DCMF_Callback_t done) {
      ASSERT_EQ(DCMF_GlobalAllreduce(nullptr, reinterpret_cast<DCMF_Request_t*>(request), done, DCMF_MATCH_CONSISTENCY,
                                     root, reinterpret_cast<char*>(from[rank]), reinterpret_cast<char*>(to[rank]), 9,
                                     DCMF_SIGNED_LONG_LONG, DCMF_MAX),
                DCMF_SUCCESS);
    });
    for (unsigned rank = 0; rank < job->size(); ++rank) {
      EXPECT_EQ(to[rank][8], root < 0 || rank == 5 ? static_cast<long long>((job->size() - 1) * 100 + 8) : -1);
    }
  }
  all([&](unsigned rank, DCMF_CollectiveRequest_t* request, DCMF_Callback_t done) {
    ASSERT_EQ(DCMF_GlobalBcast(nullptr, reinterpret_cast<DCMF_Request_t*>(request), done, DCMF_MATCH_CONSISTENCY, 3,
                               reinterpret_cast<char*>(from[rank]), 9 * sizeof(long long)),
              DCMF_SUCCESS);
  });
  for (unsigned rank = 0; rank < job->size(); ++rank) EXPECT_EQ(from[rank][4], 304);
}

TEST_F(Collectives, Alltoallv) {
  make(3, 2, 2, 1);
  choose({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 5);
  const auto count = static_cast<unsigned>(members.size());
  for (unsigned unit : {0u, 1u, 40u, 1000u}) {
    // From i to j go (i + 2 j) units, some of them nothing.
    const auto length = [&](unsigned i, unsigned j) { return (i + 2 * j) % 7 * unit; };
    std::vector<std::vector<unsigned>> sl(count), sd(count), rl(count), rd(count), scratch(count);
    std::vector<char*> from, to;
    for (unsigned i = 0; i < count; ++i) {
      unsigned s = 0, r = 0;
      for (unsigned j = 0; j < count; ++j) {
        sl[i].push_back(length(i, j)), sd[i].push_back(s), s += length(i, j);
        rl[i].push_back(length(j, i)), rd[i].push_back(r), r += length(j, i);
      }
      scratch[i].resize(count);
      from.push_back(job->memory<char>(i, s + 1));
      to.push_back(job->memory<char>(i, r + 1));
      for (unsigned j = 0; j < count; ++j) std::memset(from[i] + sd[i][j], static_cast<int>(i * 16 + j), sl[i][j]);
    }
    all([&](unsigned i, DCMF_CollectiveRequest_t* request, DCMF_Callback_t done) {
      ASSERT_EQ(DCMF_Alltoallv(nullptr, request, done, DCMF_MATCH_CONSISTENCY, geometry[i], from[i], sl[i].data(),
                               sd[i].data(), to[i], rl[i].data(), rd[i].data(), scratch[i].data(), scratch[i].data()),
                DCMF_SUCCESS);
    });
    for (unsigned i = 0; i < count; ++i) {
      for (unsigned j = 0; j < count; ++j) {
        for (unsigned k = 0; k < rl[i][j]; ++k) {
          ASSERT_EQ(static_cast<std::uint8_t>(to[i][rd[i][j] + k]), static_cast<std::uint8_t>(j * 16 + i));
        }
      }
    }
  }
}

// What is put into the buffer of one that has entered already, before the others enter, is sent.
TEST_F(Collectives, AlltoallvBeginsWhenAllHaveEntered) {
  make(3, 1, 1, 1);
  choose({0, 1, 2}, 5);
  std::vector<unsigned> lengths(3, 1), places{0, 1, 2}, scratch(3);
  const auto from = buffers<char>(3), to = buffers<char>(3);
  std::memset(from[0], 'a', 3);
  for (unsigned i = 0; i < 3; ++i) {
    job->select(i);
    ++due[i];
    ASSERT_EQ(DCMF_Alltoallv(nullptr, job->memory<DCMF_CollectiveRequest_t>(i), {count_down, &due[i]},
                             DCMF_MATCH_CONSISTENCY, geometry[i], from[i], lengths.data(), places.data(), to[i],
                             lengths.data(), places.data(), scratch.data(), scratch.data()),
              DCMF_SUCCESS);
    job->settle();
    std::memset(from[i], 'p' + static_cast<int>(i), 3);  // of the last one, too late
    EXPECT_EQ(due[0], i < 2 ? 1u : 0u);
  }
  EXPECT_EQ(due[1] + due[2], 0u);
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(to[i][0], 'p');
    EXPECT_EQ(to[i][1], 'q');
    EXPECT_EQ(to[i][2], 0);
  }
}

TEST_F(Collectives, WhatSuitsAGeometry) {
  make(2, 2, 1, 2);
  const auto suits = [&](auto make_configuration, auto registers, auto protocol) {
    DCMF_CollectiveProtocol_t registration;
    auto configuration = make_configuration();
    configuration.protocol = protocol;
    EXPECT_EQ(registers(&registration, &configuration), DCMF_SUCCESS);
    return DCMF_Geometry_analyze(geometry[0], &registration);
  };
  const auto barrier = [] { return DCMF_Barrier_Configuration_t{}; };
  const auto allreduce = [] { return DCMF_Allreduce_Configuration_t{}; };
  choose({0, 1, 2, 3, 4, 5, 6, 7}, 1);
  EXPECT_EQ(suits(barrier, DCMF_Barrier_register, DCMF_GI_BARRIER_PROTOCOL), 1);
  EXPECT_EQ(suits(barrier, DCMF_Barrier_register, DCMF_LOCKBOX_BARRIER_PROTOCOL), 0);
  EXPECT_EQ(suits(allreduce, DCMF_Allreduce_register, DCMF_TREE_ALLREDUCE_PROTOCOL), 1);
  choose({0, 4}, 2);  // both processes of a node
  EXPECT_EQ(suits(barrier, DCMF_Barrier_register, DCMF_GI_BARRIER_PROTOCOL), 0);
  EXPECT_EQ(suits(barrier, DCMF_Barrier_register, DCMF_LOCKBOX_BARRIER_PROTOCOL), 1);
  choose({0, 1, 2}, 3);  // no rectangle
  EXPECT_EQ(suits(barrier, DCMF_Barrier_register, DCMF_TORUS_RECTANGLE_BARRIER_PROTOCOL), 0);
  EXPECT_EQ(suits(barrier, DCMF_Barrier_register, DCMF_TORUS_BINOMIAL_BARRIER_PROTOCOL), 1);
  EXPECT_EQ(suits(allreduce, DCMF_Allreduce_register, DCMF_TORUS_RECTANGLE_ALLREDUCE_PROTOCOL), 0);
}

// Reductions against plain arithmetic.
template <typename T>
void same(DCMF_Dt dt, DCMF_Op op, const std::function<T(T, T)>& plain) {
  std::vector<T> a(17), b(17);
  for (unsigned i = 0; i < 17; ++i) {
    a[i] = static_cast<T>(i % 4 == 0 ? 0 : 100 - 13 * static_cast<int>(i));
    b[i] = static_cast<T>(i % 3 == 0 ? 0 : 7 * static_cast<int>(i) - 40);
  }
  std::vector<T> c = a;
  ASSERT_EQ(dcmf_reduction_bytes(dt, op, 17), 17 * sizeof(T)) << dt << " " << op;
  dcmf_reduce(c.data(), b.data(), 17, dt, op);
  for (unsigned i = 0; i < 17; ++i) EXPECT_EQ(c[i], plain(a[i], b[i])) << "type " << dt << ", operation " << op;
}
template <typename T>
void arithmetic(DCMF_Dt dt) {
  same<T>(dt, DCMF_MAX, [](T a, T b) { return a < b ? b : a; });
  same<T>(dt, DCMF_MIN, [](T a, T b) { return b < a ? b : a; });
  same<T>(dt, DCMF_SUM, [](T a, T b) { return static_cast<T>(a + b); });
  same<T>(dt, DCMF_PROD, [](T a, T b) { return static_cast<T>(a * b); });
}
template <typename T>
void integer(DCMF_Dt dt) {
  arithmetic<T>(dt);
  same<T>(dt, DCMF_LAND, [](T a, T b) { return static_cast<T>(a && b); });
  same<T>(dt, DCMF_LOR, [](T a, T b) { return static_cast<T>(a || b); });
  same<T>(dt, DCMF_LXOR, [](T a, T b) { return static_cast<T>(!a ^ !b); });
  same<T>(dt, DCMF_BAND, [](T a, T b) { return static_cast<T>(a & b); });
  same<T>(dt, DCMF_BOR, [](T a, T b) { return static_cast<T>(a | b); });
  same<T>(dt, DCMF_BXOR, [](T a, T b) { return static_cast<T>(a ^ b); });
}
template <typename V, typename P>
void location(DCMF_Dt dt) {
  struct Loc {
    V value;
    P place;
  };
  Loc to[4] = {{5, 1}, {5, 3}, {2, 4}, {9, 0}};
  const Loc from[4] = {{7, 2}, {5, 2}, {1, 8}, {9, 6}};
  ASSERT_EQ(dcmf_reduction_bytes(dt, DCMF_MAXLOC, 4), sizeof to);
  Loc most[4];
  std::memcpy(most, to, sizeof to);
  dcmf_reduce(most, from, 4, dt, DCMF_MAXLOC);
  dcmf_reduce(to, from, 4, dt, DCMF_MINLOC);
  const P most_places[4] = {2, 2, 4, 0}, least_places[4] = {1, 2, 8, 0};
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(most[i].place, most_places[i]) << dt;
    EXPECT_EQ(to[i].place, least_places[i]) << dt;
  }
  EXPECT_EQ(dcmf_reduction_bytes(dt, DCMF_SUM, 1), 0u);
}

TEST(Reductions, EveryTypeAndOperation) {
  integer<signed char>(DCMF_SIGNED_CHAR);
  integer<unsigned char>(DCMF_UNSIGNED_CHAR);
  integer<short>(DCMF_SIGNED_SHORT);
  integer<unsigned short>(DCMF_UNSIGNED_SHORT);
  integer<int>(DCMF_SIGNED_INT);
  integer<unsigned>(DCMF_UNSIGNED_INT);
  integer<long long>(DCMF_SIGNED_LONG_LONG);
  integer<unsigned long long>(DCMF_UNSIGNED_LONG_LONG);
  arithmetic<float>(DCMF_FLOAT);
  arithmetic<double>(DCMF_DOUBLE);
  arithmetic<long double>(DCMF_LONG_DOUBLE);
  location<int, int>(DCMF_LOC_2INT);
  location<short, int>(DCMF_LOC_SHORT_INT);
  location<float, int>(DCMF_LOC_FLOAT_INT);
  location<double, int>(DCMF_LOC_DOUBLE_INT);
  location<float, float>(DCMF_LOC_2FLOAT);
  location<double, double>(DCMF_LOC_2DOUBLE);
  double product[2] = {1, 2};
  const double other[2] = {3, -1};
  dcmf_reduce(product, other, 1, DCMF_DOUBLE_COMPLEX, DCMF_PROD);
  EXPECT_EQ(product[0], 5);
  EXPECT_EQ(product[1], 5);
  EXPECT_EQ(dcmf_reduction_bytes(DCMF_FLOAT, DCMF_BAND, 1), 0u);
  EXPECT_EQ(dcmf_reduction_bytes(DCMF_USERDEFINED_DT, DCMF_SUM, 1), 0u);
}

}  // namespace
}  // namespace toroid::testing
