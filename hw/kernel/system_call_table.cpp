// SPDX-License-Identifier: Apache-2.0
//
// Linux's system call numbers on 32-bit PowerPC, and the project's own.
#include <algorithm>
#include <iterator>

#include "hw/kernel/process.h"

namespace toroid {

// By rising number. Calls that glibc makes at start and is content to see fail are listed with do_zero where they may
// succeed without effect; those left out fail with ENOSYS and are counted.
const Process::SystemCall Process::kSystemCalls[] = {
    {1, "exit", &Process::do_exit},
    {3, "read", &Process::do_read},
    {4, "write", &Process::do_write},
    {5, "open", &Process::do_open},
    {6, "close", &Process::do_close},
    {10, "unlink", &Process::do_unlink},
    {13, "time", &Process::do_time},
    {19, "lseek", &Process::do_lseek},
    {20, "getpid", &Process::do_getpid},
    {24, "getuid", &Process::do_zero},
    {33, "access", &Process::do_access},
    {37, "kill", &Process::do_kill},
    {38, "rename", &Process::do_rename},
    {39, "mkdir", &Process::do_mkdir},
    {40, "rmdir", &Process::do_rmdir},
    {41, "dup", &Process::do_dup},
    {43, "times", &Process::do_times},
    {45, "brk", &Process::do_brk},
    {47, "getgid", &Process::do_zero},
    {49, "geteuid", &Process::do_zero},
    {50, "getegid", &Process::do_zero},
    {54, "ioctl", &Process::do_ioctl},
    {55, "fcntl", &Process::do_fcntl},
    {64, "getppid", &Process::do_getppid},
    {76, "getrlimit", &Process::do_getrlimit},
    {77, "getrusage", &Process::do_getrusage},
    {78, "gettimeofday", &Process::do_gettimeofday},
    {85, "readlink", &Process::do_readlink},
    {90, "mmap", &Process::do_mmap},
    {91, "munmap", &Process::do_munmap},
    {93, "ftruncate", &Process::do_ftruncate},
    {122, "uname", &Process::do_uname},
    {125, "mprotect", &Process::do_mprotect},
    {140, "_llseek", &Process::do_llseek},
    {145, "readv", &Process::do_readv},
    {146, "writev", &Process::do_writev},
    {158, "sched_yield", &Process::do_zero},
    {162, "nanosleep", &Process::do_nanosleep},
    {173, "rt_sigaction", &Process::do_rt_sigaction},
    {174, "rt_sigprocmask", &Process::do_rt_sigprocmask},
    {179, "pread64", &Process::do_pread64},
    {180, "pwrite64", &Process::do_pwrite64},
    {182, "getcwd", &Process::do_getcwd},
    {185, "sigaltstack", &Process::do_zero},
    {190, "ugetrlimit", &Process::do_getrlimit},
    {192, "mmap2", &Process::do_mmap},
    {194, "ftruncate64", &Process::do_ftruncate64},
    {195, "stat64", &Process::do_stat64},
    {196, "lstat64", &Process::do_lstat64},
    {197, "fstat64", &Process::do_fstat64},
    {204, "fcntl64", &Process::do_fcntl},
    {205, "madvise", &Process::do_zero},
    {207, "gettid", &Process::do_gettid},
    {208, "tkill", &Process::do_kill},
    {221, "futex", &Process::do_futex},
    {232, "set_tid_address", &Process::do_gettid},
    {234, "exit_group", &Process::do_exit},
    {246, "clock_gettime", &Process::do_clock_gettime},
    {247, "clock_getres", &Process::do_clock_getres},
    {248, "clock_nanosleep", &Process::do_clock_nanosleep},
    {250, "tgkill", &Process::do_tgkill},
    {286, "openat", &Process::do_openat},
    {287, "mkdirat", &Process::do_mkdirat},
    {291, "fstatat64", &Process::do_fstatat64},
    {292, "unlinkat", &Process::do_unlinkat},
    {296, "readlinkat", &Process::do_readlinkat},
    {298, "faccessat", &Process::do_faccessat},
    {300, "set_robust_list", &Process::do_zero},
    {325, "prlimit64", &Process::do_prlimit64},
    {359, "getrandom", &Process::do_getrandom},
    {383, "statx", &Process::do_without},
    {387, "rseq", &Process::do_without},
    {403, "clock_gettime64", &Process::do_clock_gettime64},
    {406, "clock_getres_time64", &Process::do_clock_getres64},
    {407, "clock_nanosleep_time64", &Process::do_clock_nanosleep64},
    {422, "futex_time64", &Process::do_futex_time64},
    {TOROID_SYS_GET_PERSONALITY, "get_personality", &Process::do_get_personality},
    {TOROID_SYS_GET_MAP, "get_map", &Process::do_get_map},
    {TOROID_SYS_DCR_READ, "dcr_read", &Process::do_dcr_read},
    {TOROID_SYS_DCR_WRITE, "dcr_write", &Process::do_dcr_write},
    {TOROID_SYS_START_CORE, "start_core", &Process::do_start_core},
    {TOROID_SYS_STOP_CORE, "stop_core", &Process::do_stop_core},
    {TOROID_SYS_FLUSH_L1, "flush_l1", &Process::do_flush_l1},
    {TOROID_SYS_SET_INTERRUPT_HANDLER, "set_interrupt_handler", &Process::do_set_interrupt_handler},
    {TOROID_SYS_INTERRUPT_RETURN, "interrupt_return", &Process::do_interrupt_return},
    {TOROID_SYS_END_JOB, "end_job", &Process::do_end_job},
};

const Process::SystemCall* Process::find_call(unsigned number) {
  const auto found = std::lower_bound(std::begin(kSystemCalls), std::end(kSystemCalls), number,
                                      [](const SystemCall& call, unsigned value) { return call.number < value; });
  return found != std::end(kSystemCalls) && found->number == number ? found : nullptr;
}

}  // namespace toroid
