// SPDX-License-Identifier: Apache-2.0
// Random puts, gets, accumulates and read-modify-writes of all forms, against a serial model. Each process has a lane
// in the memory of each: what it does there must take effect in its order.
#include "check.h"

enum { LANE = 3 << 12, ROOM = 2 * LANE, SEGMENTS = 48 };

static int rank, size, target;
static unsigned seed;
static unsigned char *own, **memories, **models;
static unsigned char *local, *expected;
static armci_hdl_t handle;

static unsigned below(unsigned n) {
  return check_random(&seed) % n;
}

static unsigned char* lane(void) {
  return memories[target] + rank * LANE;
}

static unsigned char* model(void) {
  return models[target];
}

static void fill(unsigned char* bytes, size_t count) {
  for (size_t i = 0; i < count; ++i) bytes[i] = (unsigned char)check_random(&seed);
}

/// A patch of at most LANE bytes at either side, whose strides differ.
typedef struct {
  int levels, count[4], near[3], far[3];
  int bytes;  ///< of elements of 16 bytes, so that every type fits
} patch_t;

static patch_t patch_new(void) {
  patch_t patch = {.levels = (int)below(4)};
  static const int kRows[] = {16, 32, 48, 64, 256, 272, 1024};
  patch.count[0] = kRows[below(7)];
  int near = patch.count[0], far = patch.count[0];
  for (int i = 0; i < patch.levels; ++i) {
    near += 16 * (int)below(3);
    far += 16 * (int)below(3);
    patch.near[i] = near;
    patch.far[i] = far;
    int count = 1 + (int)below(6);
    while (count > 1 && (near * count > LANE || far * count > LANE)) --count;
    patch.count[i + 1] = count;
    near *= count;
    far *= count;
  }
  patch.bytes = patch.count[0];
  for (int i = 0; i < patch.levels; ++i) patch.bytes *= patch.count[i + 1];
  return patch;
}

static size_t extent(const patch_t* patch, const int strides[]) {
  size_t bytes = (size_t)patch->count[0];
  for (int i = 0; i < patch->levels; ++i) bytes += (size_t)strides[i] * (size_t)(patch->count[i + 1] - 1);
  return bytes;
}

/// The offset of a row.
static size_t row_at(const patch_t* patch, const int strides[], int row) {
  size_t at = 0;
  for (int i = 0; i < patch->levels; ++i) {
    at += (size_t)strides[i] * (size_t)(row % patch->count[i + 1]);
    row /= patch->count[i + 1];
  }
  return at;
}

static void accumulate(int operation, unsigned char* to, const unsigned char* from, int bytes) {
  switch (operation) {
    case ARMCI_ACC_INT:
      for (int i = 0; i < bytes / (int)sizeof(int); ++i) ((unsigned*)to)[i] += 3u * ((const unsigned*)from)[i];
      break;
    case ARMCI_ACC_LNG:
      for (int i = 0; i < bytes / (int)sizeof(long); ++i) {
        ((unsigned long*)to)[i] += 3u * ((const unsigned long*)from)[i];
      }
      break;
    case ARMCI_ACC_FLT:
      for (int i = 0; i < bytes / (int)sizeof(float); ++i) ((float*)to)[i] += 3 * ((const float*)from)[i];
      break;
    case ARMCI_ACC_DBL:
      for (int i = 0; i < bytes / (int)sizeof(double); ++i) ((double*)to)[i] += 3 * ((const double*)from)[i];
      break;
    case ARMCI_ACC_CPL:
      for (int i = 0; i < bytes / (int)sizeof(float); i += 2) {
        ((float*)to)[i] += 3 * ((const float*)from)[i] - 2 * ((const float*)from)[i + 1];
        ((float*)to)[i + 1] += 3 * ((const float*)from)[i + 1] + 2 * ((const float*)from)[i];
      }
      break;
    default:
      for (int i = 0; i < bytes / (int)sizeof(double); i += 2) {
        ((double*)to)[i] += 3 * ((const double*)from)[i] - 2 * ((const double*)from)[i + 1];
        ((double*)to)[i + 1] += 3 * ((const double*)from)[i + 1] + 2 * ((const double*)from)[i];
      }
  }
}

