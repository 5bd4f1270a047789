// SPDX-License-Identifier: Apache-2.0
//
// Write-combining buffers on a core that executes x86-64 code.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "x86_device_run.h"

#ifdef __x86_64__
namespace toroid {
namespace {

using x86_device::Seen;
using x86_device::transactions;

std::uint64_t cycles(const std::uint8_t* begin, const std::uint8_t* end) {
  return std::stoull(
      x86_device::run(begin, end, [](const Seen& seen) { return std::to_string(seen.core.cycles().count()); }));
}

X86_CODE(joined, "mov [rsi], rax\n mov [rsi + 8], rax\n mov [rsi + 16], eax")
X86_CODE(line,
         "movaps [rsi], xmm0\n movaps [rsi + 16], xmm1\n movntdq [rsi + 32], xmm2\n movups [rsi + 48], xmm3\n"
         "mov [rdi], eax")
X86_CODE(sfence,
         "mov [rsi], eax\n sfence\n mov [rsi + 4], eax\n mfence\n mov [rsi + 8], eax\n lfence\n mov [rsi + 12], eax")
X86_CODE(locked,
         "mov [rsi], eax\n lock add dword ptr [rbx], 1\n mov [rsi + 4], eax\n xchg [rbx], eax\n mov [rsi + 8], eax")
X86_CODE(uncached, "mov [rsi], eax\n mov [rdi], eax\n mov [rsi + 4], eax\n mov ecx, [rdi + 8]\n mov [rsi + 8], eax")
X86_CODE(read, "mov [rsi], eax\n mov ecx, [rsi + 8]\n mov [rsi + 4], eax")
X86_CODE(
    blocks,
    "mov ecx, 3\n again: mov [rsi + 4 * rcx], eax\n dec ecx\n jnz again\n sfence\n jmp over\n over: mov [rsi], eax")
X86_CODE(misaligned, "movups [rsi + 3], xmm0\n mov [rsi + 19], rax")
X86_CODE(string, "mov rdx, rdi\n mov rdi, rsi\n mov ecx, 8\n rep stosq\n mov [rdx], eax")
X86_CODE(posted, "mov [rdi], eax\n mov [rdi + 8], eax")
X86_CODE(awaited, "mov eax, [rdi]\n mov ecx, [rdi + 8]")

TEST(StoresToACombiningWindow, JoinUntilTheEnd) {
  EXPECT_EQ(transactions(code_joined, end_joined), "write 0 20; ");
}
TEST(StoresToACombiningWindow, AreALineWhereTheyFillOne) {
  EXPECT_EQ(transactions(code_line, end_line), "write 0 64; write uncached 0 4; ");
}
TEST(StoresToACombiningWindow, ArePartedByFences) {
  EXPECT_EQ(transactions(code_sfence, end_sfence), "write 0 4; write 4 4; write 8 8; ");
}
TEST(StoresToACombiningWindow, ArePartedByLockedInstructions) {
  EXPECT_EQ(transactions(code_locked, end_locked), "write 0 4; write 4 4; write 8 4; ");
}
TEST(StoresToACombiningWindow, ComeBeforeUncachedAccesses) {
  EXPECT_EQ(transactions(code_uncached, end_uncached),
            "write 0 4; write uncached 0 4; write 4 4; read uncached 8 4; write 8 4; ");
}
TEST(StoresToACombiningWindow, ComeBeforeALoadFromIt) {
  EXPECT_EQ(transactions(code_read, end_read), "write 0 4; read 8 4; write 4 4; ");
}
TEST(StoresToACombiningWindow, JoinOverBlocksUpToAFence) {
  EXPECT_EQ(transactions(code_blocks, end_blocks), "write 4 12; write 0 4; ");
}
TEST(StoresToACombiningWindow, MayBeMisaligned) {
  EXPECT_EQ(transactions(code_misaligned, end_misaligned), "write 3 24; ");
}
TEST(StoresToACombiningWindow, MayBeAString) {
  EXPECT_EQ(transactions(code_string, end_string), "write 0 64; write uncached 0 4; ");
}

TEST(DeviceAccesses, StoresArePostedAndLoadsAwaited) {
  EXPECT_LT(cycles(code_posted, end_posted), 20u);
  EXPECT_GE(cycles(code_awaited, end_awaited), 100u);
}

}  // namespace
}  // namespace toroid
#endif
