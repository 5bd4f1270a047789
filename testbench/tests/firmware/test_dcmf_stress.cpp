// SPDX-License-Identifier: Apache-2.0
// Random operations of all kinds between all ranks, over DMA engines that do their worst: every byte, every callback
// and the order of messages are checked.
#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <memory>

#include "firmware/programs/contents.h"
#include "testbench/tests/firmware/dcmf_job.h"

namespace toroid::testing {
namespace {

struct Case {
  const char* name;
  unsigned x, y, z, processes, rings;
};

/// What one operation has to do.
struct Operation {
  enum Kind { send, put, get, control } kind;
  unsigned from, to;
  std::uint32_t key, bytes;
  std::uint32_t wanted;  ///< of a message: bytes that the receiver takes
  char* source;
  char* target;
  DCMF_Request_t* request;
  unsigned done_due = 0, ack_due = 0, done = 0, ack = 0, received = 0;
  bool settled = false;
  unsigned count;  ///< quads of msginfo
  unsigned order;  ///< among the messages of this protocol and pair
  DCMF_Consistency consistency;
};

class Stress;
Stress* stress;

class Stress : public ::testing::TestWithParam<Case> {
 public:
  static constexpr unsigned kMemory = 48 << 20;

  void SetUp() override {
    stress = this;
    const Case& p = GetParam();
    job = std::make_unique<DcmfJob>(p.x, p.y, p.z, p.processes, kMemory, p.rings);
    job->dma.meanwhile = 3;
    protocols.resize(job->size());
    regions.resize(job->size());
    job->on_all([&](unsigned rank) {
      static const DCMF_Send_Protocol kKinds[] = {DCMF_DEFAULT_SEND_PROTOCOL, DCMF_EAGER_SEND_PROTOCOL,
                                                  DCMF_RZV_SEND_PROTOCOL};
      for (DCMF_Send_Protocol kind : kKinds) {
        protocols[rank].push_back(job->memory<DCMF_Protocol_t>(rank));
        DCMF_Send_Configuration_t configuration = {kind,   DCMF_DEFAULT_NETWORK, receive_short, nullptr, receive,
                                                   nullptr};
        ASSERT_EQ(DCMF_Send_register(protocols[rank].back(), &configuration), DCMF_SUCCESS);
      }
      protocols[rank].push_back(job->memory<DCMF_Protocol_t>(rank));
      DCMF_Control_Configuration_t control = {DCMF_DEFAULT_CONTROL_PROTOCOL, DCMF_DEFAULT_NETWORK, receive_control,
                                              nullptr};
      ASSERT_EQ(DCMF_Control_register(protocols[rank].back(), &control), DCMF_SUCCESS);
      std::size_t bytes = 0;
      ASSERT_EQ(DCMF_Memregion_create(&regions[rank].all, &bytes, SIZE_MAX, nullptr, 0), DCMF_SUCCESS);
    });
  }

  // Room that is used again when its operation is over.
  char* room(unsigned rank, std::uint32_t bytes) {
    // A multiple of 64 bytes apart, at any alignment.
    const unsigned beside = random() % 33;
    return job->memory<char>(rank, bytes ? bytes : 1, beside);
  }

  void run();

