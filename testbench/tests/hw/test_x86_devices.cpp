// SPDX-License-Identifier: Apache-2.0
//
// What devices see of x86-64 instructions: stores and loads of 16 bytes, and each locked read-modify-write.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <ostream>
#include <string>
#include <vector>

#include "x86_device_run.h"

#ifdef __x86_64__
namespace toroid {
namespace {

using x86_device::Seen;
using x86_device::transactions;

const std::vector<std::uint8_t> kBytes = {0xEF, 0xCD, 0xAB, 0x89, 0x67, 0x45, 0x23, 0x01,
                                          0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE};

// Sixteen bytes. ------------------------------------------------------------------------------------------------------

// Memory at r15 begins with the bytes above.
X86_CODE(stores,
         "movups xmm0, [r15]\n movaps [rdi], xmm0\n movapd [rdi + 16], xmm0\n movdqa [rdi + 32], xmm0\n"
         "movups [rdi + 48], xmm0\n movupd [rdi + 64], xmm0\n movdqu [rdi + 80], xmm0\n movntps [rdi + 96], xmm0\n"
         "movntpd [rdi + 112], xmm0\n movntdq [rdi + 128], xmm0")
X86_CODE(loads,
         "movaps xmm0, [rdi]\n movapd xmm1, [rdi]\n movdqa xmm2, [rdi]\n movups xmm3, [rdi]\n movupd xmm4, [rdi]\n"
         "movdqu xmm5, [rdi]\n lddqu xmm6, [rdi]\n paddb xmm7, [rdi]\n"
         "movups [r15 + 16], xmm0\n movups [r15 + 32], xmm6")
X86_CODE(less,
         "mov rax, [r15]\n movq xmm0, rax\n movnti [rdi], rax\n movnti [rdi + 8], eax\n movq [rdi + 16], xmm0\n"
         "movlps [rdi + 24], xmm0\n movhps [rdi + 32], xmm0\n movss [rdi + 40], xmm0\n movd [rdi + 44], xmm0")
X86_CODE(combined,
         "movups xmm0, [r15]\n mov rax, [r15]\n movaps [rsi], xmm0\n sfence\n movdqu [rsi + 16], xmm0\n"
         "movnti [rsi + 32], rax\n movnti [rsi + 40], eax\n movntdq [rsi + 64], xmm0\n movaps [rdi], xmm0")
X86_CODE(combined_misaligned, "movups xmm0, [r15]\n movups [rsi + 3], xmm0\n sfence\n movups [rsi + 56], xmm0")
X86_CODE(misaligned_store, "mov [rdi], eax\n movups [rdi + 24], xmm0")
X86_CODE(misaligned_load, "movdqu xmm0, [rdi + 20]")
X86_CODE(misaligned_direct, "movnti [rdi + 4], rax")

/// Each store of 16 bytes has left the sixteen in the device.
std::string sixteens(const Seen& seen, unsigned stores) {
  for (unsigned i = 0; i < stores; ++i) {
    if (std::memcmp(seen.log.bytes.data() + std::size_t{16} * i, kBytes.data(), 16) != 0)
      return "other bytes from store " + std::to_string(i);
  }
  return seen.log.text;
}

TEST(SixteenBytes, AreStoredWhole) {
  std::string expected;
  for (unsigned i = 0; i < 9; ++i) {
    char line[32];
    std::snprintf(line, sizeof line, "write uncached %x 16; ", 16 * i);
    expected += line;
  }
  EXPECT_EQ(x86_device::run(
                code_stores, end_stores, [](const Seen& seen) { return sixteens(seen, 9); }, kBytes),
            expected);
}
TEST(SixteenBytes, AreLoadedWhole) {
  std::string expected;
  for (unsigned i = 0; i < 8; ++i) expected += "read uncached 0 16; ";
  const auto told = [](const Seen& seen) {
    const bool same =
        std::memcmp(seen.memory + 16, kBytes.data(), 16) == 0 && std::memcmp(seen.memory + 32, kBytes.data(), 16) == 0;
    return same ? seen.log.text : "other bytes";
  };
  EXPECT_EQ(x86_device::run(code_loads, end_loads, told, kBytes), expected);
}
TEST(SixteenBytes, AreNotMadeOfLess) {
  EXPECT_EQ(transactions(code_less, end_less),
            "write uncached 0 8; write uncached 8 4; write uncached 10 8; write uncached 18 8; write uncached 20 8; "
            "write uncached 28 4; write uncached 2c 4; ");
}
TEST(SixteenBytes, AreJoinedInACombiningWindow) {
  EXPECT_EQ(transactions(code_combined, end_combined), "write 0 16; write 10 28; write 40 16; write uncached 0 16; ");
  EXPECT_EQ(transactions(code_combined_misaligned, end_combined_misaligned), "write 3 16; write 38 8; write 40 8; ");
}
/// The processor would make them in pieces, which no device takes for one; nothing reaches it.
TEST(SixteenBytes, MisalignedAtADeviceAreAFault) {
  const auto told = [](const Seen& seen) {
    const bool here = seen.fault.kind == FaultKind::device_error;
    return (here ? seen.fault.detail : "another fault") + ": " + seen.log.text;
  };
  EXPECT_EQ(x86_device::run(code_misaligned_store, end_misaligned_store, told),
            "misaligned 16-byte access to a device: write uncached 0 4; ");
  EXPECT_EQ(x86_device::run(code_misaligned_load, end_misaligned_load, told),
            "misaligned 16-byte access to a device: ");
  EXPECT_EQ(x86_device::run(code_misaligned_direct, end_misaligned_direct, told),
            "misaligned 8-byte access to a device: ");
}

// Locked read-modify-writes. ------------------------------------------------------------------------------------------

struct Form {
  const char* name;
  unsigned bytes;
  unsigned at;  ///< where it goes, from the pointer on
  const std::uint8_t *begin, *end;
};
void PrintTo(const Form& form, std::ostream* out) {
  *out << form.name;
}

// What goes into each form: flags, a number to add, what is compared with, what comes there. The same bytes are at the
// device and in memory.
#define INPUTS                                                                                                        \
  "mov rcx, 0x0F1E2D3C4B5A6978\n mov rax, 0x0123456789ABCDEF\n mov rdx, 0xFEDCBA9876543210\n mov rbx, 0x1122334455\n" \
  "cmp rsp, rsp\n stc\n"
// At rdi, between stores that combine if they can; then in memory. Flags and registers behind the first go to r8 on.
#define FORM(NAME, BEFORE, OPERATION, AFTER)                                                                           \
  X86_CODE(NAME, INPUTS BEFORE "mov [rdi + 32], rcx\n" OPERATION "[rdi]" AFTER                                         \
                               "\n mov [rdi + 40], rcx\n"                                                              \
                               "pushfq\n pop r8\n mov r9, rax\n mov r10, rcx\n mov r11, rdx\n" INPUTS BEFORE OPERATION \
                               "[r15]" AFTER "\n pushfq\n pop r12")

#define SIZES(NAME, OPERATION)                         \
  FORM(NAME##8, "", OPERATION " byte ptr ", ", cl")    \
  FORM(NAME##16, "", OPERATION " word ptr ", ", cx")   \
  FORM(NAME##32, "", OPERATION " dword ptr ", ", ecx") \
  FORM(NAME##64, "", OPERATION " qword ptr ", ", rcx")
#define NUMBERS(NAME, OPERATION)                           \
  FORM(NAME##8, "", OPERATION " byte ptr ", ", 0x5A")      \
  FORM(NAME##16, "", OPERATION " word ptr ", ", 0x5A5")    \
  FORM(NAME##32, "", OPERATION " dword ptr ", ", 0x5A5A5") \
  FORM(NAME##64, "", OPERATION " qword ptr ", ", -5")
#define ALONE(NAME, OPERATION)                    \
  FORM(NAME##8, "", OPERATION " byte ptr ", "")   \
  FORM(NAME##16, "", OPERATION " word ptr ", "")  \
  FORM(NAME##32, "", OPERATION " dword ptr ", "") \
  FORM(NAME##64, "", OPERATION " qword ptr ", "")
// cmpxchg8b compares edx and eax: what cmpxchg compares in rax.
#define COMPARED(NAME, BEFORE)                                             \
  FORM(NAME##8, BEFORE, "lock cmpxchg byte ptr ", ", cl")                  \
  FORM(NAME##16, BEFORE, "lock cmpxchg word ptr ", ", cx")                 \
  FORM(NAME##32, BEFORE, "lock cmpxchg dword ptr ", ", ecx")               \
  FORM(NAME##64, BEFORE, "lock cmpxchg qword ptr ", ", rcx")               \
  FORM(NAME##Pair8, BEFORE "mov edx, 0x01234567\n", "lock cmpxchg8b ", "") \
  FORM(NAME##Pair16, BEFORE, "lock cmpxchg16b ", "")
#define BITS(NAME, OPERATION)                                          \
  FORM(NAME##16, "mov ecx, 13\n", OPERATION " word ptr ", ", cx")      \
  FORM(NAME##32, "mov ecx, 29\n", OPERATION " dword ptr ", ", ecx")    \
  FORM(NAME##64, "mov ecx, 60\n", OPERATION " qword ptr ", ", rcx")    \
  FORM(NAME##Far16, "mov ecx, 45\n", OPERATION " word ptr ", ", cx")   \
  FORM(NAME##Far32, "mov ecx, 61\n", OPERATION " dword ptr ", ", ecx") \
  FORM(NAME##Far64, "mov ecx, 68\n", OPERATION " qword ptr ", ", rcx") \
  FORM(NAME##Number16, "", OPERATION " word ptr ", ", 13")             \
  FORM(NAME##Number32, "", OPERATION " dword ptr ", ", 29")            \
  FORM(NAME##Number64, "", OPERATION " qword ptr ", ", 60")

// Each with its bytes, and where it goes from the pointer on.
// clang-format off
#define OF_FOUR(DO, NAME) DO(NAME##8, 1, 0) DO(NAME##16, 2, 0) DO(NAME##32, 4, 0) DO(NAME##64, 8, 0)
#define OF_SIX(DO, NAME) OF_FOUR(DO, NAME) DO(NAME##Pair8, 8, 0) DO(NAME##Pair16, 16, 0)
#define OF_BITS(DO, NAME) \
  DO(NAME##16, 2, 0) DO(NAME##32, 4, 0) DO(NAME##64, 8, 0) \
  DO(NAME##Far16, 2, 4) DO(NAME##Far32, 4, 4) DO(NAME##Far64, 8, 8) \
  DO(NAME##Number16, 2, 0) DO(NAME##Number32, 4, 0) DO(NAME##Number64, 8, 0)
#define EACH_FORM(DO) \
  OF_FOUR(DO, Add) OF_FOUR(DO, Or) OF_FOUR(DO, Adc) OF_FOUR(DO, Sbb) \
  OF_FOUR(DO, And) OF_FOUR(DO, Sub) OF_FOUR(DO, Xor) OF_FOUR(DO, AddNumber) \
  OF_FOUR(DO, OrNumber) OF_FOUR(DO, AdcNumber) OF_FOUR(DO, SbbNumber) OF_FOUR(DO, AndNumber) \
  OF_FOUR(DO, SubNumber) OF_FOUR(DO, XorNumber) OF_FOUR(DO, Inc) OF_FOUR(DO, Dec) \
  OF_FOUR(DO, Not) OF_FOUR(DO, Neg) OF_FOUR(DO, Xadd) OF_FOUR(DO, Xchg) \
  OF_FOUR(DO, XchgLocked) \
  OF_SIX(DO, Equal) OF_SIX(DO, Unequal) OF_BITS(DO, Bts) OF_BITS(DO, Btr) OF_BITS(DO, Btc)
// clang-format on

SIZES(Add, "lock add")
SIZES(Or, "lock or")
SIZES(Adc, "lock adc")
SIZES(Sbb, "lock sbb")
SIZES(And, "lock and")
SIZES(Sub, "lock sub")
SIZES(Xor, "lock xor")
NUMBERS(AddNumber, "lock add")
NUMBERS(OrNumber, "lock or")
NUMBERS(AdcNumber, "lock adc")
NUMBERS(SbbNumber, "lock sbb")
NUMBERS(AndNumber, "lock and")
NUMBERS(SubNumber, "lock sub")
NUMBERS(XorNumber, "lock xor")
ALONE(Inc, "lock inc")
ALONE(Dec, "lock dec")
ALONE(Not, "lock not")
ALONE(Neg, "lock neg")
SIZES(Xadd, "lock xadd")
SIZES(Xchg, "xchg")
SIZES(XchgLocked, "lock xchg")
COMPARED(Equal, "")
COMPARED(Unequal, "add rax, 1\n")
BITS(Bts, "lock bts")
BITS(Btr, "lock btr")
BITS(Btc, "lock btc")

class LockedInstructions : public testing::TestWithParam<Form> {};

std::string transaction(const std::string& what, unsigned offset, unsigned bytes) {
  char line[32];
  std::snprintf(line, sizeof line, " %x %u; ", offset, bytes);
  return what + line;
}

/// Empty if the instruction has done at the device what it has done in memory, at one time.
std::string difference(const Seen& seen) {
  if (seen.fault.kind != FaultKind::illegal_instruction) return "a fault: " + seen.fault.detail;
  Engine& engine = seen.core.engine();
  const Isa& isa = *seen.core.config().isa;
  const auto general = [&](unsigned number) { return engine.read(isa.general_register(number)); };
  if (general(8) != general(12)) return "other flags";
  if (general(9) != general(0) || general(10) != general(1) || general(11) != general(2)) return "other registers";
  if (std::memcmp(seen.log.bytes.data(), seen.memory, kBytes.size()) != 0) return "other bytes";
  if (seen.log.times.size() != 4 || seen.log.times[1] != seen.log.times[2]) return "the store has come later";
  return "";
}

/// The instruction, between two stores.
void expect_one_read_and_one_write(const Form& form, bool combining) {
  const std::string window = combining ? "" : " uncached";
  const auto told = [](const Seen& seen) { return seen.log.text + difference(seen); };
  EXPECT_EQ(x86_device::run(form.begin, form.end, told, kBytes, combining),
            transaction("write" + window, 32, 8) + transaction("read" + window, form.at, form.bytes) +
                transaction("write" + window, form.at, form.bytes) + transaction("write" + window, 40, 8));
}

TEST_P(LockedInstructions, ReadOnceAndWriteOnce) {
  expect_one_read_and_one_write(GetParam(), false);
}
/// What has been stored before leaves before them, and they leave before what is stored behind.
TEST_P(LockedInstructions, DrainACombiningWindow) {
  expect_one_read_and_one_write(GetParam(), true);
}

#define DECLARE(NAME, BYTES, AT) Form{#NAME, BYTES, AT, code_##NAME, end_##NAME},
INSTANTIATE_TEST_SUITE_P(Each, LockedInstructions, testing::ValuesIn(std::vector<Form>{EACH_FORM(DECLARE)}),
                         [](const auto& each) { return std::string(each.param.name); });

// Reads between reads of one instruction. -----------------------------------------------------------------------------

X86_CODE(behind, "lock cmpxchg dword ptr [rdi], ecx\n mov ecx, [rdi]\n lock inc dword ptr [rdi]\n mov ecx, [rdi]")
X86_CODE(in_two_pieces, "nop\n lock inc dword ptr [rdi + 2]")
X86_CODE(refused, "mov [rdi], eax\n nop\n lock neg dword ptr [rdi + 0x800]\n nop")
X86_CODE(odd_pair, "nop\n lock cmpxchg16b [rdi + 8]")
X86_CODE(odd_pair_in_memory, "lock cmpxchg16b [r15 + 8]")

TEST(LockedInstruction, LeavesTheLoadBehindItAlone) {
  EXPECT_EQ(transactions(code_behind, end_behind),
            "read uncached 0 4; write uncached 0 4; read uncached 0 4; read uncached 0 4; write uncached 0 4; "
            "read uncached 0 4; ");
}

std::string fault(const Seen& seen) {
  const bool told = seen.fault.kind == FaultKind::device_error || seen.fault.kind == FaultKind::misaligned_read;
  return seen.log.text + (told ? seen.fault.detail : "another fault") + " at " +
         std::to_string(seen.fault.pc - x86_device::kCode);
}
TEST(LockedInstruction, IsAFaultWhereItIsMisaligned) {
  EXPECT_EQ(x86_device::run(code_in_two_pieces, end_in_two_pieces, fault), "misaligned 4-byte access to a device at 1");
  // At a multiple of 8 that is none of 16, also in memory.
  EXPECT_EQ(x86_device::run(code_odd_pair, end_odd_pair, fault),
            "what it moves must lie at a multiple of its size at 1");
  EXPECT_EQ(x86_device::run(code_odd_pair_in_memory, end_odd_pair_in_memory, fault),
            "what it moves must lie at a multiple of its size at 0");
}
TEST(LockedInstruction, IsNamedWhereTheDeviceRefusesItsStore) {
  EXPECT_EQ(x86_device::run(code_refused, end_refused, fault),
            "write uncached 0 4; read uncached 800 4; write uncached 800 4; no such register at 3");
}

}  // namespace
}  // namespace toroid
#endif
