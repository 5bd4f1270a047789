// SPDX-License-Identifier: Apache-2.0
//
// Write-combining buffers: alone, and on a core that executes x86-64 code.
#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdio>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "child_process.h"
#include "hw/core/core.h"
#include "hw/core/write_combining.h"
#include "hw/isa/x86_64/x86_64.h"
#include "testbench/shipped.h"

namespace toroid {
namespace {

// The buffers. --------------------------------------------------------------------------------------------------------

struct Buffers {
  explicit Buffers(unsigned count, std::uint64_t seed = 1)
      : combining(count, seed, [this](std::uint64_t address, std::uint8_t* data, unsigned size) {
          sent.emplace_back(address, std::string(data, data + size));
          return true;
        }) {}
  void store(std::uint64_t address, const std::string& bytes) {
    combining.store(address, reinterpret_cast<const std::uint8_t*>(bytes.data()), static_cast<unsigned>(bytes.size()));
  }

  std::vector<std::pair<std::uint64_t, std::string>> sent;
  WriteCombining combining;
};
using Sent = decltype(Buffers::sent);

TEST(WriteCombining, JoinsStoresToALine) {
  Buffers buffers(4);
  buffers.store(0x1008, "bbbbbbbb");
  buffers.store(0x1000, "aaaaaaaa");
  buffers.store(0x100C, "cc");
  buffers.combining.send_closed();
  EXPECT_TRUE(buffers.sent.empty());
  buffers.combining.drain();
  EXPECT_EQ(buffers.sent, (Sent{{0x1000, "aaaaaaaabbbbccbb"}}));
  EXPECT_TRUE(buffers.combining.empty());
}

TEST(WriteCombining, AFullLineIsClosed) {
  Buffers buffers(4);
  for (unsigned i = 0; i < 4; ++i) buffers.store(0x1000 + 16 * i, std::string(16, static_cast<char>('a' + i)));
  EXPECT_TRUE(buffers.combining.has_closed());
  buffers.store(0x1000, "new");
  buffers.combining.send_closed();
  ASSERT_EQ(buffers.sent.size(), 1u);
  EXPECT_EQ(buffers.sent[0].second.size(), 64u);
  buffers.combining.drain();
  EXPECT_EQ(buffers.sent[1], (Sent::value_type{0x1000, "new"}));
}

TEST(WriteCombining, AnotherLineClosesTheOpenOneForGood) {
  Buffers buffers(4);
  buffers.store(0x1000, "a");
  buffers.store(0x2000, "b");
  buffers.store(0x1001, "c");
  buffers.combining.send_closed();
  EXPECT_EQ(buffers.sent.size(), 2u);
  buffers.combining.drain();
  EXPECT_EQ(buffers.sent.back(), (Sent::value_type{0x1001, "c"}));
}

TEST(WriteCombining, ALineLeavesWhereThereAreNoBuffersLeft) {
  Buffers buffers(1);
  buffers.store(0x1000, "a");
  buffers.store(0x1040, "b");
  EXPECT_EQ(buffers.sent, (Sent{{0x1000, "a"}}));
  buffers.store(0x103F, "cd");  // over the end of a line
  buffers.combining.drain();
  EXPECT_EQ(buffers.sent, (Sent{{0x1000, "a"}, {0x1040, "b"}, {0x103F, "c"}, {0x1040, "d"}}));
}

TEST(WriteCombining, GapsAreNotSent) {
  Buffers buffers(4);
  buffers.store(0x1000, "a");
  buffers.store(0x1003, "b");
  buffers.combining.drain();
  EXPECT_EQ(buffers.sent, (Sent{{0x1000, "a"}, {0x1003, "b"}}));
}

TEST(WriteCombining, ASeedChoosesTheOrderOfClosedLines) {
  std::set<Sent> orders;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    Buffers buffers(4, seed);
    for (unsigned i = 0; i < 3; ++i) buffers.store(0x1000 + 64 * i, "x");
    buffers.combining.drain();
    Buffers again(4, seed);
    for (unsigned i = 0; i < 3; ++i) again.store(0x1000 + 64 * i, "x");
    again.combining.drain();
    EXPECT_EQ(buffers.sent, again.sent);
    orders.insert(buffers.sent);
  }
  EXPECT_EQ(orders.size(), 6u);
}

#ifdef __x86_64__
// A core. -------------------------------------------------------------------------------------------------------------

constexpr std::uint64_t kCode = 0x10000, kCombining = 0x2A'4000'0000, kUncached = 0x2A'4001'0000;
constexpr std::uint32_t kMemory = 1 << 20, kPage = 4096;

/// Takes everything, and notes it: direction, offset, size.
class Log final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Log, 32> bus;
  explicit Log(const sc_core::sc_module_name& name) : sc_module(name), bus("bus") {
    bus.register_b_transport(this, &Log::b_transport);
  }
  std::string text;

