// SPDX-License-Identifier: Apache-2.0
//
// System calls about names of files, and what there is to know of a file.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/kernel/calls/calls.h"
#include "hw/kernel/calls/shared_memory_calls.h"
#include "hw/kernel/process.h"

namespace toroid {
namespace {

constexpr std::uint32_t kPathLimit = 4096;
/// What a C library looks into at the start of every process, and what nodes do not have.
const std::string kProcesses = "/proc/";
constexpr std::int32_t kAtCurrent = -100;  // AT_FDCWD
constexpr std::uint32_t kAtNoFollow = 0x100, kAtRemoveDirectory = 0x200, kAtEmptyPath = 0x1000;
constexpr std::uint32_t kModeKind = 0170000;      // S_IFMT
constexpr std::uint32_t kModeDirectory = 040000;  // S_IFDIR
constexpr std::uint32_t kModeFile = 0100000;      // S_IFREG
constexpr std::uint32_t kModeTerminal = 020000;   // S_IFCHR
// The device number of a pseudo-terminal: the C library buffers output to one by lines, as people expect of what they
// watch. isatty() still says no (TCGETS is ENOTTY), so that programs do not colour their output or ask questions.
constexpr std::uint32_t kTerminalDevice = 136 << 8;
constexpr std::uint32_t kOutputBlock = 8192;  // how large a buffer the C library is to take
constexpr unsigned kStatusBlock = 512;        // of FileStatus::blocks

struct Path {
  std::int32_t directory = -1;  ///< IoRequest::descriptor
  std::string text;
};

/// Bytes at an address as a path, which counts from a directory's descriptor where it is not absolute.
CallResult path_at(const Call& call, std::int32_t directory, std::uint64_t address, Path& path) {
  const AddressSpace& space = *call.process.memory();
  const auto text = space.string_at(address, kPathLimit);
  if (!text) return space.readable(address, kPathLimit) != nullptr ? -ENAMETOOLONG : -EFAULT;
  path = {-1, *text};
  if (path.text[0] == '/') return 0;
  if (directory == kAtCurrent) {
    const std::string& current = call.process.files().directory();
    if (!text->empty() && !current.empty()) path.text = current + "/" + *text;
    return 0;
  }
  if (!call.process.files().is_open(directory)) return -EBADF;
  if (call.process.files().is_standard(directory)) return -ENOTDIR;
  path.directory = directory;
  return 0;
}

/// An absolute path without ".", ".." and slashes that say nothing; empty: the root.
std::string without_steps(const std::string& path) {
  std::string result;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string step = path.substr(begin, end - begin);
    if (step == "..") {
      result.erase(result.empty() ? 0 : result.rfind('/'));
    } else if (!step.empty() && step != ".") {
      result += "/" + step;
    }
    begin = end + 1;
  }
  return result;
}

IoRequest request(IoOperation operation, const Call& call, const Path& path, std::int64_t first = 0,
                  std::int64_t second = 0) {
  return {operation, call.process.rank(), path.directory, {first, second}, {path.text.begin(), path.text.end()}};
}

/// Ships a call about a path.
CallResult ship_path(const Call& call, IoOperation operation, std::int32_t directory, std::uint64_t address,
                     std::int64_t first = 0, std::int64_t second = 0) {
  Path path;
  if (const CallResult error = path_at(call, directory, address, path)) return error;
  return call.process.shipped().ship(call, request(operation, call, path, first, second));
}

/// Of the permissions `mode`, those that a new file gets.
std::uint32_t granted(const Call& call, std::uint32_t mode) {
  return mode & ~call.process.files().withheld();
}

CallResult open_at(const Call& call, std::int32_t directory, std::uint64_t address, std::uint32_t flags,
                   std::uint32_t mode) {
  Path path;
  if (path_at(call, directory, address, path) == 0) {
    if (const std::optional<CallResult> shared = open_shared(call, path.text, flags)) return *shared;
  }
  return call.process.files().opened(ship_path(call, IoOperation::open, directory, address, flags, granted(call, mode)),
                                     FileTable::Stream::file);
}

CallResult store_status(const Call& call, std::uint64_t address, const FileStatus& status) {
  const Abi& abi = call.process.abi();
  std::uint8_t* const to = call.process.memory()->writable(address, abi.status_bytes);
  if (to == nullptr) return -EFAULT;
  std::memset(to, 0, abi.status_bytes);
  abi.store_status(to, status, call.process.words().order);
  return 0;
}

CallResult ship_status(const Call& call, IoRequest asked, std::uint64_t address) {
  std::vector<std::uint8_t> answer(IoStatus::kBytes);
  if (const CallResult error = call.process.shipped().ship(call, std::move(asked), answer.data(), IoStatus::kBytes))
    return error;
  const IoStatus status = decode_status(answer);
  return store_status(call, address,
                      {1, status.number, status.mode, status.links, 0, status.size,
                       static_cast<std::uint32_t>(kPageSize), (status.size + kStatusBlock - 1) / kStatusBlock});
}

CallResult descriptor_status(const Call& call, std::int32_t descriptor, std::uint64_t address) {
  const FileTable& files = call.process.files();
  if (files.is_standard(descriptor))
    return store_status(call, address, {0, 0, kModeTerminal | 0620, 1, kTerminalDevice, 0, kOutputBlock, 0});
  if (!files.is_open(descriptor)) return -EBADF;
  if (const auto object = files.shared(descriptor)) {
    const std::uint64_t size = size_of_shared(call, *object);
    const auto page = static_cast<std::uint32_t>(kPageSize);
    return store_status(call, address, {0, 0, kModeFile | 0600, 1, 0, size, page, size / kStatusBlock});
  }
  return ship_status(call, {IoOperation::status, call.process.rank(), descriptor, {}, {}}, address);
}

CallResult path_status(const Call& call, std::int32_t directory, std::uint64_t name, std::uint64_t address,
                       std::uint32_t flags) {
  if ((flags & kAtEmptyPath) != 0 && directory != kAtCurrent) {
    const std::uint8_t* const first = call.process.memory()->readable(name, 1);
    if (first == nullptr) return -EFAULT;
    if (*first == 0) return descriptor_status(call, directory, address);
  }
  Path path;
  if (const CallResult error = path_at(call, directory, name, path)) return error;
  const bool follow = (flags & kAtNoFollow) == 0;
  return ship_status(call, request(IoOperation::path_status, call, path, follow ? 1 : 0), address);
}

CallResult read_link(const Call& call, std::int32_t directory, std::uint64_t name, std::uint64_t address,
                     std::uint32_t room) {
  Path path;
  if (const CallResult error = path_at(call, directory, name, path)) return error;
  const std::uint32_t size = std::min(room, kPathLimit);
  if (size == 0) return -EINVAL;
  std::uint8_t* to = call.process.memory()->writable(address, size);
  if (to == nullptr) return -EFAULT;
  if (path.text.compare(0, kProcesses.size(), kProcesses) == 0) return -ENOENT;
  return call.process.shipped().ship(call, request(IoOperation::read_link, call, path, size), to, size);
}

}  // namespace