/// A type, and a scale of it.
static int operation_new(void* scale) {
  const int operation = ARMCI_ACC_INT + (int)below(6);
  const int as_int[2] = {3, 0};
  const long as_long[2] = {3, 0};
  const float as_float[2] = {3, 2};
  const double as_double[2] = {3, 2};
  if (operation == ARMCI_ACC_INT) memcpy(scale, as_int, sizeof as_int);
  if (operation == ARMCI_ACC_LNG) memcpy(scale, as_long, sizeof as_long);
  if (operation == ARMCI_ACC_FLT || operation == ARMCI_ACC_CPL) memcpy(scale, as_float, sizeof as_float);
  if (operation == ARMCI_ACC_DBL || operation == ARMCI_ACC_DCP) memcpy(scale, as_double, sizeof as_double);
  return operation;
}

/// Small numbers of the type, in place of whatever bytes are there, at both sides.
static void make_numbers(int operation, unsigned char* bytes, size_t count) {
  if (operation == ARMCI_ACC_FLT || operation == ARMCI_ACC_CPL) {
    for (size_t i = 0; i < count / sizeof(float); ++i) ((float*)(void*)bytes)[i] = (float)((int)below(64) - 32);
  } else if (operation == ARMCI_ACC_DBL || operation == ARMCI_ACC_DCP) {
    for (size_t i = 0; i < count / sizeof(double); ++i) ((double*)(void*)bytes)[i] = (double)((int)below(64) - 32);
  } else {
    fill(bytes, count);
  }
}

/// How a call is made: blocking, with the handle, or with an implicit one.
typedef enum { BLOCKING, HANDLE, IMPLICIT } way_t;

static armci_hdl_t* of(way_t way) {
  return way == HANDLE ? &handle : NULL;
}

static void finish(way_t way) {
  if (way == HANDLE) {
    if (below(2) == 0) {
      while (ARMCI_Test(&handle) != 0) {
      }
    }
    CHECK_IS(0, ARMCI_Wait(&handle));
  } else if (way == IMPLICIT) {
    CHECK_IS(0, below(2) == 0 ? ARMCI_WaitAll() : ARMCI_WaitProc(target));
  }
}

static void strided(void) {
  patch_t patch = patch_new();
  const way_t way = (way_t)below(3);
  const size_t at = 16 * (size_t)below((unsigned)(LANE - extent(&patch, patch.far)) / 16 + 1);
  const int rows = patch.bytes / patch.count[0], kind = (int)below(3);
  double scale[2];
  const int operation = operation_new(scale);
  unsigned char* const remote = lane() + at;
  if (kind == 0) {
    fill(local, LANE);
    for (int i = 0; i < rows; ++i) {
      memcpy(model() + at + row_at(&patch, patch.far, i), local + row_at(&patch, patch.near, i),
             (size_t)patch.count[0]);
    }
    CHECK_IS(0, way == BLOCKING
                    ? ARMCI_PutS(local, patch.near, remote, patch.far, patch.count, patch.levels, target)
                    : ARMCI_NbPutS(local, patch.near, remote, patch.far, patch.count, patch.levels, target, of(way)));
    finish(way);
    fill(local, LANE);  // it may be changed
  } else if (kind == 1) {
    fill(local, LANE);
    memcpy(expected, local, LANE);
    for (int i = 0; i < rows; ++i) {
      memcpy(expected + row_at(&patch, patch.near, i), model() + at + row_at(&patch, patch.far, i),
             (size_t)patch.count[0]);
    }
    CHECK_IS(0, way == BLOCKING
                    ? ARMCI_GetS(remote, patch.far, local, patch.near, patch.count, patch.levels, target)
                    : ARMCI_NbGetS(remote, patch.far, local, patch.near, patch.count, patch.levels, target, of(way)));
    finish(way);
    CHECK(memcmp(local, expected, LANE) == 0, "GetS of %d bytes on %d levels from %d", patch.bytes, patch.levels,
          target);
  } else {
    // First numbers of the type, then the sums.
    make_numbers(operation, local, LANE);
    CHECK_IS(0, ARMCI_Put(local, lane(), LANE, target));
    memcpy(model(), local, LANE);
    make_numbers(operation, local, LANE);
    for (int i = 0; i < rows; ++i) {
      accumulate(operation, model() + at + row_at(&patch, patch.far, i), local + row_at(&patch, patch.near, i),
                 patch.count[0]);
    }
    CHECK_IS(0, way == BLOCKING ? ARMCI_AccS(operation, scale, local, patch.near, remote, patch.far, patch.count,
                                             patch.levels, target)
                                : ARMCI_NbAccS(operation, scale, local, patch.near, remote, patch.far, patch.count,
                                               patch.levels, target, of(way)));
    finish(way);
    fill(local, LANE);
  }
}

