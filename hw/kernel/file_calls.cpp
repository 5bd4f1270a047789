// SPDX-License-Identifier: Apache-2.0
//
// System calls about files: pointers are checked here, the rest is done by the I/O node.
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
/// What a C library looks into at the start of every process, and what nodes do not have.
const std::string kProcesses = "/proc/";
constexpr std::uint32_t kMaxVectors = 1024;                             // IOV_MAX
constexpr std::uint32_t kMostBytes = 0x7FFF'F000;                       // Linux moves no more in one call
constexpr std::uint32_t kNegative = 0x8000'0000;                        // a size from here on is a negative ssize_t
constexpr std::uint32_t kAtCurrent = static_cast<std::uint32_t>(-100);  // AT_FDCWD
constexpr std::uint32_t kAtNoFollow = 0x100, kAtRemoveDirectory = 0x200, kAtEmptyPath = 0x1000;
constexpr std::uint32_t kCloseOnExec = 02000000;  // O_CLOEXEC
constexpr std::uint32_t kModeTerminal = 020000;   // S_IFCHR
// The device number of a pseudo-terminal: the C library buffers output to one by lines, as people expect of what they
// watch. isatty() still says no (TCGETS is ENOTTY), so that programs do not colour their output or ask questions.
constexpr std::uint32_t kTerminalDevice = 136 << 8;

constexpr std::uint32_t kOutputBlock = 8192;  // how large a buffer the C library is to take

// fcntl commands.
constexpr std::uint32_t kDuplicate = 0, kGetDescriptorFlags = 1, kSetDescriptorFlags = 2, kGetStatusFlags = 3,
                        kSetStatusFlags = 4, kDuplicateCloseOnExec = 1030;

std::int64_t wide(std::uint32_t high, std::uint32_t low) {
  return static_cast<std::int64_t>(std::uint64_t{high} << 32 | low);
}

}  // namespace

bool Process::is_file(std::uint32_t descriptor) const {
  return is_open(descriptor) && stream(descriptor) == Stream::file;
}

Process::Result Process::ship(IoRequest request, std::uint8_t* to, std::uint32_t room) {
  Core& core = *caller_;
  request.rank = rank_;
  awaited_[&core] = call_name_;
  const sc_core::sc_time begin = core.time();
  const std::optional<IoReply> reply = io_.call(core, request, io_traffic_);
  caller_ = &core;            // another core's call may have come meanwhile
  if (!reply) return -EINTR;  // not visible to the program: the core stops
  awaited_.erase(&core);
  if (CoreObserver* const observer = core.observer()) {
    observer->on_shipped_call(core, static_cast<unsigned>(request.operation), request.descriptor, request.data.size(),
                              reply->result, begin);
  }
  if (to != nullptr && !reply->data.empty()) {
    std::memcpy(to, reply->data.data(), std::min<std::size_t>(room, reply->data.size()));
  }
  return reply->result;
}

/// Bytes at an address as a path, which counts from a directory's descriptor where it is not absolute.
Process::Result Process::path_at(std::uint32_t directory, std::uint32_t address, Path& path) const {
  const auto text = space_->string_at(address, kPathLimit);
  if (!text) return space_->readable(address, kPathLimit) != nullptr ? -ENAMETOOLONG : -EFAULT;
  path = {-1, *text};
  if (directory == kAtCurrent || path.text[0] == '/') return 0;
  if (!is_open(directory)) return -EBADF;
  if (is_standard(directory)) return -ENOTDIR;
  path.directory = static_cast<std::int32_t>(directory);
  return 0;
}

Process::Result Process::ship_path(IoOperation operation, std::uint32_t directory, std::uint32_t address,
                                   std::int64_t first, std::int64_t second) {
  Path path;
  if (const Result error = path_at(directory, address, path)) return error;
  return ship({operation, rank_, path.directory, {first, second}, {path.text.begin(), path.text.end()}});
}

Process::Result Process::opened(Result descriptor, Stream stream) {
  if (descriptor >= 0) open_[static_cast<std::int32_t>(descriptor)] = stream;
  return descriptor;
}

