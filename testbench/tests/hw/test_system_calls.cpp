// SPDX-License-Identifier: Apache-2.0
//
// The tables of system calls: how a number finds its call.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "hw/kernel/abi/linux_ppc32/linux_ppc32.h"
#include "hw/kernel/abi/linux_ppc64/linux_ppc64.h"
#include "hw/kernel/abi/linux_x86_64/linux_x86_64.h"
#include "hw/kernel/calls/calls.h"

namespace toroid {
namespace {

class Tables : public testing::TestWithParam<const Abi*> {
 protected:
  std::vector<CallTable> all() const {
    std::vector<CallTable> tables = GetParam()->calls;
    tables.push_back(toroid_calls());
    return tables;
  }
};

TEST_P(Tables, EveryCallIsFoundByItsNumber) {
  for (const CallTable& table : all()) {
    for (std::uint64_t i = 0; i < table.count; ++i)
      EXPECT_EQ(table.find(table.calls[i].number), &table.calls[i]) << table.calls[i].name;
  }
}

TEST_P(Tables, ANumberIsOneCalls) {
  std::map<unsigned, std::string> found;
  for (const CallTable& table : all()) {
    for (std::uint64_t i = 0; i < table.count; ++i) {
      const auto [there, first] = found.emplace(table.calls[i].number, table.calls[i].name);
      EXPECT_TRUE(first) << there->first << " is " << there->second << " and " << table.calls[i].name;
    }
  }
}

TEST_P(Tables, OtherNumbersFindNothing) {
  for (const CallTable& table : all()) {
    EXPECT_EQ(table.find(1000), nullptr);
    EXPECT_EQ(table.find(~std::uint64_t{0}), nullptr);
    EXPECT_EQ(table.find(std::uint64_t{1} << 32 | table.calls[0].number), nullptr);
  }
}

INSTANTIATE_TEST_SUITE_P(EachAbi, Tables, testing::Values(&linux_ppc32(), &linux_ppc64(), &linux_x86_64()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
}  // namespace toroid
