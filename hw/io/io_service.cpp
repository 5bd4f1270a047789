// SPDX-License-Identifier: Apache-2.0
#include "hw/io/io_service.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "hw/memory/byte_order.h"

namespace toroid {
namespace {

constexpr int kAppendOnPowerPc = 02000;

/// Open flags of Linux on PowerPC as the host has them; what the host must not do for a guest is left out.
int host_flags(std::int64_t flags) {
  constexpr struct {
    std::int64_t guest;
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

IoReply status_reply(int error, const struct stat& status, HostFiles& files) {
  if (error != 0) return {error, {}};
  return {0, encode(IoStatus{status.st_mode, static_cast<std::uint32_t>(status.st_nlink),
                             static_cast<std::uint64_t>(status.st_size), files.file_number(status)})};
}

/// A record of getdents64: number, place of the next one, length of the record, type, name and its end.
constexpr std::size_t kRecordHead = 19, kRecordAlignment = 8;

std::size_t record_bytes(const DirectoryEntry& entry) {
  return (kRecordHead + entry.name.size() + 1 + kRecordAlignment - 1) / kRecordAlignment * kRecordAlignment;
}

void add_record(const DirectoryEntry& entry, std::int64_t next, ByteOrder order, std::vector<std::uint8_t>& to) {
  const std::size_t begin = to.size();
  to.resize(begin + record_bytes(entry));
  std::uint8_t* const record = to.data() + begin;
  store_u64(record, entry.number, order);
  store_u64(record + 8, static_cast<std::uint64_t>(next), order);
  store_number(record + 16, record_bytes(entry), 2, order);
  record[18] = entry.type;
  std::memcpy(record + kRecordHead, entry.name.data(), entry.name.size());
}

/// As many whole records as fit.
IoReply read_directory(HostFiles& files, int descriptor, std::size_t wanted, ByteOrder order) {
  IoReply reply;
  int error = 0;
  const DirectoryEntry* entry = files.entry(descriptor, error);
  for (; entry != nullptr && reply.data.size() + record_bytes(*entry) <= wanted;
       entry = files.entry(descriptor, error)) {
    add_record(*entry, files.entry_place(descriptor) + 1, order, reply.data);
    files.skip_entry(descriptor);
  }
  reply.result = static_cast<std::int64_t>(reply.data.size());
  if (reply.data.empty()) reply.result = entry != nullptr ? -EINVAL : error;
  return reply;
}

}  // namespace

HostFiles& IoService::files_of(std::uint32_t rank) {
  std::unique_ptr<HostFiles>& files = files_[rank];
  if (files == nullptr) files = std::make_unique<HostFiles>(directory_);
  return *files;
}

int IoService::output_stream(const IoRequest& request) {
  if (request.operation != IoOperation::write) return 0;
  return std::max(0, files_of(request.rank).standard_stream(request.descriptor));
}

std::uint64_t IoService::passed_on(std::uint32_t rank) const {
  const auto found = passed_on_.find(rank);
  return found == passed_on_.end() ? 0 : found->second;
}

IoReply IoService::write(const IoRequest& request) {
  if (const int stream = output_stream(request)) {
    output_.write(request.rank, stream, {reinterpret_cast<const char*>(request.data.data()), request.data.size()});
    passed_on_[request.rank] += request.data.size();
    return {static_cast<std::int64_t>(request.data.size()), {}};
  }
  HostFiles& files = files_of(request.rank);
  return {request.operation == IoOperation::write
              ? files.write(request.descriptor, request.data.data(), request.data.size())
              : files.write_at(request.descriptor, request.data.data(), request.data.size(), request.numbers[0]),
          {}};
}

IoReply IoService::read(const IoRequest& request, bool at) {
  HostFiles& files = files_of(request.rank);
  const auto wanted = static_cast<std::size_t>(request.numbers[0]);
  IoReply reply;
  reply.data.resize(wanted);
  reply.result = at ? files.read_at(request.descriptor, reply.data.data(), wanted, request.numbers[1])
                    : files.read(request.descriptor, reply.data.data(), wanted);
  reply.data.resize(static_cast<std::size_t>(std::max<std::int64_t>(0, reply.result)));
  return reply;
}

IoReply IoService::perform(const IoRequest& request) {
  HostFiles& files = files_of(request.rank);
  const int descriptor = request.descriptor;
  const std::int64_t first = request.numbers[0], second = request.numbers[1];
  const auto text = [&request] { return std::string(request.data.begin(), request.data.end()); };
  const auto path = [&] { return files.from_directory(descriptor, text()); };
  struct stat status {};
  switch (request.operation) {
    case IoOperation::open:
      return {files.open(path(), host_flags(first), static_cast<unsigned>(second)), {}};
    case IoOperation::close:
      return {files.close(descriptor), {}};
    case IoOperation::duplicate:
      return {files.duplicate(descriptor, static_cast<int>(first)), {}};
    case IoOperation::duplicate_to:
      return {files.duplicate_to(descriptor, static_cast<int>(first)), {}};
    case IoOperation::read:
    case IoOperation::read_at:
      return read(request, request.operation == IoOperation::read_at);
    case IoOperation::write:
    case IoOperation::write_at:
      return write(request);
    case IoOperation::seek:
      return {files.seek(descriptor, first, static_cast<int>(second)), {}};
    case IoOperation::truncate:
      return {files.truncate(descriptor, first), {}};
    case IoOperation::path_truncate:
      return {files.truncate(path(), first), {}};
    case IoOperation::status:
      return status_reply(files.status_of(descriptor, status), status, files);
    case IoOperation::path_status:
      return status_reply(files.status_of(path(), first != 0, status), status, files);
    case IoOperation::access:
      return {files.access(path(), static_cast<int>(first)), {}};
    case IoOperation::unlink:
      return {files.unlink(path()), {}};
    case IoOperation::remove_directory:
      return {files.remove_directory(path()), {}};
    case IoOperation::make_directory:
      return {files.make_directory(path(), static_cast<unsigned>(first)), {}};
    case IoOperation::rename: {
      const std::string both = text();
      const auto length = static_cast<std::size_t>(first);
      return {files.rename(both.substr(0, length), both.substr(length)), {}};
    }
    case IoOperation::read_link: {
      IoReply reply;
      reply.data.resize(static_cast<std::size_t>(first));
      reply.result = files.read_link(path(), reinterpret_cast<char*>(reply.data.data()), reply.data.size());
      reply.data.resize(static_cast<std::size_t>(std::max<std::int64_t>(0, reply.result)));
      return reply;
    }
    case IoOperation::read_directory:
      return read_directory(files, descriptor, static_cast<std::size_t>(first),
                            second != 0 ? ByteOrder::little : ByteOrder::big);
    case IoOperation::set_flags:
      return {files.set_append(descriptor, (first & kAppendOnPowerPc) != 0), {}};
    case IoOperation::flags: {
      const int flags = files.flags_of(descriptor);
      return {flags < 0 ? flags : (flags & O_ACCMODE) | ((flags & O_APPEND) != 0 ? kAppendOnPowerPc : 0), {}};
    }
  }
  return {-ENOSYS, {}};
}

void IoService::perform_part(const std::vector<std::uint8_t>& message) {
  if (message.size() <= kIoRequestHead) return;
  const IoRequest request = decode_request(message);
  if (output_stream(request) != 0) write(request);
}

}  // namespace toroid