/// Reads piece by piece; a piece that comes short is the last one.
Process::Result Process::read_bytes(IoOperation operation, std::uint32_t descriptor, std::uint32_t address,
                                    std::uint32_t size, std::int64_t offset) {
  if (size >= kNegative) return -EINVAL;
  Result total = 0;
  while (total < size) {
    const auto piece = static_cast<std::uint32_t>(std::min<std::int64_t>(size - total, kIoPiece));
    std::uint8_t* const to = space_->writable(address + static_cast<std::uint32_t>(total), piece);
    if (to == nullptr) return total > 0 ? total : -EFAULT;  // the other core has unmapped it meanwhile
    const Result got =
        ship({operation, rank_, static_cast<std::int32_t>(descriptor), {piece, offset + total}, {}}, to, piece);
    if (got < 0) return total > 0 ? total : got;
    total += got;
    // Standard input may be interactive, so a short read is enough.
    if (got < piece || !is_file(descriptor)) break;
  }
  return total;
}

/// Writes piece by piece, each gathered from as many spans as it takes: what is written at once stays together, as far
/// as a piece goes. The spans are readable when the call begins.
Process::Result Process::write_spans(IoOperation operation, std::uint32_t descriptor, std::vector<Span> spans,
                                     std::int64_t offset) {
  const Stream of = stream(descriptor);
  if (of == Stream::input) return -EBADF;
  const bool file = of == Stream::file;
  writes_.push_back({file ? 0 : of == Stream::error ? 2 : 1, std::move(spans)});
  const auto write = std::prev(writes_.end());
  const Result result = write_pieces(operation, descriptor, *write, offset);
  if (awaited_.count(caller_) != 0) return result;  // there was no answer: flush_output() tells what is left
  write->finished = caller_->now();
  // Of those that are done, only the last is of interest.
  writes_.remove_if([&write](const Write& other) { return other.finished && &other != &*write; });
  return result;
}

Process::Result Process::write_pieces(IoOperation operation, std::uint32_t descriptor, Write& write,
                                      std::int64_t offset) {
  std::vector<std::uint8_t> bytes;
  while (true) {
    bytes.clear();
    std::uint64_t skip = write.done;
    for (const Span& span : write.spans) {
      if (skip >= span.size) {
        skip -= span.size;
        continue;
      }
      const auto at = static_cast<std::uint32_t>(span.address + skip);
      const auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(span.size - skip, kIoPiece - bytes.size()));
      const std::uint8_t* const from = space_->readable(at, size);
      if (from == nullptr) return write.done > 0 ? static_cast<Result>(write.done) : -EFAULT;
      bytes.insert(bytes.end(), from, from + size);
      if (bytes.size() == kIoPiece) break;
      skip = 0;
    }
    const auto done = static_cast<Result>(write.done);
    if (bytes.empty()) return done;
    const std::size_t piece = bytes.size();
    const Result put =
        ship({operation, rank_, static_cast<std::int32_t>(descriptor), {offset + done, 0}, std::move(bytes)});
    if (put < 0) return done > 0 ? done : put;
    write.done += static_cast<std::uint64_t>(put);
    if (write.stream != 0) acknowledged_ += static_cast<std::uint64_t>(put);
    if (static_cast<std::size_t>(put) < piece) return static_cast<Result>(write.done);
  }
}

/// The buffers of readv and writev. Their sum is cut off where Linux does it.
Process::Result Process::spans_at(std::uint32_t address, std::uint32_t count, std::vector<Span>& spans) const {
  if (count > kMaxVectors) return -EINVAL;
  if (count == 0) return 0;
  const std::uint8_t* const vectors = space_->readable(address, 8 * count);
  if (vectors == nullptr) return -EFAULT;
  std::uint32_t left = kMostBytes;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t size = load_be32(vectors + 8 * i + 4);
    if (size >= kNegative) return -EINVAL;
    if (const std::uint32_t taken = std::min(size, left); taken > 0)
      spans.push_back({load_be32(vectors + 8 * i), taken});
    left -= std::min(size, left);
  }
  return 0;
}

/// Whether a descriptor can be read from, or a result for what cannot.
std::optional<Process::Result> Process::unreadable(std::uint32_t descriptor) const {
  if (!is_open(descriptor)) return -EBADF;
  if (!is_standard(descriptor)) return std::nullopt;
  if (stream(descriptor) != Stream::input) return -EBADF;
  if (rank_ != 0) return 0;
  return std::nullopt;
}

Process::Result Process::do_read(const Arguments& arguments) {
  if (!is_open(arguments[0])) return -EBADF;
  if (arguments[2] == 0) return 0;
  if (space_->writable(arguments[1], arguments[2]) == nullptr) return -EFAULT;
  if (const auto result = unreadable(arguments[0])) return *result;
  return read_bytes(IoOperation::read, arguments[0], arguments[1], arguments[2]);
}

