// SPDX-License-Identifier: Apache-2.0
// Arguments that are refused, and those that are allowed though they ask for nothing.
#include <iterator.h>

#include "check.h"

int main(void) {
  CHECK_IS(0, ARMCI_Initialized());
  ARMCI_Init();
  ARMCI_Init();  // as often as it is finalised
  const int rank = armci_msg_me(), size = armci_msg_nproc(), next = (rank + 1) % size;
  void** const memories = malloc((size_t)size * sizeof *memories);
  CHECK_IS(0, ARMCI_Malloc(memories, 256));
  unsigned char local[256] = {1};
  unsigned char* const remote = memories[next];
  int stride = 16, count[2] = {16, 4}, none[2] = {16, 0}, negative[2] = {16, -1};
  CHECK_IS(FAIL3, ARMCI_Put(local, remote, -1, next));
  CHECK_IS(FAIL, ARMCI_Put(NULL, remote, 1, next));
  CHECK_IS(FAIL, ARMCI_Get(remote, NULL, 1, next));
  CHECK_IS(FAIL2, ARMCI_Put(local, remote, 1, size));
  CHECK_IS(FAIL2, ARMCI_Get(remote, local, 1, -1));
  CHECK_IS(0, ARMCI_Put(NULL, NULL, 0, next));
  CHECK_IS(FAIL4, ARMCI_PutS(local, &stride, remote, &stride, count, -1, next));
  CHECK_IS(FAIL4, ARMCI_GetS(remote, &stride, local, &stride, count, ARMCI_MAX_STRIDE_LEVEL + 1, next));
  CHECK_IS(FAIL3, ARMCI_PutS(local, &stride, remote, &stride, negative, 1, next));
  CHECK_IS(FAIL, ARMCI_PutS(local, NULL, remote, &stride, count, 1, next));
  CHECK_IS(0, ARMCI_PutS(local, &stride, remote, &stride, none, 1, next));
  CHECK_IS(0, ARMCI_PutS(local, NULL, remote, NULL, count, 0, next));
  double scale = 1;
  CHECK_IS(FAIL6, ARMCI_AccS(ARMCI_ACC_OFF, &scale, local, &stride, remote, &stride, count, 1, next));
  CHECK_IS(FAIL6, ARMCI_AccS(ARMCI_ACC_LNG + 1, &scale, local, &stride, remote, &stride, count, 1, next));
  CHECK_IS(FAIL, ARMCI_AccS(ARMCI_ACC_DBL, NULL, local, &stride, remote, &stride, count, 1, next));
  CHECK_IS(FAIL3, ARMCI_Acc(ARMCI_ACC_DBL, &scale, local, remote, 12, next));
  void *near[2] = {local, NULL}, *far[2] = {remote, remote};
  armci_giov_t list = {near, far, 2, 8}, shorter = {near, far, -1, 8}, empty = {NULL, NULL, 0, 8};
  CHECK_IS(FAIL7, ARMCI_PutV(&list, 1, next));
  CHECK_IS(FAIL5, ARMCI_PutV(&shorter, 1, next));
  CHECK_IS(FAIL5, ARMCI_PutV(&list, -1, next));
  CHECK_IS(FAIL, ARMCI_PutV(NULL, 1, next));
  CHECK_IS(0, ARMCI_PutV(&empty, 1, next));
  CHECK_IS(0, ARMCI_GetV(NULL, 0, next));
  int word = 0;
  CHECK_IS(FAIL6, ARMCI_Rmw(ARMCI_SWAP - 1, &word, remote, 1, next));
  CHECK_IS(FAIL, ARMCI_Rmw(ARMCI_SWAP, NULL, remote, 1, next));
  CHECK_IS(FAIL2, ARMCI_Rmw(ARMCI_SWAP, &word, remote, 1, size));
  CHECK_IS(FAIL, ARMCI_Wait(NULL));
  CHECK_IS(FAIL2, ARMCI_WaitProc(size));
  CHECK_IS(FAIL3, ARMCI_Create_mutexes(-1));

  // Walks, in both forms, and packing.
  unsigned char block[64], packed[12], back[64] = {0};
  for (int i = 0; i < 64; ++i) block[i] = (unsigned char)i;
  int strides[2] = {8, 32}, counts[3] = {3, 2, 2};
  armci_write_strided(block, 2, strides, counts, (char*)packed);
  const unsigned char wanted[12] = {0, 1, 2, 8, 9, 10, 32, 33, 34, 40, 41, 42};
  CHECK(memcmp(packed, wanted, sizeof wanted) == 0, "packed");
  armci_read_strided(back, 2, strides, counts, (char*)packed);
  stride_itr_t walk = armci_stride_itr_init(block, 2, strides, counts);
  CHECK_IS(4, armci_stride_itr_size(walk));
  for (int i = 0; armci_stride_itr_has_more(walk); armci_stride_itr_next(walk), ++i) {
    unsigned char* const segment = armci_stride_itr_seg_ptr(walk);
    CHECK(segment == block + wanted[3 * i] && armci_stride_itr_pos(walk) == i, "segment %d", i);
    CHECK(memcmp(back + wanted[3 * i], segment, (size_t)armci_stride_itr_seg_size(walk)) == 0, "segment %d", i);
  }
  armci_stride_itr_destroy(&walk);
  CHECK(walk == NULL, "the walk is still there");

  ARMCI_Barrier();
  ARMCI_Free(memories[rank]);
  ARMCI_Finalize();
  CHECK_IS(1, ARMCI_Initialized());
  return check_end();
}
