// SPDX-License-Identifier: Apache-2.0
//
// Exceptions through many frames, on the first thread and on others; locks and atomic counters.
#include <atomic>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

unsigned long deep(unsigned frames) {
  const std::string kept(frames + 1, 'x');
  if (frames == 0) throw Error("from the depth");
  return deep(frames - 1) + kept.size();
}

}  // namespace

int main() {
  try {
    deep(20);
  } catch (const std::exception& error) {
    std::printf("caught %s\n", error.what());
  }
  std::atomic<long> sum{0};
  std::mutex mutex;
  long locked = 0;
  std::vector<std::thread> threads;
  for (long number = 0; number < 3; ++number) {
    threads.emplace_back([&, number] {
      for (long i = 0; i < 1000; ++i) {
        sum += i * number;
        const std::lock_guard<std::mutex> guard(mutex);
        ++locked;
      }
      try {
        deep(static_cast<unsigned>(number));
      } catch (const Error&) {
        ++sum;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::printf("sum %ld, locked %ld\n", sum.load(), locked);
  return 0;
}
