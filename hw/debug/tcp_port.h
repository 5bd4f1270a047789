// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace toroid {

/// A TCP port of this host alone, and the one connection made to it.
class TcpPort {
 public:
  /// 0: any that is free. Throws std::runtime_error if the port cannot be had.
  explicit TcpPort(std::uint16_t port);
  TcpPort(const TcpPort&) = delete;
  TcpPort& operator=(const TcpPort&) = delete;
  ~TcpPort();

  std::uint16_t number() const { return number_; }
  bool connected() const { return connection_ >= 0; }

  /// Waits briefly for a connection and then refuses further ones. Returns false if there was none.
  bool accept();
  /// What has come; empty if nothing has, or the connection is closed: see connected(). `wait`: gives it a
  /// moment.
  std::string receive(bool wait);
  void send(std::string_view bytes);
  void close();

 private:
  int listener_ = -1;
  int connection_ = -1;
  std::uint16_t number_ = 0;
};

}  // namespace toroid
