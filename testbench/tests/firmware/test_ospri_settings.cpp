// SPDX-License-Identifier: Apache-2.0
// What each setting of OSPRI changes, in calls of DCMF.
#include <a1.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <vector>

#include "testbench/tests/firmware/dcmf_double.h"
#include "testbench/tests/firmware/ospri_settings.h"

namespace toroid::testing {
namespace {

constexpr int kBytes = 1 << 17;
constexpr int kBlocks = 8;

/// Calls of rank 0 and of rank 1 that one piece of rank 0's program makes.
struct Made {
  DcmfDouble::Calls own, other;
};

DcmfDouble::Calls difference(const DcmfDouble::Calls& after, const DcmfDouble::Calls& before) {
  DcmfDouble::Calls made = after;
  made.puts -= before.puts;
  made.confirmed_puts -= before.confirmed_puts;
  made.gets -= before.gets;
  made.sends -= before.sends;
  made.controls -= before.controls;
  made.advances -= before.advances;
  made.sections -= before.sections;
  made.relaxed -= before.relaxed;
  made.put_bytes -= before.put_bytes;
  made.send_bytes -= before.send_bytes;
  return made;
}

/// A job of which rank 0 does something with the segments of all.
class Session {
 public:
  using Work = std::function<void(Session&)>;

  Session(unsigned ranks, const Variables& variables, const Work& work, int threads = A1_THREAD_SINGLE)
      : job(ranks, 5), segments_(ranks) {
    const Settings settings(variables);
    job.run([&](unsigned rank) {
      A1_Initialize(threads);
      A1_Alloc_segment(&segments_[rank], kBytes);
      std::memset(segments_[rank], 0, kBytes);
      own.assign(kBytes, 1);
      A1_Barrier_group(A1_GROUP_WORLD);
      if (rank == 0) work(*this);
      A1_Release_segments(A1_GROUP_WORLD, segments_[rank]);
      A1_Free_segment(segments_[rank]);
      A1_Finalize();
    });
  }

  Made measure(const std::function<void()>& what) {
    const DcmfDouble::Calls before = job.calls(0), other = job.calls(job.size() > 1 ? 1 : 0);
    what();
    return {difference(job.calls(0), before), difference(job.calls(job.size() > 1 ? 1 : 0), other)};
  }

  void* there(unsigned rank = 1) { return segments_[rank]; }

  /// `blocks` rows of `bytes` at every other place.
  void put_rows(int bytes, int target = 1) {
    int blocks[] = {bytes, kBlocks}, stride = 2 * bytes;
    ASSERT_EQ(A1_PutS(target, 1, blocks, own.data(), &stride, there(static_cast<unsigned>(target)), &stride),
              A1_SUCCESS);
  }
  void get_rows(int bytes, int target = 1) {
    int blocks[] = {bytes, kBlocks}, stride = 2 * bytes;
    ASSERT_EQ(A1_GetS(target, 1, blocks, there(static_cast<unsigned>(target)), &stride, own.data(), &stride),
              A1_SUCCESS);
  }
  void add_rows(int bytes) {
    double one = 1;
    int blocks[] = {bytes, kBlocks}, stride = 2 * bytes;
    ASSERT_EQ(A1_PutAccS(1, 1, blocks, own.data(), &stride, there(), &stride, A1_DOUBLE, &one), A1_SUCCESS);
  }
  void put(int bytes, int target = 1) {
    ASSERT_EQ(A1_Put(target, own.data(), there(static_cast<unsigned>(target)), bytes), A1_SUCCESS);
  }
  void get(int bytes) { ASSERT_EQ(A1_Get(1, there(), own.data(), bytes), A1_SUCCESS); }
  void add(int bytes) {
    double one = 1;
    ASSERT_EQ(A1_PutAcc(1, own.data(), there(), bytes, A1_DOUBLE, &one), A1_SUCCESS);
  }

  DcmfDouble job;
  std::vector<char> own;

