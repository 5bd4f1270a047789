// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/abi/linux_64.h"

#include "hw/kernel/calls/calls.h"

namespace toroid {

CallResult linux_64::pread64(const Call& call) {
  return calls::read_at(call, static_cast<std::int64_t>(call[3]));
}

CallResult linux_64::pwrite64(const Call& call) {
  return calls::write_at(call, static_cast<std::int64_t>(call[3]));
}

void linux_64::store_status(std::uint8_t* to, const FileStatus& status, ByteOrder order) {
  store_u64(to, status.device, order);
  store_u64(to + 8, status.number, order);
  store_u64(to + 16, status.links, order);
  store_u32(to + 24, status.mode, order);
  store_u64(to + 40, status.special_device, order);
  store_u64(to + 48, status.size, order);
  store_u64(to + 56, status.block_size, order);
  store_u64(to + 64, status.blocks, order);
}

}  // namespace toroid