static void contiguous(void) {
  const way_t way = (way_t)below(3);
  const size_t bytes = below(2) == 0 ? below(64) : below(LANE), at = below((unsigned)(LANE - bytes) + 1);
  unsigned char* const remote = lane() + at;
  const unsigned beside = below(17);
  unsigned char* const near = local + beside;
  if (below(2) == 0) {
    fill(near, bytes);
    memcpy(model() + at, near, bytes);
    CHECK_IS(0, way == BLOCKING ? ARMCI_Put(near, remote, (int)bytes, target)
                                : ARMCI_NbPut(near, remote, (int)bytes, target, of(way)));
    finish(way);
    fill(near, bytes);
  } else {
    CHECK_IS(0, way == BLOCKING ? ARMCI_Get(remote, near, (int)bytes, target)
                                : ARMCI_NbGet(remote, near, (int)bytes, target, of(way)));
    finish(way);
    CHECK(memcmp(near, model() + at, bytes) == 0, "Get of %zu bytes at %zu from %d", bytes, at, target);
  }
}

/// Lists of segments that do not overlap: every other place of a grid.
static void listed(void) {
  const way_t way = (way_t)below(3);
  void *near[2][SEGMENTS], *far[2][SEGMENTS];
  double scale[2];
  const int operation = operation_new(scale), kind = (int)below(3);
  if (kind == 2) {
    make_numbers(operation, local, LANE);
    CHECK_IS(0, ARMCI_Put(local, lane(), LANE, target));
    memcpy(model(), local, LANE);
    make_numbers(operation, local, LANE);
  } else {
    fill(local, LANE);
  }
  armci_giov_t lists[2];
  const unsigned grid = LANE / 2 / SEGMENTS;  // 128
  for (unsigned list = 0; list < 2; ++list) {
    lists[list].bytes = 16 * (int)(1 + below(grid / 16));
    lists[list].ptr_array_len = (int)below(SEGMENTS + 1);
    lists[list].src_ptr_array = kind == 1 ? far[list] : near[list];
    lists[list].dst_ptr_array = kind == 1 ? near[list] : far[list];
    for (unsigned i = 0; i < (unsigned)lists[list].ptr_array_len; ++i) {
      const size_t near_at = (2 * i + list) * grid, far_at = (2 * (SEGMENTS - 1 - i) + list) * grid;
      near[list][i] = local + near_at;
      far[list][i] = lane() + far_at;
      const size_t bytes = (size_t)lists[list].bytes;
      if (kind == 0) memcpy(model() + far_at, local + near_at, bytes);
      if (kind == 1) memcpy(expected + near_at, model() + far_at, bytes);
      if (kind == 2) accumulate(operation, model() + far_at, local + near_at, (int)bytes);
    }
  }
  if (kind == 0) {
    CHECK_IS(0, way == BLOCKING ? ARMCI_PutV(lists, 2, target) : ARMCI_NbPutV(lists, 2, target, of(way)));
  } else if (kind == 1) {
    CHECK_IS(0, way == BLOCKING ? ARMCI_GetV(lists, 2, target) : ARMCI_NbGetV(lists, 2, target, of(way)));
  } else {
    CHECK_IS(0, way == BLOCKING ? ARMCI_AccV(operation, scale, lists, 2, target)
                                : ARMCI_NbAccV(operation, scale, lists, 2, target, of(way)));
  }
  void* wanted[SEGMENTS];  // the lists may be changed
  memcpy(wanted, near[0], sizeof wanted);
  memset(near, 0, sizeof near);
  memset(far, 0, sizeof far);
  finish(way);
  if (kind == 1) {
    for (int i = 0; i < lists[0].ptr_array_len; ++i) {
      const size_t at = (size_t)((unsigned char*)wanted[i] - local);
      CHECK(memcmp(local + at, expected + at, (size_t)lists[0].bytes) == 0, "GetV of segment %d from %d", i, target);
    }
  }
  fill(local, LANE);
}

