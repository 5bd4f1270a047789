// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <systemc>

#include "hw/machine/host_memory.h"
#include "hw/machine/parameters.h"

namespace toroid {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMegabyte = 1'000'000;

TEST(HostMemory, IsRefusedInTheWordsOfTheEstimate) {
  const HostMemory needed = estimate_host_memory(4096, 4096, 2);
  EXPECT_NO_THROW(require_host_memory(needed, needed.bytes));
  try {
    require_host_memory(needed, 1100 * kMegabyte);
    FAIL() << "1.1 GB were enough for 4096 nodes";
  } catch (const ConfigurationError& error) {
    EXPECT_STREQ(
        error.what(),
        "4096 nodes: about 2.5 GB of host memory, and 1.1 GB are available: a smaller shape or fewer ranks need "
        "less");
  }
}

TEST(HostMemory, IsToldWhereMuchIsNeeded) {
  EXPECT_EQ(host_memory_remark(estimate_host_memory(4096, 4096, 2), 9000 * kMegabyte),
            "4096 nodes: about 2.5 GB of host memory");
  EXPECT_EQ(host_memory_remark(estimate_host_memory(4096, 8192, 1), 9000 * kMegabyte),
            "8192 processes on 4096 nodes: about 4.9 GB of host memory");
  EXPECT_EQ(host_memory_remark(estimate_host_memory(512, 512, 2, true), 9000 * kMegabyte),
            "512 nodes: about 2.4 GB of host memory")
      << "each core has an engine of its own";
  EXPECT_EQ(host_memory_remark(estimate_host_memory(1 << 22, 0, 1), 20000 * kMegabyte),
            "4194304 nodes: about 13 GB of host memory");
  EXPECT_EQ(host_memory_remark(estimate_host_memory(512, 512, 2), 9000 * kMegabyte), std::nullopt);
}

TEST(HostMemory, IsToldWhereSecondCoresWouldNotFit) {
  EXPECT_EQ(host_memory_remark(estimate_host_memory(512, 512, 2), 400 * kMegabyte),
            "512 nodes: about 0.3 GB of host memory, and 0.5 GB where all start their second cores; 0.4 GB are "
            "available");
  EXPECT_EQ(host_memory_remark(estimate_host_memory(256, 512, 1), 400 * kMegabyte), std::nullopt);  // they have none
}

class Available : public testing::Test {
 protected:
  Available() : root_(fs::temp_directory_path() / ("toroid-memory-" + std::to_string(::getpid()))) {
    write("proc/meminfo", "MemTotal:       8000000 kB\nMemFree: 1000 kB\nMemAvailable:   4000000 kB\n");
  }
  ~Available() override { fs::remove_all(root_); }

  void write(const fs::path& file, const std::string& text) {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }

  std::uint64_t kibibytes() const { return available_host_memory(root_) >> 10; }

  const fs::path root_;
};

TEST_F(Available, IsWhatTheHostWouldGiveUp) {
  EXPECT_EQ(kibibytes(), 4000000);
}

TEST_F(Available, IsWhatTheControlGroupLeaves) {
  write("proc/self/cgroup", "0::/user/job\n");
  write("sys/fs/cgroup/user/job/memory.max", "max\n");
  write("sys/fs/cgroup/user/job/memory.current", "1024\n");
  EXPECT_EQ(kibibytes(), 4000000);
  // That of a group around it counts as well, less what it holds of files.
  write("sys/fs/cgroup/user/memory.max", std::to_string(1000 << 10));
  write("sys/fs/cgroup/user/memory.current", std::to_string(300 << 10));
  write("sys/fs/cgroup/user/memory.stat", "anon 7\ninactive_file " + std::to_string(100 << 10) + "\n");
  EXPECT_EQ(kibibytes(), 800);
  write("sys/fs/cgroup/user/memory.current", std::to_string(2000 << 10));
  EXPECT_EQ(kibibytes(), 0);
}

TEST_F(Available, IsWhatAControlGroupOfTheFirstVersionLeaves) {
  write("proc/self/cgroup", "3:cpu,cpuacct:/a\n2:memory:/docker/seen/from/outside\n0::/\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", std::to_string(1000 << 10));
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", std::to_string(400 << 10));
  write("sys/fs/cgroup/memory/memory.stat", "total_inactive_file " + std::to_string(50 << 10) + "\n");
  EXPECT_EQ(kibibytes(), 650);
}

TEST(HostMemory, IsFound) {
  EXPECT_GT(available_host_memory(), kMegabyte);
}

}  // namespace
}  // namespace toroid
