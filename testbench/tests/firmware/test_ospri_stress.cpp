// SPDX-License-Identifier: Apache-2.0
// Random operations of OSPRI against a serial model, in all modes, over a DCMF that does everything late.
#include <a1.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "testbench/tests/firmware/dcmf_double.h"
#include "testbench/tests/firmware/ospri_settings.h"

namespace toroid::testing {
namespace {

constexpr unsigned kRanks = 3, kOperations = 150;
constexpr int kWindow = 24576;  // bytes that one rank has in another's segment, half for puts and half for accumulates

struct Mode {
  const char* name;
  Variables settings;
  int threads = A1_THREAD_SINGLE;
  bool cores = true;
};

/// What one rank does to another, and what should have come of it.
class Client {
 public:
  Client(DcmfDouble& job, bool strict, bool unordered) : job_(job), strict_(strict), unordered_(unordered) {
    rank_ = A1_Process_id(A1_GROUP_WORLD);
    segments_.resize(kRanks);
    A1_Alloc_segment(&segments_[static_cast<unsigned>(rank_)], kWindow * static_cast<int>(kRanks));
    std::memset(segments_[static_cast<unsigned>(rank_)], 0, kWindow * kRanks);
    A1_Barrier_group(A1_GROUP_WORLD);
    A1_Exchange_segments(A1_GROUP_WORLD, segments_.data());
    model_.assign(kRanks, std::vector<char>(kWindow, 0));
    touched_.assign(kRanks, std::vector<bool>(kWindow, false));
    own_.resize(kWindow);
  }

  void run() {
    for (unsigned i = 0; i < kOperations; ++i) {
      const int target = static_cast<int>(pick(kRanks));
      switch (pick(10)) {
        case 0:
          A1_Flush(target);
          forget(target);
          check(target);
          break;
        case 1:
          A1_Flush_group(A1_GROUP_WORLD);
          for (int each = 0; each < static_cast<int>(kRanks); ++each) {
            forget(each);
            check(each);
          }
          break;
        case 2:
        case 3:
          accumulate(target);
          break;
        case 4:
          get(target);
          break;
        case 5:
          put_contiguous(target);
          break;
        default:
          put(target);
      }
      for (char& each : own_) each = 0x55;  // blocking calls have their data
    }
    A1_Sync_group(A1_GROUP_WORLD);
    for (int each = 0; each < static_cast<int>(kRanks); ++each) check(each);
    A1_Release_segments(A1_GROUP_WORLD, segments_[static_cast<unsigned>(rank_)]);
    A1_Free_segment(segments_[static_cast<unsigned>(rank_)]);
  }

 private:
  struct Shape {
    int levels = 0;
    int blocks[5] = {};
    int far[4] = {}, here[4] = {};  ///< strides
    int far_base = 0, here_base = 0;
  };

  unsigned pick(unsigned below) { return static_cast<unsigned>(job_.random() % below); }
  char* place(int target) { return static_cast<char*>(segments_[static_cast<unsigned>(target)]) + rank_ * kWindow; }
  std::vector<char>& model(int target) { return model_[static_cast<unsigned>(target)]; }

  /// Of 0 to 3 levels, in half the window. Elements of `unit` bytes.
  Shape shape(int unit, int base) {
    Shape made;
    made.levels = static_cast<int>(pick(4));
    const int most = kWindow / 2;
    static const int kBlocks[] = {8, 24, 64, 200, 512, 520, 2048, 2056};
    made.blocks[0] = made.levels == 0 ? unit * static_cast<int>(1 + pick(static_cast<unsigned>(most / 2 / unit)))
                                      : kBlocks[pick(8)] / unit * unit;
    int far = made.blocks[0], here = made.blocks[0];
    for (int i = 0; i < made.levels; ++i) {
      const int fits = most / (far + 16);
      int count = 1 + static_cast<int>(pick(6));
      if (count > fits) count = fits > 0 ? fits : 1;
      made.blocks[i + 1] = count;
      made.far[i] = far + unit * static_cast<int>(pick(2));
      made.here[i] = here + unit * static_cast<int>(pick(2));
      far = made.far[i] * (count - 1) + far;
      here = made.here[i] * (count - 1) + here;
    }
    if (far > most || here > kWindow) {
      made.levels = 0;
      far = here = made.blocks[0];
    }
    made.far_base = base + static_cast<int>(pick(static_cast<unsigned>((most - far) / unit + 1))) * unit;
    made.here_base = static_cast<int>(pick(static_cast<unsigned>((kWindow - here) / unit + 1))) * unit;
    return made;
  }

