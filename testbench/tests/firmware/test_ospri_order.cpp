// SPDX-License-Identifier: Apache-2.0
// What a flush covers, and what stays in order.
#include <a1.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "firmware/ospri/dcmf/lock.h"
#include "firmware/ospri/dcmf/send.h"
#include "testbench/tests/firmware/dcmf_double.h"

namespace toroid::testing {
namespace {

/// Work that waits for the helper is work that a flush waits for.
TEST(Ospri, a_flush_covers_operations_with_handles) {
  DcmfDouble job(2, 2);
  void* segments[2];
  job.run([&](unsigned rank) {
    A1_Initialize(A1_THREAD_SINGLE);
    A1_Alloc_segment(&segments[rank], 1024);
    std::memset(segments[rank], 0, 1024);
    A1_Barrier_group(A1_GROUP_WORLD);
    if (rank == 0) {
      std::vector<char> own(1024, 'a');
      int blocks[] = {8, 16}, stride = 16;
      A1_handle_t handle;
      A1_Allocate_handle(&handle);
      A1_NbPutS(1, 1, blocks, own.data(), &stride, segments[1], &stride, handle);
      A1_Flush(1);
      EXPECT_EQ(static_cast<char*>(segments[1])[15 * 16 + 7], 'a');
      A1_Release_handle(handle);
    }
    A1_Release_segments(A1_GROUP_WORLD, segments[rank]);
    A1_Free_segment(segments[rank]);
    A1_Finalize();
  });
}

/// Requests of a library above come in their order, behind accumulates, whatever their lengths.
std::vector<std::uint32_t> request_numbers;
std::uint64_t* request_sum;

TEST(Ospri, requests_of_a_library_above_stay_in_order) {
  DcmfDouble job(2, 6);
  std::uint64_t sum = 0;
  request_sum = &sum;
  request_numbers.clear();
  job.run([&](unsigned rank) {
    A1_Initialize(A1_THREAD_SINGLE);
    job.state(rank).on_request = [](unsigned, const void* header, unsigned, const void* data, std::size_t bytes) {
      std::uint32_t number[2];
      std::memcpy(number, header, sizeof number);
      request_numbers.push_back(number[0]);
      EXPECT_GE(*request_sum, number[1]);  // later ones may be there, too
      for (std::size_t i = 0; i < bytes; ++i) {
        ASSERT_EQ(static_cast<const unsigned char*>(data)[i], static_cast<unsigned char>(number[0]));
      }
    };
    A1_Barrier_group(A1_GROUP_WORLD);
    if (rank == 0) {
      std::uint64_t ones = 1;
      std::uint64_t one = 1;
      std::vector<std::vector<char>> payloads;
      static DCMF_Request_t requests[40];
      for (std::uint32_t i = 0; i < 40; ++i) {
        A1_PutAcc(1, &ones, &sum, 8, A1_UINT64, &one);
        static const std::size_t kBytes[] = {0, 40, 3000, 100, 7000};
        payloads.emplace_back(kBytes[job.random() % 5], static_cast<char>(i));
        ospri_head_t head{};
        head.kind = OSPRI_REQUEST;
        head.number = 8;
        const std::uint32_t number[2] = {i, i + 1};
        std::memcpy(head.value, number, sizeof number);
        ospri_enter();
        ospri_send_request(1, &head, 8, payloads.back().data(), payloads.back().size(), &requests[i],
                           DCMF_Callback_t{nullptr, nullptr});
        ospri_exit();
      }
      while (request_numbers.size() < 40) job.yield();
    }
    A1_Barrier_group(A1_GROUP_WORLD);
    A1_Finalize();
  });
  for (std::uint32_t i = 0; i < 40; ++i) EXPECT_EQ(request_numbers[i], i);
}

/// Copies by the processor do not overtake the DMA.
TEST(Ospri, puts_into_own_memory_stay_in_order) {
  DcmfDouble job(1, 2);
  job.run([&](unsigned) {
    A1_Initialize(A1_THREAD_SINGLE);
    std::vector<char> from(40000, 'a'), to(40000, 0);
    for (int i = 0; i < 20; ++i) {
      char last = static_cast<char>('b' + i);
      A1_Put(0, from.data(), to.data(), 40000);
      A1_Put(0, &last, &to[17], 1);
      A1_Flush(0);
      EXPECT_EQ(to[17], last);
      EXPECT_EQ(to[18], 'a');
    }
    A1_Finalize();
  });
}

}  // namespace
}  // namespace toroid::testing
