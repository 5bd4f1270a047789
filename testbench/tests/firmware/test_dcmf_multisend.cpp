// SPDX-License-Identifier: Apache-2.0
// Multicast and many to many: what arrives where, and which callbacks come.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>

extern "C" {
#include <dcmf_multisend.h>
}

#include "testbench/tests/firmware/dcmf_job.h"

namespace toroid::testing {
namespace {

void count_down(void* clientdata, DCMF_Error_t*) {
  --*static_cast<unsigned*>(clientdata);
}

/// What one rank hears of a multicast.
struct Ear {
  char* buffer;
  DCMF_Request_t* request;
  unsigned calls = 0, done = 0, sndlen = 0, peer = 0, connection = 0, word = 0;
  unsigned pipe = 0;
};

DCMF_Request_t* hear(const DCQuad* info, unsigned count, unsigned peer, unsigned sndlen, unsigned conn_id, void* arg,
                     unsigned* rcvlen, char** rcvbuf, unsigned* pipewidth, DCMF_Callback_t* cb_done) {
  auto& ear = *static_cast<Ear*>(arg);
  ++ear.calls;
  ear.sndlen = sndlen, ear.peer = peer, ear.connection = conn_id;
  if (count) ear.word = info[0].w2;
  *rcvlen = sndlen;
  *rcvbuf = ear.buffer;
  *pipewidth = ear.pipe;
  *cb_done = {[](void* of, DCMF_Error_t*) { ++static_cast<Ear*>(of)->done; }, arg};
  return ear.request;
}

class Multicast : public ::testing::Test {
 protected:
  void make(unsigned x, unsigned y, unsigned z, DCMF_Multicast_Protocol protocol) {
    job = std::make_unique<DcmfJob>(x, y, z, 1, 16 << 20);
    job->dma.meanwhile = 2;
    ears.resize(job->size());
    job->on_all([&](unsigned rank) {
      ears[rank].buffer = job->memory<char>(rank, 10000);
      ears[rank].request = job->memory<DCMF_Request_t>(rank);
      registrations.push_back(job->memory<DCMF_Protocol_t>(rank));
      DCMF_Multicast_Configuration_t configuration = {protocol,
                                                      protocol == DCMF_DPUT_DMA_MSEND_PROTOCOL ? nullptr : hear,
                                                      &ears[rank], job->memory<void*>(rank, 4), 4};
      ASSERT_EQ(DCMF_Multicast_register(registrations[rank], &configuration), DCMF_SUCCESS);
    });
  }
  DCMF_Multicast_t from(unsigned rank, unsigned bytes, std::vector<unsigned>& to, unsigned connection) {
    job->select(rank);
    source = job->memory<char>(rank, bytes + 1);
    for (unsigned i = 0; i < bytes; ++i) source[i] = static_cast<char>(i * 7 + bytes);
    request = job->memory<DCMF_Request_t>(rank);
    DCMF_Multicast_t what{};
    what.registration = registrations[rank];
    what.request = request;
    what.cb_done = {count_down, &due};
    what.connection_id = connection;
    what.bytes = bytes;
    what.src = source;
    what.nranks = static_cast<unsigned>(to.size());
    what.ranks = to.data();
    return what;
  }
  std::unique_ptr<DcmfJob> job;
  std::vector<Ear> ears;
  std::vector<DCMF_Protocol_t*> registrations;
  char* source = nullptr;
  DCMF_Request_t* request = nullptr;
  unsigned due = 0;
};

TEST_F(Multicast, GoesToEachRankOfTheList) {
  make(3, 2, 2, DCMF_MEMFIFO_DMA_MSEND_PROTOCOL);
  std::vector<unsigned> to = {1, 5, 11, 7, 2};
  for (unsigned bytes : {0u, 10u, 1000u, 9000u}) {
    DCMF_Multicast_t what = from(2, bytes, to, 3);
    DCQuad info = {0, 0, bytes + 1, 0};
    what.msginfo = &info;
    what.count = 1;
    ears[5].pipe = 240;
    due = 1;
    ASSERT_EQ(DCMF_Multicast(&what), DCMF_SUCCESS);
    std::memset(&what, 0xCC, sizeof what);
    job->settle();
    EXPECT_EQ(due, 0u);
    for (unsigned rank = 0; rank < job->size(); ++rank) {
      const bool heard = std::find(to.begin(), to.end(), rank) != to.end();
      EXPECT_EQ(ears[rank].calls, heard) << rank;
      if (!heard) continue;
      EXPECT_EQ(ears[rank].sndlen, bytes);
      EXPECT_EQ(ears[rank].connection, 3u);
      EXPECT_EQ(ears[rank].peer, 2u);
      EXPECT_EQ(ears[rank].word, bytes + 1);
      EXPECT_EQ(std::memcmp(ears[rank].buffer, source, bytes), 0);
      // 1000 bytes come in packets of 240, of which the receiver wants to know.
      EXPECT_EQ(ears[rank].done, rank == 5 && bytes == 1000 ? 5u : 1u) << rank << " " << bytes;
      ears[rank].calls = ears[rank].done = 0;
    }
    due = 1;
    job->select(2);
    EXPECT_EQ(DCMF_Restart(request), DCMF_SUCCESS);
    job->settle();
    EXPECT_EQ(due, 0u);
    for (unsigned rank : to) {
      EXPECT_EQ(ears[rank].calls, 1u);
      ears[rank].calls = ears[rank].done = 0;
    }
  }
}

TEST_F(Multicast, AlongALine) {
  make(5, 1, 2, DCMF_DEFAULT_MSEND_PROTOCOL);
  std::vector<unsigned> to = {4, 5};
  DCMF_Opcode_t opcodes[2] = {DCMF_LINE_BCAST_XP, DCMF_LINE_BCAST_ZM};
  DCMF_Multicast_t what = from(0, 500, to, 0);  // from x = 0: nodes 1, 2, 3, 4; and the one in z
  what.opcodes = opcodes;
  due = 1;
  ASSERT_EQ(DCMF_Multicast(&what), DCMF_SUCCESS);
  job->settle();
  EXPECT_EQ(due, 0u);
  for (unsigned rank = 0; rank < job->size(); ++rank) EXPECT_EQ(ears[rank].calls, rank >= 1 && rank <= 5) << rank;
}

TEST_F(Multicast, IntoPostedBuffers) {
  make(2, 2, 1, DCMF_DPUT_DMA_MSEND_PROTOCOL);
  std::vector<unsigned> to = {1, 2, 3};
  for (unsigned bytes : {100u, 5000u}) {
    for (bool before : {true, false}) {
      std::vector<unsigned> received(4, 1);
      std::vector<char*> buffers(4);
      const auto post = [&](unsigned rank) {
        buffers[rank] = job->memory<char>(rank, bytes);
        DCMF_MulticastRecv_t recv{};
        recv.registration = registrations[rank];
        recv.request = job->memory<DCMF_Request_t>(rank);
        recv.cb_done = {count_down, &received[rank]};
        recv.connection_id = 1;
        recv.bytes = bytes;
        recv.dst = buffers[rank];
        EXPECT_EQ(DCMF_Multicast_postrecv(&recv), DCMF_SUCCESS);
      };
      const auto send = [&] {
        DCMF_Multicast_t what = from(0, bytes, to, 1);
        due = 1;
        ASSERT_EQ(DCMF_Multicast(&what), DCMF_SUCCESS);
      };
      if (!before) send(), job->settle();
      for (unsigned rank : to) job->on(rank, [&] { post(rank); });
      if (before) send();
      job->settle();
      EXPECT_EQ(due, 0u);
      for (unsigned rank : to) {
        EXPECT_EQ(received[rank], 0u) << bytes << " " << before;
        EXPECT_EQ(std::memcmp(buffers[rank], source, bytes), 0);
      }
    }
  }
}

/// A receiver of a many to many.
struct Place {
  char* buffer;
  std::vector<unsigned> lengths, places, counters;
  unsigned self = 0xFFFFFFFF, calls = 0, done = 0;
};
DCMF_Request_t* open_place(unsigned, void* arg, char** rcvbuf, unsigned** rcvlens, unsigned** rcvdispls,
                           unsigned** rcvcounters, unsigned* nranks, unsigned* rankIndex, DCMF_Callback_t* cb_done) {
  auto& place = *static_cast<Place*>(arg);
  ++place.calls;
  *rcvbuf = place.buffer;
  *rcvlens = place.lengths.data();
  *rcvdispls = place.places.data();
  *rcvcounters = place.counters.data();
  *nranks = static_cast<unsigned>(place.lengths.size());
  *rankIndex = place.self;
  *cb_done = {[](void* of, DCMF_Error_t*) { ++static_cast<Place*>(of)->done; }, arg};
  static DCMF_Request_t request;
  return &request;
}

TEST(Manytomany, EveryoneToEveryone) {
  DcmfJob job(3, 2, 1, 1, 16 << 20);
  job.dma.meanwhile = 2;
  const unsigned size = job.size();
  std::vector<Place> places(size);
  std::vector<DCMF_Protocol_t*> registrations;
  std::mt19937 random{5};
  const auto length = [](unsigned from, unsigned to) { return (from * 5 + to * 3) % 4 * 150; };
  job.on_all([&](unsigned rank) {
    Place& place = places[rank];
    place.buffer = job.memory<char>(rank, 10000);
    unsigned at = 0;
    for (unsigned from = 0; from < size; ++from) {
      place.lengths.push_back(length(from, rank));
      place.places.push_back(at);
      at += length(from, rank);
    }
    place.counters.resize(size);
    place.self = rank;
    registrations.push_back(job.memory<DCMF_Protocol_t>(rank));
    DCMF_Manytomany_Configuration_t configuration = {DCMF_MEMFIFO_DMA_M2M_PROTOCOL, open_place, &place, 2};
    ASSERT_EQ(DCMF_Manytomany_register(registrations[rank], &configuration), DCMF_SUCCESS);
  });
  std::vector<std::vector<unsigned>> lengths(size), offsets(size), ranks(size), permutation(size), counters(size);
  std::vector<unsigned> due(size);
  // Twice in a row, without a barrier between: the second time's messages wait for the first time's end.
  std::vector<char*> data(size);
  for (unsigned time = 0; time < 2; ++time) {
    job.on_all([&](unsigned rank) {
      unsigned at = 0;
      lengths[rank].clear(), offsets[rank].clear(), ranks[rank].clear(), permutation[rank].clear();
      for (unsigned to = 0; to < size; ++to) {
        lengths[rank].push_back(length(rank, to)), offsets[rank].push_back(at), at += length(rank, to);
        ranks[rank].push_back(to), permutation[rank].push_back((to + rank) % size);
      }
      counters[rank].resize(size);
      data[rank] = job.memory<char>(rank, at + 1);
      for (unsigned to = 0; to < size; ++to) {
        std::memset(data[rank] + offsets[rank][to], static_cast<int>(100 * time + rank * 8 + to), lengths[rank][to]);
      }
      ++due[rank];
      auto* request = job.memory<DCMF_Request_t>(rank);
      ASSERT_EQ(DCMF_Manytomany(registrations[rank], request, {count_down, &due[rank]}, DCMF_MATCH_CONSISTENCY, 1, rank,
                                data[rank], lengths[rank].data(), offsets[rank].data(), counters[rank].data(),
                                ranks[rank].data(), permutation[rank].data(), size),
                DCMF_SUCCESS);
      for (unsigned i = random() % 20; i > 0; --i) job.dma.step();
    });
  }
  job.settle();
  EXPECT_EQ(job.dma.errors, std::vector<std::string>{});
  for (unsigned rank = 0; rank < size; ++rank) {
    EXPECT_EQ(due[rank], 0u);
    EXPECT_EQ(places[rank].done, 2u);
    for (unsigned from = 0; from < size; ++from) {
      if (from == rank) continue;
      for (unsigned i = 0; i < length(from, rank); ++i) {
        ASSERT_EQ(static_cast<std::uint8_t>(places[rank].buffer[places[rank].places[from] + i]), 100 + from * 8 + rank);
      }
    }
  }
}

}  // namespace
}  // namespace toroid::testing
