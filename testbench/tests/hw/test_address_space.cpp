// SPDX-License-Identifier: Apache-2.0
//
// What of its memory a process may touch, against a plain table of pages; with an engine that has no room at times.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "hw/kernel/address_space.h"

namespace toroid {
namespace {

constexpr std::uint32_t kBase = 0x1000'0000;
constexpr std::uint32_t kPages = 4096;
constexpr std::uint32_t kStack = 64 << 10;

/// Keeps what is mapped, and refuses when it is told to.
class MapOnlyEngine : public Engine {
 public:
  bool map_memory(std::uint64_t address, std::uint64_t size, std::uint8_t* host, unsigned permissions,
                  ImagePart image) override {
    if (room_ == 0) return false;
    if (room_ > 0) --room_;
    ++calls;
    EXPECT_NE(size, 0u);
    for (std::uint32_t page = 0; page < size / kPageSize; ++page) {
      const std::uint32_t at = address + page * kPageSize;
      EXPECT_TRUE(pages.emplace(at, Page{host + page * kPageSize, permissions}).second) << "mapped twice: " << at;
    }
    regions[address] = size;
    images[address] = image;
    return true;
  }
  bool unmap_memory(std::uint64_t address, std::uint64_t size) override {
    if (keeps_ == 0) return false;
    if (keeps_ > 0) --keeps_;
    ++calls;
    unmapped_pages += size / kPageSize;
    EXPECT_EQ(regions[address], size) << "no whole mapping";
    regions.erase(address);
    for (std::uint32_t at = address; at < address + size; at += kPageSize) EXPECT_EQ(pages.erase(at), 1u);
    return true;
  }
  /// The next `count` mappings succeed and then one does not; less than 0: all succeed.
  void fail_after(int count) { room_ = count; }
  /// The same of mappings that are undone.
  void keep_after(int count) { keeps_ = count; }
  /// Behind a failure there is room again.
  void succeed() { room_ = keeps_ = -1; }

  bool map_device(std::uint64_t, std::uint64_t) override { return false; }
  std::uint64_t read(Register) const override { return 0; }
  void write(Register, std::uint64_t) override {}
  void read_snapshot(RegisterSnapshot&) const override {}
  void write_snapshot(const RegisterSnapshot&) override {}
  GeneralRegisters general_registers() override { return {}; }
  std::optional<Vector> read_vector(Register) override { return std::nullopt; }
  bool write_vector(Register, const Vector&) override { return false; }
  std::optional<EngineFault> run(std::uint64_t) override { return std::nullopt; }
  void stop() override {}

  struct Page {
    std::uint8_t* host;
    unsigned permissions;
    bool operator==(const Page& other) const { return host == other.host && permissions == other.permissions; }
  };
  std::map<std::uint64_t, Page> pages;
  std::map<std::uint64_t, std::uint64_t> regions;
  std::map<std::uint64_t, ImagePart> images;  ///< of all that was ever mapped
  std::uint64_t calls = 0;
  std::uint64_t unmapped_pages = 0;

 private:
  int room_ = -1;
  int keeps_ = -1;
};

/// Fails once, in the midst of a change, and then has room for what was there before.
class FailingOnceEngine : public MapOnlyEngine {
 public:
  bool map_memory(std::uint64_t address, std::uint64_t size, std::uint8_t* host, unsigned permissions,
                  ImagePart image) override {
    const bool done = MapOnlyEngine::map_memory(address, size, host, permissions, image);
    if (!done) succeed();
    return done;
  }
};

class AddressSpaces : public testing::Test {
 protected:
  NodeMemory& memory() {
    static NodeMemory shared("memory", kPages * kPageSize);
    return shared;
  }
  MapOnlyEngine engine_;
  AddressSpace space_{MemoryView(memory(), kBase, 0, kPages* kPageSize)};

