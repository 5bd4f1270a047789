// SPDX-License-Identifier: Apache-2.0
// Several processes and threads change the same memory: accumulates, counters, mutexes, flushes.
#include <a1.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "testbench/tests/firmware/dcmf_double.h"
#include "testbench/tests/firmware/ospri_settings.h"

namespace toroid::testing {
namespace {

/// All ranks add to the same words; counters and mutexes.
TEST(Ospri, operations_of_all_on_one_place_are_atomic) {
  for (const char* lock : {"0", "1"}) {
    const Settings settings(Variables{{"A1D_MPI_ACTIVE", lock}});
    DcmfDouble job(4, 7);
    std::vector<int> seen(4 * 50, 0);
    job.run([&](unsigned rank) {
      A1_Initialize(A1_THREAD_SINGLE);
      void* segments[4];
      A1_Alloc_segment(&segments[rank], 64);
      std::memset(segments[rank], 0, 64);
      A1_Exchange_segments(A1_GROUP_WORLD, segments);
      A1_counter_t counter;
      A1_Create_counter(A1_GROUP_WORLD, &counter);
      int counts[4];
      ASSERT_EQ(A1_Create_mutexes(A1_GROUP_WORLD, static_cast<int>(rank), counts), A1_SUCCESS);
      EXPECT_EQ(counts[3], 3);
      double two = 2, four = 4;
      for (int i = 0; i < 50; ++i) {
        A1_PutAcc(1, &two, segments[1], sizeof two, A1_DOUBLE, &four);
        long number = -1;
        A1_Incr_counter(counter, 1, &number);
        seen[static_cast<unsigned>(number)] += 1;
        // A word that is read, changed and written under a mutex.
        A1_Lock_mutex(A1_GROUP_WORLD, 2, 3);
        int value;
        A1_Get(2, static_cast<char*>(segments[2]) + 8, &value, sizeof value);
        value += 1;
        A1_Put(2, &value, static_cast<char*>(segments[2]) + 8, sizeof value);
        A1_Flush(2);
        A1_Unlock_mutex(A1_GROUP_WORLD, 2, 3);
      }
      A1_Sync_group(A1_GROUP_WORLD);
      double sum;
      int total;
      A1_Get(1, segments[1], &sum, sizeof sum);
      A1_Get(2, static_cast<char*>(segments[2]) + 8, &total, sizeof total);
      EXPECT_EQ(sum, 4 * 50 * 8.0);
      EXPECT_EQ(total, 4 * 50);
      A1_Destroy_mutexes(A1_GROUP_WORLD);
      A1_Destroy_counter(A1_GROUP_WORLD, &counter);
      A1_Release_segments(A1_GROUP_WORLD, segments[rank]);
      A1_Free_segment(segments[rank]);
      A1_Finalize();
    });
    for (const int times : seen) EXPECT_EQ(times, 1);
  }
}

TEST(Ospri, one_of_those_who_try_gets_a_mutex) {
  DcmfDouble job(4, 3);
  int winners = 0;
  job.run([&](unsigned) {
    A1_Initialize(A1_THREAD_SINGLE);
    A1_Create_mutexes(A1_GROUP_WORLD, 1, nullptr);
    A1_bool_t mine = A1_FALSE;
    EXPECT_EQ(A1_Trylock_mutex(A1_GROUP_WORLD, 0, 0, &mine), A1_SUCCESS);
    if (mine == A1_TRUE) winners += 1;
    A1_Barrier_group(A1_GROUP_WORLD);
    if (mine == A1_TRUE) A1_Unlock_mutex(A1_GROUP_WORLD, 0, 0);
    A1_Barrier_group(A1_GROUP_WORLD);
    A1_Destroy_mutexes(A1_GROUP_WORLD);
    A1_Finalize();
  });
  EXPECT_EQ(winners, 1);
}

/// A flush by one thread takes nothing off what another has to flush.
TEST(Ospri, threads_put_and_flush_at_the_same_time) {
  for (const char* alone : {"0", "1"}) {
    const Settings settings(Variables{{"A1D_MPI_ACTIVE", alone}, {"A1D_ENABLE_CHT", "0"}});
    DcmfDouble job(2, 11);
    job.laziness = 10;
    void* segments[2];
    job.run([&](unsigned rank) {
      A1_Initialize(A1_THREAD_MULTIPLE);
      A1_Alloc_segment(&segments[rank], 4 * 1024);
      std::memset(segments[rank], 0, 4 * 1024);
      A1_Barrier_group(A1_GROUP_WORLD);
      const auto work = [&](unsigned thread) {
        char* const place = static_cast<char*>(segments[1]) + thread * 1024;
        std::uint64_t one = 1, value = 0;
        char byte = 0;
        for (int i = 0; i < 40; ++i) {
          byte = static_cast<char>(i + 1);
          value += 3;
          std::uint64_t three = 3;
          A1_Put(1, &byte, place, 1);
          if (i % 2 != 0) {
            A1_Flush(1);
            EXPECT_EQ(*place, byte);
          }
          A1_PutAcc(1, &three, place + 8, 8, A1_UINT64, &one);
          if (i % 3 == 0) {
            A1_Flush(1);
            std::uint64_t found;
            std::memcpy(&found, place + 8, sizeof found);
            EXPECT_EQ(found, value);
          }
        }
      };
      if (rank == 0) {
        for (unsigned thread = 1; thread < 4; ++thread) job.spawn([work, thread] { work(thread); });
        work(0);
        job.join();
      }
      A1_Release_segments(A1_GROUP_WORLD, segments[rank]);
      A1_Free_segment(segments[rank]);
      A1_Finalize();
    });
  }
}

}  // namespace
}  // namespace toroid::testing