  template <typename Do>
  static void each_block(const Shape& shape, Do what) {
    int index[4] = {};
    for (;;) {
      int far = shape.far_base, here = shape.here_base;
      for (int i = 0; i < shape.levels; ++i) {
        far += index[i] * shape.far[i];
        here += index[i] * shape.here[i];
      }
      what(far, here);
      int level = 0;
      while (level < shape.levels && ++index[level] == shape.blocks[level + 1]) index[level++] = 0;
      if (level == shape.levels) return;
    }
  }

  /// Without any order, operations on the same memory need a flush between them.
  void make_room(int target, const Shape& shape) {
    if (!unordered_) return;
    std::vector<bool>& touched = touched_[static_cast<unsigned>(target)];
    bool again = false;
    each_block(shape, [&](int far, int) {
      for (int i = 0; i < shape.blocks[0]; ++i) again = again || touched[static_cast<unsigned>(far + i)];
    });
    if (again) {
      A1_Flush(target);
      forget(target);
    }
    each_block(shape, [&](int far, int) {
      for (int i = 0; i < shape.blocks[0]; ++i) touched[static_cast<unsigned>(far + i)] = true;
    });
  }
  void forget(int target) { touched_[static_cast<unsigned>(target)].assign(kWindow, false); }

  void fill() {
    for (char& each : own_) each = static_cast<char>(job_.random());
  }

  void put(int target) {
    Shape of = shape(1, 0);
    make_room(target, of);
    fill();
    A1_handle_t handle = nullptr;
    // Among those with handles there is no order, so such a put stands alone.
    const bool nonblocking = pick(3) == 0;
    if (nonblocking) {
      A1_Flush(target);
      ASSERT_EQ(A1_Allocate_handle(&handle), A1_SUCCESS);
      ASSERT_EQ(A1_NbPutS(target, of.levels, of.blocks, own_.data() + of.here_base, of.here,
                          place(target) + of.far_base, of.far, handle),
                A1_SUCCESS);
      A1_Wait_handle(handle);
      A1_Release_handle(handle);
    } else {
      ASSERT_EQ(A1_PutS(target, of.levels, of.blocks, own_.data() + of.here_base, of.here, place(target) + of.far_base,
                        of.far),
                A1_SUCCESS);
    }
    each_block(of, [&](int far, int here) {
      std::memcpy(model(target).data() + far, own_.data() + here, static_cast<unsigned>(of.blocks[0]));
    });
  }

  void put_contiguous(int target) {
    Shape of = shape(1, 0);
    of.levels = 0;
    make_room(target, of);
    fill();
    ASSERT_EQ(A1_Put(target, own_.data() + of.here_base, place(target) + of.far_base, of.blocks[0]), A1_SUCCESS);
    std::memcpy(model(target).data() + of.far_base, own_.data() + of.here_base, static_cast<unsigned>(of.blocks[0]));
  }

  void accumulate(int target) {
    Shape of = shape(8, kWindow / 2);
    make_room(target, of);
    std::uint64_t scaling = pick(5);
    fill();
    if (pick(2) != 0 && of.levels == 0) {
      ASSERT_EQ(
          A1_PutAcc(target, own_.data() + of.here_base, place(target) + of.far_base, of.blocks[0], A1_UINT64, &scaling),
          A1_SUCCESS);
    } else if (pick(3) == 0) {
      A1_handle_t handle = nullptr;
      ASSERT_EQ(A1_Allocate_handle(&handle), A1_SUCCESS);
      ASSERT_EQ(A1_NbPutAccS(target, of.levels, of.blocks, own_.data() + of.here_base, of.here,
                             place(target) + of.far_base, of.far, A1_UINT64, &scaling, handle),
                A1_SUCCESS);
      A1_Release_handle(handle);
    } else {
      ASSERT_EQ(A1_PutAccS(target, of.levels, of.blocks, own_.data() + of.here_base, of.here,
                           place(target) + of.far_base, of.far, A1_UINT64, &scaling),
                A1_SUCCESS);
    }
    each_block(of, [&](int far, int here) {
      for (int i = 0; i < of.blocks[0]; i += 8) {
        std::uint64_t a, b;
        std::memcpy(&a, model(target).data() + far + i, sizeof a);
        std::memcpy(&b, own_.data() + here + i, sizeof b);
        a += scaling * b;
        std::memcpy(model(target).data() + far + i, &a, sizeof a);
      }
    });
  }

