// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/abi/linux_ppc32/linux_ppc32.h"

#include <iterator>

#include "hw/kernel/abi/linux_power.h"
#include "hw/kernel/calls/calls.h"

namespace toroid {
namespace {

/// An argument of 64 bits takes two registers, the first of an even pair in the order of arguments.
std::int64_t wide(const Call& call, unsigned number) {
  return static_cast<std::int64_t>(std::uint64_t{call.word(number)} << 32 | call.word(number + 1));
}

CallResult pread64(const Call& call) {
  return calls::read_at(call, wide(call, 4));
}
CallResult pwrite64(const Call& call) {
  return calls::write_at(call, wide(call, 4));
}
/// In units of 4096 bytes.
CallResult mmap2(const Call& call) {
  return calls::map_at(call, std::uint64_t{call.word(5)} * 4096);
}

CallResult ftruncate64(const Call& call) {
  return calls::truncate_to(call, wide(call, 2));
}

CallResult truncate64(const Call& call) {
  return calls::truncate_path_to(call, wide(call, 2));
}

/// struct stat64.
void store_status(std::uint8_t* to, const FileStatus& status, ByteOrder order) {
  store_u64(to, status.device, order);
  store_u64(to + 8, status.number, order);
  store_u32(to + 16, status.mode, order);
  store_u32(to + 20, status.links, order);
  store_u64(to + 32, status.special_device, order);
  store_u64(to + 48, status.size, order);
  store_u32(to + 56, status.block_size, order);
  store_u64(to + 64, status.blocks, order);
}

const SystemCall kCalls[] = {
    {179, "pread64", pread64},
    {180, "pwrite64", pwrite64},
    {192, "mmap2", mmap2},
    {193, "truncate64", truncate64},
    {194, "ftruncate64", ftruncate64},
    {195, "stat64", calls::stat},
    {196, "lstat64", calls::lstat},
    {197, "fstat64", calls::fstat},
    {204, "fcntl64", calls::fcntl},
    {291, "fstatat64", calls::fstatat},
    {403, "clock_gettime64", calls::clock_gettime64},
    {406, "clock_getres_time64", calls::clock_getres64},
    {407, "clock_nanosleep_time64", calls::clock_nanosleep64},
    {413, "pselect6_time64", calls::pselect6_64},
    {414, "ppoll_time64", calls::ppoll64},
    {421, "rt_sigtimedwait_time64", calls::rt_sigtimedwait64},
    {422, "futex_time64", calls::futex64},
};

}  // namespace

const Abi& linux_ppc32() {
  constexpr unsigned kStatusBytes = 104;
  static const Abi kAbi{"linux_ppc32", "ppc",         {linux_power_calls(), {kCalls, std::size(kCalls)}},
                        kStatusBytes,  &store_status, linux_power_signal_frame(4)};
  return kAbi;
}

}  // namespace toroid
