// SPDX-License-Identifier: Apache-2.0
//
// Program files of 32 and 64 bits in both byte orders, and the first stack of their processes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <random>

#include "hw/kernel/elf_image.h"
#include "hw/kernel/initial_stack.h"
#include "hw/kernel/symboliser.h"
#include "hw/memory/node_memory.h"
#include "small_file.h"
#include "toy_isa.h"

namespace toroid {
namespace {

const ElfFormat kPpc64Format{EM_PPC64, 8, ByteOrder::big, "64-bit big-endian PowerPC"};
const ElfFormat kX86Format{EM_386, 4, ByteOrder::little, "32-bit little-endian x86"};
const ElfFormat kX8664Format{EM_X86_64, 8, ByteOrder::little, "64-bit little-endian x86-64"};
const ElfFormat* const kFormats[] = {&kPpc32Format, &kPpc64Format, &kX86Format, &kX8664Format};

std::string refusal(const std::vector<std::uint8_t>& file, const ElfFormat& wanted) {
  try {
    ElfImage::parse(file, "prog", wanted);
  } catch (const ProgramError& error) {
    return error.what();
  }
  return "accepted";
}

SmallFile program_of(const ElfFormat& format) {
  const std::uint64_t base = format.word_bytes == 8 ? 0x12'3400'0000 : 0x1000'0000;
  SmallFile file(format);
  file.segment(base, 0x1000, PF_R | PF_X, {1, 2, 3, 4})
      .segment(base + 0x10'0000, 0x2345, PF_R | PF_W, {5, 6})
      .symbol(base + 0x10, 0x20, "main")
      .symbol(base + 0x40, 0x8, "_Z4workv");
  return file;
}

TEST(ElfFormats, AreReadAlike) {
  for (const ElfFormat* format : kFormats) {
    SCOPED_TRACE(format->description);
    const std::uint64_t base = format->word_bytes == 8 ? 0x12'3400'0000 : 0x1000'0000;
    const ElfImage image = ElfImage::parse(program_of(*format).bytes(), "prog", *format);
    EXPECT_EQ(image.entry(), base);
    EXPECT_EQ(image.end(), base + 0x10'2345);
    EXPECT_EQ(image.program_header_count(), 2u);
    ASSERT_EQ(image.segments().size(), 2u);
    const ElfImage::Segment& code = image.segments()[0];
    const ElfImage::Segment& data = image.segments()[1];
    EXPECT_EQ(code.bytes, (std::vector<std::uint8_t>{1, 2, 3, 4}));
    EXPECT_TRUE(code.executable && !code.writable);
    EXPECT_EQ(data.address, base + 0x10'0000);
    EXPECT_EQ(data.memory_size, 0x2345u);
    EXPECT_TRUE(data.writable && !data.executable);
    EXPECT_EQ(image.address_of("main"), base + 0x10);
    Symboliser symbols(image);
    EXPECT_EQ(symbols.symbol_at(base + 0x14), "main+0x4");
    EXPECT_EQ(symbols.symbol_at(base + 0x40), "work()+0x0");
    EXPECT_EQ(symbols.symbol_at(base + 0x30), "");
  }
}

TEST(ElfFormats, OfOtherMachinesAreRefused) {
  const std::string wanted =
      ", and the machine's cores are 32-bit big-endian PowerPC; a static 32-bit big-endian PowerPC executable is "
      "needed "
      "(toroid cc makes one)";
  EXPECT_EQ(refusal(program_of(kPpc64Format).bytes(), kPpc32Format),
            "prog: a program for 64-bit big-endian PowerPC" + wanted);
  EXPECT_EQ(refusal(program_of(kX8664Format).bytes(), kPpc32Format),
            "prog: a program for 64-bit little-endian x86-64" + wanted);
  EXPECT_EQ(refusal(program_of(kX86Format).bytes(), kPpc32Format),
            "prog: a program for 32-bit little-endian x86" + wanted);
  EXPECT_EQ(refusal(program_of({EM_PPC, 4, ByteOrder::little, ""}).bytes(), kPpc32Format),
            "prog: a program for 32-bit little-endian PowerPC" + wanted);
  EXPECT_EQ(refusal(program_of({4711, 8, ByteOrder::little, ""}).bytes(), kPpc32Format),
            "prog: a program for 64-bit little-endian ELF machine 4711" + wanted);
  EXPECT_EQ(refusal(program_of(kPpc32Format).bytes(), kX8664Format),
            "prog: a program for 32-bit big-endian PowerPC, and the machine's cores are 64-bit little-endian x86-64; a "
            "static 64-bit little-endian x86-64 executable is needed (toroid cc makes one)");
}

/// Both versions have the same machine, width and byte order.
TEST(ElfFormats, OfAnotherAbiAreRefused) {
  std::vector<std::uint8_t> file = program_of(kPpc64Format).bytes();
  std::uint8_t* const flags = &file[offsetof(Elf64_Ehdr, e_flags)];
  store_be32(flags, 1);
  EXPECT_EQ(refusal(file, kPpc64Format), "accepted");
  store_be32(flags, 2);
  EXPECT_EQ(refusal(file, kPpc64Format),
            "prog: a program of version 2 of the 64-bit PowerPC ELF ABI, and the machine's are of version 1; a static "
            "64-bit big-endian PowerPC executable is needed (toroid cc makes one)");
}

TEST(ElfFormats, Of64BitsMayNotWrap) {
  const std::uint64_t last = ~std::uint64_t{0} & ~std::uint64_t{0xFFF};
  EXPECT_EQ(refusal(SmallFile(kX8664Format).segment(last, 0x1000, PF_R, {}).bytes(), kX8664Format),
            "prog: a segment that leaves the 64-bit address space");
  EXPECT_EQ(refusal(SmallFile(kX8664Format).segment(last, 0xFFF, PF_R, {}).bytes(), kX8664Format), "accepted");
  const std::vector<std::uint8_t> good = program_of(kPpc64Format).bytes();
  std::vector<std::uint8_t> bad = good;
  store_be64(&bad[offsetof(Elf64_Ehdr, e_phoff)], ~std::uint64_t{0} - 0x40);
  EXPECT_EQ(refusal(bad, kPpc64Format).substr(0, 65),
            "prog: the file is cut short: it needs 18446744073709551607 bytes ");
  bad = good;
  store_be64(&bad[offsetof(Elf64_Ehdr, e_shoff)], ~std::uint64_t{0} - 0x40);
  EXPECT_EQ(refusal(bad, kPpc64Format), "accepted");  // sections serve messages only
  bad = good;
  store_be64(&bad[sizeof(Elf64_Ehdr) + offsetof(Elf64_Phdr, p_offset)], ~std::uint64_t{0});
  EXPECT_EQ(refusal(bad, kPpc64Format).substr(0, 29), "prog: the file is cut short: ");
}

/// A program of the host itself, linked statically, with debug information.
TEST(ElfFormats, OfTheHostAreRead) {
  std::ifstream stream(TOROID_NATIVE, std::ios::binary);
  const std::vector<std::uint8_t> file{std::istreambuf_iterator<char>(stream), {}};
  ASSERT_GT(file.size(), sizeof(Elf64_Ehdr));
  const ElfFormat host{load_u16(&file[offsetof(Elf64_Ehdr, e_machine)], ByteOrder::little),
                       static_cast<unsigned>(sizeof(void*)), ByteOrder::little, "host"};
  const ElfImage image = ElfImage::parse(file, "native", host);
  const std::uint64_t main = image.address_of("main");
  EXPECT_TRUE(image.is_code(main));
  EXPECT_NE(image.program_headers(), 0u);
  EXPECT_GT(image.functions().size(), 100u);
  Symboliser symbols(image);
  EXPECT_EQ(symbols.function_and_line_at(main), "main (hello.c:7)");
  EXPECT_NE(refusal(file, kPpc32Format).find("a program for 64-bit little-endian "), std::string::npos);
}

// Whatever damage says, a file is refused with its name, or read with bounds. TOROID_FUZZ_CASES sets how many files of
// each format are tried; each is made from a seed of its own.
TEST(ElfFormats, SurviveDamage) {
  const char* const cases = std::getenv("TOROID_FUZZ_CASES");
  const unsigned count = cases == nullptr ? 500 : static_cast<unsigned>(std::stoul(cases));
  constexpr std::uint64_t kTelling[] = {0, 1, 0x7FFF'FFFF, 0xFFFF'FFFF, 0x7FFF'FFFF'FFFF'FFFF, ~std::uint64_t{0}};
  for (const ElfFormat* format : kFormats) {
    const std::vector<std::uint8_t> good = program_of(*format).bytes();
    unsigned accepted = 0;
    for (unsigned seed = 0; seed < count; ++seed) {
      SCOPED_TRACE(format->description + ", seed " + std::to_string(seed));
      std::mt19937_64 random(seed);
      std::vector<std::uint8_t> bad = good;
      for (unsigned left = 1 + random() % 4; left > 0; --left) {
        const std::size_t at = EI_NIDENT + 4 + random() % (bad.size() - EI_NIDENT - 4);
        if (random() % 2 == 0) {
          bad[at] = static_cast<std::uint8_t>(random());
        } else {
          const std::size_t word = std::min(at & ~std::size_t{7}, bad.size() - 8);
          store_u64(&bad[word], random() % 2 == 0 ? kTelling[random() % std::size(kTelling)] : random() % bad.size(),
                    format->byte_order);
        }
      }
      if (random() % 16 == 0) bad.resize(random() % bad.size());
      const std::size_t size = bad.size();
      try {
        const ElfImage image = ElfImage::parse(std::move(bad), "prog", *format);
        ++accepted;
        EXPECT_LE(image.functions().size(), size);
        image.address_of("main");
        for (const std::uint64_t address :
             {image.entry(), image.end(), image.segments()[0].address + random() % 4096}) {
          image.symbol_at(address);
          image.is_code(address);
        }
        std::uint64_t loaded = 0;
        for (const ElfImage::Segment& segment : image.segments()) loaded += segment.bytes.size();
        EXPECT_LE(loaded, size);
      } catch (const ProgramError& error) {
        EXPECT_EQ(std::string(error.what()).rfind("prog: ", 0), 0u);
      }
    }
    EXPECT_GT(accepted, count / 8) << format->description;
  }
}

/// What a program finds on its stack, read in words of its own.
class Stack {
 public:
  Stack(const MemoryView& memory, std::uint64_t at, const Isa& isa) : memory_(memory), at_(at), isa_(isa) {}
  std::uint64_t next() {
    const unsigned size = isa_.word_bytes();
    at_ += size;
    return load_number(memory_.host(at_ - size), size, isa_.byte_order());
  }
  std::string text(std::uint64_t at) const { return reinterpret_cast<const char*>(memory_.host(at)); }

 private:
  const MemoryView memory_;
  std::uint64_t at_;
  const Isa& isa_;
};

TEST(InitialStack, HasWordsOfTheInstructionSet) {
  NodeMemory memory("memory", 16u << 20);
  for (const ElfFormat* format : kFormats) {
    SCOPED_TRACE(format->description);
    const ToyIsa isa(format->word_bytes, format->byte_order);
    AddressSpace space(MemoryView(memory, 0x1000'0000, 0, 16u << 20));
    ASSERT_TRUE(space.place(0x1000'1000, 1u << 20));
    KernelConfig config;
    config.stack_size = 1u << 20;
    config.arguments = {"prog", "-v"};
    config.environment = {"HOME=/"};
    RandomStream random(1, 2);
    const ElfImage image = ElfImage::parse(program_of(*format).bytes(), "prog", *format);
    const std::uint64_t at = build_initial_stack(space, image, isa, LineSize(64), config, random);
    EXPECT_EQ(at % 16, 0u);
    Stack stack(space.view(), at, isa);
    EXPECT_EQ(stack.next(), 2u);
    EXPECT_EQ(stack.text(stack.next()), "prog");
    EXPECT_EQ(stack.text(stack.next()), "-v");
    EXPECT_EQ(stack.next(), 0u);
    EXPECT_EQ(stack.text(stack.next()), "HOME=/");
    EXPECT_EQ(stack.next(), 0u);
    std::map<std::uint64_t, std::uint64_t> auxiliary;
    for (std::uint64_t type = stack.next(); type != AT_NULL; type = stack.next()) auxiliary[type] = stack.next();
    EXPECT_EQ(auxiliary.at(AT_ENTRY), image.entry());
    EXPECT_EQ(auxiliary.at(AT_PHNUM), 2u);
    EXPECT_EQ(auxiliary.at(AT_PAGESZ), 4096u);
    EXPECT_EQ(auxiliary.at(AT_HWCAP), 0x8765'4321u);
    EXPECT_EQ(stack.text(auxiliary.at(AT_PLATFORM)), "toy440");
    EXPECT_EQ(auxiliary.at(AT_DCACHEBSIZE), isa.data_line_bytes());
    EXPECT_EQ(auxiliary.at(AT_ICACHEBSIZE), 64u);
    EXPECT_EQ(auxiliary.count(AT_RANDOM), 1u);
  }
}

}  // namespace
}  // namespace toroid
