// SPDX-License-Identifier: Apache-2.0
// Random operations of OSPRI against a serial model, in all modes, over a DCMF that does everything late.
#include <a1.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "firmware/ospri/dcmf/lock.h"
#include "firmware/ospri/dcmf/send.h"
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
