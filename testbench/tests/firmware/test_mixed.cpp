// SPDX-License-Identifier: Apache-2.0
// All protocols, layouts and sizes between all ranks at once, over a network that does its worst: order, contents and
// memory beside the messages are checked, in coprocessor and in virtual node mode.
#include <gtest/gtest.h>

#include "testbench/tests/firmware/mail.h"

namespace toroid::testing {
namespace {

using Adversary = TorusDouble::Adversary;

struct Case {
  const char* name;
  Adversary adversary;
  unsigned processes;
  bool layouts;
};

class Mixed : public ::testing::TestWithParam<Case> {};

TEST_P(Mixed, EverythingArrivesInOrder) {
  const Case& parameter = GetParam();
  Job job(3, 2, 2, 7, true, parameter.processes);
  Mail mail(job, parameter.layouts);
  std::mt19937 random(11);
  job.torus.adversary = parameter.adversary;
  mail.defer = [&](const Letter& letter) { return letter.key % 3 == 0; };
  const auto post = [&](unsigned from) {
    const auto kind = static_cast<Kind>(random() % 4);
    const unsigned bits = static_cast<unsigned>(random()) % 15;
    const std::uint32_t most = kind == Kind::one_packet ? 241 : (1u << bits);
    mail.post(kind, from, random() % job.size(), static_cast<std::uint32_t>(random()) % most,
              static_cast<std::uint32_t>(random()));
  };
  // Anything may happen at any time.
  for (unsigned step = 0; step < 300000; ++step) {
    const unsigned rank = random() % job.size();
    switch (random() % 64) {
      case 0:
        if (mail.letters.size() < 2500) post(rank);
        break;
      case 1:
        mail.accept(rank);
        break;
      default:
        if (random() % 4 == 0) {
          job.advance(rank);
        } else if (random() % 2 == 0) {
          job.torus.move(rank % 12, random() % 2, random() % 3);
        } else {
          job.torus.deliver(rank % 12);
        }
    }
  }
  for (bool accepted = true; accepted;) {
    job.settle();
    accepted = false;
    for (unsigned rank = 0; rank < job.size(); ++rank) {
      if (mail.accept(rank)) accepted = true;
    }
  }
  EXPECT_GT(mail.letters.size(), 2000u);
  EXPECT_TRUE(mail.all_done());
  EXPECT_EQ(mail.errors, std::vector<std::string>{});
  EXPECT_EQ(job.torus.errors, std::vector<std::string>{});
  unsigned disordered = 0;
  bglml_traffic_t sent{}, received{};
  std::uint64_t bytes = 0;
  for (const Letter& letter : mail.letters) bytes += letter.length();
  const auto add = [](bglml_traffic_t& to, const bglml_traffic_t& from) {
    to.direct += from.direct + from.realigned + from.copied;
    for (unsigned i = 0; i < BGLML_COUNTED; ++i) to.packets[i] += from.packets[i], to.messages[i] += from.messages[i];
  };
  for (unsigned rank = 0; rank < job.size(); ++rank) {
    add(sent, job.counters(rank).sent);
    add(received, job.counters(rank).received);
    disordered += job.counters(rank).disordered_messages;
  }
  EXPECT_EQ(sent.direct, bytes) << "each byte is counted once";
  EXPECT_EQ(received.direct, bytes);
  for (unsigned i = 0; i < BGLML_COUNTED; ++i) {
    EXPECT_EQ(sent.packets[i], received.packets[i]) << i;
    EXPECT_EQ(sent.messages[i], received.messages[i]) << i;
  }
  EXPECT_GE(disordered, parameter.adversary == Adversary::none ? 0u : 100u);
}

INSTANTIATE_TEST_SUITE_P(Networks, Mixed,
                         ::testing::Values(Case{"in_order", Adversary::none, 1, true},
                                           Case{"backwards", Adversary::reverse, 1, true},
                                           Case{"anyhow", Adversary::random, 1, true},
                                           Case{"contiguous", Adversary::random, 1, false},
                                           Case{"virtual_node", Adversary::random, 2, true}),
                         [](const auto& parameter) { return parameter.param.name; });

}  // namespace
}  // namespace toroid::testing