CallResult calls::open(const Call& call) {
  return open_at(call, kAtCurrent, call[0], call.word(1), call.word(2));
}

CallResult calls::creat(const Call& call) {
  constexpr std::uint32_t kWriteCreateTruncate = 01101;  // O_WRONLY | O_CREAT | O_TRUNC, the same in every ABI
  return open_at(call, kAtCurrent, call[0], kWriteCreateTruncate, call.word(1));
}

CallResult calls::openat(const Call& call) {
  return open_at(call, call.integer(0), call[1], call.word(2), call.word(3));
}

CallResult calls::fstat(const Call& call) {
  return descriptor_status(call, call.integer(0), call[1]);
}

CallResult calls::stat(const Call& call) {
  return path_status(call, kAtCurrent, call[0], call[1], 0);
}

CallResult calls::lstat(const Call& call) {
  return path_status(call, kAtCurrent, call[0], call[1], kAtNoFollow);
}

CallResult calls::fstatat(const Call& call) {
  return path_status(call, call.integer(0), call[1], call[2], call.word(3));
}

CallResult calls::access(const Call& call) {
  return ship_path(call, IoOperation::access, kAtCurrent, call[0], call.word(1) & 7);
}

CallResult calls::faccessat(const Call& call) {
  return ship_path(call, IoOperation::access, call.integer(0), call[1], call.word(2) & 7);
}

