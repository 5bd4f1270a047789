// SPDX-License-Identifier: Apache-2.0
//
// Code that many engines execute: held once, given back, and what happens when there is too much of it.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "hw/isa/block.h"
#include "hw/isa/engine.h"
#include "hw/isa/power/registers.h"
#include "hw/isa/ppc32/ppc32.h"
#include "hw/isa/unicorn/code_images.h"
#include "hw/memory/big_endian.h"
#include "testbench/shipped.h"

namespace toroid {
namespace {

using unicorn::CodeImages;

constexpr std::uint64_t kPage = 4096, kAddress = 0x1000'0000;

/// Pages of one byte.
class Bytes : public std::vector<std::uint8_t> {
 public:
  Bytes(std::uint64_t pages, std::uint8_t value) : vector(pages * kPage, value) {}
};

TEST(CodeImages, AreFoundByTheirContent) {
  CodeImages images(16 * kPage);
  Bytes code(4, 1);
  code[2 * kPage] = 2;
  const auto whole = images.add(kAddress, code.data(), 4 * kPage, {});
  ASSERT_TRUE(whole);
  EXPECT_EQ(images.add(kAddress, Bytes(code).data(), 4 * kPage, {}), whole);
  EXPECT_EQ(images.add(kAddress + 2 * kPage, code.data() + 2 * kPage, kPage, {}), *whole + 2 * kPage);
  EXPECT_NE(images.add(kAddress + kPage, code.data() + 2 * kPage, kPage, {}), *whole + kPage);
  EXPECT_NE(images.add(kAddress + kPage, code.data(), 4 * kPage, {}), whole) << "at another address";
}

TEST(CodeImages, AreNotReadIfTheirOriginIsKnown) {
  CodeImages images(16 * kPage);
  const Bytes code(4, 1);
  const auto whole = images.add(kAddress, code.data(), 4 * kPage, {7, 0});
  ASSERT_TRUE(whole);
  void* const nothing = mmap(nullptr, 4 * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(nothing, MAP_FAILED);
  const auto* const unreadable = static_cast<std::uint8_t*>(nothing);
  EXPECT_EQ(images.add(kAddress, unreadable, 4 * kPage, {7, 0}), whole);
  EXPECT_EQ(images.add(kAddress + kPage, unreadable, kPage, {7, kPage}), *whole + kPage);
  munmap(nothing, 4 * kPage);
  // Another part of that image may have other bytes; another image may have the same.
  const Bytes other(4, 2);
  EXPECT_NE(images.add(kAddress, other.data(), 4 * kPage, {7, 4 * kPage}), whole);
  EXPECT_EQ(images.add(kAddress, code.data(), 4 * kPage, {8, 0}), whole);
}

TEST(CodeImages, GiveBackWhatIsNotUsed) {
  CodeImages images(4 * kPage);
  const Bytes first(2, 1);
  const Bytes second(2, 2);
  const Bytes third(2, 3);
  ASSERT_EQ(images.add(kAddress, first.data(), first.size(), {}), 0u);
  ASSERT_EQ(images.add(kAddress + kPage, first.data(), kPage, {}), kPage);
  images.remove(0);
  ASSERT_EQ(images.add(kAddress, second.data(), second.size(), {}), 2 * kPage);
  EXPECT_EQ(images.area()[0], 1) << "a part of it is used";
  images.remove(kPage);
  EXPECT_EQ(images.add(kAddress, first.data(), first.size(), {}), 0u) << "it may be used again";
  images.remove(0);
  EXPECT_FALSE(images.add(kAddress, third.data(), third.size(), {})) << "there are translations of what was there";
  EXPECT_EQ(images.area()[0], 0) << "the memory is the host's again";
  EXPECT_TRUE(images.reclaim());
  EXPECT_FALSE(images.reclaim());
  EXPECT_EQ(images.add(kAddress, third.data(), third.size(), {}), 0u);
  EXPECT_EQ(images.area()[2 * kPage], 2);
}

/// A program that loads `value` into r3 and makes a system call, which ends it.
class Program final : private EngineClient {
 public:
  Program(const Isa& isa, std::uint16_t value) : value_(value) {
    store_be32(code_.data(), 0x3860'0000u | value);  // li r3, value
    store_be32(code_.data() + 4, 0x4400'0002);       // sc
    engine_ = isa.make_engine(*this, Observation::none);
  }

  bool map() { return engine_->map_memory(kAddress, kPage, code_.data(), kReadable | kExecutable, {}); }
  bool unmap() { return engine_->unmap_memory(kAddress, kPage); }
  void run() {
    calls_ = 0;
    engine_->write(power::gpr(3), 0);
    EXPECT_FALSE(engine_->run(kAddress));
    EXPECT_EQ(calls_, 1u);
    EXPECT_EQ(engine_->read(power::gpr(3)), value_);
  }

 private:
  std::uint64_t program() const override { return value_; }
  const Block& block_at(std::uint64_t, std::uint32_t) override { return block_; }
  LedgerHead& ledger() override { return ledger_; }
  void count(const Block&, BlockCode&) override {}
  void on_block(const Block&) override {}
  void on_system_call() override {
    ++calls_;
    engine_->stop();
  }
  bool on_unknown_instruction(std::uint64_t, const InstructionBytes&) override { return false; }
  std::uint64_t on_device_read(std::uint64_t, unsigned) override { return 0; }
  void on_device_write(std::uint64_t, unsigned, std::uint64_t) override {}
  void on_instruction(std::uint64_t) override {}
  void on_access(std::uint64_t, unsigned, bool) override {}

  const std::uint16_t value_;
  std::vector<std::uint8_t> code_ = Bytes(1, 0);
  const Block block_;
  LedgerHead ledger_;
  unsigned calls_ = 0;
  std::unique_ptr<Engine> engine_;
};

/// Engines of one instance share 255 sets of translations.
TEST(SharedEngines, RefuseMoreProgramsThanTheyHaveRoomFor) {
  constexpr std::uint16_t kMost = 255;
  const auto isa = ppc32::make_isa(test::shipped<power::PipelineConfig>(), true);
  std::vector<std::unique_ptr<Program>> programs;
  for (std::uint16_t value = 1; value <= kMost; ++value) {
    programs.push_back(std::make_unique<Program>(*isa, value));
    ASSERT_TRUE(programs.back()->map());
    programs.back()->run();
  }
  Program another(*isa, kMost + 1);
  if (another.map()) GTEST_SKIP() << "each engine has an instance for itself";
  for (const auto& program : programs) program->run();
  EXPECT_FALSE(another.map());

  ASSERT_TRUE(programs[3]->unmap());
  programs.erase(programs.begin() + 3);
  ASSERT_TRUE(another.map());
  another.run();
  for (const auto& program : programs) program->run();
  ASSERT_TRUE(programs[7]->unmap());
  ASSERT_TRUE(programs[7]->map());
  programs[7]->run();
}

}  // namespace
}  // namespace toroid
