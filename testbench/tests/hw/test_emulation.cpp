// SPDX-License-Identifier: Apache-2.0
//
// What a machine adds to its processor and its kernel: instructions that the engine does not know, special and control
// registers, calls of its own, and devices that end a process. A C program on nodes of four cores.
#include <gtest/gtest.h>

#include "four_core_run.h"

namespace toroid {
namespace {

FourCoreRun of(const std::string& subject) {
  FourCoreRun each;
  each.program = "emulated";
  each.subject = subject;
  return each;
}

class Subject : public testing::TestWithParam<const char*> {};

TEST_P(Subject, WorksAndDependsOnNeitherQuantumNorParking) {
  expect_the_same_results(of(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Emulation, Subject,
                         testing::Values("pairs", "device", "integer", "control", "special", "calls"),
                         [](const auto& parameter) { return std::string(parameter.param); });

TEST(Emulation, OfAReadOfAControlRegisterParks) {
  FourCoreRun each = of("control");
  each.tell_parked = true;
  EXPECT_TRUE(contains(run(each), "parked 1 times\n"));
}

std::string without(const std::string& part, std::string text) {
  const std::size_t at = text.find(part);
  return at == std::string::npos ? text : text.erase(at, part.size());
}

TEST(Emulation, OfAnInterruptThatCallsNobodyCostsNothing) {
  const std::string up = run(of("line_up")), none = run(of("line_no"));
  EXPECT_TRUE(contains(up, "line_up: 0 failures\n"));
  EXPECT_EQ(without("line_up", up), without("line_no", none));
}

struct Fault {
  const char* subject;
  const char* report;  ///< behind "fault rank 0 (node 0,0,0): ", up to the program counter
};

class Faults : public testing::TestWithParam<Fault> {};

TEST_P(Faults, EndTheProcessWithOneLine) {
  const std::string result = run(of(GetParam().subject));
  EXPECT_TRUE(contains(result, std::string("fault rank 0 (node 0,0,0): ") + GetParam().report));
}

INSTANTIATE_TEST_SUITE_P(
    Emulation, Faults,
    testing::Values(Fault{"misaligned", "misaligned read of 0x"}, Fault{"misaligned_store", "misaligned write to 0x"},
                    Fault{"unmapped", "read of 0x0e000000, which is not mapped, at 0x"},
                    Fault{"unmapped_store", "write to 0x0e000000, which is not mapped, at 0x"},
                    Fault{"null", "read of 0x00000000 (NULL pointer), at 0x"}, Fault{"read_only", "write to 0x1000"},
                    Fault{"refused", "bad device access to 0xb1140500: no such register, at 0x"},
                    Fault{"no_update", "illegal instruction 0x7c204bdc at 0x"},
                    Fault{"record_bit", "illegal instruction 0x7c204b9d at 0x"},
                    Fault{"no_control", "bad device access to 0x100000080: no such register, at 0x"},
                    Fault{"beyond_control",
                          "bad device access to 0x100002000: there is no control register 2048, at 0x"},
                    Fault{"by_device", "toy device: a descriptor that nobody waits for is wrong"}),
    [](const auto& parameter) { return std::string(parameter.param.subject); });

TEST(Emulation, OfADeviceThatEndsAProcessDependsOnNoQuantum) {
  FourCoreRun each = of("by_device");
  const std::string result = run(each);
  EXPECT_TRUE(contains(result, "is wrong\nrank 0: "));
  each.quantum = CoreCycle{17};
  EXPECT_EQ(run(each), result);
}

TEST(Emulation, OfADeviceEndsOneProcessAlone) {
  FourCoreRun each = of("second_by_device");
  each.mode = "dual";
  each.ranks = 2;
  const std::string result = run(each);
  EXPECT_TRUE(contains(result, "fault rank 1 (node 0,0,0, process 1): toy device: "));
}

}  // namespace
}  // namespace toroid