  void SetUp() override {
    ASSERT_TRUE(space_.add_engine(engine_));
    ASSERT_TRUE(space_.place(kBase + kPageSize, kStack));
  }
};

TEST_F(AddressSpaces, AreWhatPagesSay) {
  std::map<std::uint32_t, unsigned> model;
  for (const auto& [address, page] : engine_.pages) model[address] = page.permissions;
  std::mt19937 random(7);
  unsigned refused = 0;
  for (unsigned step = 0; step < 20'000; ++step) {
    const std::uint32_t pages = random() % 16 == 0 ? 1 + random() % 64 : 1;
    const std::uint32_t size = pages * kPageSize;
    const unsigned permissions = random() % 3 == 0 ? kReadable : kReadable | kWritable;
    const unsigned what = random() % 3;
    if (what == 0) {
      const auto address = space_.map_anonymous(size, permissions);
      if (address) {
        for (std::uint32_t at = *address; at < *address + size; at += kPageSize)
          ASSERT_TRUE(model.emplace(at, permissions).second);
      }
    } else {
      // Mostly in the middle, where the mappings are; now and then none is there.
      const std::uint32_t address = space_.stack() - AddressSpace::kGuardSize - (random() % 3500) * kPageSize;
      bool covered = true;
      for (std::uint32_t at = address; at < address + size; at += kPageSize) covered = covered && model.count(at) != 0;
      const int error = what == 1 ? space_.unmap(address, size) : space_.protect(address, size, permissions);
      if (!covered && what != 1) {
        ASSERT_EQ(error, ENOMEM);
      } else if (error == ENOMEM) {
        ++refused;
      } else {
        ASSERT_EQ(error, 0);
        for (std::uint32_t at = address; at < address + size; at += kPageSize) {
          if (what == 1) {
            model.erase(at);
          } else {
            model[at] = permissions;
          }
        }
      }
    }
    ASSERT_LE(engine_.regions.size(), AddressSpace::kMostRegions);
    if (step % 100 != 0) continue;
    ASSERT_EQ(engine_.pages.size(), model.size());
    for (const auto& [address, granted] : model) {
      const auto page = engine_.pages.find(address);
      ASSERT_NE(page, engine_.pages.end());
      ASSERT_EQ(page->second.permissions, granted);
      ASSERT_EQ(page->second.host, memory().host(address - kBase));
      ASSERT_EQ(space_.writable(address, kPageSize) != nullptr, (granted & kWritable) != 0);
    }
  }
  EXPECT_GT(refused, 0u) << "the bound was never met";
}

TEST_F(AddressSpaces, MapsAtAGivenAddress) {
  const auto block = space_.map_anonymous(16 * kPageSize, kReadable | kWritable);
  ASSERT_TRUE(block);
  std::memset(space_.writable(*block, 16 * kPageSize), 1, 16 * kPageSize);
  EXPECT_EQ(space_.map_fixed(*block, kPageSize, kReadable | kWritable, false), EEXIST);
  EXPECT_EQ(space_.map_fixed(*block + 4 * kPageSize, kPageSize, kReadable | kWritable, true), 0);
  EXPECT_EQ(*space_.readable(*block + 4 * kPageSize, 1), 0);
  EXPECT_EQ(*space_.readable(*block + 5 * kPageSize, 1), 1);
  ASSERT_EQ(space_.unmap(*block, 16 * kPageSize), 0);
  EXPECT_EQ(space_.map_fixed(*block + kPageSize, 2 * kPageSize, kReadable | kWritable, false), 0);
  EXPECT_EQ(space_.readable(*block, 1), nullptr);
  EXPECT_EQ(space_.map_fixed(*block + 1, kPageSize, kReadable, true), EINVAL);
  // Neither the heap, nor the stack, nor what is not the process's.
  ASSERT_GT(space_.set_break(space_.heap() + kPageSize), space_.heap());
  EXPECT_EQ(space_.map_fixed(space_.heap(), kPageSize, kReadable, true), ENOMEM);
  EXPECT_EQ(space_.map_fixed(space_.stack(), kPageSize, kReadable, true), ENOMEM);
  EXPECT_EQ(space_.map_fixed(~std::uint64_t{0} - kPageSize + 1, kPageSize, kReadable, true), ENOMEM);
}

TEST_F(AddressSpaces, StayAsTheyAreIfAnEngineHasNoRoom) {
  FailingOnceEngine failing;
  ASSERT_TRUE(space_.add_engine(failing));
  const auto block = space_.map_anonymous(64 * kPageSize, kReadable | kWritable);
  ASSERT_TRUE(block);
  std::mt19937 random(11);
  for (unsigned step = 0; step < 2000; ++step) {
    const auto before = engine_.pages;
    const std::uint32_t address = *block + (random() % 60) * kPageSize;
    const std::uint32_t size = (1 + random() % 4) * kPageSize;
    failing.fail_after(static_cast<int>(random() % 3));
    const int error = space_.protect(address, size, random() % 2 == 0 ? kReadable : kReadable | kWritable);
    failing.succeed();
    if (error != 0) {
      ASSERT_EQ(error, ENOMEM);
      ASSERT_EQ(engine_.pages, before);
    }
    ASSERT_EQ(failing.pages, engine_.pages);
  }
}

TEST_F(AddressSpaces, StayAsTheyAreIfAnEngineKeepsAMapping) {
  const auto block = space_.map_anonymous(64 * kPageSize, kReadable | kWritable);
  ASSERT_TRUE(block);
  for (std::uint32_t page = 1; page < 64; page += 4)  // pieces
    ASSERT_EQ(space_.protect(*block + page * kPageSize, kPageSize, kReadable), 0);
  MapOnlyEngine keeping;
  ASSERT_TRUE(space_.add_engine(keeping));
  const auto before = engine_.pages;
  for (const int count : {0, 1, 2}) {
    keeping.keep_after(count);
    EXPECT_EQ(space_.unmap(*block, 16 * kPageSize), ENOMEM);
    keeping.succeed();
    EXPECT_EQ(engine_.pages, before);
    EXPECT_EQ(keeping.pages, before);
  }
}

TEST(AddressSpace, TellsEnginesWhereCodeIsFrom) {
  constexpr std::uint32_t kOffset = 0x54;  // of the program's first byte in its page
  NodeMemory memory("code_memory", 16 * kPageSize);
  const std::vector<std::uint8_t> bytes(3 * kPageSize, 1);
  const ImageFile image(bytes, kBase + kOffset);
  MemoryView view(memory, kBase, 8 * kPageSize, 8 * kPageSize);
  view.place(kBase + kOffset, image);
  MapOnlyEngine engine;
  AddressSpace space(view);
  ASSERT_TRUE(space.add_engine(engine));
  ASSERT_TRUE(space.map(kBase + kOffset, bytes.size(), kReadable | kExecutable));
  EXPECT_EQ(engine.images[kBase].image, image.number());
  EXPECT_EQ(engine.images[kBase].offset, 0u);
  ASSERT_EQ(space.protect(kBase + kPageSize, kPageSize, kReadable), 0);
  EXPECT_EQ(engine.images[kBase + kPageSize].image, 0u) << "is no code any more";
  EXPECT_EQ(engine.images[kBase + 2 * kPageSize].image, image.number());
  EXPECT_EQ(engine.images[kBase + 2 * kPageSize].offset, 2 * kPageSize);
  ASSERT_TRUE(space.map(kBase + 5 * kPageSize, kPageSize, kReadable | kExecutable));
  EXPECT_EQ(engine.images[kBase + 5 * kPageSize].image, 0u) << "nothing was placed there";
}

TEST_F(AddressSpaces, GrowInSmallStepsAtLittleCost) {
  constexpr std::uint32_t kSteps = 3000;
  for (std::uint32_t i = 0; i < kSteps; ++i) ASSERT_TRUE(space_.map_anonymous(kPageSize, kReadable | kWritable));
  EXPECT_LT(engine_.regions.size(), 100u);
  EXPECT_LT(engine_.calls, 4 * kSteps);
  EXPECT_LT(engine_.unmapped_pages, 16 * kSteps);
}

}  // namespace
}  // namespace toroid