Process::Result Process::do_write(const Arguments& arguments) {
  if (!is_open(arguments[0])) return -EBADF;
  if (arguments[2] == 0) return 0;
  if (space_->readable(arguments[1], arguments[2]) == nullptr) return -EFAULT;
  if (arguments[2] >= kNegative) return -EINVAL;
  return write_spans(IoOperation::write, arguments[0], {{arguments[1], arguments[2]}});
}

Process::Result Process::do_readv(const Arguments& arguments) {
  if (!is_open(arguments[0])) return -EBADF;
  std::vector<Span> spans;
  if (const Result error = spans_at(arguments[1], arguments[2], spans)) return error;
  if (const auto result = unreadable(arguments[0])) return *result;
  Result total = 0;
  for (const Span& span : spans) {
    Result got = -EFAULT;
    if (space_->writable(span.address, span.size) != nullptr)
      got = read_bytes(IoOperation::read, arguments[0], span.address, span.size);
    if (got < 0) return total > 0 ? total : got;
    total += got;
    if (got < span.size) break;
  }
  return total;
}

Process::Result Process::do_writev(const Arguments& arguments) {
  if (!is_open(arguments[0])) return -EBADF;
  std::vector<Span> spans;
  if (const Result error = spans_at(arguments[1], arguments[2], spans)) return error;
  for (const Span& span : spans) {
    if (space_->readable(span.address, span.size) == nullptr) return -EFAULT;
  }
  return spans.empty() ? 0 : write_spans(IoOperation::write, arguments[0], std::move(spans));
}

Process::Result Process::do_pread64(const Arguments& arguments) {
  if (!is_file(arguments[0])) return is_open(arguments[0]) ? -ESPIPE : -EBADF;
  const std::int64_t offset = wide(arguments[4], arguments[5]);
  if (offset < 0) return -EINVAL;
  if (arguments[2] == 0) return 0;
  if (space_->writable(arguments[1], arguments[2]) == nullptr) return -EFAULT;
  return read_bytes(IoOperation::read_at, arguments[0], arguments[1], arguments[2], offset);
}

Process::Result Process::do_pwrite64(const Arguments& arguments) {
  if (!is_file(arguments[0])) return is_open(arguments[0]) ? -ESPIPE : -EBADF;
  const std::int64_t offset = wide(arguments[4], arguments[5]);
  if (offset < 0) return -EINVAL;
  if (arguments[2] == 0) return 0;
  if (space_->readable(arguments[1], arguments[2]) == nullptr) return -EFAULT;
  if (arguments[2] >= kNegative) return -EINVAL;
  return write_spans(IoOperation::write_at, arguments[0], {{arguments[1], arguments[2]}}, offset);
}

Process::Result Process::do_open(const Arguments& arguments) {
  return do_openat({kAtCurrent, arguments[0], arguments[1], arguments[2]});
}

Process::Result Process::do_creat(const Arguments& arguments) {
  constexpr std::uint32_t kWriteCreateTruncate = 01101;  // O_WRONLY | O_CREAT | O_TRUNC on PowerPC
  return do_open({arguments[0], kWriteCreateTruncate, arguments[1]});
}

Process::Result Process::do_openat(const Arguments& arguments) {
  return opened(ship_path(IoOperation::open, arguments[0], arguments[1], arguments[2], arguments[3]), Stream::file);
}

Process::Result Process::do_close(const Arguments& arguments) {
  if (!is_open(arguments[0])) return -EBADF;
  const auto descriptor = static_cast<std::int32_t>(arguments[0]);
  open_.erase(descriptor);
  return ship({IoOperation::close, rank_, descriptor, {}, {}});
}

Process::Result Process::duplicate(IoOperation operation, std::uint32_t descriptor, std::uint32_t number) {
  if (!is_open(descriptor)) return -EBADF;
  const Stream of = stream(descriptor);  // it may be closed while the call is on its way
  return opened(
      ship({operation, rank_, static_cast<std::int32_t>(descriptor), {static_cast<std::int32_t>(number), 0}, {}}), of);
}

Process::Result Process::do_dup(const Arguments& arguments) {
  return duplicate(IoOperation::duplicate, arguments[0], 0);
}

Process::Result Process::do_dup2(const Arguments& arguments) {
  return duplicate(IoOperation::duplicate_to, arguments[0], arguments[1]);
}

