// SPDX-License-Identifier: Apache-2.0
#include "hw/io/io_call.h"

#include <stdexcept>

#include "hw/memory/big_endian.h"

namespace toroid {
namespace {

constexpr std::size_t kReplyHead = 8;

std::vector<std::uint8_t> with_data(std::size_t head, const std::vector<std::uint8_t>& data) {
  std::vector<std::uint8_t> message(head);
  message.reserve(head + data.size());
  message.insert(message.end(), data.begin(), data.end());
  return message;
}

void require(const std::vector<std::uint8_t>& message, std::size_t bytes) {
  if (message.size() < bytes)
    throw std::logic_error("a message of " + std::to_string(message.size()) + " bytes between kernel and I/O node");
}

}  // namespace

std::vector<std::uint8_t> encode(const IoRequest& request) {
  std::vector<std::uint8_t> message = with_data(kIoRequestHead, request.data);
  store_be32(message.data(), static_cast<std::uint32_t>(request.operation));
  store_be32(message.data() + 4, request.rank);
  store_be32(message.data() + 8, static_cast<std::uint32_t>(request.descriptor));
  store_be64(message.data() + 16, static_cast<std::uint64_t>(request.numbers[0]));
  store_be64(message.data() + 24, static_cast<std::uint64_t>(request.numbers[1]));
  return message;
}

std::vector<std::uint8_t> encode(const IoReply& reply) {
  std::vector<std::uint8_t> message = with_data(kReplyHead, reply.data);
  store_be64(message.data(), static_cast<std::uint64_t>(reply.result));
  return message;
}

std::vector<std::uint8_t> encode(const IoStatus& status) {
  std::vector<std::uint8_t> message(IoStatus::kBytes);
  store_be32(message.data(), status.mode);
  store_be32(message.data() + 4, status.links);
  store_be64(message.data() + 8, status.size);
  store_be32(message.data() + 16, status.number);
  return message;
}

IoRequest decode_request(const std::vector<std::uint8_t>& message) {
  require(message, kIoRequestHead);
  IoRequest request;
  request.operation = static_cast<IoOperation>(load_be32(message.data()));
  request.rank = load_be32(message.data() + 4);
  request.descriptor = static_cast<std::int32_t>(load_be32(message.data() + 8));
  for (unsigned i = 0; i < request.numbers.size(); ++i)
    request.numbers[i] = static_cast<std::int64_t>(load_be64(message.data() + 16 + 8 * i));
  request.data.assign(message.begin() + kIoRequestHead, message.end());
  return request;
}

IoReply decode_reply(const std::vector<std::uint8_t>& message) {
  require(message, kReplyHead);
  return {static_cast<std::int64_t>(load_be64(message.data())), {message.begin() + kReplyHead, message.end()}};
}

IoStatus decode_status(const std::vector<std::uint8_t>& message) {
  require(message, IoStatus::kBytes);
  return {load_be32(message.data()), load_be32(message.data() + 4), load_be64(message.data() + 8),
          load_be32(message.data() + 16)};
}

}  // namespace toroid
