// SPDX-License-Identifier: Apache-2.0
// Collective operations and operations on lists; arguments that are refused.
#include <a1.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "testbench/tests/firmware/dcmf_double.h"

namespace toroid::testing {
namespace {

template <typename T>
void reduce_all(unsigned rank, A1_datatype_t type, A1_reduce_op_t op, T expected) {
  T in = static_cast<T>(rank + 1), out = 0;
  ASSERT_EQ(A1_Allreduce_group(A1_GROUP_WORLD, 1, op, type, &in, &out), A1_SUCCESS);
  EXPECT_EQ(out, expected) << type << " " << op;
  T root = 99;
  ASSERT_EQ(A1_Reduce_group(A1_GROUP_WORLD, 2, 1, op, type, &in, &root), A1_SUCCESS);
  EXPECT_EQ(root, rank == 2 ? expected : 99);
}

TEST(Ospri, collective_operations) {
  DcmfDouble job(4, 9);
  job.run([&](unsigned rank) {
    A1_Initialize(A1_THREAD_SINGLE);
    reduce_all<std::int32_t>(rank, A1_INT32, A1_SUM, 10);
    reduce_all<std::int64_t>(rank, A1_INT64, A1_PROD, 24);
    reduce_all<std::uint32_t>(rank, A1_UINT32, A1_BXOR, 4);
    reduce_all<std::uint64_t>(rank, A1_UINT64, A1_OR, 1);
    reduce_all<float>(rank, A1_FLOAT, A1_MAX, 4);
    reduce_all<double>(rank, A1_DOUBLE, A1_MIN, 1);
    reduce_all<double>(rank, A1_DOUBLE, A1_SAME, 0);
    double minus = -1.0 - rank, out = 0;
    A1_Allreduce_group(A1_GROUP_WORLD, 1, A1_MAXABS, A1_DOUBLE, &minus, &out);
    EXPECT_EQ(out, 4);
    EXPECT_EQ(minus, -1.0 - rank);
    float same = 3, is_same = 0;
    A1_Allreduce_group(A1_GROUP_WORLD, 1, A1_SAME, A1_FLOAT, &same, &is_same);
    EXPECT_EQ(is_same, 1);
    EXPECT_EQ(A1_Allreduce_group(A1_GROUP_WORLD, 1, A1_BXOR, A1_FLOAT, &same, &is_same), A1_ERROR);
    int word[2] = {static_cast<int>(rank), 7};
    A1_Bcast_group(A1_GROUP_WORLD, 3, 4, word);
    EXPECT_EQ(word[0], 3);
    EXPECT_EQ(word[1], 7);
    std::int64_t all[8], back[8];
    for (unsigned i = 0; i < 8; ++i) all[i] = 100 * rank + i;
    A1_Manytomany_group(A1_GROUP_WORLD, A1_GROUP_WORLD, 2, A1_INT64, all, back);
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(back[i], 100 * (i / 2) + 2 * rank + i % 2);
    A1_Finalize();
  });
}

TEST(Ospri, lists_of_pieces) {
  DcmfDouble job(2, 4);
  std::vector<std::uint32_t> memory(64);
  job.run([&](unsigned rank) {
    A1_Initialize(A1_THREAD_SINGLE);
    if (rank == 0) {
      std::vector<std::uint32_t> own(64);
      for (unsigned i = 0; i < 64; ++i) own[i] = i + 1;
      void* sources[] = {&own[0], &own[8], &own[16]};
      void* places[] = {&memory[40], &memory[20], &memory[0]};
      A1_iov_t list{sources, places, 8, 3};
      A1_PutV(1, &list, 1);
      std::uint32_t two = 2;
      A1_Flush(1);
      A1_PutAccV(1, &list, 1, A1_UINT32, &two);
      A1_Flush(1);
      EXPECT_EQ(memory[21], 10u * 3);
      A1_PutModV(1, &list, 1, A1_BXOR, A1_UINT32);
      A1_Flush(1);
      EXPECT_EQ(memory[21], (10u * 3) ^ 10);
      A1_iov_t back{places, sources, 8, 3};
      A1_GetV(1, &back, 1);
      EXPECT_EQ(own[9], (10u * 3) ^ 10);
      EXPECT_EQ(A1_PutModV(1, &list, 1, A1_SUM, A1_UINT32), A1_ERROR);
      list.size = 6;
      EXPECT_EQ(A1_PutAccV(1, &list, 1, A1_UINT32, &two), A1_ERROR);
    }
    A1_Barrier_group(A1_GROUP_WORLD);
    A1_Finalize();
  });
}

TEST(Ospri, bad_arguments_do_nothing) {
  DcmfDouble job(1, 4);
  job.run([&](unsigned) {
    EXPECT_EQ(A1_Initialize(17), A1_ERROR);
    EXPECT_EQ(A1_Finalize(), A1_ERROR);
    A1_Initialize(A1_THREAD_SINGLE);
    A1_Initialize(A1_THREAD_SINGLE);
    char a[8], b[8];
    int blocks[] = {8, -1}, stride = 8;
    double one = 1;
    A1_group_t other;
    EXPECT_EQ(A1_Put(1, a, b, 8), A1_ERROR);
    EXPECT_EQ(A1_Put(-1, a, b, 8), A1_ERROR);
    EXPECT_EQ(A1_Put(0, a, b, -8), A1_ERROR);
    EXPECT_EQ(A1_Put(0, nullptr, b, 8), A1_ERROR);
    EXPECT_EQ(A1_Put(0, nullptr, nullptr, 0), A1_SUCCESS);
    EXPECT_EQ(A1_PutS(0, 1, blocks, a, &stride, b, &stride), A1_ERROR);
    EXPECT_EQ(A1_PutS(0, 9, blocks, a, &stride, b, &stride), A1_ERROR);
    EXPECT_EQ(A1_PutAcc(0, a, b, 7, A1_DOUBLE, &one), A1_ERROR);
    EXPECT_EQ(A1_PutAcc(0, a, b, 8, static_cast<A1_datatype_t>(9), &one), A1_ERROR);
    EXPECT_EQ(A1_PutAcc(0, a, b, 8, A1_DOUBLE, nullptr), A1_ERROR);
    EXPECT_EQ(A1_NbPut(0, a, b, 8, a), A1_ERROR);
    EXPECT_EQ(A1_Rmw(0, a, b, a, 6, A1_SWAP, A1_INT32), A1_ERROR);
    EXPECT_EQ(A1_Rmw(0, a, b, a, 72, A1_SWAP, A1_INT32), A1_ERROR);
    EXPECT_EQ(A1_Flush(1), A1_ERROR);
    EXPECT_EQ(A1_Barrier_group(&other), A1_ERROR);
    EXPECT_EQ(A1_Process_id(&other), -1);
    EXPECT_EQ(A1_Lock_mutex(A1_GROUP_WORLD, 0, 0), A1_ERROR);
    EXPECT_EQ(A1_Copy(1, 0, a, b, 8), A1_ERROR);
    EXPECT_EQ(A1_Finalize(), A1_SUCCESS);
    EXPECT_EQ(A1_Finalize(), A1_SUCCESS);
  });
}

}  // namespace
}  // namespace toroid::testing