/// The one flag there is, close-on-exec, has no effect where nothing is executed.
Process::Result Process::do_dup3(const Arguments& arguments) {
  if ((arguments[2] & ~kCloseOnExec) != 0 || arguments[0] == arguments[1]) return -EINVAL;
  return do_dup2(arguments);
}

Process::Result Process::do_lseek(const Arguments& arguments) {
  if (is_standard(arguments[0])) return -ESPIPE;
  if (!is_open(arguments[0])) return -EBADF;
  const auto offset = static_cast<std::int32_t>(arguments[1]);
  const Result at =
      ship({IoOperation::seek, rank_, static_cast<std::int32_t>(arguments[0]), {offset, arguments[2]}, {}});
  return at > 0x7FFF'FFFF ? -EOVERFLOW : at;
}

Process::Result Process::do_llseek(const Arguments& arguments) {
  if (is_standard(arguments[0])) return -ESPIPE;
  std::uint8_t* to = space_->writable(arguments[3], 8);
  if (to == nullptr) return -EFAULT;
  if (!is_file(arguments[0])) return -EBADF;
  const Result at = ship({IoOperation::seek,
                          rank_,
                          static_cast<std::int32_t>(arguments[0]),
                          {wide(arguments[1], arguments[2]), arguments[4]},
                          {}});
  if (at < 0) return at;
  store_be64(to, static_cast<std::uint64_t>(at));
  return 0;
}

Process::Result Process::do_getdents64(const Arguments& arguments) {
  if (!is_open(arguments[0])) return -EBADF;
  if (is_standard(arguments[0])) return -ENOTDIR;
  const std::uint32_t size = std::min(arguments[2], kIoPiece);
  std::uint8_t* to = space_->writable(arguments[1], size);
  if (to == nullptr) return -EFAULT;
  return ship({IoOperation::read_directory, rank_, static_cast<std::int32_t>(arguments[0]), {size, 0}, {}}, to, size);
}

Process::Result Process::do_ftruncate(const Arguments& arguments) {
  return do_ftruncate64({arguments[0], 0, static_cast<std::int32_t>(arguments[1]) < 0 ? ~0u : 0u, arguments[1]});
}

Process::Result Process::do_ftruncate64(const Arguments& arguments) {
  if (!is_file(arguments[0])) return is_open(arguments[0]) ? -EINVAL : -EBADF;
  return ship({IoOperation::truncate,
               rank_,
               static_cast<std::int32_t>(arguments[0]),
               {wide(arguments[2], arguments[3]), 0},
               {}});
}

/// struct stat64 of Linux on PowerPC. Owners and times are the host's own business: zero.
Process::Result Process::ship_status(IoRequest request, std::uint32_t address) {
  constexpr std::uint32_t kSize = 104;
  std::vector<std::uint8_t> answer(IoStatus::kBytes);
  if (const Result error = ship(std::move(request), answer.data(), IoStatus::kBytes)) return error;
  const IoStatus status = decode_status(answer);
  std::uint8_t* to = space_->writable(address, kSize);
  if (to == nullptr) return -EFAULT;
  std::memset(to, 0, kSize);
  store_be64(to, 1);                  // st_dev
  store_be64(to + 8, status.number);  // st_ino
  store_be32(to + 16, status.mode);
  store_be32(to + 20, status.links);
  store_be64(to + 48, status.size);
  store_be32(to + 56, kPageSize);  // st_blksize
  store_be64(to + 64, (status.size + 511) / 512);
  return 0;
}

Process::Result Process::standard_status(std::uint32_t address) {
  constexpr std::uint32_t kSize = 104;
  std::uint8_t* to = space_->writable(address, kSize);
  if (to == nullptr) return -EFAULT;
  std::memset(to, 0, kSize);
  store_be32(to + 16, kModeTerminal | 0620);
  store_be32(to + 20, 1);
  store_be64(to + 32, kTerminalDevice);  // st_rdev
  store_be32(to + 56, kOutputBlock);
  return 0;
}

Process::Result Process::do_fstat64(const Arguments& arguments) {
  if (is_standard(arguments[0])) return standard_status(arguments[1]);
  if (!is_open(arguments[0])) return -EBADF;
  return ship_status({IoOperation::status, rank_, static_cast<std::int32_t>(arguments[0]), {}, {}}, arguments[1]);
}

Process::Result Process::do_stat64(const Arguments& arguments) {
  return do_fstatat64({kAtCurrent, arguments[0], arguments[1], 0});
}

