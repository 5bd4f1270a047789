// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <systemc>

#include "hw/machine/host_memory.h"
#include "hw/machine/parameters.h"

namespace toroid {
namespace {

constexpr std::uint64_t kMebibyte = 1u << 20;

TEST(HostMemory, HoldsTheCoresThatProcessesBeginOn) {
  EXPECT_NO_THROW(require_host_memory(1024, 4096 * kMebibyte));
  try {
    require_host_memory(1024, 4096 * kMebibyte - 1);
    FAIL() << "4095 MiB were enough for 1024 processes";
  } catch (const ConfigurationError& error) {
    EXPECT_STREQ(error.what(),
                 "1024 processes need about 4096 MiB of host memory; 4095 MiB are available: run fewer ranks or a "
                 "smaller shape");
  }
}

TEST(HostMemory, WarnsWhereSecondCoresWouldNotFit) {
  EXPECT_EQ(host_memory_warning(1024, 1, 8192 * kMebibyte), std::nullopt);
  EXPECT_EQ(host_memory_warning(1024, 1, 8191 * kMebibyte),
            "1024 processes that all start their second cores need about 8192 MiB of host memory; 8191 MiB are "
            "available");
  EXPECT_EQ(host_memory_warning(1024, 2, 4096 * kMebibyte), std::nullopt);  // they have none
}

TEST(HostMemory, IsFound) {
  EXPECT_GT(available_host_memory(), kMebibyte);
}

}  // namespace
}  // namespace toroid

int sc_main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
