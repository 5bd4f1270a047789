// SPDX-License-Identifier: Apache-2.0
// What programs demand of DCMF beside its headers: each demand of the known clients is a test here.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

#include "testbench/tests/firmware/dcmf_job.h"

namespace toroid::testing {
namespace {

void count_up(void* clientdata, DCMF_Error_t* error) {
  EXPECT_EQ(error->result, DCMF_SUCCESS);
  ++*static_cast<unsigned*>(clientdata);
}
const DCMF_Callback_t kNone = {nullptr, nullptr};

class Demands : public ::testing::Test {
 protected:
  void make(unsigned x, unsigned y = 1, unsigned z = 1, unsigned processes = 1) {
    job = std::make_unique<DcmfJob>(x, y, z, processes, 24 << 20);
    job->on_all([&](unsigned rank) {
      regions.push_back(job->memory<DCMF_Memregion_t>(rank));
      std::size_t bytes = 0;
      ASSERT_EQ(DCMF_Memregion_create(regions[rank], &bytes, static_cast<std::size_t>(-1), nullptr, 0), DCMF_SUCCESS);
    });
  }
  DCMF_Result put(unsigned from, unsigned to, DCMF_Request_t* request, const void* source, void* target,
                  std::size_t bytes, DCMF_Callback_t done, DCMF_Callback_t ack) {
    job->select(from);
    return DCMF_Put(nullptr, request, done, DCMF_SEQUENTIAL_CONSISTENCY, to, bytes, regions[from], regions[to],
                    reinterpret_cast<std::size_t>(source), reinterpret_cast<std::size_t>(target), ack);
  }
  DCMF_Result get(unsigned from, unsigned to, DCMF_Request_t* request, const void* there, void* here, std::size_t bytes,
                  DCMF_Callback_t done) {
    job->select(from);
    return DCMF_Get(nullptr, request, done, DCMF_SEQUENTIAL_CONSISTENCY, to, bytes, regions[to], regions[from],
                    reinterpret_cast<std::size_t>(there), reinterpret_cast<std::size_t>(here));
  }
  std::unique_ptr<DcmfJob> job;
  std::vector<DCMF_Memregion_t*> regions;
};

TEST_F(Demands, AsOftenFinalisedAsInitialised) {
  make(2);
  DCMF_Memregion_t region;
  std::size_t bytes = 0;
  char* memory = job->memory<char>(0, 16);
  job->select(0);
  EXPECT_EQ(DCMF_Messager_initialize(), 0u);
  EXPECT_EQ(DCMF_Messager_finalize(), 0u);
  EXPECT_EQ(DCMF_Memregion_create(&region, &bytes, 16, memory, 0), DCMF_SUCCESS) << "still in use";
  EXPECT_EQ(DCMF_Messager_finalize(), 1u);
  EXPECT_EQ(DCMF_Messager_finalize(), 0u);
}

// A client asks for the node's memory from address 0 on, though its process stands at higher addresses.
TEST_F(Demands, ARegionFromAddressZeroIsAllMemory) {
  make(2);
  for (unsigned rank = 0; rank < 2; ++rank) {
    job->select(rank);
    std::size_t bytes = 0;
    ASSERT_EQ(DCMF_Memregion_create(regions[rank], &bytes, 1 << 20, nullptr, 0), DCMF_SUCCESS);
    EXPECT_EQ(bytes, 1u << 20);
  }
  char* const source = job->memory<char>(0, 100);
  char* const target = job->memory<char>(1, 100);
  std::strcpy(source, "there");
  unsigned done = 0;
  auto* const request = job->memory<DCMF_Request_t>(0);
  ASSERT_EQ(put(0, 1, request, source, target, 100, {count_up, &done}, kNone), DCMF_SUCCESS);
  job->settle();
  EXPECT_EQ(done, 1u);
  EXPECT_STREQ(target, "there");
}

TEST_F(Demands, RegionsAreQueriedAnywhere) {
  make(2);
  char* memory = job->memory<char>(1, 1000);
  DCMF_Memregion_t region, copy;
  std::size_t bytes = 0;
  job->select(1);
  ASSERT_EQ(DCMF_Memregion_create(&region, &bytes, 1000, memory, 0), DCMF_SUCCESS);
  EXPECT_EQ(bytes, 1000u);
  std::memcpy(&copy, &region, sizeof copy);
  job->select(0);
  void* base = nullptr;
  bytes = 0;
  ASSERT_EQ(DCMF_Memregion_query(&copy, &bytes, &base), DCMF_SUCCESS);
  EXPECT_EQ(bytes, 1000u);
  EXPECT_EQ(base, memory);
  ASSERT_EQ(DCMF_Memregion_query(regions[1], &bytes, &base), DCMF_SUCCESS);
  EXPECT_EQ(bytes, static_cast<std::size_t>(-1));
  EXPECT_EQ(base, nullptr);
  // Memory that is not the process's.
  EXPECT_EQ(DCMF_Memregion_create(&region, &bytes, 1000, memory, 0), DCMF_INVAL);
  static_assert(sizeof(DCMF_Memregion_t) <= sizeof(DCMF_Control_t), "regions are sent by control messages");
}

TEST_F(Demands, OperationsStayWithinTheirRegions) {
  make(2);
  char* memory = job->memory<char>(0, 100);
  DCMF_Memregion_t region;
  DCMF_Request_t request;
  std::size_t bytes;
  job->select(0);
  ASSERT_EQ(DCMF_Memregion_create(&region, &bytes, 100, memory, 0), DCMF_SUCCESS);
  const auto put_at = [&](std::size_t offset, std::size_t count) {
    return DCMF_Put(nullptr, &request, kNone, DCMF_SEQUENTIAL_CONSISTENCY, 0, count, &region, &region, offset, 0,
                    kNone);
  };
  EXPECT_EQ(put_at(0, 100), DCMF_SUCCESS);
  EXPECT_EQ(put_at(1, 100), DCMF_INVAL);
  EXPECT_EQ(put_at(static_cast<std::size_t>(-4), 8), DCMF_INVAL);
  EXPECT_EQ(DCMF_Put(nullptr, &request, kNone, DCMF_SEQUENTIAL_CONSISTENCY, 2, 8, &region, &region, 0, 0, kNone),
            DCMF_INVAL);
}

TEST_F(Demands, CallbacksOfAPutComeInOrderThoughTheRingIsNotLookedAt) {
  make(2);
  // The acknowledgement arrives between the look at the rings and that at the counters.
  char *source = job->memory<char>(0, 500), *target = job->memory<char>(1, 500);
  std::string calls;
  const auto note = [](void* of, DCMF_Error_t*) {
    auto& [text, letter] = *static_cast<std::pair<std::string*, char>*>(of);
    text->push_back(letter);
  };
  std::pair<std::string*, char> done{&calls, 'd'}, ack{&calls, 'a'};
  auto* request = job->memory<DCMF_Request_t>(0);
  ASSERT_EQ(put(0, 1, request, source, target, 500, {note, &done}, {note, &ack}), DCMF_SUCCESS);
  EXPECT_EQ(calls, "");
  job->dma.settle();
  job->select(0);
  EXPECT_GT(dcmf_counters_settle(), 0u);
  EXPECT_EQ(calls, "da");
  // And again, with the same request, which the first time's end has nothing to do with any more.
  ASSERT_EQ(DCMF_Restart(request), DCMF_SUCCESS);
  job->advance(0);
  EXPECT_EQ(calls, "da");
  job->settle();
  EXPECT_EQ(calls, "dada");
}

TEST_F(Demands, AnAcknowledgementComesBehindAllPuts) {
  make(3);
  job->dma.meanwhile = 4;
  constexpr unsigned kPuts = 100, kBytes = 3000;
  char *source = job->memory<char>(0, kPuts * kBytes), *target = job->memory<char>(1, kPuts * kBytes);
  std::memset(source, 7, kPuts * kBytes);
  auto* requests = job->memory<DCMF_Request_t>(0, kPuts + 1);
  for (unsigned i = 0; i < kPuts; ++i) {
    ASSERT_EQ(put(0, 1, &requests[i], source + i * kBytes, target + i * kBytes, kBytes, kNone, kNone), DCMF_SUCCESS);
    std::memset(&requests[i], 0xCC, sizeof requests[i]);  // no callback is due: the program may use it again
  }
  unsigned acked = 0;
  ASSERT_EQ(put(0, 1, &requests[kPuts], source, target, 0, kNone, {count_up, &acked}), DCMF_SUCCESS);
  while (acked == 0) {
    job->dma.step();
    job->advance(0);
  }
  for (unsigned i = 0; i < kPuts * kBytes; ++i) ASSERT_EQ(target[i], 7) << i;
}

TEST_F(Demands, MoreOperationsThanTheDmaHasCounters) {
  make(2, 2, 1);
  constexpr unsigned kMany = 700;
  unsigned acked = 0, fetched = 0;
  char* here = job->memory<char>(0, kMany * 16);
  auto* requests = job->memory<DCMF_Request_t>(0, 2 * kMany);
  char* there[4];
  for (unsigned rank = 1; rank < 4; ++rank) there[rank] = job->memory<char>(rank, kMany * 16);
  for (unsigned i = 0; i < kMany; ++i) {
    const unsigned to = 1 + i % 3;
    ASSERT_EQ(put(0, to, &requests[i], here, there[to] + 16 * i, 16, kNone, {count_up, &acked}), DCMF_SUCCESS);
    ASSERT_EQ(get(0, to, &requests[kMany + i], there[to] + 16 * i, here + 16 * i, 16, {count_up, &fetched}),
              DCMF_SUCCESS);
  }
  job->settle();
  EXPECT_EQ(acked, kMany);
  EXPECT_EQ(fetched, kMany);
  EXPECT_EQ(job->dma.errors, std::vector<std::string>{});
}

TEST_F(Demands, AllMayFetchFromOne) {
  // On a line, so that all remote gets go to the same ring of rank 0, which is never to be full.
  job = std::make_unique<DcmfJob>(20, 1, 1, 1, 16 << 20, 0);
  job->on_all([&](unsigned rank) {
    regions.push_back(job->memory<DCMF_Memregion_t>(rank));
    DCMF_Memregion_create(regions[rank], nullptr, static_cast<std::size_t>(-1), nullptr, 0);
  });
  constexpr unsigned kMany = 40;
  char* there = job->memory<char>(0, kMany);
  unsigned fetched = 0;
  for (unsigned rank = 1; rank < job->size(); ++rank) {
    char* here = job->memory<char>(rank, kMany);
    auto* requests = job->memory<DCMF_Request_t>(rank, kMany);
    for (unsigned i = 0; i < kMany; ++i) {
      ASSERT_EQ(get(rank, 0, &requests[i], there + i, here + i, 1, {count_up, &fetched}), DCMF_SUCCESS);
    }
  }
  // Remote gets arrive before any is carried out.
  for (unsigned i = 0; i < 5000; ++i) job->dma.step_others(0);
  job->settle();
  EXPECT_EQ(fetched, kMany * (job->size() - 1));
  EXPECT_EQ(job->dma.errors, std::vector<std::string>{});
}

TEST_F(Demands, CountersThatHitZeroTogetherAreServedInOrder) {
  make(2);
  static std::vector<unsigned> order;
  order.clear();
  const auto hit = [](void* owner) { order.push_back(static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(owner))); };
  dcmf_state_t& state = job->state(0);
  job->select(0);
  unsigned id[5];
  const auto take = [&](unsigned n) {
    id[n] = dcmf_counter_take(8, 1, hit, reinterpret_cast<void*>(std::uintptr_t{n}));
  };
  take(0), take(1), take(2);
  state.reception_counters.counter[id[0]].counter_hw_ptr->hit = true;
  EXPECT_EQ(dcmf_counters_settle(), 1u);
  take(3);  // gets the first counter again
  ASSERT_EQ(id[3], id[0]);
  for (unsigned counter : {id[1], id[2], id[3]}) state.reception_counters.counter[counter].counter_hw_ptr->hit = true;
  EXPECT_EQ(dcmf_counters_settle(), 3u);
  EXPECT_EQ(order, (std::vector<unsigned>{0, 1, 2, 3}));
}

TEST_F(Demands, ARingFullOfFinishedMessagesLosesNone) {
  make(2);
  constexpr unsigned kMany = 600;
  char *source = job->memory<char>(0, 300), *target = job->memory<char>(1, 300);
  auto* requests = job->memory<DCMF_Request_t>(0, kMany);
  std::vector<unsigned> done(kMany);
  for (unsigned i = 0; i < kMany; ++i) {
    ASSERT_EQ(put(0, 1, &requests[i], source, target, 300, {count_up, &done[i]}, kNone), DCMF_SUCCESS);
    job->dma.settle();  // the DMA is done with it, though nobody has looked
  }
  job->settle();
  for (unsigned i = 0; i < kMany; ++i) ASSERT_EQ(done[i], 1u) << i;
}

struct Message {
  unsigned calls = 0;
  std::size_t bytes = 0;
  DcmfJob* job = nullptr;
  DCMF_Protocol_t* reply = nullptr;
};

TEST_F(Demands, ARegionFitsIntoAShortMessageAndRepliesGoFromCallbacks) {
  make(2);
  std::vector<DCMF_Protocol_t*> sends, controls;
  static Message messages[2], answers[2];
  for (Message& each : messages) each = {};
  for (Message& each : answers) each = {};
  job->on_all([&](unsigned rank) {
    sends.push_back(job->memory<DCMF_Protocol_t>(rank));
    controls.push_back(job->memory<DCMF_Protocol_t>(rank));
    messages[rank].reply = controls[rank];
    DCMF_Send_Configuration_t configuration{};
    configuration.cb_recv_short = [](void* of, const DCQuad*, unsigned, size_t peer, const char*, size_t bytes) {
      auto& message = *static_cast<Message*>(of);
      ++message.calls;
      message.bytes = bytes;
      EXPECT_EQ(DCMF_Messager_advance(), 0u) << "advance() in a callback does nothing";
      DCMF_Control_t info{};
      // More than a ring holds: those that find no room wait in the layer, for the call is complete when it returns.
      for (unsigned i = 0; i < 400; ++i)
        EXPECT_EQ(DCMF_Control(message.reply, DCMF_MATCH_CONSISTENCY, peer, &info), DCMF_SUCCESS);
    };
    configuration.cb_recv_short_clientdata = &messages[rank];
    ASSERT_EQ(DCMF_Send_register(sends[rank], &configuration), DCMF_SUCCESS);
    DCMF_Control_Configuration_t control{};
    control.cb_recv = [](void* of, const DCMF_Control_t*, size_t) { ++static_cast<Message*>(of)->calls; };
    control.cb_recv_clientdata = &answers[rank];
    ASSERT_EQ(DCMF_Control_register(controls[rank], &control), DCMF_SUCCESS);
  });
  DCQuad info[7] = {};
  job->select(0);
  auto* request = job->memory<DCMF_Request_t>(0);
  ASSERT_EQ(DCMF_Send(sends[0], request, kNone, DCMF_MATCH_CONSISTENCY, 1, sizeof(DCMF_Memregion_t),
                      reinterpret_cast<char*>(regions[0]), info, 7),
            DCMF_SUCCESS);
  std::memset(request, 0xCC, sizeof *request);
  job->settle();
  EXPECT_EQ(messages[1].calls, 1u);
  EXPECT_EQ(messages[1].bytes, sizeof(DCMF_Memregion_t));
  EXPECT_EQ(answers[0].calls, 400u);
  EXPECT_EQ(DCMF_Send(sends[0], request, kNone, DCMF_MATCH_CONSISTENCY, 1, 0, nullptr, info, 8), DCMF_INVAL);
  EXPECT_EQ(DCMF_Send(sends[0], request, kNone, DCMF_MATCH_CONSISTENCY, 2, 0, nullptr, info, 1), DCMF_INVAL);
}

TEST_F(Demands, AnAdvanceThatFindsNothingChangesNothing) {
  make(2, 1, 1, 2);
  // With an operation under way whose end is not there yet, too.
  char *source = job->memory<char>(0, 5000), *target = job->memory<char>(1, 5000);
  unsigned acked = 0;
  auto* request = job->memory<DCMF_Request_t>(0);
  ASSERT_EQ(put(0, 1, request, source, target, 5000, {count_up, &acked}, {count_up, &acked}), DCMF_SUCCESS);
  std::vector<char> before(sizeof(dcmf_state_t)), ring(sizeof(dcmf_ring_t) * DCMF_RINGS);
  job->advance(0);
  dcmf_state_t& state = job->state(0);
  std::memcpy(before.data(), &state, sizeof state);
  std::memcpy(ring.data(), state.rings, ring.size());
  for (unsigned i = 0; i < 10; ++i) EXPECT_EQ(job->advance(0), 0u);
  EXPECT_EQ(std::memcmp(before.data(), &state, sizeof state), 0);
  EXPECT_EQ(std::memcmp(ring.data(), state.rings, ring.size()), 0);
  const std::uint64_t accesses = job->dma.accesses;
  job->advance(0);
  EXPECT_EQ(job->dma.accesses - accesses, 3u) << "reception FIFO, one ring's head, the counters' hits";
  job->settle();
  EXPECT_EQ(acked, 2u);
}

TEST_F(Demands, PlacesAndHardware) {
  make(4, 3, 2, 2);
  job->select(29);  // t = 1, z = 0, y = 1, x = 1
  DCMF_Hardware_t hw;
  ASSERT_EQ(DCMF_Hardware(&hw), DCMF_SUCCESS);
  EXPECT_EQ(hw.lrank, 29u);
  EXPECT_EQ(hw.lsize, 48u);
  EXPECT_EQ(hw.prank, 29u);
  EXPECT_EQ(hw.Coord[3], 1u);
  EXPECT_EQ(hw.Coord[0], 1u);
  EXPECT_EQ(hw.xSize, 4u);
  EXPECT_EQ(hw.Size[0], 2u);
  EXPECT_EQ(hw.clockMHz, 850u);
  DCMF_NetworkCoord_t at;
  ASSERT_EQ(DCMF_Messager_rank2network(47, DCMF_TORUS_NETWORK, &at), DCMF_SUCCESS);
  EXPECT_EQ(at.torus.x, 3u);
  EXPECT_EQ(at.torus.y, 2u);
  EXPECT_EQ(at.torus.z, 1u);
  EXPECT_EQ(at.n_torus.coords[3], 1u);
  std::size_t rank = 0;
  DCMF_Network network = DCMF_DEFAULT_NETWORK;
  ASSERT_EQ(DCMF_Messager_network2rank(&at, &rank, &network), DCMF_SUCCESS);
  EXPECT_EQ(rank, 47u);
  EXPECT_EQ(network, DCMF_TORUS_NETWORK);
  at.torus.y = 3;
  EXPECT_EQ(DCMF_Messager_network2rank(&at, &rank, &network), DCMF_INVAL);
  EXPECT_EQ(DCMF_Messager_rank2network(48, DCMF_TORUS_NETWORK, &at), DCMF_INVAL);
  EXPECT_EQ(DCMF_Messager_rank2network(5, DCMF_SHMEM_NETWORK, &at), DCMF_SUCCESS) << "rank 5 is on the same node";
  EXPECT_EQ(DCMF_Messager_rank2network(4, DCMF_SHMEM_NETWORK, &at), DCMF_INVAL);
}

TEST_F(Demands, ConfigureTakesTheSameObjectTwice) {
  make(2);
  DCMF_Configure_t mode = {DCMF_THREAD_MULTIPLE, DCMF_INTERRUPTS_OFF};
  EXPECT_EQ(DCMF_Messager_configure(&mode, &mode), DCMF_SUCCESS);
  EXPECT_EQ(mode.thread_level, DCMF_THREAD_MULTIPLE);
  EXPECT_EQ(DCMF_Messager_configure(nullptr, nullptr), DCMF_SUCCESS);
  EXPECT_NE(DCMF_CriticalSection_flag, 0);
  DCMF_CriticalSection_enter(0);
  DCMF_CriticalSection_enter(0);
  DCMF_Messager_advance();  // by the owner
  DCMF_CriticalSection_cycle(0);
  DCMF_CriticalSection_exit(0);
  DCMF_CriticalSection_exit(0);
  mode.thread_level = DCMF_THREAD_SINGLE;
  DCMF_Messager_initialize();  // another library, beside the one that needs threads
  EXPECT_EQ(DCMF_Messager_configure(&mode, &mode), DCMF_SUCCESS);
  EXPECT_EQ(mode.thread_level, DCMF_THREAD_MULTIPLE);
  EXPECT_NE(DCMF_CriticalSection_flag, 0);
  DCMF_Messager_finalize();
  mode.thread_level = DCMF_THREAD_SINGLE;
  EXPECT_EQ(DCMF_Messager_configure(&mode, nullptr), DCMF_SUCCESS);
  EXPECT_EQ(DCMF_CriticalSection_flag, 0);
}

// Ties: by the parity of where the data comes from; and only then are there hints.
TEST(Hints, SpreadTies) {
  const dcmf_place_t place = {{8, 4, 6}, {0, 0, 0}, {1, 1, 0}};
  const std::uint8_t origin[3] = {0, 0, 0}, odd[3] = {1, 1, 0}, half[3] = {4, 1, 5}, odd_half[3] = {5, 3, 0};
  EXPECT_EQ(dcmf_spread_hints(&place, origin, odd), 0u);
  EXPECT_EQ(dcmf_spread_hints(&place, origin, half), 0x20u | 0x08u | 0x02u);
  EXPECT_EQ(dcmf_spread_hints(&place, odd, odd_half), 0x10u | 0x04u);
  EXPECT_EQ(dcmf_first_direction(&place, origin, half), 0u);
  const std::uint8_t back[3] = {7, 0, 0}, up[3] = {0, 3, 0};
  EXPECT_EQ(dcmf_first_direction(&place, origin, back), 1u);
  EXPECT_EQ(dcmf_first_direction(&place, origin, up), 3u);
  EXPECT_EQ(dcmf_first_direction(&place, origin, origin), 6u);
}

}  // namespace
}  // namespace toroid::testing
