// SPDX-License-Identifier: Apache-2.0
#include "hw/debug/tcp_port.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace toroid {
namespace {

constexpr int kPatience = 200;  // ms: how late a signal may be seen that comes just before the wait

}  // namespace

TcpPort::TcpPort(std::uint16_t port) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (listener_ < 0 || ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
      ::bind(listener_, generic, size) != 0 || ::listen(listener_, 1) != 0 ||
      ::getsockname(listener_, generic, &size) != 0) {
    const std::string why = std::strerror(errno);
    if (listener_ >= 0) ::close(listener_);
    throw std::runtime_error("cannot listen for gdb on port " + std::to_string(port) + " of this host: " + why +
                             (port == 0 ? "" : "; without a port any free one is taken"));
  }
  number_ = ntohs(address.sin_port);
}

TcpPort::~TcpPort() {
  close();
  if (listener_ >= 0) ::close(listener_);
}

bool TcpPort::accept() {
  pollfd wanted{listener_, POLLIN, 0};
  if (::poll(&wanted, 1, kPatience) <= 0) return false;
  connection_ = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (connection_ < 0) return false;
  const int yes = 1;
  ::setsockopt(connection_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  ::close(listener_);
  listener_ = -1;
  return true;
}

std::string TcpPort::receive(bool wait) {
  if (!connected()) return {};
  pollfd wanted{connection_, POLLIN, 0};
  if (::poll(&wanted, 1, wait ? kPatience : 0) <= 0) return {};
  char bytes[4096];
  const ssize_t count = ::recv(connection_, bytes, sizeof bytes, 0);
  if (count > 0) return {bytes, static_cast<std::size_t>(count)};
  if (count == 0 || errno != EINTR) close();
  return {};
}

void TcpPort::send(std::string_view bytes) {
  while (connected() && !bytes.empty()) {
    const ssize_t count = ::send(connection_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      close();
      return;
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void TcpPort::close() {
  if (connection_ >= 0) ::close(connection_);
  connection_ = -1;
}

}  // namespace toroid
