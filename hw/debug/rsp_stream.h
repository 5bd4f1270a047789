// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace toroid {

/// What came in: a packet, Ctrl-C, or what the two ends tell each other about packets.
struct RspEvent {
  enum class Kind : std::uint8_t {
    packet,     ///< `text` is what is in it, escapes undone
    interrupt,  ///< Ctrl-C
    ack,        ///< the other end has our last packet
    resend,     ///< it has not
    corrupt,    ///< a packet whose checksum is wrong, or that is longer than any can be
  };
  Kind kind = Kind::corrupt;
  std::string text;
};

/// Cuts what gdb sends into packets (gdb's manual, "Remote Serial Protocol", Overview), and wraps what it is sent.
class RspStream {
 public:
  /// Most that a packet may hold, either way; told to gdb.
  static constexpr std::size_t kMaxPacket = 0x4000;

  void feed(std::string_view bytes) { pending_.append(bytes); }
  /// The next thing that has come in whole.
  std::optional<RspEvent> next();

  /// `payload` as a packet: escaped, between `$` and its checksum.
  static std::string frame(std::string_view payload);

 private:
  std::string pending_;
};

}  // namespace toroid