  void start(unsigned from) {
    operations.emplace_back();
    Operation& o = operations.back();
    o.kind = static_cast<Operation::Kind>(random() % 4);
    o.from = from;
    o.to = only == kAnyone ? static_cast<unsigned>(random() % job->size()) : only;
    o.key = static_cast<std::uint32_t>(operations.size());
    const unsigned bits = static_cast<unsigned>(random()) % most_bits;
    o.bytes = static_cast<std::uint32_t>(random()) % (1u << bits);
    o.consistency = static_cast<DCMF_Consistency>(random() % 3);
    o.count = static_cast<unsigned>(random()) % 8;
    job->select(from);
    if (o.kind == Operation::control) {
      control(o);
      return;
    }
    const bool away = o.kind == Operation::get;  // where the data comes from
    o.source = room(away ? o.to : o.from, o.bytes);
    o.wanted = o.bytes;
    if (o.kind == Operation::send && o.bytes > 240 && random() % 4 == 0) {
      o.wanted = static_cast<std::uint32_t>(random()) % (o.bytes + 1);
    }
    o.target = room(away ? o.from : o.to, o.wanted);
    program_fill(reinterpret_cast<std::uint8_t*>(o.source), o.bytes, o.key);
    o.request = job->memory<DCMF_Request_t>(from);
    const DCMF_Callback_t done = {random() % 8 ? +[](void* d, DCMF_Error_t*) { stress->on_done(d); } : nullptr, &o};
    const DCMF_Callback_t ack = {random() % 2 ? +[](void* d, DCMF_Error_t*) { stress->on_ack(d); } : nullptr, &o};
    o.done_due = done.function != nullptr;
    switch (o.kind) {
      case Operation::send: {
        const unsigned which = static_cast<unsigned>(random()) % 3;
        DCQuad info[7];
        std::memset(info, 0x5A, sizeof info);
        if (o.count == 0) o.count = 1;
        info[0].w0 = o.key;
        info[0].w1 = o.count;
        info[o.count - 1].w3 = ~o.key;
        o.order = sent[{from, o.to}]++;
        ASSERT_EQ(
            DCMF_Send(protocols[from][which], o.request, done, o.consistency, o.to, o.bytes, o.source, info, o.count),
            DCMF_SUCCESS);
        std::memset(info, 0xA5, sizeof info);
        // Messages of one packet are copied by the call.
        if (o.bytes + 16 * o.count <= DCMF_SHORT_BYTES) std::memset(o.source, 0xA5, o.bytes);
        break;
      }
      case Operation::put:
        o.ack_due = ack.function != nullptr;
        ASSERT_EQ(
            DCMF_Put(nullptr, o.request, done, o.consistency, o.to, o.bytes, &regions[from].all, &regions[o.to].all,
                     reinterpret_cast<std::size_t>(o.source), reinterpret_cast<std::size_t>(o.target), ack),
            DCMF_SUCCESS);
        break;
      case Operation::get:
        ASSERT_EQ(
            DCMF_Get(nullptr, o.request, done, o.consistency, o.to, o.bytes, &regions[o.to].all, &regions[from].all,
                     reinterpret_cast<std::size_t>(o.source), reinterpret_cast<std::size_t>(o.target)),
            DCMF_SUCCESS);
        break;
      case Operation::control:
        break;
    }
    // With no callback due the request may not be touched any more.
    if (!o.done_due && !o.ack_due) std::memset(o.request, 0xCC, sizeof *o.request);
  }

  void control(Operation& o) {
    DCMF_Control_t info;
    std::memset(&info, 0, sizeof info);
    info[0].w0 = o.key;
    info[7].w3 = ~o.key;
    o.order = controls_sent[{o.from, o.to}]++;
    o.bytes = 0;
    ASSERT_EQ(DCMF_Control(protocols[o.from][3], o.consistency, o.to, &info), DCMF_SUCCESS);
  }

  void on_done(void* of) {
    auto& o = *static_cast<Operation*>(of);
    ++o.done;
    EXPECT_EQ(o.from, job->dma.rank);
    EXPECT_EQ(o.ack, 0u) << "cb_done comes first";
    if (o.kind == Operation::get) check(o, o.bytes);
  }
  void on_ack(void* of) {
    auto& o = *static_cast<Operation*>(of);
    ++o.ack;
    check(o, o.bytes);
  }
  void check(const Operation& o, std::uint32_t bytes) {
    const std::uint32_t right = program_check(reinterpret_cast<const std::uint8_t*>(o.target), bytes, o.key);
    if (right != bytes)
      ADD_FAILURE() << "kind " << o.kind << ", key " << o.key << ": byte " << right << " of " << bytes;
  }

  Operation& message(const DCQuad* info, unsigned count, std::size_t peer, std::size_t bytes) {
    Operation& o = operations.at(info[0].w0 - 1);
    EXPECT_EQ(o.from, peer);
    EXPECT_EQ(o.to, job->dma.rank);
    EXPECT_EQ(o.bytes, bytes);
    EXPECT_EQ(o.count, count);
    EXPECT_EQ(info[count - 1].w3, ~o.key);
    EXPECT_EQ(o.order, (heard[{o.from, o.to}]++)) << "messages arrive in order";
    return o;
  }
  static void receive_short(void*, const DCQuad* info, unsigned count, size_t peer, const char* src, size_t bytes) {
    Operation& o = stress->message(info, count, peer, bytes);
    std::memcpy(o.target, src, bytes);
    stress->arrived(o, bytes);
  }
  static DCMF_Request_t* receive(void*, const DCQuad* info, unsigned count, size_t peer, size_t sndlen, size_t* rcvlen,
                                 char** rcvbuf, DCMF_Callback_t* cb_done) {
    Operation& o = stress->message(info, count, peer, sndlen);
    EXPECT_GT(sndlen, 0u);
    *rcvlen = o.wanted;
    *rcvbuf = o.target;
    *cb_done = {[](void* of, DCMF_Error_t*) {
                  auto& one = *static_cast<Operation*>(of);
                  stress->arrived(one, one.wanted);
                },
                &o};
    static DCMF_Request_t same;  // one request for all receptions at a time
    return &same;
  }
  void arrived(Operation& o, std::size_t bytes) {
    ++o.received;
    check(o, static_cast<std::uint32_t>(bytes));
    if (o.consistency == DCMF_SEQUENTIAL_CONSISTENCY) {
      unsigned& last = completed[{o.from, o.to}];
      EXPECT_LE(last, o.key) << "sequential messages complete in order";
      last = o.key;
    }
    // Callbacks may start operations.
    if (random() % 16 == 0 && operations.size() < most) start(o.to);
  }
  static void receive_control(void*, const DCMF_Control_t* info, size_t peer) {
    Operation& o = stress->operations.at((*info)[0].w0 - 1);
    EXPECT_EQ((*info)[7].w3, ~o.key);
    EXPECT_EQ(o.from, peer);
    EXPECT_EQ(o.order, (stress->controls_heard[{o.from, o.to}]++)) << "control messages arrive in order";
    ++o.received;
  }

