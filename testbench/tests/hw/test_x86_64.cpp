// SPDX-License-Identifier: Apache-2.0
//
// Blocks of x86-64 code: what they cost, access and fence, by the host's own assembler.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "hw/isa/x86_64/cpuid.h"
#include "hw/isa/x86_64/x86_64.h"
#include "hw/memory/memory_view.h"

namespace toroid {
namespace {

TEST(Cpuid, IsThatOfFamily10h) {
  CoreIdentity identity;
  identity.number = 3;
  identity.version = 0x0010'0F91;
  const x86_64::CpuidAnswer vendor = x86_64::cpuid(0, identity);
  EXPECT_EQ(vendor.ebx, 0x6874'7541u);  // "Auth"
  const x86_64::CpuidAnswer features = x86_64::cpuid(1, identity);
  EXPECT_EQ(features.eax, identity.version);
  EXPECT_EQ(features.ebx >> 24, 3u);
  EXPECT_EQ(features.ecx & (1u << 9 | 3u << 19 | 1u << 28), 0u);  // SSSE3, SSE4, AVX
  EXPECT_EQ(x86_64::cpuid(0x8000'0008, identity).ecx & 0xFF, 11u);
  EXPECT_EQ(x86_64::cpuid(7, identity).ebx, 0u);
}

#ifdef __x86_64__
constexpr std::uint64_t kAddress = 0x40'1000;

x86_64::PipelineConfig pipeline() {
  return {3, 2, 3, 2, 30, 46, 17, 13, 24, 16, 4, 15, 10, 67, 0, 1};
}

struct Decoded {
  Decoded(const std::uint8_t* begin, const std::uint8_t* end) {
    const auto isa = x86_64::make_isa(pipeline(), true);
    const auto decoder = isa->make_decoder({{begin, kAddress, static_cast<std::uint64_t>(end - begin)}});
    block.address = kAddress;
    block.size = static_cast<std::uint32_t>(end - begin);
    decoder->decode(block);
  }
  /// Addresses of the planned accesses where register n holds 0x1000 * (n + 1).
  std::vector<std::uint64_t> addresses() const {
    NodeMemory memory("memory", 1 << 20);
    AddressPlan::Values<std::uint64_t> values{};
    for (unsigned i = 0; i < 16; ++i) values[i] = 0x1000 * (i + 1);
    std::vector<std::uint64_t> found;
    block.plan.evaluate(values, MemoryView(memory));
    for (const PlannedAccess& access : block.plan.accesses()) found.push_back(AddressPlan::address(access, values));
    return found;
  }
  Block block;
};

// NOLINTBEGIN(hicpp-no-assembler)
#define CODE(NAME, TEXT)                                                                                              \
  __asm__(".pushsection .rodata\n.globl code_" #NAME "\ncode_" #NAME                                                  \
          ":\n"                                                                                                       \
          ".intel_syntax noprefix\n" TEXT "\n.att_syntax prefix\n.globl end_" #NAME "\nend_" #NAME ":\n.popsection"); \
  extern "C" const std::uint8_t code_##NAME[], end_##NAME[];                                                          \
  static Decoded NAME() {                                                                                             \
    return {code_##NAME, end_##NAME};                                                                                 \
  }
// NOLINTEND(hicpp-no-assembler)

CODE(adds, "add rax, rbx\n add rcx, rdx\n add rsi, rdi\n add r8, r9\n add r10, r11\n add r12, r13")
CODE(loads, "mov rax, [rbx]\n mov rcx, [rbx + 8]\n mov rdx, [rbx + 16]\n mov rsi, [rbx + 24]\n mov rdi, [rbx + 32]")
CODE(chain, "mov rax, [rax]\n mov rax, [rax + 8]\n lea rbx, [rax + 4 * rax]\n mov rbx, [rbx]\n mov rcx, [rdx]")
CODE(vectors, "movaps [rbx], xmm0\n movaps [rbx + 16], xmm1")
CODE(divides, "divsd xmm0, xmm1\n divsd xmm2, xmm3\n addsd xmm4, xmm5")
CODE(fences,
     "mov [rbx], eax\n sfence\n lock add dword ptr [rcx], 1\n mfence\n xchg [rbx], eax\n lfence\n xchg eax, ebx")
CODE(plans,
     "mov rax, [rbx + 4 * rcx + 8]\n lea rdx, [rbx + 2 * rcx]\n add rdx, 16\n mov [rdx], esi\n push rbp\n"
     "mov ebp, edi\n mov [rbp + 1], al\n pop r9\n mov r10, [rsp]\n mov r11, [rax]")
CODE(relative, "mov eax, [rip + 0x100]\n mov [rip + 0x200], eax")
CODE(steady, "mov eax, [rbx]\n test eax, eax\n jz 0\n")
CODE(fenced, "mov eax, [rbx]\n mfence\n pause\n test eax, eax\n jz 0\n")
CODE(unsteady, "mov eax, fs:[rbx]\n")
CODE(vector_move, "movups xmm0, [rbx]\n")

TEST(Blocks, TakeWhatTheirMostUsedResourceTakes) {
  EXPECT_EQ(adds().block.cycles, 2u);      // three a cycle
  EXPECT_EQ(loads().block.cycles, 3u);     // two a cycle
  EXPECT_EQ(vectors().block.cycles, 2u);   // 8 bytes an access
  EXPECT_EQ(divides().block.cycles, 34u);  // one at a time
}
TEST(Blocks, WaitForLoadsThatLoadsNeed) {
  const Block& block = chain().block;
  EXPECT_EQ(block.cycles, 9u);  // three loads of 3 cycles
  const std::vector<PlannedAccess>& accesses = block.plan.accesses();
  ASSERT_EQ(accesses.size(), 4u);
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(accesses[i].issue, 3 * i);
    EXPECT_EQ(accesses[i].use, 3 * (i + 1));
  }
  EXPECT_EQ(accesses[3].issue, 1u);  // what nothing waits for overtakes them
  EXPECT_EQ(accesses[3].use, 9u);
}
TEST(Blocks, KnowTheirFences) {
  const Block& block = fences().block;
  EXPECT_EQ(block.instructions, 7u);
  EXPECT_EQ(block.fences.size(), 4u);  // neither lfence nor an exchange of registers
}
TEST(Blocks, PlanTheirAccesses) {
  const std::uint64_t rcx = 0x2000, rbx = 0x4000, rsp = 0x5000, rdi = 0x8000;
  const std::vector<std::uint64_t> expected = {
      rbx + 4 * rcx + 8, rbx + 2 * rcx + 16, rsp - 8, rdi + 1, rsp - 8, rsp,
  };
  std::vector<std::uint64_t> found = plans().addresses();
  ASSERT_EQ(found.size(), expected.size() + 1);
  found.pop_back();
  EXPECT_EQ(found, expected);
  const AddressPlan plan = plans().block.plan;
  EXPECT_EQ(plan.unresolved(), 0u);
  EXPECT_TRUE(plan.accesses().back().behind_load);
}
TEST(Blocks, TellAddressesThatTheirCodeTells) {
  const Block& block = relative().block;
  ASSERT_EQ(block.accesses.size(), 2u);
  EXPECT_EQ(block.accesses[0].constant, kAddress + 6 + 0x100);
  EXPECT_EQ(block.accesses[1].constant, kAddress + 12 + 0x200);
  EXPECT_TRUE(block.accesses[1].operand.store);
}
TEST(Blocks, AreSteadyIfTheirStateShows) {
  EXPECT_TRUE(steady().block.steady);
  EXPECT_TRUE(fenced().block.steady);
  EXPECT_FALSE(unsteady().block.steady);
  EXPECT_FALSE(vector_move().block.steady);
  EXPECT_FALSE(fences().block.steady);
}
#endif

}  // namespace
}  // namespace toroid
