// SPDX-License-Identifier: Apache-2.0
#include "hw/sim/progress.h"

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <string>

namespace toroid {

namespace {

using Json = nlohmann::ordered_json;

volatile std::sig_atomic_t interrupt_seen = 0;

void on_signal(int) {
  interrupt_seen = 1;
}

Json counted(const Progress::Counts& counts) {
  Json line;
  line["simulated_ns"] = counts.simulated_ns;
  line["fraction"] = counts.fraction ? Json(*counts.fraction) : Json(nullptr);
  line["instructions"] = counts.instructions;
  line["packets"] = counts.packets;
  line["packet_hops"] = counts.packet_hops;
  if (counts.live_ranks) line["live_ranks"] = *counts.live_ranks;
  return line;
}

void write_line(int descriptor, const Json& line) {
  const std::string text = line.dump() + "\n";
  // A reader that has gone away is its own affair: the run and its result go on.
  const ssize_t written = write(descriptor, text.data(), text.size());
  static_cast<void>(written);
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

rusage usage() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return used;
}

/// Of this process so far.
double cpu_seconds() {
  const rusage used = usage();
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace

bool interrupted() {
  return interrupt_seen != 0;
}

void catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  // What they tell of comes back as an error of the write as well: EPIPE, and EFBIG beyond `ulimit -f`.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

Progress::Progress(int descriptor)
    : descriptor_(descriptor),
      started_(std::chrono::steady_clock::now()),
      written_(started_),
      cpu_started_(cpu_seconds()) {}

void Progress::elaborated() {
  cpu_elaborated_ = cpu_seconds() - cpu_started_;
}

bool Progress::is_due() const {
  return descriptor_ >= 0 && std::chrono::steady_clock::now() - written_ >= std::chrono::milliseconds(100);
}

void Progress::update(const Counts& counts) {
  if (!is_due()) return;
  written_ = std::chrono::steady_clock::now();
  write_line(descriptor_, counted(counts));
}

void Progress::done(const Counts& counts) {
  if (descriptor_ < 0) return;
  Json line{{"done", true}};
  line["host_seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  line["elaboration_seconds"] = cpu_elaborated_;
  line["cpu_seconds"] = cpu_seconds();
  line["peak_memory_kib"] = usage().ru_maxrss;
  if (counts.bytes_per_router) line["bytes_per_router"] = *counts.bytes_per_router;
  line.update(counted(counts));
  write_line(descriptor_, line);
}

}  // namespace toroid
