// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace toroid {

/// A function from text to text that runs in a child process, with bounds on its memory and its processor time.
///
/// For code that a hostile input can lead astray: libraries that take exponential time, all the memory, or crash. The
/// child is forked at the first call and knows what the function knew then; it lives as long as this object. One that
/// exceeds its bounds or crashes is replaced by another, a few times.
class ConfinedFunction {
 public:
  struct Bounds {
    std::uint64_t memory = 512u << 20;  ///< bytes beyond what this process has
    unsigned seconds = 2;               ///< of processor time, for all calls of one child
    unsigned children = 3;              ///< in all
  };

  explicit ConfinedFunction(std::function<std::string(const std::string&)> function)
      : ConfinedFunction(std::move(function), Bounds()) {}
  ConfinedFunction(std::function<std::string(const std::string&)> function, const Bounds& bounds);
  ConfinedFunction(const ConfinedFunction&) = delete;
  ConfinedFunction& operator=(const ConfinedFunction&) = delete;
  ~ConfinedFunction();

  /// Neither is empty, and both have up to 16 KiB; longer answers are cut. Returns nullopt if the child gave no answer.
  std::optional<std::string> operator()(const std::string& question);

 private:
  bool start();
  void end();
  [[noreturn]] void serve(int socket);

  std::function<std::string(const std::string&)> function_;
  Bounds bounds_;
  unsigned started_ = 0;
  pid_t child_ = -1;
  int socket_ = -1;
};

}  // namespace toroid
