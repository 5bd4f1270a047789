// SPDX-License-Identifier: Apache-2.0
//
// What no gdb would send: packets of gdb's, changed at random, cut and joined anyhow. Each has an answer that can be
// sent, and what comes behind is understood.
//
// TOROID_FUZZ_CASES is the number of packets, TOROID_FUZZ_SEED where their choice begins.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "hw/debug/gdb_stub.h"
#include "hw/debug/hex_text.h"
#include "hw/debug/rsp_stream.h"
#include "testbench/tests/hw/fake_target.h"

namespace toroid {
namespace {

constexpr std::uint64_t kUsualCases = 200'000;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

const char* const kPackets[] = {
    "?",
    "g",
    "G00",
    "p1",
    "p47",
    "P1=10203040",
    "P48=00112233445566778899aabbccddeeff",
    "m1000,20",
    "mb1147000,10",
    "M1000,2:4f4b",
    "X1000,2:ab",
    "Z0,10000520,4",
    "z0,10000520,4",
    "Z2,2000,4",
    "Z4,fffffff0,ffffffff",
    "z3,2000,4",
    "Hg2",
    "Hc-1",
    "T2",
    "c",
    "s",
    "C05",
    "vCont?",
    "vCont;r100,120:2;c",
    "vCont;s:1;c:-1",
    "vKill;1",
    "D",
    "k",
    "QStartNoAckMode",
    "qSupported:multiprocess+;swbreak+",
    "qXfer:features:read:target.xml:0,ffb",
    "qXfer:exec-file:read:1:0,100",
    "qfThreadInfo",
    "qsThreadInfo",
    "qC",
    "qAttached",
    "qThreadExtraInfo,1",
    "qRcmd,627265616b",
    "qOffsets",
    "vMustReplyEmpty",
};

class Fuzzer {
 public:
  explicit Fuzzer(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }
  char byte() { return static_cast<char>(random_()); }

  /// One of gdb's packets, with some changes.
  std::string packet() {
    std::string text = kPackets[below(std::size(kPackets))];
    for (std::size_t changes = below(4); changes != 0; --changes) {
      const std::size_t at = below(text.size() + 1);
      static const char kUsed[] = "0123456789abcdef,:;=-+*#$}x\x03";
      switch (below(6)) {
        case 0:
          text.insert(at, 1, byte());
          break;
        case 1:
          text.insert(at, 1, kUsed[below(sizeof kUsed - 1)]);
          break;
        case 2:
          text.erase(at, 1 + below(3));
          break;
        case 3:
          if (at < text.size()) text[at] = kUsed[below(sizeof kUsed - 1)];
          break;
        case 4:
          text.insert(at, below(40), 'f');
          break;
        default:
          text += kPackets[below(std::size(kPackets))];
          break;
      }
    }
    return text;
  }

 private:
  std::mt19937_64 random_;
};

TEST(GdbPackets, HaveAnAnswerWhateverIsInThem) {
  Fuzzer fuzzer(from_environment("TOROID_FUZZ_SEED", 1));
  const std::uint64_t cases = from_environment("TOROID_FUZZ_CASES", kUsualCases);
  FakeTarget target;
  GdbStub stub(target);
  std::uint64_t understood = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const std::string packet = fuzzer.packet();
    const GdbStub::Answer answer = stub.handle(packet);
    ASSERT_LE(answer.reply.size(), RspStream::kMaxPacket) << packet;
    if (answer.then == GdbStub::Then::go) stub.stopped({1, 5});
    understood += !answer.reply.empty() && answer.reply != "E01";
    ASSERT_LE(stub.take_note().size(), RspStream::kMaxPacket) << packet;
    ASSERT_EQ(target.memory.size(), 64u) << packet;
  }
  EXPECT_GT(understood, cases / 10);
  EXPECT_EQ(stub.handle("m1020,1").reply, "6d");  // nothing is written behind what can be written
}

TEST(GdbPackets, AreFoundBehindAnythingThatCameBefore) {
  Fuzzer fuzzer(from_environment("TOROID_FUZZ_SEED", 1) + 1);
  const std::uint64_t cases = from_environment("TOROID_FUZZ_CASES", kUsualCases) / 4;
  RspStream stream;
  std::uint64_t packets = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    std::string bytes = fuzzer.below(4) == 0 ? fuzzer.packet() : RspStream::frame(fuzzer.packet());
    if (bytes.empty()) continue;
    if (fuzzer.below(4) == 0) bytes[fuzzer.below(bytes.size())] = fuzzer.byte();
    if (fuzzer.below(64) == 0) bytes.insert(0, fuzzer.below(3 * RspStream::kMaxPacket), fuzzer.byte());
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t part = 1 + fuzzer.below(bytes.size());
      stream.feed(std::string_view(bytes).substr(at, part));
      at += part;
      while (const std::optional<RspEvent> event = stream.next()) packets += event->kind == RspEvent::Kind::packet;
    }
    if (fuzzer.below(16) != 0) continue;
    // Two packets behind whatever is left of it: the first may be taken for its end.
    stream.feed(RspStream::frame("qC") + RspStream::frame("last"));
    std::string last;
    while (const std::optional<RspEvent> event = stream.next()) {
      if (event->kind == RspEvent::Kind::packet) last = event->text;
    }
    ASSERT_EQ(last, "last") << hex_of(bytes);
  }
  EXPECT_GT(packets, cases / 4);
}

}  // namespace
}  // namespace toroid
