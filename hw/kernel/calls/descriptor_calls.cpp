// SPDX-License-Identifier: Apache-2.0
//
// System calls about open files: pointers are checked here, the rest is done by the I/O node.
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>
#include <vector>

#include "hw/kernel/calls/calls.h"
#include "hw/kernel/calls/shared_memory_calls.h"
#include "hw/kernel/process.h"

namespace toroid {
namespace {

using Stream = FileTable::Stream;

constexpr std::uint32_t kMaxVectors = 1024;        // IOV_MAX
constexpr std::uint64_t kMostBytes = 0x7FFF'F000;  // Linux moves no more in one call
constexpr std::uint32_t kCloseOnExec = 02000000;   // O_CLOEXEC
constexpr std::int64_t kLargestInteger = 0x7FFF'FFFF;

// fcntl commands.
constexpr std::uint32_t kDuplicate = 0, kGetDescriptorFlags = 1, kSetDescriptorFlags = 2, kGetStatusFlags = 3,
                        kSetStatusFlags = 4, kDuplicateCloseOnExec = 1030;

/// A request about the descriptor that is the call's first argument.
IoRequest request(IoOperation operation, const Call& call, std::int64_t first = 0, std::int64_t second = 0) {
  return {operation, call.process.rank(), call.integer(0), {first, second}, {}};
}

/// Whether a size, by its sign as a ssize_t, is refused.
bool is_negative(const Call& call, std::uint64_t size) {
  return call.process.words().sign(size) < 0;
}

/// Reads piece by piece; a piece that comes short is the last one.
CallResult read_bytes(const Call& call, IoOperation operation, std::uint64_t address, std::uint64_t size,
                      std::int64_t offset = 0) {
  if (is_negative(call, size)) return -EINVAL;
  const auto wanted = static_cast<CallResult>(size);
  CallResult total = 0;
  while (total < wanted) {
    const std::int64_t piece = std::min<std::int64_t>(wanted - total, kIoPiece);
    const auto room = static_cast<std::uint64_t>(piece);
    std::uint8_t* const to = call.process.memory()->writable(address + static_cast<std::uint64_t>(total), room);
    if (to == nullptr) return total > 0 ? total : -EFAULT;  // another core has unmapped it meanwhile
    const CallResult got = call.process.shipped().ship(call, request(operation, call, piece, offset + total), to, room);
    if (got < 0) return total > 0 ? total : got;
    total += got;
    // Standard input may be interactive, so a short read is enough.
    if (got < piece || !call.process.files().is_file(call.integer(0))) break;
  }
  return total;
}

/// The next piece of a write, gathered from as many spans as it takes. False if they cannot be read.
bool gather(AddressSpace& space, const OutputLog::Write& write, std::vector<std::uint8_t>& bytes) {
  bytes.clear();
  std::uint64_t skip = write.done;
  for (const Span& span : write.spans) {
    if (skip >= span.size) {
      skip -= span.size;
      continue;
    }
    const std::uint64_t size = std::min<std::uint64_t>(span.size - skip, kIoPiece - bytes.size());
    const std::uint8_t* const from = space.readable(span.address + skip, size);
    if (from == nullptr) return false;
    bytes.insert(bytes.end(), from, from + size);
    if (bytes.size() == kIoPiece) break;
    skip = 0;
  }
  return true;
}

CallResult write_pieces(const Call& call, IoOperation operation, OutputLog::Write& write, std::int64_t offset) {
  std::vector<std::uint8_t> bytes;
  while (true) {
    const bool readable = gather(*call.process.memory(), write, bytes);
    const auto done = static_cast<CallResult>(write.done);
    if (!readable) return done > 0 ? done : -EFAULT;
    if (bytes.empty()) return done;
    const std::size_t piece = bytes.size();
    IoRequest put = request(operation, call, offset + done);
    put.data = std::move(bytes);
    const CallResult result = call.process.shipped().ship(call, std::move(put));
    if (result < 0) return done > 0 ? done : result;
    call.process.output().answered(write, static_cast<std::uint64_t>(result));
    if (static_cast<std::size_t>(result) < piece) return static_cast<CallResult>(write.done);
  }
}

/// Writes piece by piece: what is written at once stays together, as far as a piece goes. The spans are readable when
/// the call begins.
CallResult write_spans(const Call& call, IoOperation operation, std::vector<Span> spans, std::int64_t offset = 0) {
  const Stream stream = call.process.files().stream(call.integer(0));
  if (stream == Stream::input) return -EBADF;
  OutputLog::Write& write = call.process.output().begin(stream, std::move(spans));
  const CallResult result = write_pieces(call, operation, write, offset);
  // Without an answer, Process::flush_output() tells what is left.
  if (call.process.shipped().awaited(call.core) == nullptr) call.process.output().finish(write, call.core.now());
  return result;
}

/// The buffers of readv and writev. Their sum is cut off where Linux does it.
CallResult spans_at(const Call& call, std::vector<Span>& spans) {
  const std::uint32_t count = call.word(2);
  if (count > kMaxVectors) return -EINVAL;
  if (count == 0) return 0;
  const WordLayout words = call.process.words();
  const std::uint8_t* const vectors = call.process.memory()->readable(call[1], std::uint64_t{2} * words.bytes * count);
  if (vectors == nullptr) return -EFAULT;
  std::uint64_t left = kMostBytes;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint64_t size = words.load(vectors, 2 * i + 1);
    if (is_negative(call, size)) return -EINVAL;
    const std::uint64_t taken = std::min(size, left);
    if (taken > 0) spans.push_back({words.load(vectors, 2 * i), taken});
    left -= taken;
  }
  return 0;
}

/// Whether the descriptor can be read from, or a result for what cannot.
std::optional<CallResult> unreadable(const Call& call) {
  const FileTable& files = call.process.files();
  if (!files.is_open(call.integer(0))) return -EBADF;
  if (!files.is_standard(call.integer(0))) return std::nullopt;
  if (files.stream(call.integer(0)) != Stream::input) return -EBADF;
  if (call.process.rank() != 0) return 0;
  return std::nullopt;
}

/// Why the descriptor is no file with a position; 0 where it is one.
CallResult no_file(const Call& call, int standard) {
  const FileTable& files = call.process.files();
  return files.is_file(call.integer(0)) ? 0 : files.is_open(call.integer(0)) ? -standard : -EBADF;
}

/// A second descriptor for an open one: of number `number` or the least free above.
CallResult duplicate(const Call& call, IoOperation operation, std::int32_t number) {
  FileTable& files = call.process.files();
  if (!files.is_open(call.integer(0))) return -EBADF;
  const Stream stream = files.stream(call.integer(0));  // it may be closed while the call is on its way
  return files.opened(call.process.shipped().ship(call, request(operation, call, number)), stream);
}

}  // namespace