Process::Result Process::do_lstat64(const Arguments& arguments) {
  return do_fstatat64({kAtCurrent, arguments[0], arguments[1], kAtNoFollow});
}

Process::Result Process::do_fstatat64(const Arguments& arguments) {
  if ((arguments[3] & kAtEmptyPath) != 0 && arguments[0] != kAtCurrent) {
    const std::uint8_t* const first = space_->readable(arguments[1], 1);
    if (first == nullptr) return -EFAULT;
    if (*first == 0) return do_fstat64({arguments[0], arguments[2]});
  }
  Path path;
  if (const Result error = path_at(arguments[0], arguments[1], path)) return error;
  const bool follow = (arguments[3] & kAtNoFollow) == 0;
  return ship_status(
      {IoOperation::path_status, rank_, path.directory, {follow ? 1 : 0, 0}, {path.text.begin(), path.text.end()}},
      arguments[2]);
}

Process::Result Process::do_access(const Arguments& arguments) {
  return do_faccessat({kAtCurrent, arguments[0], arguments[1]});
}

Process::Result Process::do_faccessat(const Arguments& arguments) {
  return ship_path(IoOperation::access, arguments[0], arguments[1], arguments[2] & 7);
}

Process::Result Process::do_unlink(const Arguments& arguments) {
  return ship_path(IoOperation::unlink, kAtCurrent, arguments[0]);
}

Process::Result Process::do_unlinkat(const Arguments& arguments) {
  return ship_path((arguments[2] & kAtRemoveDirectory) != 0 ? IoOperation::remove_directory : IoOperation::unlink,
                   arguments[0], arguments[1]);
}

Process::Result Process::do_rmdir(const Arguments& arguments) {
  return ship_path(IoOperation::remove_directory, kAtCurrent, arguments[0]);
}

Process::Result Process::do_mkdir(const Arguments& arguments) {
  return ship_path(IoOperation::make_directory, kAtCurrent, arguments[0], arguments[1]);
}

Process::Result Process::do_mkdirat(const Arguments& arguments) {
  return ship_path(IoOperation::make_directory, arguments[0], arguments[1], arguments[2]);
}

Process::Result Process::do_rename(const Arguments& arguments) {
  Path from, to;
  if (const Result error = path_at(kAtCurrent, arguments[0], from)) return error;
  if (const Result error = path_at(kAtCurrent, arguments[1], to)) return error;
  const std::string both = from.text + to.text;
  return ship(
      {IoOperation::rename, rank_, -1, {static_cast<std::int64_t>(from.text.size()), 0}, {both.begin(), both.end()}});
}

Process::Result Process::do_readlink(const Arguments& arguments) {
  return do_readlinkat({kAtCurrent, arguments[0], arguments[1], arguments[2]});
}

Process::Result Process::do_readlinkat(const Arguments& arguments) {
  Path path;
  if (const Result error = path_at(arguments[0], arguments[1], path)) return error;
  const std::uint32_t size = std::min(arguments[3], kPathLimit);
  if (size == 0) return -EINVAL;
  std::uint8_t* to = space_->writable(arguments[2], size);
  if (to == nullptr) return -EFAULT;
  if (path.text.compare(0, kProcesses.size(), kProcesses) == 0) return -ENOENT;
  return ship({IoOperation::read_link, rank_, path.directory, {size, 0}, {path.text.begin(), path.text.end()}}, to,
              size);
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
  return is_open(arguments[0]) ? -ENOTTY : -EBADF;
}

Process::Result Process::do_fcntl(const Arguments& arguments) {
  if (!is_open(arguments[0])) return -EBADF;
  switch (arguments[1]) {
    case kDuplicate:
    case kDuplicateCloseOnExec:
      return duplicate(IoOperation::duplicate, arguments[0], arguments[2]);
    case kGetDescriptorFlags:
    case kSetDescriptorFlags:
      return 0;
    case kSetStatusFlags:
      if (is_standard(arguments[0])) return 0;
      return ship({IoOperation::set_flags, rank_, static_cast<std::int32_t>(arguments[0]), {arguments[2], 0}, {}});
    case kGetStatusFlags:
      if (is_standard(arguments[0])) return stream(arguments[0]) == Stream::input ? O_RDONLY : O_WRONLY;
      return ship({IoOperation::flags, rank_, static_cast<std::int32_t>(arguments[0]), {}, {}});
    default:
      return -EINVAL;
  }
}

}  // namespace toroid