 private:
  std::vector<void*> segments_;
};

TEST(OspriSettings, blocks_up_to_the_packing_limit_share_messages) {
  Session(2, {}, [](Session& session) {
    Made made = session.measure([&] { session.put_rows(512); });
    EXPECT_EQ(made.own.sends, 3u);  // 3 + 3 + 2 blocks
    EXPECT_EQ(made.own.puts, 0u);
    made = session.measure([&] { session.put_rows(520); });
    EXPECT_EQ(made.own.puts, 8u);
    made = session.measure([&] { session.get_rows(512); });
    EXPECT_EQ(made.own.sends, 1u);
    EXPECT_EQ(made.other.sends, 3u);
    EXPECT_EQ(made.own.gets, 0u);
    made = session.measure([&] { session.get_rows(520); });
    EXPECT_EQ(made.own.gets, 8u);
    made = session.measure([&] { session.add_rows(2048); });
    EXPECT_EQ(made.own.sends, 3u);
    made = session.measure([&] { session.add_rows(2056); });
    EXPECT_EQ(made.own.sends, 8u);
  });
  const Variables limits{
      {"A1D_PUT_PACKING_LIMIT", "64"}, {"A1D_GET_PACKING_LIMIT", "128"}, {"OSPD_PUTACC_PACKING_LIMIT", "256"}};
  Session(2, limits, [](Session& session) {
    EXPECT_EQ(session.measure([&] { session.put_rows(64); }).own.sends, 1u);
    EXPECT_EQ(session.measure([&] { session.put_rows(72); }).own.puts, 8u);
    EXPECT_EQ(session.measure([&] { session.get_rows(128); }).own.gets, 0u);
    EXPECT_EQ(session.measure([&] { session.get_rows(136); }).own.gets, 8u);
    EXPECT_EQ(session.measure([&] { session.add_rows(256); }).own.sends, 1u);
    EXPECT_EQ(session.measure([&] { session.add_rows(264); }).own.sends, 8u);
  });
}

TEST(OspriSettings, blocks_that_touch_each_other_are_one) {
  Session(2, {}, [](Session& session) {
    int blocks[] = {64, 8, 1}, strides[] = {64, 1000};
    Made made = session.measure([&] { A1_PutS(1, 2, blocks, session.own.data(), strides, session.there(), strides); });
    EXPECT_EQ(made.own.puts, 1u);
    EXPECT_EQ(made.own.put_bytes, 512u);
    // On one side only, they are packed.
    int apart[] = {128, 1000};
    made = session.measure([&] { A1_PutS(1, 2, blocks, session.own.data(), strides, session.there(), apart); });
    EXPECT_EQ(made.own.sends, 1u);
    A1_Flush(1);
    for (int i = 0; i < 8; ++i) EXPECT_EQ(static_cast<char*>(session.there())[128 * i + 63], 1);
  });
}

TEST(OspriSettings, messages_are_as_long_as_their_packet_size) {
  const Variables sizes{
      {"A1D_PUT_PACKETSIZE", "8192"}, {"A1D_GET_PACKETSIZE", "8192"}, {"A1D_PUTACC_PACKETSIZE", "64"}};
  Session(2, sizes, [](Session& session) {
    EXPECT_EQ(session.measure([&] { session.put_rows(512); }).own.sends, 1u);
    EXPECT_EQ(session.measure([&] { session.get_rows(512); }).other.sends, 1u);
    // Raised to what two blocks at the limit need.
    EXPECT_EQ(session.measure([&] { session.add_rows(2048); }).own.sends, 4u);
  });
}

TEST(OspriSettings, without_anybody_who_helps_the_network_does_puts_and_gets_alone) {
  Session(2, {{"A1D_ENABLE_CHT", "0"}}, [](Session& session) {
    EXPECT_EQ(session.measure([&] { session.put_rows(8); }).own.puts, 8u);
    EXPECT_EQ(session.measure([&] { session.get_rows(8); }).own.gets, 8u);
    EXPECT_EQ(session.measure([&] { session.add_rows(8); }).own.sends, 1u);
    EXPECT_EQ(session.job.calls(0).sections, 0u);
    EXPECT_EQ(session.job.calls(0).thread_level, unsigned{DCMF_THREAD_SINGLE});
  });
  Session(2, {{"A1D_ENABLE_CHT", "0"}, {"A1D_PUT_PACKING_LIMIT", "8"}},
          [](Session& session) { EXPECT_EQ(session.measure([&] { session.put_rows(8); }).own.sends, 1u); });
}

TEST(OspriSettings, the_helper_makes_progress_while_the_program_computes) {
  for (const char* helper : {"0", "1"}) {
    Session(2, {{"A1D_ENABLE_CHT", helper}, {"A1D_CHT_PAUSE_CYCLES", "123"}}, [&](Session& session) {
      const Made made = session.measure([&] {
        for (int i = 0; i < 1000; ++i) session.job.yield();
      });
      EXPECT_EQ(made.own.advances > 0, *helper == '1');
      if (*helper == '1') {
        EXPECT_EQ(session.job.longest_pause, 123u);
      }
    });
  }
}

TEST(OspriSettings, the_lock_is_dcmfs_unless_ospri_is_alone) {
  Session(2, {{"A1D_MPI_ACTIVE", "1"}}, [](Session& session) {
    EXPECT_EQ(session.job.calls(0).thread_level, unsigned{DCMF_THREAD_MULTIPLE});
    EXPECT_GT(session.measure([&] { session.put(8); }).own.sections, 0u);
  });
  Session(2, {{"A1D_MPI_ACTIVE", "0"}}, [](Session& session) {
    EXPECT_EQ(session.job.calls(0).thread_level, unsigned{DCMF_THREAD_SERIALIZED});
    EXPECT_EQ(session.measure([&] { session.put(8); }).own.sections, 0u);
  });
}

TEST(OspriSettings, interrupts_are_asked_for_and_need_dcmfs_lock) {
  Session(2, {{"A1D_ENABLE_INTERRUPTS", "1"}, {"A1D_ENABLE_CHT", "0"}, {"A1D_MPI_ACTIVE", "0"}}, [](Session& session) {
    EXPECT_EQ(session.job.calls(0).interrupts, unsigned{DCMF_INTERRUPTS_ON});
    EXPECT_EQ(session.job.calls(0).thread_level, unsigned{DCMF_THREAD_MULTIPLE});
    EXPECT_EQ(session.measure([&] { session.put_rows(8); }).own.sends, 1u);
  });
}

TEST(OspriSettings, handoff_returns_before_data_have_left) {
  Session(2, {}, [](Session& session) {
    EXPECT_EQ(session.measure([&] { session.put_rows(512); }).own.advances, 0u);
    EXPECT_EQ(session.measure([&] { session.add(800); }).own.advances, 0u);
    A1_handle_t handle;
    A1_Allocate_handle(&handle);
    int blocks[] = {64, 8}, stride = 128;
    const Made made = session.measure(
        [&] { A1_NbPutS(1, 1, blocks, session.own.data(), &stride, session.there(), &stride, handle); });
    EXPECT_EQ(made.own.sends, 0u);
    EXPECT_EQ(session.measure([&] { A1_Wait_handle(handle); }).own.sends, 1u);
    A1_Release_handle(handle);
  });
  Session(2, {{"A1D_USE_HANDOFF", "0"}}, [](Session& session) {
    EXPECT_GT(session.measure([&] { session.put_rows(512); }).own.advances, 0u);
    EXPECT_GT(session.measure([&] { session.add(800); }).own.advances, 0u);
    A1_handle_t handle;
    A1_Allocate_handle(&handle);
    int blocks[] = {64, 8}, stride = 128;
    const Made made = session.measure(
        [&] { A1_NbPutS(1, 1, blocks, session.own.data(), &stride, session.there(), &stride, handle); });
    EXPECT_EQ(made.own.sends, 1u);
    A1_Release_handle(handle);
  });
}

TEST(OspriSettings, whoever_finds_a_pool_empty_makes_progress) {
  const auto advances = [](const Variables& variables, const std::function<void(Session&)>& work) {
    unsigned made = 0;
    Session(2, variables, [&](Session& session) { made = session.measure([&] { work(session); }).own.advances; });
    return made;
  };
  const auto puts = [](Session& session) { session.put_rows(512); };
  EXPECT_EQ(advances({{"A1D_PUT_BUFFERPOOL_SIZE", "3"}}, puts), 0u);
  EXPECT_GT(advances({{"A1D_PUT_BUFFERPOOL_SIZE", "2"}}, puts), 0u);
  const auto adds = [](Session& session) { session.add_rows(2048); };
  EXPECT_EQ(advances({{"A1D_PUTACC_BUFFERPOOL_SIZE", "3"}}, adds), 0u);
  EXPECT_GT(advances({{"A1D_PUTACC_BUFFERPOOL_SIZE", "2"}}, adds), 0u);
  const auto many = [](Session& session) {
    A1_handle_t handle;
    A1_Allocate_handle(&handle);
    const Made made = session.measure([&] {
      for (int i = 0; i < 10; ++i) A1_NbPut(1, session.own.data(), session.there(), 64, handle);
    });
    EXPECT_EQ(made.own.puts, 10u);
    EXPECT_EQ(made.own.advances > 0, session.job.state(0).settings.requests < 10);
    A1_Release_handle(handle);
  };
  Session(2, {{"A1D_REQUEST_POOL_SIZE", "10"}}, many);
  Session(2, {{"A1D_REQUEST_POOL_SIZE", "9"}}, many);
}

TEST(OspriSettings, replies_to_gets_take_turns_at_their_pool) {
  for (const char* buffers : {"1", "200"}) {
    Session(2, {{"A1D_GET_BUFFERPOOL_SIZE", buffers}}, [&](Session& session) {
      const Made made = session.measure([&] { session.get_rows(512); });
      EXPECT_EQ(made.other.sends, 3u);
      EXPECT_EQ(made.other.most_buffers, *buffers == '1' ? 1u : 3u);
    });
  }
}

TEST(OspriSettings, handles_end_with_their_pool) {
  Session(1, {{"A1D_HANDLE_POOL_SIZE", "2"}}, [](Session&) {
    A1_handle_t handles[3];
    EXPECT_EQ(A1_Allocate_handle(&handles[0]), A1_SUCCESS);
    EXPECT_EQ(A1_Allocate_handle(&handles[1]), A1_SUCCESS);
    EXPECT_EQ(A1_Allocate_handle(&handles[2]), A1_ERROR);
    A1_Release_handle(handles[0]);
    EXPECT_EQ(A1_Allocate_handle(&handles[2]), A1_SUCCESS);
    A1_Release_handle(handles[1]);
    A1_Release_handle(handles[2]);
    EXPECT_EQ(A1_Release_handle(handles[2]), A1_ERROR);
  });
}

TEST(OspriSettings, a_flush_costs_what_was_sent) {
  Session(2, {}, [](Session& session) {
    const auto flush = [&] { return session.measure([] { A1_Flush(1); }); };
    Made made = flush();
    EXPECT_EQ(made.own.puts + made.own.sends, 0u);
    session.get(800);
    made = flush();
    EXPECT_EQ(made.own.puts + made.own.sends, 0u);
    session.put(800);
    made = flush();
    EXPECT_EQ(made.own.confirmed_puts, 1u);
    EXPECT_EQ(made.own.put_bytes, 1u);
    EXPECT_EQ(made.own.sends + made.other.controls, 0u);
    session.put(800);
    session.add(800);
    made = flush();
    EXPECT_EQ(made.own.sends, 1u);
    EXPECT_EQ(made.own.send_bytes, 0u);
    EXPECT_EQ(made.own.puts, 0u);
    EXPECT_EQ(made.other.controls, 1u);
    made = flush();
    EXPECT_EQ(made.own.puts + made.own.sends, 0u);
  });
}

TEST(OspriSettings, flushing_a_group_has_so_many_confirmations_under_way) {
  for (const char* limit : {"2", "512"}) {
    Session(8, {{"A1D_FLUSHALL_PENDING_LIMIT", limit}}, [&](Session& session) {
      for (int target = 1; target < 8; ++target) session.put(64, target);
      const Made made = session.measure([] { A1_Flush_group(A1_GROUP_WORLD); });
      EXPECT_EQ(made.own.confirmed_puts, 7u);
      EXPECT_EQ(made.own.most_outstanding, *limit == '2' ? 2u : 7u);
    });
  }
}

TEST(OspriSettings, own_memory_needs_no_network_up_to_the_limits) {
  const auto put = [](Session& session) { return session.measure([&] { session.put(32768, 0); }).own.puts; };
  const auto rows = [](Session& session) {
    // Not those that flush what the network still has to write.
    const Made made = session.measure([&] { session.put_rows(4096, 0); });
    return made.own.puts - made.own.confirmed_puts;
  };
  Session(1, {}, [&](Session& session) {
    EXPECT_EQ(put(session), 0u);
    EXPECT_EQ(rows(session), 0u);
    EXPECT_EQ(session.measure([&] { session.put(32776, 0); }).own.puts, 1u);
    EXPECT_EQ(session.measure([&] { session.put_rows(4104, 0); }).own.puts, 8u);
    EXPECT_EQ(session.measure([&] { session.get_rows(4104, 0); }).own.gets, 8u);
  });
  Session(1, {{"A1_NETWORK_BYPASS", "0"}}, [&](Session& session) {
    EXPECT_EQ(put(session), 1u);
    EXPECT_EQ(rows(session), 8u);
  });
  Session(1, {{"A1_NETWORK_BYPASS_UPPER_LIMIT_1D", "100"}}, [&](Session& session) {
    EXPECT_EQ(put(session), 1u);
    EXPECT_EQ(rows(session), 0u);
  });
  Session(1, {{"OSP_NETWORK_BYPASS_UPPER_LIMIT_ND", "100"}}, [&](Session& session) {
    EXPECT_EQ(put(session), 0u);
    EXPECT_EQ(rows(session), 8u);
  });
}

TEST(OspriSettings, the_order_decides_what_is_flushed_on_the_way) {
  Session(2, {{"A1D_ORDERING", "strict"}}, [](Session& session) {
    session.put(64);
    EXPECT_EQ(session.measure([&] { session.get(64); }).own.confirmed_puts, 1u);
    EXPECT_EQ(session.measure([&] { session.get(64); }).own.confirmed_puts, 0u);
    session.add(64);
    EXPECT_EQ(session.measure([&] { session.put(64); }).own.sends, 1u);
  });
  Session(2, {{"OSPD_ORDERING", "partial"}}, [](Session& session) {
    session.put(64);
    session.add(64);
    Made made = session.measure([&] { session.get(64); });
    EXPECT_EQ(made.own.confirmed_puts + made.own.sends, 0u);
    made = session.measure([&] { session.put(64); });
    EXPECT_EQ(made.own.confirmed_puts + made.own.sends, 0u);
    // The network would write before the target has unpacked.
    session.put_rows(8);
    EXPECT_EQ(session.measure([&] { session.put(64); }).own.sends, 1u);
  });
  Session(2, {{"A1D_ORDERING", "none"}}, [](Session& session) {
    Made made = session.measure([&] {
      session.put(64);
      A1_Flush(1);
    });
    EXPECT_EQ(made.own.puts, 0u);
    EXPECT_EQ(made.own.sends, 1u);  // the put, and nothing for the flush
    EXPECT_EQ(made.own.relaxed, 1u);
    EXPECT_EQ(made.other.controls, 1u);
  });
}

TEST(OspriSettingsDeathTest, bad_values_are_told) {
  const auto start = [](const Variables& variables) { Session(1, variables, [](Session&) {}); };
  EXPECT_EXIT(start({{"A1D_PUT_PACKING_LIMIT", "many"}}), ::testing::ExitedWithCode(1),
              "OSPRI: rank 0: A1D_PUT_PACKING_LIMIT=many: expected a number from 0 to 16777216");
  EXPECT_EXIT(start({{"OSPD_ENABLE_CHT", "2"}}), ::testing::ExitedWithCode(1),
              "OSPD_ENABLE_CHT=2: expected a number from 0 to 1");
  EXPECT_EXIT(start({{"A1D_REQUEST_POOL_SIZE", "0"}}), ::testing::ExitedWithCode(1), "expected a number from 1");
  EXPECT_EXIT(start({{"A1D_ORDERING", "location"}}), ::testing::ExitedWithCode(1),
              "A1D_ORDERING=location: expected strict, partial or none");
}

}  // namespace
}  // namespace toroid::testing