static void values(void) {
  const size_t at = 8 * (size_t)below(LANE / 8);
  unsigned char* const remote = lane() + at;
  const int number = (int)check_random(&seed);
  switch (below(6)) {
    case 0:
      CHECK_IS(0, ARMCI_PutValueInt(number, remote, target));
      memcpy(model() + at, &number, sizeof number);
      break;
    case 1: {
      const double value = number;
      CHECK_IS(0, ARMCI_NbPutValueDouble(value, remote, target, &handle));
      CHECK_IS(0, ARMCI_Wait(&handle));
      memcpy(model() + at, &value, sizeof value);
      break;
    }
    case 2: {
      int value;
      memcpy(&value, model() + at, sizeof value);
      CHECK_IS(value, ARMCI_GetValueInt(remote, target));
      break;
    }
    case 3: {
      int value = number, old;
      memcpy(&old, model() + at, sizeof old);
      CHECK_IS(0, ARMCI_Rmw(ARMCI_SWAP, &value, remote, 0, target));
      CHECK(value == old, "swap gives %d, not %d", value, old);
      memcpy(model() + at, &number, sizeof number);
      break;
    }
    case 4: {
      long value, old;
      memcpy(&old, model() + at, sizeof old);
      CHECK_IS(0, ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &value, remote, 5, target));
      CHECK(value == old, "fetch and add gives %ld, not %ld", value, old);
      old = (long)((unsigned long)old + 5);
      memcpy(model() + at, &old, sizeof old);
      break;
    }
    default:
      if (at + 64 > LANE || at < 64) break;
      fill(local, 64);
      CHECK_IS(0, ARMCI_Put_flag(local, remote - 64, 64, (int*)(void*)remote, number, target));
      memcpy(model() + at - 64, local, 64);
      memcpy(model() + at, &number, sizeof number);
  }
}

int main(int argc, char** argv) {
  ARMCI_Init_args(&argc, &argv);
  rank = armci_msg_me();
  size = armci_msg_nproc();
  seed = 4711u + 7919u * (unsigned)rank + (unsigned)check_setting("ARMCI_TEST_SEED", 0);
  memories = malloc((size_t)size * sizeof *memories);
  models = malloc((size_t)size * sizeof *models);
  CHECK_IS(0, ARMCI_Malloc((void**)memories, (armci_size_t)size * LANE));
  own = memories[rank];
  memset(own, 0, (size_t)size * LANE);
  for (int i = 0; i < size; ++i) models[i] = calloc(1, LANE);
  local = ARMCI_Malloc_local(ROOM);
  expected = malloc(ROOM);
  memset(local, 0, ROOM);
  ARMCI_INIT_HANDLE(&handle);
  ARMCI_Barrier();
  for (int left = check_setting("ARMCI_TEST_OPERATIONS", 300); left != 0; --left) {
    target = (int)below((unsigned)size);
    switch (below(4)) {
      case 0:
        strided();
        break;
      case 1:
        contiguous();
        break;
      case 2:
        listed();
        break;
      default:
        values();
    }
    if (below(50) == 0) ARMCI_Fence(target);
  }
  ARMCI_Barrier();
  // What is there now, as its owner sees it: everyone sends what it expects.
  for (int to = 0; to < size; ++to) {
    for (int from = 0; from < size; ++from) {
      if (rank == from && to != from) armci_msg_snd(1, models[to], LANE, to);
      if (rank != to) continue;
      if (to == from) memcpy(expected, models[to], LANE);
      if (to != from) armci_msg_rcv(1, expected, LANE, NULL, from);
      CHECK(memcmp(own + from * LANE, expected, LANE) == 0, "the lane of %d", from);
    }
  }
  ARMCI_Free_local(local);
  ARMCI_Free(own);
  return check_end();
}
