// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace toroid {

/// What a compute node's kernel can ask of its I/O node. Arguments: IoRequest::numbers and what `data` holds.
enum class IoOperation : std::uint32_t {
  open = 1,          ///< flags of Linux on PowerPC, mode; path
  close,             ///<
  duplicate,         ///< lowest number of the new descriptor
  duplicate_to,      ///< number of the new descriptor
  read,              ///< bytes wanted; of a file or standard input
  write,             ///< the bytes; to a file, standard output or error
  read_at,           ///< bytes wanted, offset
  write_at,          ///< offset; the bytes
  seek,              ///< offset, whence
  truncate,          ///< size
  status,            ///< answers with an IoStatus
  path_status,       ///< 1: follow a symbolic link; path. Answers with an IoStatus
  access,            ///< mode; path
  unlink,            ///< path
  remove_directory,  ///< path
  make_directory,    ///< mode; path
  rename,            ///< length of the first path; both paths
  read_link,         ///< bytes wanted; path
  flags,             ///< answers with the flags that the descriptor was opened with
  read_directory,    ///< bytes wanted, 1: little-endian. Answers with struct linux_dirent64, one after the other
  set_flags,         ///< status flags of Linux on PowerPC, of which O_APPEND counts
  path_truncate,     ///< size; path
};

/// A call of a process, as the kernel ships it.
struct IoRequest {
  IoOperation operation = IoOperation::open;
  std::uint32_t rank = 0;
  std::int32_t descriptor = -1;  ///< with a path: the directory that it begins in; -1: the job's
  std::array<std::int64_t, 2> numbers{};
  std::vector<std::uint8_t> data;
};

/// Its answer.
struct IoReply {
  std::int64_t result = 0;  ///< what the Linux call returns, or a negative errno
  std::vector<std::uint8_t> data;
};

/// The part of struct stat that does not tell of the host.
struct IoStatus {
  static constexpr std::size_t kBytes = 20;
  std::uint32_t mode = 0;
  std::uint32_t links = 0;
  std::uint64_t size = 0;
  std::uint32_t number = 0;  ///< of the file
};

// Messages: bytes in the machine's order, big-endian.
std::vector<std::uint8_t> encode(const IoRequest& request);
std::vector<std::uint8_t> encode(const IoReply& reply);
std::vector<std::uint8_t> encode(const IoStatus& status);
/// Throw std::logic_error for what no kernel sends.
IoRequest decode_request(const std::vector<std::uint8_t>& message);
IoReply decode_reply(const std::vector<std::uint8_t>& message);
IoStatus decode_status(const std::vector<std::uint8_t>& message);

/// Most bytes that one request writes or asks for: the kernel cuts longer calls into pieces of this, so that messages
/// stay small whatever a program asks for.
inline constexpr std::uint32_t kIoPiece = 256 << 10;

/// Descriptors of a process, whatever the host has.
inline constexpr std::uint32_t kMostDescriptors = 1024;

/// Bytes of a request before its data.
inline constexpr std::size_t kIoRequestHead = 32;

/// What went over the tree for calls, as one side has seen it.
struct IoTraffic {
  std::uint64_t calls = 0;
  std::uint64_t request_packets = 0;
  std::uint64_t reply_packets = 0;
  std::uint64_t request_bytes = 0;  ///< data of requests: paths, and what was written
  std::uint64_t reply_bytes = 0;    ///< data of answers: what was read

  void add(const IoTraffic& other) {
    calls += other.calls;
    request_packets += other.request_packets;
    reply_packets += other.reply_packets;
    request_bytes += other.request_bytes;
    reply_bytes += other.reply_bytes;
  }
};

}  // namespace toroid