CallResult calls::unlink(const Call& call) {
  Path path;
  if (path_at(call, kAtCurrent, call[0], path) == 0) {
    if (const std::optional<CallResult> shared = unlink_shared(call, path.text)) return *shared;
  }
  return ship_path(call, IoOperation::unlink, kAtCurrent, call[0]);
}

CallResult calls::unlinkat(const Call& call) {
  const bool directory = (call.word(2) & kAtRemoveDirectory) != 0;
  return ship_path(call, directory ? IoOperation::remove_directory : IoOperation::unlink, call.integer(0), call[1]);
}

CallResult calls::rmdir(const Call& call) {
  return ship_path(call, IoOperation::remove_directory, kAtCurrent, call[0]);
}

CallResult calls::mkdir(const Call& call) {
  return ship_path(call, IoOperation::make_directory, kAtCurrent, call[0], granted(call, call.word(1)));
}

CallResult calls::mkdirat(const Call& call) {
  return ship_path(call, IoOperation::make_directory, call.integer(0), call[1], granted(call, call.word(2)));
}

CallResult calls::umask(const Call& call) {
  return call.process.files().withhold(call.word(0));
}

CallResult calls::rename(const Call& call) {
  Path from, to;
  if (const CallResult error = path_at(call, kAtCurrent, call[0], from)) return error;
  if (const CallResult error = path_at(call, kAtCurrent, call[1], to)) return error;
  return call.process.shipped().ship(
      call, request(IoOperation::rename, call, {-1, from.text + to.text}, static_cast<std::int64_t>(from.text.size())));
}

CallResult calls::readlink(const Call& call) {
  return read_link(call, kAtCurrent, call[0], call[1], call.word(2));
}

CallResult calls::readlinkat(const Call& call) {
  return read_link(call, call.integer(0), call[1], call[2], call.word(3));
}

CallResult calls::truncate_path_to(const Call& call, std::int64_t size) {
  return size < 0 ? -EINVAL : ship_path(call, IoOperation::path_truncate, kAtCurrent, call[0], size);
}

CallResult calls::truncate(const Call& call) {
  return truncate_path_to(call, call.process.words().sign(call[1]));
}

CallResult calls::chdir(const Call& call) {
  Path path;
  if (const CallResult error = path_at(call, kAtCurrent, call[0], path)) return error;
  std::vector<std::uint8_t> answer(IoStatus::kBytes);
  const CallResult error = call.process.shipped().ship(call, request(IoOperation::path_status, call, path, 1),
                                                       answer.data(), IoStatus::kBytes);
  if (error != 0) return error;
  if ((decode_status(answer).mode & kModeKind) != kModeDirectory) return -ENOTDIR;
  call.process.files().change_directory(without_steps(path.text));
  return 0;
}

/// The job's directory is the root of all that a process sees.
CallResult calls::getcwd(const Call& call) {
  const std::string& directory = call.process.files().directory();
  const std::string text = directory.empty() ? "/" : directory;
  if (call[1] < text.size() + 1) return -ERANGE;
  std::uint8_t* to = call.process.memory()->writable(call[0], text.size() + 1);
  if (to == nullptr) return -EFAULT;
  std::memcpy(to, text.c_str(), text.size() + 1);
  return static_cast<CallResult>(text.size() + 1);
}

}  // namespace toroid
