// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/abi/linux_ppc64/linux_ppc64.h"

#include <cerrno>
#include <iterator>

#include "hw/kernel/calls/calls.h"
#include "hw/kernel/kernel_abi.h"
#include "hw/kernel/process.h"

namespace toroid {
namespace {

CallResult creat(const Call& call) {
  constexpr std::uint32_t kWriteCreateTruncate = 01101;  // O_WRONLY | O_CREAT | O_TRUNC
  return calls::creat(call, kWriteCreateTruncate);
}
CallResult pread64(const Call& call) {
  return calls::read_at(call, static_cast<std::int64_t>(call[3]));
}
CallResult pwrite64(const Call& call) {
  return calls::write_at(call, static_cast<std::int64_t>(call[3]));
}

CallResult clone(const Call& call) {
  return calls::clone(call, {call[0], call[1], call[2], call[4], call[3]});
}

/// The C library of 64 bits calls it as that of 32 bits does, with an offset in two words.
CallResult llseek(const Call& call) {
  const FileTable& files = call.process.files();
  if (files.is_standard(call.integer(0))) return -ESPIPE;
  std::uint8_t* to = call.process.memory()->writable(call[3], 8);
  if (to == nullptr) return -EFAULT;
  if (!files.is_file(call.integer(0))) return -EBADF;
  const std::uint64_t offset = std::uint64_t{call.word(1)} << 32 | call.word(2);
  const CallResult at = calls::seek_to(call, static_cast<std::int64_t>(offset), call.word(4));
  if (at < 0) return at;
  store_u64(to, static_cast<std::uint64_t>(at), ByteOrder::big);
  return 0;
}

/// struct stat.
void store_status(std::uint8_t* to, const FileStatus& status) {
  constexpr ByteOrder kOrder = ByteOrder::big;
  store_u64(to, status.device, kOrder);
  store_u64(to + 8, status.number, kOrder);
  store_u64(to + 16, status.links, kOrder);
  store_u32(to + 24, status.mode, kOrder);
  store_u64(to + 40, status.special_device, kOrder);
  store_u64(to + 48, status.size, kOrder);
  store_u64(to + 56, status.block_size, kOrder);
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
    {106, "stat", calls::stat},
    {107, "lstat", calls::lstat},
    {108, "fstat", calls::fstat},
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
    {202, "getdents64", calls::getdents64},
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
    {291, "newfstatat", calls::fstatat},
    {292, "unlinkat", calls::unlinkat},
    {296, "readlinkat", calls::readlinkat},
    {298, "faccessat", calls::faccessat},
    {300, "set_robust_list", calls::zero},
    {316, "dup3", calls::dup3},
    {325, "prlimit64", calls::prlimit64},
    {359, "getrandom", calls::getrandom},
    {383, "statx", calls::without},
    {387, "rseq", calls::without},
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

const Abi& linux_ppc64() {
  constexpr unsigned kStatusBytes = 144;
  static const Abi kAbi{"linux_ppc64", "ppc64", {kCalls, std::size(kCalls)}, kStatusBytes, &store_status};
  return kAbi;
}

}  // namespace toroid
