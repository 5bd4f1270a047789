// SPDX-License-Identifier: Apache-2.0
//
// System calls and program files: what the kernel gives, and what it refuses.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "guest_run.h"
#include "hw/memory/big_endian.h"

namespace toroid {
namespace {

namespace fs = std::filesystem;

GuestRun calls(const std::string& what) {
  GuestRun run;
  run.program = "calls";
  run.arguments = {what};
  return run;
}

class JobDirectory : public testing::Test {
 protected:
  void SetUp() override {
    outer_ = fs::path(testing::TempDir()) / ("toroid_job_" + std::to_string(getpid()));
    fs::remove_all(outer_);
    directory_ = outer_ / "job";
    fs::create_directories(directory_ / "inside");
    std::ofstream(outer_ / "passwd") << "outside\n";
    std::ofstream(directory_ / "inside" / "file") << "inside\n";
    fs::create_symlink(outer_ / "passwd", directory_ / "absolute_link");
    fs::create_symlink("../passwd", directory_ / "relative_link");
    fs::create_directory_symlink("..", directory_ / "directory_link");
    fs::create_symlink("circle", directory_ / "circle");
    fs::create_symlink("/inside/file", directory_ / "good_link");
  }
  void TearDown() override { fs::remove_all(outer_); }

  fs::path outer_;
  fs::path directory_;
};

TEST_F(JobDirectory, ConfinesFiles) {
  GuestRun run = calls("files");
  run.job_directory = directory_.string();
  const GuestResult result = run_guest(run);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.out, "files: 0 failures\n");
  EXPECT_EQ(result.report, "");
  std::ifstream outside(outer_ / "passwd");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(outside), {}), "outside\n");
  EXPECT_FALSE(fs::exists(outer_ / "new"));
}

TEST_F(JobDirectory, DescriptorsAreNumberedAndCopied) {
  GuestRun run = calls("descriptors");
  run.job_directory = directory_.string();
  const GuestResult result = run_guest(run);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.out, "through a copy\nand by it\ndescriptors: 0 failures\n");
  EXPECT_EQ(result.report, "");
  std::ifstream redirected(directory_ / "two");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(redirected), {}), "abcdinto the file\n");
}

TEST_F(JobDirectory, BadPointersAreErrors) {
  GuestRun run = calls("pointers");
  run.job_directory = directory_.string();
  const GuestResult result = run_guest(run);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.out, "pointers: 0 failures\n");
  EXPECT_NE(result.system_calls.find("unknown 9999 1\n"), std::string::npos) << result.system_calls;
}

TEST(Kernel, Memory) {
  const GuestResult result = run_guest(calls("memory"));
  EXPECT_EQ(result.out, "memory: 0 failures\n") << result.report << result.error;
}

TEST(Kernel, TimeIsSimulated) {
  const GuestResult result = run_guest(calls("times"));
  EXPECT_EQ(result.out.substr(result.out.find('\n') + 1), "times: 0 failures\n") << result.report << result.error;
  EXPECT_GE(result.cycles, 1'750'000'000u);
  // Random numbers come from the seed and the rank.
  EXPECT_EQ(result.out, run_guest(calls("times")).out);
  GuestRun other = calls("times");
  other.rank = 1;
  other.ranks = 2;
  EXPECT_NE(result.out, run_guest(other).out);
}

TEST(Kernel, WaitsWithAnEndLastUntilThen) {
  const GuestResult result = run_guest(calls("waits"));
  EXPECT_EQ(result.out, "waits: 0 failures\n") << result.report << result.error;
}

TEST(Kernel, TellsTheMachine) {
  GuestRun run = calls("machine");
  run.rank = 5;
  run.ranks = 6;
  const GuestResult result = run_guest(run);
  EXPECT_EQ(result.out,
            "rank 5 of 6, 4x4x2, rings 110, at 1,1,0, t 0 of 1, 700 MHz, 512 MiB\n"
            "rank 2 at 2,0,0 t 0\nrank 3 at 3,0,0 t 0\nrank 4 at 0,1,0 t 0\nrank 5 at 1,1,0 t 0\n"
            "machine: 0 failures\n")
      << result.report << result.error;
}

std::vector<std::uint8_t> file_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string refusal(std::vector<std::uint8_t> file) {
  try {
    ElfImage::parse(file, "prog");
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
  EXPECT_EQ(refusal(file_of("/proc/self/exe")), std::string("prog: an x86-64 program") + kWanted);
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

// Whatever a damaged file says, it is refused or loads: no crash (the sanitisers watch).
TEST(ProgramFiles, SurviveDamage) {
  const std::vector<std::uint8_t> good = file_of(TOROID_GUESTS "/hello");
  std::uint32_t random = 1;
  for (int round = 0; round < 300; ++round) {
    std::vector<std::uint8_t> bad = good;
    for (int i = 0; i < 3; ++i) {
      random = random * 1664525 + 1013904223;
      // The headers, and the section headers at the end.
      const std::size_t at = round % 2 == 0 ? (random >> 8) % 250 : bad.size() - 1 - (random >> 8) % 1000;
      bad[at] = static_cast<std::uint8_t>(random);
    }
    try {
      const ElfImage image = ElfImage::parse(bad, "prog");
      image.describe(0x1000'0500);
    } catch (const ProgramError&) {
    }
  }
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
  const ElfImage image = ElfImage::read(TOROID_GUESTS "/language");
  const std::uint32_t address =
      image.address_of("_ZNSt6vectorIiSaIiEE17_M_realloc_insertIJiEEEvN9__gnu_cxx17__normal_iteratorIPiS1_EEDpOT_");
  ASSERT_NE(address, 0u);
  EXPECT_NE(image.symbol_at(address + 4).find("std::vector<int"), std::string::npos) << image.symbol_at(address + 4);
  EXPECT_EQ(image.symbol_at(0), "");
  EXPECT_EQ(image.describe(0x50), "0x00000050");
}

}  // namespace
}  // namespace toroid

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

int sc_main(int, char**) {
  return 0;
}