  struct Region {
    DCMF_Memregion_t all;
  };
  std::unique_ptr<DcmfJob> job;
  std::vector<std::vector<DCMF_Protocol_t*>> protocols;
  std::vector<Region> regions;
  std::deque<Operation> operations;
  std::map<std::pair<unsigned, unsigned>, unsigned> sent, heard, controls_sent, controls_heard, completed;
  std::mt19937 random{7};
  static constexpr unsigned kAnyone = ~0u;
  unsigned most = 3000, most_bits = 13, only = kAnyone;
};

class StressLong : public Stress {};

TEST_P(Stress, EverythingArrives) {
  run();
}

TEST_P(StressLong, EverythingArrives) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    random.seed(seed);
    operations.clear(), protocols.clear(), regions.clear();
    for (auto* counts : {&sent, &heard, &controls_sent, &controls_heard, &completed}) counts->clear();
    SetUp();
    run();
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

void Stress::run() {
  for (unsigned step = 0; operations.size() < most; ++step) {
    const unsigned rank = static_cast<unsigned>(random()) % job->size();
    switch (random() % 8) {
      case 0:
        // Some big ones, and some bursts, of which few make a ring full.
        most_bits = random() % 64 == 0 ? 21 : 13;
        start(rank);
        most_bits = 13;
        if (random() % 16 == 0) {
          only = random() % 2 ? static_cast<unsigned>(random()) % job->size() : kAnyone;
          for (unsigned n = random() % 4 == 0 ? 700 : 40; n > 0 && operations.size() < most; --n) start(rank);
          only = kAnyone;
        }
        break;
      case 1:
        job->advance(rank);
        break;
      default:
        job->dma.step();
    }
    ASSERT_TRUE(job->dma.errors.empty()) << job->dma.errors[0];
    if (HasFailure()) FAIL();
  }
  job->settle();
  EXPECT_TRUE(job->dma.idle());
  EXPECT_EQ(job->dma.errors, std::vector<std::string>{});
  unsigned missing = 0;
  for (const Operation& o : operations) {
    const bool message = o.kind == Operation::send || o.kind == Operation::control;
    if (o.done != o.done_due || o.ack != o.ack_due || o.received != message) {
      if (++missing < 5) {
        ADD_FAILURE() << "kind " << o.kind << " " << o.from << "->" << o.to << " bytes " << o.bytes << ": done "
                      << o.done << " of " << o.done_due << ", ack " << o.ack << " of " << o.ack_due << ", received "
                      << o.received;
      }
    }
    if (o.kind == Operation::put || o.kind == Operation::get) check(o, o.bytes);
  }
  for (unsigned rank = 0; rank < job->size(); ++rank) {
    EXPECT_EQ(job->state(rank).counters_busy, 0u);
    EXPECT_EQ(job->state(rank).waiting, 0u);
    for (unsigned other = 0; other < job->size(); ++other) {
      EXPECT_EQ(job->state(rank).peers[other].fetches, 0u);
      EXPECT_EQ(job->state(rank).peers[other].ordered, 0u);
    }
  }
}

const Case kMachines[] = {{"two_nodes", 2, 1, 1, 1, 0},
                          {"torus", 3, 2, 2, 1, 7},
                          {"one_node", 1, 1, 1, 4, 0},
                          {"dual", 4, 1, 1, 2, 7},
                          {"virtual_node", 2, 2, 1, 4, 3}};
std::string name_of(const ::testing::TestParamInfo<Case>& parameter) {
  return parameter.param.name;
}
INSTANTIATE_TEST_SUITE_P(Machines, Stress, ::testing::ValuesIn(kMachines), name_of);
INSTANTIATE_TEST_SUITE_P(Machines, StressLong, ::testing::ValuesIn(kMachines), name_of);

}  // namespace
}  // namespace toroid::testing