  void get(int target) {
    Shape of = shape(1, pick(2) != 0 ? 0 : kWindow / 2);
    if (!strict_) {
      A1_Flush(target);
      forget(target);
    }
    std::vector<char> result(kWindow, 0x11), expected = result;
    ASSERT_EQ(A1_GetS(target, of.levels, of.blocks, place(target) + of.far_base, of.far, result.data() + of.here_base,
                      of.here),
              A1_SUCCESS);
    each_block(of, [&](int far, int here) {
      std::memcpy(expected.data() + here, model(target).data() + far, static_cast<unsigned>(of.blocks[0]));
    });
    EXPECT_EQ(std::memcmp(result.data(), expected.data(), kWindow), 0) << "get from " << target;
  }

  void check(int target) {
    EXPECT_EQ(std::memcmp(place(target), model(target).data(), kWindow), 0) << rank_ << " to " << target;
  }

  DcmfDouble& job_;
  bool strict_, unordered_;
  int rank_ = 0;
  std::vector<void*> segments_;
  std::vector<std::vector<char>> model_;
  std::vector<std::vector<bool>> touched_;
  std::vector<char> own_;
};

class OspriStress : public ::testing::TestWithParam<Mode> {};

TEST_P(OspriStress, memory_is_as_in_the_serial_model) {
  const Mode& mode = GetParam();
  const Settings settings(mode.settings);
  const auto order = mode.settings.find("A1D_ORDERING");
  const std::string text = order == mode.settings.end() ? "partial" : order->second;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    DcmfDouble job(kRanks, seed);
    job.threads = mode.cores;
    job.laziness = 1 + seed % 3;
    job.run([&](unsigned) {
      ASSERT_EQ(A1_Initialize(mode.threads), A1_SUCCESS);
      Client(job, text == "strict", text == "none").run();
      A1_Finalize();
    });
    if (HasFailure()) return;
  }
}

std::vector<Mode> modes() {
  return {
      {"defaults", {}},
      {"no_helper", {{"A1D_ENABLE_CHT", "0"}}},
      {"no_core_for_the_helper", {}, A1_THREAD_SINGLE, false},
      {"no_helper_packed",
       {{"A1D_ENABLE_CHT", "0"}, {"A1D_PUT_PACKING_LIMIT", "512"}, {"A1D_GET_PACKING_LIMIT", "512"}}},
      {"atomic_lock", {{"A1D_MPI_ACTIVE", "0"}}},
      {"strict", {{"A1D_ORDERING", "strict"}}},
      {"none", {{"A1D_ORDERING", "none"}}},
      {"none_without_helper", {{"A1D_ORDERING", "none"}, {"A1D_ENABLE_CHT", "0"}}},
      {"no_handoff", {{"A1D_USE_HANDOFF", "0"}}},
      {"tiny_pools",
       {{"A1D_PUT_BUFFERPOOL_SIZE", "1"},
        {"A1D_GET_BUFFERPOOL_SIZE", "1"},
        {"A1D_PUTACC_BUFFERPOOL_SIZE", "1"},
        {"A1D_REQUEST_POOL_SIZE", "1"},
        {"A1D_FLUSHALL_PENDING_LIMIT", "1"}}},
      {"no_bypass", {{"A1_NETWORK_BYPASS", "0"}}},
      {"small_bypass", {{"A1_NETWORK_BYPASS_UPPER_LIMIT_1D", "256"}, {"A1_NETWORK_BYPASS_UPPER_LIMIT_ND", "256"}}},
      {"nothing_packed",
       {{"A1D_PUT_PACKING_LIMIT", "0"}, {"A1D_GET_PACKING_LIMIT", "0"}, {"A1D_PUTACC_PACKING_LIMIT", "0"}}},
      {"all_packed",
       {{"A1D_PUT_PACKING_LIMIT", "16384"}, {"A1D_GET_PACKING_LIMIT", "16384"}, {"A1D_PUTACC_PACKING_LIMIT", "16384"}}},
      {"small_messages",
       {{"A1D_PUT_PACKING_LIMIT", "64"},
        {"A1D_PUTACC_PACKING_LIMIT", "64"},
        {"A1D_PUT_PACKETSIZE", "0"},
        {"A1D_PUTACC_PACKETSIZE", "0"}}},
      {"threads", {{"A1D_ENABLE_CHT", "0"}}, A1_THREAD_MULTIPLE},
  };
}

INSTANTIATE_TEST_SUITE_P(modes, OspriStress, ::testing::ValuesIn(modes()),
                         [](const auto& mode) { return std::string(mode.param.name); });

}  // namespace
}  // namespace toroid::testing
