// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/abi/linux_ppc32/linux_ppc32.h"

#include <cerrno>
#include <iterator>

#include "hw/kernel/calls/calls.h"
#include "hw/kernel/kernel_abi.h"
#include "hw/kernel/process.h"

namespace toroid {
namespace {

/// An argument of 64 bits takes two registers, the first of an even pair in the order of arguments.
std::int64_t wide(const Call& call, unsigned number) {
  return static_cast<std::int64_t>(std::uint64_t{call.word(number)} << 32 | call.word(number + 1));
}

CallResult creat(const Call& call) {
  constexpr std::uint32_t kWriteCreateTruncate = 01101;  // O_WRONLY | O_CREAT | O_TRUNC
  return calls::creat(call, kWriteCreateTruncate);
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

CallResult clone(const Call& call) {
  return calls::clone(call, {call[0], call[1], call[2], call[4], call[3]});
}

CallResult llseek(const Call& call) {
  const FileTable& files = call.process.files();
  if (files.is_standard(call.integer(0))) return -ESPIPE;
  std::uint8_t* to = call.process.memory()->writable(call[3], 8);
  if (to == nullptr) return -EFAULT;
  if (!files.is_file(call.integer(0))) return -EBADF;
  const CallResult at = calls::seek_to(call, wide(call, 1), call.word(4));
  if (at < 0) return at;
  store_u64(to, static_cast<std::uint64_t>(at), ByteOrder::big);
  return 0;
}

/// struct stat64.
void store_status(std::uint8_t* to, const FileStatus& status) {
  constexpr ByteOrder kOrder = ByteOrder::big;
  store_u64(to, status.device, kOrder);
  store_u64(to + 8, status.number, kOrder);
  store_u32(to + 16, status.mode, kOrder);
  store_u32(to + 20, status.links, kOrder);
  store_u64(to + 32, status.special_device, kOrder);
  store_u64(to + 48, status.size, kOrder);
  store_u32(to + 56, status.block_size, kOrder);
  store_u64(to + 64, status.blocks, kOrder);
}

// By rising number. Calls that glibc makes at start and is content to see fail are listed with calls::zero where they
// may succeed without effect; those left out fail with ENOSYS and are counted.
const SystemCall kCalls[] = {
    {1, "exit", calls::exit_thread},
    {3, "read", calls::read},
    {4, "write", calls::write},
    {5, "open", calls::open},
    {6, "close", calls::close},
    {8, "creat", creat},
    {10, "unlink", calls::unlink},
    {13, "time", calls::time},
    {19, "lseek", calls::lseek},
    {20, "getpid", calls::getpid},
    {24, "getuid", calls::zero},
    {33, "access", calls::access},
    {37, "kill", calls::kill},
    {38, "rename", calls::rename},
    {39, "mkdir", calls::mkdir},
    {40, "rmdir", calls::rmdir},
    {41, "dup", calls::dup},
    {43, "times", calls::times},
    {45, "brk", calls::brk},
    {47, "getgid", calls::zero},
    {49, "geteuid", calls::zero},
    {50, "getegid", calls::zero},
    {54, "ioctl", calls::ioctl},
    {55, "fcntl", calls::fcntl},
    {63, "dup2", calls::dup2},
    {64, "getppid", calls::zero},
    {76, "getrlimit", calls::getrlimit},
    {77, "getrusage", calls::getrusage},
    {78, "gettimeofday", calls::gettimeofday},
    {85, "readlink", calls::readlink},
    {90, "mmap", calls::mmap},
    {91, "munmap", calls::munmap},
    {93, "ftruncate", calls::ftruncate},
    {116, "sysinfo", calls::sysinfo},
    {120, "clone", clone},
    {122, "uname", calls::uname},
    {125, "mprotect", calls::mprotect},
    {140, "_llseek", llseek},
    {145, "readv", calls::readv},
    {146, "writev", calls::writev},
    {158, "sched_yield", calls::zero},
    {162, "nanosleep", calls::nanosleep},
    {173, "rt_sigaction", calls::rt_sigaction},
    {174, "rt_sigprocmask", calls::rt_sigprocmask},
    {179, "pread64", pread64},
    {180, "pwrite64", pwrite64},
    {182, "getcwd", calls::getcwd},
    {185, "sigaltstack", calls::zero},
    {190, "ugetrlimit", calls::getrlimit},
    {192, "mmap2", mmap2},
    {194, "ftruncate64", ftruncate64},
    {195, "stat64", calls::stat},
    {196, "lstat64", calls::lstat},
    {197, "fstat64", calls::fstat},
    {202, "getdents64", calls::getdents64},
    {204, "fcntl64", calls::fcntl},
    {205, "madvise", calls::zero},
    {207, "gettid", calls::gettid},
    {208, "tkill", calls::kill},
    {221, "futex", calls::futex},
    {222, "sched_setaffinity", calls::sched_setaffinity},
    {223, "sched_getaffinity", calls::sched_getaffinity},
    {232, "set_tid_address", calls::set_tid_address},
    {234, "exit_group", calls::exit},
    {246, "clock_gettime", calls::clock_gettime},
    {247, "clock_getres", calls::clock_getres},
    {248, "clock_nanosleep", calls::clock_nanosleep},
    {250, "tgkill", calls::tgkill},
    {286, "openat", calls::openat},
    {287, "mkdirat", calls::mkdirat},
    {291, "fstatat64", calls::fstatat},
    {292, "unlinkat", calls::unlinkat},
    {296, "readlinkat", calls::readlinkat},
    {298, "faccessat", calls::faccessat},
    {300, "set_robust_list", calls::zero},
    {316, "dup3", calls::dup3},
    {325, "prlimit64", calls::prlimit64},
    {359, "getrandom", calls::getrandom},
    {383, "statx", calls::without},
    {387, "rseq", calls::without},
    {403, "clock_gettime64", calls::clock_gettime64},
    {406, "clock_getres_time64", calls::clock_getres64},
    {407, "clock_nanosleep_time64", calls::clock_nanosleep64},
    {422, "futex_time64", calls::futex64},
    {TOROID_SYS_GET_PERSONALITY, "get_personality", calls::get_personality},
    {TOROID_SYS_GET_MAP, "get_map", calls::get_map},
    {TOROID_SYS_DCR_READ, "dcr_read", calls::dcr_read},
    {TOROID_SYS_DCR_WRITE, "dcr_write", calls::dcr_write},
    {TOROID_SYS_START_CORE, "start_core", calls::start_core},
    {TOROID_SYS_STOP_CORE, "stop_core", calls::stop_core},
    {TOROID_SYS_FLUSH_L1, "flush_l1", calls::flush_l1},
    {TOROID_SYS_SET_INTERRUPT_HANDLER, "set_interrupt_handler", calls::set_interrupt_handler},
    {TOROID_SYS_INTERRUPT_RETURN, "interrupt_return", calls::interrupt_return},
    {TOROID_SYS_END_JOB, "end_job", calls::end_job},
    {TOROID_SYS_WATCH_MEMORY, "watch_memory", calls::watch_memory},
};

}  // namespace

const Abi& linux_ppc32() {
  constexpr unsigned kStatusBytes = 104;
  static const Abi kAbi{"linux_ppc32", "ppc", {kCalls, std::size(kCalls)}, kStatusBytes, &store_status};
  return kAbi;
}

}  // namespace toroid
