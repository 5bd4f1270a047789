// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as machine code, on the engine of each instruction set: what is executed, decoded and told of makes no
// sense, and nothing else is asked for than that the engine goes on. Behind each fault it begins anew, further on.
//
// TOROID_FUZZ_CASES is the number of beginnings, TOROID_FUZZ_SEED where their choice begins.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "hw/isa/block.h"
#include "hw/isa/block_decoder.h"
#include "hw/isa/instruction_emulator.h"
#include "hw/isa/ppc32/ppc32.h"
#include "hw/isa/ppc64/ppc64.h"
#include "hw/isa/x86_64/x86_64.h"
#include "testbench/shipped.h"

namespace toroid {
namespace {

constexpr std::uint64_t kPage = 4096, kCode = 0x1000'0000, kData = 0x2000'0000, kDevice = 0x3000'0000;
constexpr std::uint64_t kDataBytes = 16 * kPage;
constexpr std::uint64_t kUsualCases = 20'000;
constexpr unsigned kMostBlocks = 30;  // of a run

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

struct Memory {
  alignas(kPage) std::array<std::uint8_t, kPage> code;
  alignas(kPage) std::array<std::uint8_t, kDataBytes> data;
};

/// A page of random code with an engine of its own.
class Program final : private EngineClient, private EmulatedAccess {
 public:
  Program(const Isa& isa, std::uint64_t number, std::mt19937_64& random)
      : isa_(isa), number_(number), random_(random), emulator_(isa.make_emulator()) {
    for (std::uint8_t& byte : memory_->code) byte = static_cast<std::uint8_t>(random_());
    for (std::uint8_t& byte : memory_->data) byte = static_cast<std::uint8_t>(random_());
    isa_.replace_instructions(memory_->code.data(), kCode, kPage, [](std::uint64_t) { return true; });
    decoder_ = isa_.make_decoder({{memory_->code.data(), kCode, kPage}});
    engine_ = isa_.make_engine(*this, Observation::none);
    mapped_ = engine_->map_memory(kCode, kPage, memory_->code.data(), kReadable | kExecutable, {}) &&
              engine_->map_memory(kData, kDataBytes, memory_->data.data(), kReadable | kWritable, {}) &&
              engine_->map_device(kDevice, kPage);
  }
  ~Program() {
    if (mapped_) engine_->unmap_memory(kCode, kPage);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  bool mapped() const { return mapped_; }
  bool run(std::uint64_t offset) {
    for (unsigned i = 0; i < (isa_.word_bytes() == 8 && isa_.code_alignment() == 1 ? 16u : 32u); ++i)
      engine_->write(isa_.general_register(i), pointer());
    left_ = kMostBlocks;
    const bool faulted = engine_->run(kCode + offset).has_value();
    engine_->read(isa_.roles().pc);
    return faulted;
  }

  std::uint64_t blocks = 0, device_accesses = 0, unknown = 0;

 private:
  std::uint64_t pointer() {
    switch (random_() % 4) {
      case 0:
        return random_();
      case 1:
        return kDevice + random_() % kPage;
      default:
        return kData + kDataBytes / 4 + random_() % (kDataBytes / 2);
    }
  }

  std::uint64_t program() const override { return number_; }
  const Block& block_at(std::uint64_t address, std::uint32_t size) override {
    std::unique_ptr<Block>& block = blocks_[{address, size}];
    if (block == nullptr) {
      block = std::make_unique<Block>();
      block->address = address;
      block->size = size;
      block->number = static_cast<std::uint32_t>(blocks_.size());
      decoder_->decode(*block);
    }
    return *block;
  }
  LedgerHead& ledger() override { return ledger_; }
  void count(const Block&, BlockCode&) override {}
  void on_block(const Block& block) override {
    ++blocks;
    decoder_->upcoming_access(block.address, *engine_);
    if (left_ != 0) --left_;
    if (left_ == 0) engine_->stop();
  }
  void on_system_call() override {
    isa_.system_call(*engine_);
    isa_.return_from_system_call(*engine_, -38);
  }
  bool on_unknown_instruction(std::uint64_t, const InstructionBytes& instruction) override {
    ++unknown;
    return emulator_ != nullptr && emulator_->execute(instruction, *engine_, *this);
  }
  /// The same at each read of a place: `lock neg` reads until it finds twice the same.
  std::uint64_t on_device_read(std::uint64_t address, unsigned size) override {
    EXPECT_LE(size, 8u);
    ++device_accesses;
    return (address + number_) * 0x9E37'79B9'7F4A'7C15;
  }
  void on_device_write(std::uint64_t, unsigned size, std::uint64_t) override {
    EXPECT_LE(size, 8u);
    ++device_accesses;
  }
  void on_instruction(std::uint64_t) override {}
  void on_access(std::uint64_t, unsigned, bool) override {}

  bool load(std::uint64_t, std::uint8_t* data, unsigned size) override {
    for (unsigned i = 0; i < size; ++i) data[i] = static_cast<std::uint8_t>(random_());
    return true;
  }
  bool store(std::uint64_t, const std::uint8_t*, unsigned) override { return random_() % 2 == 0; }
  void wait_for(Event) override {}
  bool has_control_registers() const override { return false; }
  bool load_control(std::uint32_t, std::uint32_t&) override { return false; }
  bool store_control(std::uint32_t, std::uint32_t) override { return false; }

  const Isa& isa_;
  const std::uint64_t number_;
  std::mt19937_64& random_;
  std::unique_ptr<Memory> memory_ = std::make_unique<Memory>();
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::unique_ptr<Block>> blocks_;
  std::unique_ptr<BlockDecoder> decoder_;
  std::unique_ptr<InstructionEmulator> emulator_;
  LedgerHead ledger_;
  std::unique_ptr<Engine> engine_;
  bool mapped_ = false;
  unsigned left_ = 0;
};

void fuzz(const Isa& isa) {
  const std::uint64_t cases = from_environment("TOROID_FUZZ_CASES", kUsualCases);
  std::mt19937_64 random(from_environment("TOROID_FUZZ_SEED", 1));
  const std::uint64_t step = isa.code_alignment() == 1 ? 3 : isa.code_alignment();
  std::uint64_t done = 0, faults = 0, blocks = 0, device_accesses = 0, unknown = 0;
  static std::uint64_t number = 0;
  while (done < cases) {
    Program program(isa, ++number, random);
    ASSERT_TRUE(program.mapped());
    for (std::uint64_t offset = 0; offset < kPage && done < cases; offset += step, ++done)
      faults += program.run(offset) ? 1 : 0;
    blocks += program.blocks;
    device_accesses += program.device_accesses;
    unknown += program.unknown;
  }
  std::cout << done << " beginnings, " << faults << " faults, " << blocks << " blocks, " << device_accesses
            << " device accesses, " << unknown << " unknown instructions\n";
  EXPECT_GT(faults, done / 10);
  EXPECT_GT(blocks, done / 2);
  EXPECT_GT(device_accesses, done / 100);
}

TEST(MachineCode, OfAnyBytesNeverHarmsTheEngineOfPpc32) {
  fuzz(*ppc32::make_isa(test::shipped<ppc32::PipelineConfig>("test-ppc32"), true));
}
TEST(MachineCode, OfAnyBytesNeverHarmsTheEngineOfPpc64) {
  fuzz(*ppc64::make_isa(test::shipped<ppc64::PipelineConfig>("test-ppc64"), true));
}
TEST(MachineCode, OfAnyBytesNeverHarmsTheEngineOfX86) {
  fuzz(*x86_64::make_isa(test::shipped<x86_64::PipelineConfig>("test-x86_64"), true));
}

}  // namespace
}  // namespace toroid
