// SPDX-License-Identifier: Apache-2.0
//
// Program files: which are taken and which are refused, and that none of them harms the host.
#include <elf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>

#include "guest_run.h"
#include "hw/memory/big_endian.h"
#include "small_file.h"

namespace toroid {
namespace {

std::vector<std::uint8_t> file_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string refusal(const std::vector<std::uint8_t>& file) {
  try {
    ElfImage::parse(file, "prog", kPpc32Format);
  } catch (const ProgramError& error) {
    return error.what();
  }
  return "accepted";
}

constexpr const char* kWanted = "; a static 32-bit big-endian PowerPC executable is needed (toroid cc makes one)";

TEST(ProgramFiles, AreChecked) {
  const std::vector<std::uint8_t> good = file_of(TOROID_GUESTS "/hello");
  EXPECT_EQ(refusal(good), "accepted");
  EXPECT_EQ(refusal({'#', '!', '/'}), std::string("prog: not an ELF file") + kWanted);
  EXPECT_EQ(refusal({}), std::string("prog: not an ELF file") + kWanted);
  EXPECT_EQ(refusal(file_of(TOROID_GUESTS "/dynamic")).substr(0, 27), "prog: a dynamic or position");
  EXPECT_EQ(refusal({good.begin(), good.begin() + 40}).substr(0, 30), "prog: the file is cut short: i");
  EXPECT_EQ(refusal({good.begin(), good.begin() + 5000}).substr(0, 30), "prog: the file is cut short: i");
  std::vector<std::uint8_t> object = good;
  store_be16(object.data() + 16, 1);
  EXPECT_EQ(refusal(object), std::string("prog: an object or core file, not a program") + kWanted);
  std::vector<std::uint8_t> no_segments = good;
  store_be16(no_segments.data() + 44, 0);
  EXPECT_EQ(refusal(no_segments), "prog: a program without loadable segments");
}

TEST(ProgramFiles, MustExistAndFit) {
  GuestRun run;
  run.program = "/nowhere/prog";
  EXPECT_EQ(run_guest(run).error, "/nowhere/prog: cannot open the program: No such file or directory");
  run.program = "hello";
  // Addresses are virtual: what counts is the program's size, not where it is linked.
  run.memory = 16 << 20;
  EXPECT_EQ(run_guest(run).report, "");
  run.memory = 8 << 20;
  const GuestResult small = run_guest(run);
  EXPECT_EQ(small.error, "");
  EXPECT_NE(small.report.find("bytes of memory"), std::string::npos) << small.report;
  EXPECT_NE(small.report.find("; the process has 8388608"), std::string::npos) << small.report;
  run.memory = 512 << 20;
  run.arguments = std::vector<std::string>(10, std::string(1 << 20, 'x'));
  EXPECT_NE(run_guest(run).report.find("do not fit on the stack"), std::string::npos);
}

TEST(ProgramFiles, NameTheirSymbols) {
  const ElfImage image = ElfImage::read(TOROID_GUESTS "/language", kPpc32Format);
  const std::uint32_t address =
      image.address_of("_ZNSt6vectorIiSaIiEE17_M_realloc_insertIJiEEEvN9__gnu_cxx17__normal_iteratorIPiS1_EEDpOT_");
  ASSERT_NE(address, 0u);
  Symboliser symbols(image);
  EXPECT_NE(symbols.symbol_at(address + 4).find("std::vector<int"), std::string::npos)
      << symbols.symbol_at(address + 4);
  EXPECT_EQ(symbols.symbol_at(0), "");
  EXPECT_EQ(symbols.describe(0x50), "0x00000050");
}

/// Headers of sections that lie on each other all name the same table, here one without a name in it.
TEST(ProgramFiles, HaveOneTableOfSymbols) {
  constexpr std::size_t kTable = 1 << 20;
  SmallFile small;
  small.segment(0x1000'0000, 16, PF_R | PF_X, std::vector<std::uint8_t>(16)).symbol(0x1000'0000, 16, "");
  std::vector<std::uint8_t> file = small.bytes();
  std::uint8_t* section = &file[load_be32(&file[32])];
  store_be32(section + 16, static_cast<std::uint32_t>(file.size()));
  store_be32(section + 20, kTable);
  store_be16(&file[48], 0xFFFF);
  for (const unsigned size : {0u, static_cast<unsigned>(sizeof(Elf32_Shdr))}) {
    store_be16(&file[46], static_cast<std::uint16_t>(size));
    std::vector<std::uint8_t> damaged = file;
    damaged.resize(file.size() + kTable);
    if (size != 0) {  // as many headers as the file has room for, each naming the table
      for (std::uint32_t i = 0; i < 20'000; ++i)
        std::copy(section, section + sizeof(Elf32_Shdr), damaged.end() - (i + 1) * sizeof(Elf32_Shdr));
      store_be32(&damaged[32], static_cast<std::uint32_t>(damaged.size() - 20'000 * sizeof(Elf32_Shdr)));
    }
    EXPECT_EQ(ElfImage::parse(damaged, "damaged", kPpc32Format).functions().size(), 0u);
  }
}

GuestResult run(const SmallFile& file) {
  const std::string path = testing::TempDir() + "/toroid_small_file_" + std::to_string(getpid());
  const std::vector<std::uint8_t> bytes = file.bytes();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  GuestRun run;
  run.program = path;
  const GuestResult result = run_guest(run);
  std::remove(path.c_str());
  return result;
}

/// li r0,1; li r3,7; sc: exit(7).
std::vector<std::uint8_t> code_that_exits(std::size_t size = 12) {
  std::vector<std::uint8_t> code(size);
  store_be32(&code[0], 0x3800'0001);
  store_be32(&code[4], 0x3860'0007);
  store_be32(&code[8], 0x4400'0002);
  return code;
}

constexpr std::uint32_t kCode = PF_R | PF_X;

TEST(Segments, OfCodeMayBeSeveral) {
  const GuestResult result =
      run(SmallFile().segment(0x1000'0000, 12, kCode, code_that_exits()).segment(0x1100'0000, 4096, kCode, {}));
  EXPECT_EQ(result.error + result.report, "");
  EXPECT_EQ(result.status, 7);
}

TEST(Segments, MayEndWithTheAddressSpaceAndAreRefused) {
  const SmallFile file = SmallFile()
                             .segment(0xFFFF'E000, 12, kCode, code_that_exits())
                             .segment(0xFFFF'F000, 4096, kCode, code_that_exits(4096));
  const ElfImage image = ElfImage::parse(file.bytes(), "prog", kPpc32Format);
  EXPECT_EQ(image.end(), std::uint64_t{1} << 32);
  Program program(image, test_core().isa, LineSize(test_core().memory.l1_line));
  EXPECT_EQ(program.blocks().code().encoding_at(0xFFFF'E008), "0x44000002");
  EXPECT_EQ(program.blocks().code().encoding_at(0xFFFF'F000), "0x38000001");
  EXPECT_EQ(program.blocks().code().encoding_at(0xFFFF'FFFC), "0x00000000");
  EXPECT_EQ(program.blocks().code().encoding_at(0xFFFF'FFFE), "0x00000000");
  EXPECT_EQ(program.blocks().code().encoding_at(0), "0x00000000");
  const GuestResult result = run(file);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.report,
            "rank 0 (node 0,0,0): the program needs 1048576 bytes of memory and a stack of 8388608; the process has "
            "1044480");
}

TEST(Segments, FarApartTakeNoMemoryOfTheHost) {
  const SmallFile file =
      SmallFile().segment(0x1000'0000, 12, kCode, code_that_exits()).segment(0xFFFF'E000, 12, kCode, code_that_exits());
  Program program(ElfImage::parse(file.bytes(), "prog", kPpc32Format), test_core().isa,
                  LineSize(test_core().memory.l1_line));
  EXPECT_EQ(program.blocks().code().encoding_at(0x1000'0004), "0x38600007");
  EXPECT_EQ(program.blocks().code().encoding_at(0xFFFF'E004), "0x38600007");
  EXPECT_EQ(program.blocks().code().encoding_at(0x8000'0000), "0x00000000");
  EXPECT_EQ(run(file).report,
            "rank 0 (node 0,0,0): the program needs 4026523660 bytes of memory and a stack of 8388608; the process has "
            "536870912");
}

TEST(Segments, MayNotWrapOrOverlap) {
  SmallFile wraps;
  wraps.segment(0x1000'0000, 12, kCode, code_that_exits()).segment(0xFFFF'F000, 4097, kCode, {});
  EXPECT_EQ(refusal(wraps.bytes()), "prog: a segment that leaves the 32-bit address space");
  SmallFile overlaps;
  overlaps.segment(0x1000'0000, 0xEFFF'FFFF, kCode, code_that_exits()).segment(0xFFFF'E000, 4096, kCode, {});
  EXPECT_EQ(refusal(overlaps.bytes()), "prog: overlapping segments");
}

TEST(Segments, MayNotMultiplyTheFile) {
  std::vector<std::uint8_t> file = SmallFile()
                                       .segment(0x1000'0000, 4096, kCode, code_that_exits(4096))
                                       .segment(0x1100'0000, 4096, kCode, {})
                                       .bytes();
  constexpr std::size_t kSecond = sizeof(Elf32_Ehdr) + sizeof(Elf32_Phdr);
  std::copy_n(&file[sizeof(Elf32_Ehdr) + 4], 4, &file[kSecond + 4]);  // the place in the file
  store_be32(&file[kSecond + 16], 4096);                              // and the size there
  EXPECT_EQ(refusal(file), "prog: segments that load the same bytes of the file several times");
}

/// Where a file's parts lie that say something: headers, tables, names and debug information.
struct Part {
  std::size_t begin, size;
};

std::vector<Part> parts_of(const std::vector<std::uint8_t>& file) {
  std::vector<Part> parts{{0, 52 + 32 * std::size_t{load_be16(&file[44])}}};
  const std::size_t sections = load_be32(&file[32]);
  const std::size_t count = load_be16(&file[48]);
  parts.push_back({sections, count * sizeof(Elf32_Shdr)});
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* section = &file[sections + i * sizeof(Elf32_Shdr)];
    const std::uint32_t type = load_be32(section + 4);
    const bool loaded = (load_be32(section + 8) & SHF_ALLOC) != 0;
    if (!loaded && type != SHT_NULL && type != SHT_NOBITS && load_be32(section + 20) != 0)
      parts.push_back({load_be32(section + 16), load_be32(section + 20)});
  }
  return parts;
}

// Whatever a damaged file says: it is refused, or it makes a program whose addresses have names, or have none. The
// simulator lives, in little memory (the sanitisers watch), and nobody waits long. TOROID_FUZZ_CASES sets how many
// files are tried; each is made from a seed of its own.
TEST(ProgramFiles, SurviveDamage) {
  const char* const cases = std::getenv("TOROID_FUZZ_CASES");
  const unsigned count = cases == nullptr ? 200 : static_cast<unsigned>(std::stoul(cases));
  const std::vector<std::uint8_t> good = file_of(TOROID_GUESTS "/language");
  const std::vector<Part> parts = parts_of(good);
  ASSERT_GT(parts.size(), 6u) << "a program without debug information";
  constexpr std::uint32_t kTelling[] = {0, 1, 0x7FFF'FFFF, 0x8000'0000, 0xFFFF'F000, 0xFFFF'FFFF};
  const CoreConfig core = test_core();
  unsigned accepted = 0;
  for (unsigned seed = 0; seed < count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    std::vector<std::uint8_t> bad = good;
    for (unsigned left = 1 + random() % 8; left > 0; --left) {
      const Part& part = parts[random() % 3 == 0 ? random() % 2 : random() % parts.size()];
      const std::size_t at = part.begin + random() % part.size;
      if (random() % 2 == 0) {
        bad[at] = static_cast<std::uint8_t>(random());
      } else {
        const std::size_t word = std::min(at & ~std::size_t{3}, bad.size() - 4);
        store_be32(&bad[word], random() % 2 == 0 ? kTelling[random() % std::size(kTelling)]
                                                 : static_cast<std::uint32_t>(bad.size() - random() % 64));
      }
    }
    if (random() % 16 == 0) bad.resize(random() % bad.size());
    try {
      Program program(ElfImage::parse(std::move(bad), "prog", kPpc32Format), core.isa, LineSize(core.memory.l1_line));
      ++accepted;
      const ElfImage& image = program.image();
      EXPECT_LE(image.functions().size(), good.size());
      image.address_of("main");
      for (const std::uint32_t address :
           {image.entry(), image.segments().front().address + static_cast<std::uint32_t>(random() % (1 << 20))}) {
        EXPECT_LT(program.symbols().describe(address).size(), 8000u);
        program.blocks().code().encoding_at(address);
      }
    } catch (const ProgramError& error) {
      EXPECT_EQ(std::string(error.what()).rfind("prog: ", 0), 0u);
    }
  }
  EXPECT_GT(accepted, count / 4);
}

TEST(ProgramFiles, AreRegularFiles) {
  GuestRun run;
  run.program = "/dev/zero";
  EXPECT_EQ(run_guest(run).error, std::string("/dev/zero: not a regular file") + kWanted);
}

}  // namespace
}  // namespace toroid