 private:
  void b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time&) {
    char line[64];
    const std::uint64_t address = access.get_address();
    const bool combining = address < kUncached;
    std::snprintf(
        line, sizeof line, "%s%s %llx %u; ", access.is_read() ? "read" : "write", combining ? "" : " uncached",
        static_cast<unsigned long long>(address - (combining ? kCombining : kUncached)), access.get_data_length());
    text += line;
    access.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

/// Executes a piece of code, and ends at what is illegal.
class Code final : public Software {
 public:
  Code(const Isa& isa, NodeMemory& memory, const std::uint8_t* begin, const std::uint8_t* end)
      : memory_(memory),
        size_(static_cast<std::uint64_t>(end - begin)),
        blocks_(isa.make_decoder({{memory.host(kCode), kCode, size_}}), LineSize(64)) {
    std::copy(begin, end, memory.host(kCode));
  }
  std::uint64_t start(Core& core) override {
    Engine& engine = core.engine();
    engine.map_memory(kCode, kPage, memory_.host(kCode), kReadable | kExecutable, {});
    engine.map_memory(2 * kCode, kPage, memory_.host(2 * kCode), kReadable | kWritable, {});
    const Isa& isa = *core.config().isa;
    engine.write(isa.general_register(6), kCombining);  // rsi
    engine.write(isa.general_register(7), kUncached);   // rdi
    engine.write(isa.general_register(3), 2 * kCode);   // rbx
    return kCode;
  }
  BlockTable& blocks() override { return blocks_; }
  void on_system_call(Core&) override {}
  void on_fault(Core&, const CoreFault& fault) override { fault_ = fault; }
  void on_timeout(Core&) override {}
  CoreFault fault_;

 private:
  NodeMemory& memory_;
  const std::uint64_t size_;
  BlockTable blocks_;
};

x86_64::PipelineConfig pipeline() {
  return {3, 2, 3, 2, 30, 46, 17, 13, 24, 16, 4, 15, 10, 67, 0, 1};
}

/// What the devices see of the code.
std::string run(const std::uint8_t* begin, const std::uint8_t* end, bool own_time = false) {
  std::string died;
  const std::string seen = test::in_child(
      [=]() -> std::string {
        auto config = test::shipped<CoreConfig>();
        config.memory.modelled = false;
        config.isa = x86_64::make_isa(pipeline(), true);
        NodeMemory memory("memory", kMemory);
        Core core("core", config, memory);
        Log log("log");
        core.bus.bind(log.bus);
        core.add_device(kCombining, kPage, nullptr, {100, 5});
        core.add_device(kUncached, kPage, nullptr, {100, 5});
        core.combine_stores(kCombining, 4, 1);
        Code code(*config.isa, memory, begin, end);
        core.run(code);
        sc_core::sc_start();
        if (code.fault_.kind != FaultKind::illegal_instruction) return "another fault";
        return own_time ? std::to_string(core.cycles().count()) : log.text;
      },
      died);
  EXPECT_EQ(died, "");
  return seen;
}

// NOLINTBEGIN(hicpp-no-assembler)
#define CODE(NAME, TEXT)                                                                                \
  __asm__(".pushsection .rodata\n.globl code_" #NAME "\ncode_" #NAME                                    \
          ":\n"                                                                                         \
          ".intel_syntax noprefix\n" TEXT "\nud2\n.att_syntax prefix\n.globl end_" #NAME "\nend_" #NAME \
          ":\n.popsection");                                                                            \
  extern "C" const std::uint8_t code_##NAME[], end_##NAME[];
// NOLINTEND(hicpp-no-assembler)

CODE(joined, "mov [rsi], rax\n mov [rsi + 8], rax\n mov [rsi + 16], eax")
CODE(line,
     "movaps [rsi], xmm0\n movaps [rsi + 16], xmm1\n movntdq [rsi + 32], xmm2\n movups [rsi + 48], xmm3\n"
     "mov [rdi], eax")
CODE(sfence,
     "mov [rsi], eax\n sfence\n mov [rsi + 4], eax\n mfence\n mov [rsi + 8], eax\n lfence\n mov [rsi + 12], eax")
CODE(locked, "mov [rsi], eax\n lock add dword ptr [rbx], 1\n mov [rsi + 4], eax\n xchg [rbx], eax\n mov [rsi + 8], eax")
CODE(uncached, "mov [rsi], eax\n mov [rdi], eax\n mov [rsi + 4], eax\n mov ecx, [rdi + 8]\n mov [rsi + 8], eax")
CODE(read, "mov [rsi], eax\n mov ecx, [rsi + 8]\n mov [rsi + 4], eax")
CODE(blocks,
     "mov ecx, 3\n again: mov [rsi + 4 * rcx], eax\n dec ecx\n jnz again\n sfence\n jmp over\n over: mov [rsi], eax")
CODE(misaligned, "movups [rsi + 3], xmm0\n mov [rsi + 19], rax")
CODE(string, "mov rdx, rdi\n mov rdi, rsi\n mov ecx, 8\n rep stosq\n mov [rdx], eax")
CODE(posted, "mov [rdi], eax\n mov [rdi + 8], eax")
CODE(awaited, "mov eax, [rdi]\n mov ecx, [rdi + 8]")

TEST(StoresToACombiningWindow, JoinUntilTheEnd) {
  EXPECT_EQ(run(code_joined, end_joined), "write 0 20; ");
}
TEST(StoresToACombiningWindow, AreALineWhereTheyFillOne) {
  EXPECT_EQ(run(code_line, end_line), "write 0 64; write uncached 0 4; ");
}
TEST(StoresToACombiningWindow, ArePartedByFences) {
  EXPECT_EQ(run(code_sfence, end_sfence), "write 0 4; write 4 4; write 8 8; ");
}
TEST(StoresToACombiningWindow, ArePartedByLockedInstructions) {
  EXPECT_EQ(run(code_locked, end_locked), "write 0 4; write 4 4; write 8 4; ");
}
TEST(StoresToACombiningWindow, ComeBeforeUncachedAccesses) {
  EXPECT_EQ(run(code_uncached, end_uncached),
            "write 0 4; write uncached 0 4; write 4 4; read uncached 8 4; write 8 4; ");
}
TEST(StoresToACombiningWindow, ComeBeforeALoadFromIt) {
  EXPECT_EQ(run(code_read, end_read), "write 0 4; read 8 4; write 4 4; ");
}
TEST(StoresToACombiningWindow, JoinOverBlocksUpToAFence) {
  EXPECT_EQ(run(code_blocks, end_blocks), "write 4 12; write 0 4; ");
}
TEST(StoresToACombiningWindow, MayBeMisaligned) {
  EXPECT_EQ(run(code_misaligned, end_misaligned), "write 3 24; ");
}
TEST(StoresToACombiningWindow, MayBeAString) {
  EXPECT_EQ(run(code_string, end_string), "write 0 64; write uncached 0 4; ");
}

TEST(DeviceAccesses, StoresArePostedAndLoadsAwaited) {
  EXPECT_LT(std::stoi(run(code_posted, end_posted, true)), 20);
  EXPECT_GE(std::stoi(run(code_awaited, end_awaited, true)), 100);
}
#endif

}  // namespace
}  // namespace toroid
