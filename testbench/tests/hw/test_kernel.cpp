// SPDX-License-Identifier: Apache-2.0
//
// System calls: what the kernel gives, and what it refuses.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "guest_run.h"

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

TEST_F(JobDirectory, FilesAreMappedByCopies) {
  GuestRun run = calls("mappings");
  run.job_directory = directory_.string();
  const GuestResult result = run_guest(run);
  EXPECT_EQ(result.out, "mappings: 0 failures\n") << result.report << result.error;
}

TEST_F(JobDirectory, HasATemporaryDirectoryWhereNothingIsLeft) {
  GuestRun run = calls("temporary");
  run.job_directory = directory_.string();
  const GuestResult result = run_guest(run);
  EXPECT_EQ(result.out, "temporary: 0 failures\n") << result.report << result.error;
  EXPECT_FALSE(fs::exists(directory_ / "tmp"));
  fs::create_directory(directory_ / "tmp");
  EXPECT_EQ(run_guest(run).out.find("temporary: 0"), std::string::npos);  // its first check
  EXPECT_TRUE(fs::exists(directory_ / "tmp"));
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

TEST(Kernel, BoundsRegions) {
  const GuestResult result = run_guest(calls("regions"));
  EXPECT_EQ(result.out, "regions: 0 failures\n") << result.report << result.error;
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

}  // namespace
}  // namespace toroid
