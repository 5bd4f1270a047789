// SPDX-License-Identifier: Apache-2.0
#include "child_process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace toroid::test {

std::string in_child(const std::function<std::string()>& work, std::string& died) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    const std::string text = work();
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t wrote = write(ends[1], text.data() + at, text.size() - at);
      if (wrote <= 0) _exit(1);
      at += static_cast<std::size_t>(wrote);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char buffer[65536];
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    died = "the simulator died: wait status " + std::to_string(status);
  return text;
}

}  // namespace toroid::test