CallResult calls::read(const Call& call) {
  if (!call.process.files().is_open(call.integer(0))) return -EBADF;
  if (call[2] == 0) return 0;
  if (call.process.memory()->writable(call[1], call[2]) == nullptr) return -EFAULT;
  if (const auto result = unreadable(call)) return *result;
  return read_bytes(call, IoOperation::read, call[1], call[2]);
}

CallResult calls::write(const Call& call) {
  if (!call.process.files().is_open(call.integer(0))) return -EBADF;
  if (call[2] == 0) return 0;
  if (call.process.memory()->readable(call[1], call[2]) == nullptr) return -EFAULT;
  if (is_negative(call, call[2])) return -EINVAL;
  return write_spans(call, IoOperation::write, {{call[1], call[2]}});
}

CallResult calls::readv(const Call& call) {
  if (!call.process.files().is_open(call.integer(0))) return -EBADF;
  std::vector<Span> spans;
  if (const CallResult error = spans_at(call, spans)) return error;
  if (const auto result = unreadable(call)) return *result;
  CallResult total = 0;
  for (const Span& span : spans) {
    CallResult got = -EFAULT;
    if (call.process.memory()->writable(span.address, span.size) != nullptr)
      got = read_bytes(call, IoOperation::read, span.address, span.size);
    if (got < 0) return total > 0 ? total : got;
    total += got;
    if (static_cast<std::uint64_t>(got) < span.size) break;
  }
  return total;
}

CallResult calls::writev(const Call& call) {
  if (!call.process.files().is_open(call.integer(0))) return -EBADF;
  std::vector<Span> spans;
  if (const CallResult error = spans_at(call, spans)) return error;
  for (const Span& span : spans) {
    if (call.process.memory()->readable(span.address, span.size) == nullptr) return -EFAULT;
  }
  return spans.empty() ? 0 : write_spans(call, IoOperation::write, std::move(spans));
}

