// SPDX-License-Identifier: Apache-2.0
//
// A register bank on its own: what the description alone makes of reads and writes, and when it asks the device.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <systemc>

#include "nic/common/register_bank.h"

namespace toroid::test {
namespace {

// Two groups of five registers: name, offset, count, stride, bytes, place, reset, stored, cleared, readable, writable,
// pure.
constexpr RegisterBlock kBlock{0x8000, 2, 0x100, 5};
constexpr RegisterDescription kSettings{"SETTINGS", 0, 2, 4, 4, 0, 0x12, 0xFF, 0, true, true, true};
constexpr RegisterDescription kErrors{"ERRORS", 8, 1, 0, 4, 2, 0, 0xF00, 0xF, true, true, true};
constexpr RegisterDescription kSum{"SUM", 12, 1, 0, 4, 3, 0, 0, 0, true, false, true};
constexpr RegisterDescription kQueue{"QUEUE", 16, 1, 0, 16, 4, 0, 0, 0, true, false, false};

struct Device {
  using Bank = DeviceRegisterBank<Device>;
  static const Bank& bank() {
    using Register = Bank::Register;
    static const Bank registers(kBlock, {"the toy's window", "a toy register", "G", "read SUM"},
                                {
                                    Register(kSettings, "toy settings").writes(&Device::set),
                                    Register(kErrors),
                                    Register(kSum).reads(&Device::sum),
                                    Register(kQueue, "toy queue").transfers(&Device::take),
                                });
    return registers;
  }

  Device() { bank().reset(values.data()); }
  void set(unsigned index, std::uint32_t value) { log += "set " + std::to_string(index) + "=" + std::to_string(value); }
  std::uint32_t sum(unsigned index) const { return values[5 * index] + values[5 * index + 1]; }
  bool take(unsigned index, RegisterTransfer& transfer) {
    transfer.data[15] = static_cast<std::uint8_t>(0x40 + index);
    if (index == 1) transfer.reason = "the queue is empty";
    return index == 0;
  }
  void synchronise(sc_core::sc_time& delay) {
    log += "wait ";
    delay = sc_core::SC_ZERO_TIME;
  }

  tlm::tlm_response_status serve(tlm::tlm_command command, std::uint64_t address, unsigned bytes) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data.data());
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    sc_core::sc_time delay(1, sc_core::SC_NS);
    reason.clear();
    log.clear();
    return bank().serve(*this, values.data(), payload, delay, reason);
  }
  std::uint32_t read(std::uint64_t address) {
    EXPECT_EQ(serve(tlm::TLM_READ_COMMAND, address, 4), tlm::TLM_OK_RESPONSE) << reason;
    return load_word<std::uint32_t>(data.data());
  }
  void write(std::uint64_t address, std::uint32_t value) {
    store_word(data.data(), value);
    EXPECT_EQ(serve(tlm::TLM_WRITE_COMMAND, address, 4), tlm::TLM_OK_RESPONSE) << reason;
  }

  std::array<std::uint32_t, 2 * 5> values{};
  std::array<std::uint8_t, 32> data{};
  std::string log, reason;
};

TEST(RegisterBank, TakesResetAndMasksFromTheDescription) {
  Device device;
  EXPECT_EQ(device.read(0x8004), 0x12u);
  EXPECT_EQ(device.log, "wait ");
  device.write(0x8104, 0xFFFF'FF34);
  EXPECT_EQ(device.log, "wait set 3=52");  // counted through both groups
  EXPECT_EQ(device.read(0x8104), 0x34u);
  EXPECT_EQ(device.read(0x8004), 0x12u);
  Device::bank().reset(device.values.data());
  EXPECT_EQ(device.read(0x8104), 0x12u);
}

TEST(RegisterBank, ClearsBitsByWritingOnes) {
  Device device;
  device.values[kErrors.place] = 0xF;
  device.write(0x8008, 0xFFFF'FFF5);
  EXPECT_EQ(device.read(0x8008), 0xF0Au);
}

TEST(RegisterBank, AsksTheDeviceForWhatItDoesNotStore) {
  Device device;
  device.write(0x8000, 5);
  EXPECT_EQ(device.read(0x800C), 5u + 0x12);
  EXPECT_EQ(Device::bank().read(device, device.values.data(), 0x810C), 0x24u);
  EXPECT_EQ(device.serve(tlm::TLM_READ_COMMAND, 0x8010, 16), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(device.data[15], 0x40);
  EXPECT_EQ(device.log, "");
  EXPECT_EQ(device.serve(tlm::TLM_READ_COMMAND, 0x8110, 16), tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(device.reason, "the queue is empty");
}

TEST(RegisterBank, RefusesWhatTheDescriptionDoesNotHave) {
  Device device;
  EXPECT_EQ(device.serve(tlm::TLM_READ_COMMAND, 0x8200, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(device.serve(tlm::TLM_READ_COMMAND, 0x7FFC, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(device.serve(tlm::TLM_READ_COMMAND, 0x8014, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(device.reason, "access to the toy's window where there is no register");
  EXPECT_EQ(device.serve(tlm::TLM_READ_COMMAND, 0x8010, 4), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(device.reason, "access of 4 bytes to a toy register, which takes whole quads of 16 bytes only");
  EXPECT_EQ(device.serve(tlm::TLM_WRITE_COMMAND, 0x810C, 4), tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(device.reason, "write to the SUM of G1, which can only be read");
  EXPECT_FALSE(Device::bank().write(device, device.values.data(), 0x800C, 1));
  EXPECT_FALSE(Device::bank().read(device, device.values.data(), 0x8001));
}

TEST(RegisterBank, ShowsDebuggersWhatHasNoSideEffect) {
  Device device;
  std::uint8_t word[4] = {};
  std::string reason;
  const Device::Bank& bank = Device::bank();
  EXPECT_TRUE(bank.peek(device, device.values.data(), 0x8000, word, reason));
  EXPECT_EQ(load_word<std::uint32_t>(word), 0x12u);
  EXPECT_FALSE(bank.peek(device, device.values.data(), 0x8110, word, reason));
  EXPECT_EQ(reason, "a read of the toy queue of G1 takes data out of it; read SUM");
  EXPECT_TRUE(bank.is_pure(0x800C));
  EXPECT_FALSE(bank.is_pure(0x8010));
  EXPECT_EQ(bank.index_of(0x8104, kSettings), 3u);
  EXPECT_FALSE(bank.index_of(0x8104, kErrors));
}

}  // namespace
}  // namespace toroid::test
