// SPDX-License-Identifier: Apache-2.0
#include "hw/debug/rsp_stream.h"

#include "hw/debug/hex_text.h"

namespace toroid {
namespace {

constexpr char kEscape = '}', kFlip = 0x20, kInterrupt = 0x03;

std::uint8_t checksum_of(std::string_view text) {
  std::uint8_t sum = 0;
  for (const char c : text) sum = static_cast<std::uint8_t>(sum + static_cast<std::uint8_t>(c));
  return sum;
}

std::string unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == kEscape && i + 1 < text.size();
    result += escape ? static_cast<char>(text[++i] ^ kFlip) : text[i];
  }
  return result;
}

}  // namespace

std::optional<RspEvent> RspStream::next() {
  using Kind = RspEvent::Kind;
  // Between packets, only these mean anything.
  const std::size_t at = pending_.find_first_of("$+-\x03");
  pending_.erase(0, at);  // all of it if there is nothing
  if (pending_.empty()) return std::nullopt;
  if (const char first = pending_.front(); first != '$') {
    pending_.erase(0, 1);
    return RspEvent{first == kInterrupt ? Kind::interrupt : first == '+' ? Kind::ack : Kind::resend, {}};
  }
  const std::size_t end = pending_.find('#');
  if (end == std::string::npos || end > 2 * kMaxPacket) {
    if (pending_.size() <= 2 * kMaxPacket) return std::nullopt;
    pending_.erase(0, end);
    return RspEvent{};
  }
  if (pending_.size() < end + 3) return std::nullopt;
  const std::string body = pending_.substr(1, end - 1);
  const std::optional<std::uint64_t> sum = hex_number(std::string_view(pending_).substr(end + 1, 2));
  pending_.erase(0, end + 3);
  if (!sum || *sum != checksum_of(body)) return RspEvent{};
  return RspEvent{Kind::packet, unescaped(body)};
}

std::string RspStream::frame(std::string_view payload) {
  std::string body;
  for (const char c : payload) {
    if (c == '$' || c == '#' || c == '*' || c == kEscape) {
      body += kEscape;
      body += static_cast<char>(c ^ kFlip);
    } else {
      body += c;
    }
  }
  return "$" + body + "#" + hex_of(checksum_of(body), 1);
}

}  // namespace toroid
