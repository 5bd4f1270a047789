// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/confined_function.h"

#include <poll.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <utility>

namespace toroid {
namespace {

constexpr std::size_t kLongest = 16 << 10;
constexpr std::size_t kStack = 16 << 20;  // the caller's may be that of a SystemC process, which is small
constexpr int kPatienceMs = 60'000;       // a child that the host does not let run

/// What of the address space this process has taken.
std::uint64_t mapped_bytes() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void limit(int resource, std::uint64_t most) {
  rlimit bounds{};
  if (getrlimit(resource, &bounds) != 0) return;
  bounds.rlim_cur = bounds.rlim_max = std::min<rlim_t>(most, bounds.rlim_max);
  setrlimit(resource, &bounds);
}

struct Service {
  const std::function<std::string(const std::string&)>* function;
  int socket;
};

void* answer_all(void* argument) {
  const Service& service = *static_cast<const Service*>(argument);
  std::array<char, kLongest> buffer;
  while (true) {
    const ssize_t got = recv(service.socket, buffer.data(), buffer.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return nullptr;
    const std::string answer = (*service.function)(std::string(buffer.data(), static_cast<std::size_t>(got)));
    if (send(service.socket, answer.data(), std::min(answer.size(), kLongest), MSG_NOSIGNAL) < 0) return nullptr;
  }
}

}  // namespace

ConfinedFunction::ConfinedFunction(std::function<std::string(const std::string&)> function, const Bounds& bounds)
    : function_(std::move(function)), bounds_(bounds) {}

ConfinedFunction::~ConfinedFunction() {
  end();
}

void ConfinedFunction::end() {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
  if (child_ <= 0) return;
  kill(child_, SIGKILL);
  while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
}

bool ConfinedFunction::start() {
  if (child_ > 0) return true;
  if (started_ == bounds_.children) return false;
  ++started_;
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return false;
  child_ = fork();
  if (child_ == 0) serve(ends[1]);
  close(ends[1]);
  socket_ = ends[0];
  if (child_ > 0) return true;
  end();
  return false;
}

/// The child. It keeps nothing open of what this process has open, prints nothing, and lives through the signals that
/// tell this process to come to its end: that is when it is asked most.
void ConfinedFunction::serve(int socket) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) std::signal(number, SIG_IGN);
  dup2(socket, 0);
  close_range(1, ~0u, 0);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, bounds_.seconds);
  limit(RLIMIT_AS, mapped_bytes() + bounds_.memory);
  Service service{&function_, 0};
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStack);
  if (pthread_create(&thread, &attributes, &answer_all, &service) == 0) pthread_join(thread, nullptr);
  _exit(0);
}

std::optional<std::string> ConfinedFunction::operator()(const std::string& question) {
  if (question.empty() || question.size() > kLongest || !start()) return std::nullopt;
  std::string answer(kLongest, '\0');
  ssize_t got = send(socket_, question.data(), question.size(), MSG_NOSIGNAL);
  if (got >= 0) {
    pollfd wanted{socket_, POLLIN, 0};
    int ready = 0;
    do {
      ready = poll(&wanted, 1, kPatienceMs);
    } while (ready < 0 && errno == EINTR);
    got = ready > 0 ? recv(socket_, answer.data(), answer.size(), 0) : -1;
  }
  if (got <= 0) {
    end();
    return std::nullopt;
  }
  answer.resize(static_cast<std::size_t>(got));
  return answer;
}

}  // namespace toroid
