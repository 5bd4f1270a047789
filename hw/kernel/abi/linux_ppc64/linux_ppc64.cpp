// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/abi/linux_ppc64/linux_ppc64.h"

#include <iterator>

#include "hw/kernel/abi/linux_64.h"
#include "hw/kernel/abi/linux_power.h"
#include "hw/kernel/calls/calls.h"

namespace toroid {
namespace {

const SystemCall kCalls[] = {
    {106, "stat", calls::stat},          {107, "lstat", calls::lstat},          {108, "fstat", calls::fstat},
    {179, "pread64", linux_64::pread64}, {180, "pwrite64", linux_64::pwrite64}, {291, "newfstatat", calls::fstatat},
};

}  // namespace

const Abi& linux_ppc64() {
  static const Abi kAbi{"linux_ppc64",
                        "ppc64",
                        {linux_power_calls(), {kCalls, std::size(kCalls)}},
                        linux_64::kStatusBytes,
                        &linux_64::store_status,
                        linux_power_signal_frame(8)};
  return kAbi;
}

}  // namespace toroid
