// SPDX-License-Identifier: Apache-2.0
//
// System calls about files: checked pointers here, the host's files behind HostFiles.
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "hw/kernel/process.h"
#include "hw/memory/big_endian.h"

namespace toroid {
namespace {

constexpr std::uint32_t kPathLimit = 4096;
constexpr std::uint32_t kMaxVectors = 1024;
constexpr std::uint32_t kAtCurrent = static_cast<std::uint32_t>(-100);  // AT_FDCWD
constexpr std::uint32_t kAtNoFollow = 0x100, kAtRemoveDirectory = 0x200, kAtEmptyPath = 0x1000;
constexpr std::uint32_t kModeTerminal = 020000;  // S_IFCHR

// fcntl commands.
constexpr std::uint32_t kDuplicate = 0, kGetDescriptorFlags = 1, kSetDescriptorFlags = 2, kGetStatusFlags = 3,
                        kSetStatusFlags = 4, kDuplicateCloseOnExec = 1030;

/// Open flags of Linux on PowerPC as the host has them; what the host must not do for a guest is left out.
int host_flags(std::uint32_t flags) {
  constexpr struct {
    std::uint32_t guest;
    int host;
  } kFlags[] = {
      {0100, O_CREAT},   {0200, O_EXCL},        {01000, O_TRUNC},
      {02000, O_APPEND}, {040000, O_DIRECTORY}, {0100000, O_NOFOLLOW},
  };
  int result = static_cast<int>(flags & 3);
  for (const auto& flag : kFlags) {
    if (flags & flag.guest) result |= flag.host;
  }
  return result;
}

std::int64_t wide(std::uint32_t high, std::uint32_t low) {
  return static_cast<std::int64_t>(std::uint64_t{high} << 32 | low);
}

}  // namespace

/// Standard input (always at its end), output and error; closing them has no effect.
bool Process::is_standard(std::uint32_t descriptor) const {
  return descriptor <= 2;
}

Process::Result Process::write_bytes(int descriptor, const std::uint8_t* from, std::uint32_t size) {
  if (!is_standard(static_cast<std::uint32_t>(descriptor))) return files_.write(descriptor, from, size);
  if (descriptor == 0) return -EBADF;
  output_.write(rank_, descriptor, {reinterpret_cast<const char*>(from), size});
  return size;
}

Process::Result Process::do_read(const Arguments& arguments) {
  const bool standard = is_standard(arguments[0]);
  if (!standard && !files_.is_open(static_cast<int>(arguments[0]))) return -EBADF;
  if (arguments[2] == 0) return 0;
  std::uint8_t* to = space_->writable(arguments[1], arguments[2]);
  if (to == nullptr) return -EFAULT;
  if (standard) return arguments[0] == 0 ? 0 : -EBADF;
  return files_.read(static_cast<int>(arguments[0]), to, arguments[2]);
}

Process::Result Process::do_write(const Arguments& arguments) {
  if (!is_standard(arguments[0]) && !files_.is_open(static_cast<int>(arguments[0]))) return -EBADF;
  if (arguments[2] == 0) return 0;
  const std::uint8_t* from = space_->readable(arguments[1], arguments[2]);
  if (from == nullptr) return -EFAULT;
  return write_bytes(static_cast<int>(arguments[0]), from, arguments[2]);
}

Process::Result Process::do_readv(const Arguments& arguments) {
  if (arguments[2] > kMaxVectors) return -EINVAL;
  Result total = 0;
  for (std::uint32_t i = 0; i < arguments[2]; ++i) {
    const std::uint8_t* vector = space_->readable(arguments[1] + 8 * i, 8);
    if (vector == nullptr) return total > 0 ? total : -EFAULT;
    const std::uint32_t size = load_be32(vector + 4);
    const Result got = do_read({arguments[0], load_be32(vector), size});
    if (got < 0) return total > 0 ? total : got;
    total += got;
    if (got < size) break;
  }
  return total;
}

Process::Result Process::do_writev(const Arguments& arguments) {
  if (arguments[2] > kMaxVectors) return -EINVAL;
  // One write, so that what a rank writes at once stays together.
  std::vector<std::uint8_t> bytes;
  for (std::uint32_t i = 0; i < arguments[2]; ++i) {
    const std::uint8_t* vector = space_->readable(arguments[1] + 8 * i, 8);
    if (vector == nullptr) return -EFAULT;
    const std::uint32_t size = load_be32(vector + 4);
    if (size == 0) continue;
    const std::uint8_t* from = space_->readable(load_be32(vector), size);
    if (from == nullptr) return -EFAULT;
    bytes.insert(bytes.end(), from, from + size);
  }
  if (!is_standard(arguments[0]) && !files_.is_open(static_cast<int>(arguments[0]))) return -EBADF;
  if (bytes.empty()) return 0;
  return write_bytes(static_cast<int>(arguments[0]), bytes.data(), static_cast<std::uint32_t>(bytes.size()));
}

Process::Result Process::do_pread64(const Arguments& arguments) {
  if (!files_.is_open(static_cast<int>(arguments[0]))) return is_standard(arguments[0]) ? -ESPIPE : -EBADF;
  std::uint8_t* to = space_->writable(arguments[1], arguments[2]);
  if (to == nullptr) return -EFAULT;
  return files_.read_at(static_cast<int>(arguments[0]), to, arguments[2], wide(arguments[4], arguments[5]));
}

Process::Result Process::do_pwrite64(const Arguments& arguments) {
  if (!files_.is_open(static_cast<int>(arguments[0]))) return is_standard(arguments[0]) ? -ESPIPE : -EBADF;
  const std::uint8_t* from = space_->readable(arguments[1], arguments[2]);
  if (from == nullptr) return -EFAULT;
  return files_.write_at(static_cast<int>(arguments[0]), from, arguments[2], wide(arguments[4], arguments[5]));
}

Process::Result Process::do_open(const Arguments& arguments) {
  return do_openat({kAtCurrent, arguments[0], arguments[1], arguments[2]});
}

/// Directory descriptors other than AT_FDCWD serve absolute paths only.
Process::Result Process::do_openat(const Arguments& arguments) {
  const auto path = space_->string_at(arguments[1], kPathLimit);
  if (!path) return -EFAULT;
  if (arguments[0] != kAtCurrent && (*path)[0] != '/') return -EBADF;
  return files_.open(*path, host_flags(arguments[2]), arguments[3]);
}

Process::Result Process::do_close(const Arguments& arguments) {
  return is_standard(arguments[0]) ? 0 : files_.close(static_cast<int>(arguments[0]));
}

Process::Result Process::do_dup(const Arguments& arguments) {
  return is_standard(arguments[0]) ? arguments[0] : files_.duplicate(static_cast<int>(arguments[0]));
}

Process::Result Process::do_lseek(const Arguments& arguments) {
  if (is_standard(arguments[0])) return -ESPIPE;
  const auto offset = static_cast<std::int32_t>(arguments[1]);
  const Result at = files_.seek(static_cast<int>(arguments[0]), offset, static_cast<int>(arguments[2]));
  return at > 0x7FFF'FFFF ? -EOVERFLOW : at;
}

Process::Result Process::do_llseek(const Arguments& arguments) {
  if (is_standard(arguments[0])) return -ESPIPE;
  std::uint8_t* to = space_->writable(arguments[3], 8);
  if (to == nullptr) return -EFAULT;
  const Result at =
      files_.seek(static_cast<int>(arguments[0]), wide(arguments[1], arguments[2]), static_cast<int>(arguments[4]));
  if (at < 0) return at;
  store_be64(to, static_cast<std::uint64_t>(at));
  return 0;
}

Process::Result Process::do_ftruncate(const Arguments& arguments) {
  return files_.truncate(static_cast<int>(arguments[0]), static_cast<std::int32_t>(arguments[1]));
}

Process::Result Process::do_ftruncate64(const Arguments& arguments) {
  return files_.truncate(static_cast<int>(arguments[0]), wide(arguments[2], arguments[3]));
}

/// struct stat64 of Linux on PowerPC. Owners and times are the host's own business: zero.
Process::Result Process::put_status(const struct stat& status, std::uint32_t address) {
  constexpr std::uint32_t kSize = 104;
  std::uint8_t* to = space_->writable(address, kSize);
  if (to == nullptr) return -EFAULT;
  std::memset(to, 0, kSize);
  store_be64(to, 1);                               // st_dev
  store_be64(to + 8, files_.file_number(status));  // st_ino
  store_be32(to + 16, status.st_mode);
  store_be32(to + 20, static_cast<std::uint32_t>(status.st_nlink));
  store_be64(to + 48, static_cast<std::uint64_t>(status.st_size));
  store_be32(to + 56, kPageSize);  // st_blksize
  store_be64(to + 64, static_cast<std::uint64_t>((status.st_size + 511) / 512));
  return 0;
}

Process::Result Process::standard_status(std::uint32_t address) {
  constexpr std::uint32_t kSize = 104;
  std::uint8_t* to = space_->writable(address, kSize);
  if (to == nullptr) return -EFAULT;
  std::memset(to, 0, kSize);
  store_be32(to + 16, kModeTerminal | 0620);
  store_be32(to + 20, 1);
  store_be32(to + 56, 1024);
  return 0;
}

Process::Result Process::do_fstat64(const Arguments& arguments) {
  if (is_standard(arguments[0])) return standard_status(arguments[1]);
  struct stat status {};
  const int error = files_.status_of(static_cast<int>(arguments[0]), status);
  return error != 0 ? error : put_status(status, arguments[1]);
}

Process::Result Process::do_stat64(const Arguments& arguments) {
  return do_fstatat64({kAtCurrent, arguments[0], arguments[1], 0});
}

Process::Result Process::do_lstat64(const Arguments& arguments) {
  return do_fstatat64({kAtCurrent, arguments[0], arguments[1], kAtNoFollow});
}

Process::Result Process::do_fstatat64(const Arguments& arguments) {
  const auto path = space_->string_at(arguments[1], kPathLimit);
  if (!path) return -EFAULT;
  if (path->empty() && (arguments[3] & kAtEmptyPath) != 0) return do_fstat64({arguments[0], arguments[2]});
  if (arguments[0] != kAtCurrent && (*path)[0] != '/') return -EBADF;
  struct stat status {};
  const int error = files_.status_of(*path, (arguments[3] & kAtNoFollow) == 0, status);
  return error != 0 ? error : put_status(status, arguments[2]);
}

Process::Result Process::do_access(const Arguments& arguments) {
  return do_faccessat({kAtCurrent, arguments[0], arguments[1]});
}

Process::Result Process::do_faccessat(const Arguments& arguments) {
  const auto path = space_->string_at(arguments[1], kPathLimit);
  if (!path) return -EFAULT;
  if (arguments[0] != kAtCurrent && (*path)[0] != '/') return -EBADF;
  return files_.access(*path, static_cast<int>(arguments[2] & 7));
}

Process::Result Process::do_unlink(const Arguments& arguments) {
  const auto path = space_->string_at(arguments[0], kPathLimit);
  return path ? files_.unlink(*path) : -EFAULT;
}

Process::Result Process::do_unlinkat(const Arguments& arguments) {
  const auto path = space_->string_at(arguments[1], kPathLimit);
  if (!path) return -EFAULT;
  if (arguments[0] != kAtCurrent && (*path)[0] != '/') return -EBADF;
  return (arguments[2] & kAtRemoveDirectory) != 0 ? files_.remove_directory(*path) : files_.unlink(*path);
}

Process::Result Process::do_rmdir(const Arguments& arguments) {
  const auto path = space_->string_at(arguments[0], kPathLimit);
  return path ? files_.remove_directory(*path) : -EFAULT;
}

Process::Result Process::do_mkdir(const Arguments& arguments) {
  const auto path = space_->string_at(arguments[0], kPathLimit);
  return path ? files_.make_directory(*path, arguments[1]) : -EFAULT;
}

Process::Result Process::do_mkdirat(const Arguments& arguments) {
  const auto path = space_->string_at(arguments[1], kPathLimit);
  if (!path) return -EFAULT;
  if (arguments[0] != kAtCurrent && (*path)[0] != '/') return -EBADF;
  return files_.make_directory(*path, arguments[2]);
}

Process::Result Process::do_rename(const Arguments& arguments) {
  const auto from = space_->string_at(arguments[0], kPathLimit);
  const auto to = space_->string_at(arguments[1], kPathLimit);
  return from && to ? files_.rename(*from, *to) : -EFAULT;
}

Process::Result Process::do_readlink(const Arguments& arguments) {
  return do_readlinkat({kAtCurrent, arguments[0], arguments[1], arguments[2]});
}

Process::Result Process::do_readlinkat(const Arguments& arguments) {
  const auto path = space_->string_at(arguments[1], kPathLimit);
  if (!path) return -EFAULT;
  if (arguments[0] != kAtCurrent && (*path)[0] != '/') return -EBADF;
  const std::uint32_t size = std::min(arguments[3], kPathLimit);
  if (size == 0) return -EINVAL;
  std::uint8_t* to = space_->writable(arguments[2], size);
  if (to == nullptr) return -EFAULT;
  return files_.read_link(*path, reinterpret_cast<char*>(to), size);
}

/// The job's directory is the root of all that a process sees.
Process::Result Process::do_getcwd(const Arguments& arguments) {
  if (arguments[1] < 2) return -ERANGE;
  std::uint8_t* to = space_->writable(arguments[0], 2);
  if (to == nullptr) return -EFAULT;
  std::memcpy(to, "/", 2);
  return 2;
}

Process::Result Process::do_ioctl(const Arguments& arguments) {
  return is_standard(arguments[0]) || files_.is_open(static_cast<int>(arguments[0])) ? -ENOTTY : -EBADF;
}

Process::Result Process::do_fcntl(const Arguments& arguments) {
  const bool standard = is_standard(arguments[0]);
  if (!standard && !files_.is_open(static_cast<int>(arguments[0]))) return -EBADF;
  switch (arguments[1]) {
    case kDuplicate:
    case kDuplicateCloseOnExec:
      return do_dup(arguments);
    case kGetDescriptorFlags:
    case kSetDescriptorFlags:
    case kSetStatusFlags:
      return 0;
    case kGetStatusFlags: {
      if (standard) return arguments[0] == 0 ? O_RDONLY : O_WRONLY;
      const int flags = files_.flags_of(static_cast<int>(arguments[0]));
      return (flags & O_ACCMODE) | ((flags & O_APPEND) != 0 ? 02000 : 0);
    }
    default:
      return -EINVAL;
  }
}

}  // namespace toroid