CallResult calls::read_at(const Call& call, std::int64_t offset) {
  if (const CallResult error = no_file(call, ESPIPE)) return error;
  if (offset < 0) return -EINVAL;
  if (call[2] == 0) return 0;
  if (call.process.memory()->writable(call[1], call[2]) == nullptr) return -EFAULT;
  return read_bytes(call, IoOperation::read_at, call[1], call[2], offset);
}

CallResult calls::write_at(const Call& call, std::int64_t offset) {
  if (const CallResult error = no_file(call, ESPIPE)) return error;
  if (offset < 0) return -EINVAL;
  if (call[2] == 0) return 0;
  if (call.process.memory()->readable(call[1], call[2]) == nullptr) return -EFAULT;
  if (is_negative(call, call[2])) return -EINVAL;
  return write_spans(call, IoOperation::write_at, {{call[1], call[2]}}, offset);
}

CallResult calls::close(const Call& call) {
  FileTable& files = call.process.files();
  if (!files.is_open(call.integer(0))) return -EBADF;
  const bool shared = files.shared(call.integer(0)).has_value();
  files.closed(call.integer(0));
  if (shared) return 0;
  return call.process.shipped().ship(call, request(IoOperation::close, call));
}

CallResult calls::dup(const Call& call) {
  return duplicate(call, IoOperation::duplicate, 0);
}

CallResult calls::dup2(const Call& call) {
  return duplicate(call, IoOperation::duplicate_to, call.integer(1));
}

/// The one flag there is, close-on-exec, has no effect where nothing is executed.
CallResult calls::dup3(const Call& call) {
  if ((call.word(2) & ~kCloseOnExec) != 0 || call.word(0) == call.word(1)) return -EINVAL;
  return dup2(call);
}

CallResult calls::seek_to(const Call& call, std::int64_t offset, std::uint32_t whence) {
  return call.process.shipped().ship(call, request(IoOperation::seek, call, offset, whence));
}

CallResult calls::lseek(const Call& call) {
  const WordLayout words = call.process.words();
  if (const CallResult error = no_file(call, ESPIPE)) return error;
  const CallResult at = seek_to(call, words.sign(call[1]), call.word(2));
  return words.bytes == 4 && at > kLargestInteger ? -EOVERFLOW : at;
}

CallResult calls::getdents64(const Call& call) {
  if (const CallResult error = no_file(call, ENOTDIR)) return error;
  const std::uint32_t size = std::min(call.word(2), kIoPiece);
  std::uint8_t* to = call.process.memory()->writable(call[1], size);
  if (to == nullptr) return -EFAULT;
  const bool little = call.process.words().order == ByteOrder::little;
  return call.process.shipped().ship(call, request(IoOperation::read_directory, call, size, little), to, size);
}

CallResult calls::truncate_to(const Call& call, std::int64_t size) {
  if (const auto object = call.process.files().shared(call.integer(0))) return resize_shared(call, *object, size);
  if (const CallResult error = no_file(call, EINVAL)) return error;
  return call.process.shipped().ship(call, request(IoOperation::truncate, call, size));
}

CallResult calls::ftruncate(const Call& call) {
  return truncate_to(call, call.process.words().sign(call[1]));
}

CallResult calls::fsync(const Call& call) {
  const FileTable& files = call.process.files();
  if (!files.is_open(call.integer(0))) return -EBADF;
  return files.is_file(call.integer(0)) ? 0 : -EINVAL;
}

CallResult calls::ioctl(const Call& call) {
  const FileTable& files = call.process.files();
  if (!files.is_open(call.integer(0))) return -EBADF;
  return files.shared(call.integer(0)) ? control_shared(call, call.word(1)) : -ENOTTY;
}

CallResult calls::fcntl(const Call& call) {
  const FileTable& files = call.process.files();
  if (!files.is_open(call.integer(0))) return -EBADF;
  switch (call.word(1)) {
    case kDuplicate:
    case kDuplicateCloseOnExec:
      return duplicate(call, IoOperation::duplicate, call.integer(2));
    case kGetDescriptorFlags:
    case kSetDescriptorFlags:
      return 0;
    case kSetStatusFlags:
      if (files.is_standard(call.integer(0))) return 0;
      return call.process.shipped().ship(call, request(IoOperation::set_flags, call, call.word(2)));
    case kGetStatusFlags:
      if (files.is_standard(call.integer(0)))
        return files.stream(call.integer(0)) == Stream::input ? O_RDONLY : O_WRONLY;
      return call.process.shipped().ship(call, request(IoOperation::flags, call));
    default:
      return -EINVAL;
  }
}

}  // namespace toroid
