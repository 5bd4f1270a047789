// SPDX-License-Identifier: Apache-2.0
#include "testbench/tests/firmware/job.h"

#include <cstdlib>

namespace toroid::testing {

bglml_personality_t Job::personality_;

Job::Job(unsigned x, unsigned y, unsigned z, unsigned rings, bool initialise, unsigned processes)
    : torus(x, y, z),
      shape_{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y), static_cast<std::uint8_t>(z),
             static_cast<std::uint8_t>(processes)},
      rings_(static_cast<std::uint8_t>(rings)) {
  for (unsigned rank = 0; rank < x * y * z * processes; ++rank) {
    table_.push_back(rank % x | rank / x % y << 8 | rank / (x * y) % z << 16 | rank / (x * y * z) << 24);
  }
  if (initialise) on_all([](unsigned) { bglml_init(nullptr); });
}

Job::~Job() {
  for (auto& entry : states_) {
    std::free(entry.second.connections);
    std::free(entry.second.tree.messages);
  }
}

void Job::select(unsigned rank) {
  bglml_instance = &states_[rank];
  torus.node = rank % (size() / shape_.t);
  personality_ = {rank, size(), shape_, rings_, table_.data(), 1};
}

void Job::on_all(const std::function<void(unsigned)>& work) {
  for (unsigned rank = 0; rank < size(); ++rank) {
    select(rank);
    work(rank);
  }
}

void Job::on(unsigned rank, const std::function<void()>& work) {
  select(rank);
  work();
}

bool Job::advance(unsigned rank) {
  select(rank);
  return bglml_advance();
}

void Job::settle() {
  for (bool happened = true; happened;) {
    happened = false;
    for (unsigned rank = 0; rank < size(); ++rank) {
      if (advance(rank)) happened = true;
    }
    torus.settle();
    for (unsigned rank = 0; rank < size(); ++rank) {
      if (advance(rank)) happened = true;
    }
  }
}

}  // namespace toroid::testing

extern "C" uint32_t bglml_cycles(void) {
  static std::uint32_t cycles = 0;
  return cycles += 1000;
}

extern "C" void bglml_personality(bglml_personality_t* personality) {
  *personality = toroid::testing::Job::personality_;
}
