// SPDX-License-Identifier: Apache-2.0
// What our patches to Unicorn (third_party/unicorn/patches) promise, at Unicorn's own interface, on both architectures.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unicorn/unicorn.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <ostream>
#include <tuple>
#include <utility>
#include <vector>

namespace {

/// Since the last reset, by Unicorn's PowerPC: how often a page has been relieved of the mark that slows stores down.
unsigned relieved_pages = 0;

}  // namespace

/// Stands before Unicorn's own in the dynamic linker's search.
extern "C" __attribute__((visibility("default"))) void tlb_set_dirty_ppc(void* cpu, std::uint32_t address) {
  static const auto original = reinterpret_cast<void (*)(void*, std::uint32_t)>(dlsym(RTLD_NEXT, "tlb_set_dirty_ppc"));
  ++relieved_pages;
  original(cpu, address);
}

namespace {

constexpr std::uint64_t kCode = 0x1'0000, kData = 0x2'0000, kDevice = 0x3'0000, kUnmapped = 0x4'0000;
constexpr std::uint64_t kRegion = 0x4000;
constexpr std::uint64_t kNowhere = 0xFFFF'0000;  // an end that no program reaches
constexpr std::uint32_t kAnswer = 0x1234'5678;
constexpr std::uint64_t kWideAnswer = 0x0123'4567'89AB'CDEF;
constexpr std::uint32_t kPpcFloat = 0x2000;  // in the machine state register

/// An instruction set with the instructions and registers that the tests need.
struct Set {
  const char* name;
  uc_arch arch;
  uc_mode mode;
  int pc, base, value, counter, stack;
  int wide;                          ///< a register of eight bytes
  std::vector<std::uint8_t> load;    ///< the word at `base` into `base`
  std::vector<std::uint8_t> store;   ///< `value` to the address in `base`
  std::vector<std::uint8_t> push;    ///< `value` onto the stack
  std::vector<std::uint8_t> count;   ///< one to `counter`
  std::vector<std::uint8_t> repeat;  ///< jumps back over a `count`
  std::vector<std::uint8_t> copy;    ///< eight bytes at `base`: into `wide`, and back from there
};

const Set kSets[] = {
    {"PowerPC",
     UC_ARCH_PPC,
     static_cast<uc_mode>(UC_MODE_PPC32 | UC_MODE_BIG_ENDIAN),
     UC_PPC_REG_PC,
     UC_PPC_REG_3,
     UC_PPC_REG_4,
     UC_PPC_REG_5,
     UC_PPC_REG_1,
     UC_PPC_REG_FPR4,
     {0x80, 0x63, 0x00, 0x00},
     {0x90, 0x83, 0x00, 0x00},
     {0x94, 0x81, 0xFF, 0xF0},
     {0x38, 0xA5, 0x00, 0x01},
     {0x4B, 0xFF, 0xFF, 0xFC},
     {0xC8, 0x83, 0x00, 0x00, 0xD8, 0x83, 0x00, 0x00}},
    {"x86",
     UC_ARCH_X86,
     UC_MODE_64,
     UC_X86_REG_RIP,
     UC_X86_REG_RAX,
     UC_X86_REG_RCX,
     UC_X86_REG_RDX,
     UC_X86_REG_RSP,
     UC_X86_REG_RCX,
     {0x8B, 0x00},
     {0x89, 0x08},
     {0x51},
     {0xFF, 0xC2},
     {0xEB, 0xFC},
     {0x48, 0x8B, 0x08, 0x48, 0x89, 0x08}},
};

void PrintTo(const Set& set, std::ostream* out) {
  *out << set.name;
}

std::vector<std::uint8_t> operator+(std::vector<std::uint8_t> first, const std::vector<std::uint8_t>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

class Patches : public testing::TestWithParam<Set> {
 protected:
  Patches() {
    EXPECT_EQ(uc_open(set_.arch, set_.mode, &uc_), UC_ERR_OK);
    EXPECT_EQ(uc_mem_map(uc_, kCode, kRegion, UC_PROT_READ | UC_PROT_EXEC), UC_ERR_OK);
    EXPECT_EQ(uc_mem_map(uc_, kData, kRegion, UC_PROT_READ | UC_PROT_WRITE), UC_ERR_OK);
    EXPECT_EQ(uc_mmio_map(uc_, kDevice, kRegion, on_device_read, this, on_device_write, this), UC_ERR_OK);
  }
  ~Patches() override { uc_close(uc_); }

  void load_program(const std::vector<std::uint8_t>& code) {
    EXPECT_EQ(uc_mem_write(uc_, kCode, code.data(), code.size()), UC_ERR_OK);
    end_ = kCode + code.size();
  }
  uc_err run(std::uint64_t from = kCode) { return uc_emu_start(uc_, from, end_, 0, 0); }
  std::uint64_t read(int which) {
    std::uint64_t value = 0;
    uc_reg_read(uc_, which, &value);
    return value & 0xFFFF'FFFF;
  }
  void write(int which, std::uint64_t value) { uc_reg_write(uc_, which, &value); }
  void hook(int type, void* callback) {
    uc_hook handle;
    EXPECT_EQ(uc_hook_add(uc_, &handle, type, callback, this, 1, 0), UC_ERR_OK);
  }
  void hook_blocks() { hook(UC_HOOK_BLOCK, reinterpret_cast<void*>(&on_code)); }
  void hook_instructions() { hook(UC_HOOK_CODE, reinterpret_cast<void*>(&on_code)); }
  void stop() { uc_emu_stop(uc_); }

  const Set set_ = GetParam();
  uc_engine* uc_ = nullptr;
  std::uint64_t end_ = kNowhere;
  std::function<void()> in_device_ = [] {};
  std::function<void()> in_code_ = [] {};
  std::vector<std::array<std::uint64_t, 3>> accesses_;  ///< to the device: offset, size, value

 private:
  static std::uint64_t on_device_read(uc_engine*, std::uint64_t offset, unsigned size, void* self) {
    static_cast<Patches*>(self)->accesses_.push_back({offset, size, kWideAnswer});
    static_cast<Patches*>(self)->in_device_();
    return size == 8 ? kWideAnswer : kAnswer;
  }
  static void on_device_write(uc_engine*, std::uint64_t offset, unsigned size, std::uint64_t value, void* self) {
    static_cast<Patches*>(self)->accesses_.push_back({offset, size, value});
    static_cast<Patches*>(self)->in_device_();
  }
  static void on_code(uc_engine*, std::uint64_t, std::uint32_t, void* self) { static_cast<Patches*>(self)->in_code_(); }
};

TEST_P(Patches, ALoadThatStopsIsAsIfItHadNotBegun) {
  load_program(set_.load + set_.count);
  write(set_.base, kDevice);
  in_device_ = [this] { stop(); };
  EXPECT_EQ(run(), UC_ERR_OK);
  EXPECT_EQ(read(set_.pc), kCode);
  EXPECT_EQ(read(set_.base), kDevice);
  EXPECT_EQ(read(set_.counter), 0u);
  in_device_ = [] {};
  EXPECT_EQ(run(read(set_.pc)), UC_ERR_OK);
  EXPECT_EQ(read(set_.pc), end_);
  EXPECT_EQ(read(set_.base), kAnswer);
  EXPECT_EQ(read(set_.counter), 1u);
}

TEST_P(Patches, ALoadFromMemoryThatStops) {
  load_program(set_.count + set_.load + set_.count);
  write(set_.base, kData);
  hook(UC_HOOK_MEM_READ, reinterpret_cast<void*>(+[](uc_engine* uc, uc_mem_type, std::uint64_t, int, std::int64_t,
                                                     void*) { uc_emu_stop(uc); }));
  EXPECT_EQ(run(), UC_ERR_OK);
  EXPECT_EQ(read(set_.pc), kCode + set_.count.size());
  EXPECT_EQ(read(set_.base), kData);
  EXPECT_EQ(read(set_.counter), 1u);
}

TEST_P(Patches, NothingFollowsAStoreThatStops) {
  load_program(set_.count + set_.store + set_.count);
  write(set_.base, kDevice);
  in_device_ = [this] { stop(); };
  EXPECT_EQ(run(), UC_ERR_OK);
  EXPECT_EQ(read(set_.pc), kCode + set_.count.size());
  EXPECT_EQ(read(set_.counter), 1u);
}

TEST_P(Patches, NothingFollowsAStoreToMemoryThatIsNotThere) {
  load_program(set_.count + set_.store + set_.count);
  for (const std::uint64_t address : {kUnmapped, kCode}) {
    write(set_.base, address);
    write(set_.counter, 0);
    EXPECT_EQ(run(), address == kCode ? UC_ERR_WRITE_PROT : UC_ERR_WRITE_UNMAPPED);
    EXPECT_EQ(read(set_.pc), kCode + set_.count.size());
    EXPECT_EQ(read(set_.counter), 1u);
  }
}

TEST_P(Patches, AFaultLeavesTheStackPointer) {
  load_program(set_.count + set_.push + set_.count);
  write(set_.stack, kUnmapped + 0x100);
  EXPECT_EQ(run(), UC_ERR_WRITE_UNMAPPED);
  EXPECT_EQ(read(set_.pc), kCode + set_.count.size());
  EXPECT_EQ(read(set_.stack), kUnmapped + 0x100);
  EXPECT_EQ(read(set_.counter), 1u);
}

TEST_P(Patches, ABlockThatStopsDoesNotBegin) {
  load_program(set_.count + set_.repeat);
  end_ = kNowhere;
  hook_blocks();
  unsigned blocks = 0;
  in_code_ = [&] {
    if (++blocks == 8) stop();
  };
  EXPECT_EQ(run(), UC_ERR_OK);
  EXPECT_EQ(read(set_.pc), kCode);
  EXPECT_EQ(read(set_.counter), 7u);
}

/// Chained to the block before, whose last instruction is the last that has told its PC.
TEST_P(Patches, ABlockThatStopsWithInstructionsObserved) {
  load_program(set_.count + set_.repeat);
  end_ = kNowhere;
  hook_instructions();
  unsigned instructions = 0;
  in_code_ = [&] {
    if (++instructions == 14) stop();
  };
  EXPECT_EQ(run(), UC_ERR_OK);
  EXPECT_EQ(read(set_.pc), kCode + set_.count.size());
  EXPECT_EQ(read(set_.counter), 7u);
}

TEST_P(Patches, ABlocksCallbackSetsThePc) {
  load_program(set_.repeat + set_.count + set_.count);
  hook_blocks();
  bool first = true;
  in_code_ = [&] {
    if (!std::exchange(first, false)) return;
    write(set_.pc, kCode + set_.repeat.size() + set_.count.size());
  };
  EXPECT_EQ(run(), UC_ERR_OK);
  EXPECT_EQ(read(set_.pc), end_);
  EXPECT_EQ(read(set_.counter), 1u);
}

TEST_P(Patches, EightBytesOfADeviceAreOneAccess) {
  load_program(set_.copy);
  if (set_.arch == UC_ARCH_PPC) write(UC_PPC_REG_MSR, kPpcFloat);
  write(set_.base, kDevice + 24);
  EXPECT_EQ(run(), UC_ERR_OK);
  std::uint64_t value = 0;
  uc_reg_read(uc_, set_.wide, &value);
  EXPECT_EQ(value, kWideAnswer);
  const std::array<std::uint64_t, 3> once{24, 8, kWideAnswer};
  EXPECT_EQ(accesses_, (std::vector<std::array<std::uint64_t, 3>>{once, once}));
}

TEST_P(Patches, CodeThatIsWrittenIsExecuted) {
  uc_mem_unmap(uc_, kCode, kRegion);
  ASSERT_EQ(uc_mem_map(uc_, kCode, kRegion, UC_PROT_ALL), UC_ERR_OK);
  // Overwrites the first of two instructions that count, which has run before.
  const std::vector<std::uint8_t> program = set_.count + set_.count + set_.store;
  std::uint32_t nothing = 0x9090'9090;  // x86: nop, of both that the word covers
  if (set_.arch == UC_ARCH_PPC) nothing = 0x6000'0000;
  load_program(program);
  write(set_.base, kCode);
  write(set_.value, nothing);
  EXPECT_EQ(run(), UC_ERR_OK);
  EXPECT_EQ(read(set_.counter), 2u);
  EXPECT_EQ(run(), UC_ERR_OK);
  EXPECT_EQ(read(set_.counter), set_.arch == UC_ARCH_PPC ? 3u : 2u);
}

TEST_P(Patches, MemoryMayBecomeCode) {
  const auto protect = [this](unsigned permissions) {
    EXPECT_EQ(uc_mem_protect(uc_, kData, kRegion, permissions), UC_ERR_OK);
  };
  load_program(set_.store);
  write(set_.base, kData);
  for (unsigned i = 0; i < 3; ++i) {
    protect(UC_PROT_READ | UC_PROT_WRITE);
    // The same store twice: the second one is fast, and nobody hears of it.
    std::uint64_t word = 0x9090'0000 | (i % 2 == 0 ? 0xC2FF : 0x9090);  // inc edx, or nop
    if (set_.arch == UC_ARCH_PPC) word = i % 2 == 0 ? 0x38A5'0001 : 0x6000'0000;
    write(set_.value, 0);
    EXPECT_EQ(run(), UC_ERR_OK);
    write(set_.value, word);
    EXPECT_EQ(run(), UC_ERR_OK);
    protect(UC_PROT_READ | UC_PROT_EXEC);
    EXPECT_EQ(uc_emu_start(uc_, kData, kData + 4, 0, 0), UC_ERR_OK);
    EXPECT_EQ(read(set_.counter), i / 2 + 1);
  }
}

/// Pages that a callback gives, each processor its own.
class Processors : public Patches {
 protected:
  Processors() {
    EXPECT_EQ(uc_ctl_tlb_mode(uc_, UC_TLB_VIRTUAL), UC_ERR_OK);
    hook(UC_HOOK_TLB_FILL, reinterpret_cast<void*>(&on_miss));
    EXPECT_EQ(uc_cpu_add(uc_, &second_), UC_ERR_OK);
    write(set_.counter, 0);
  }

  void select(std::uint32_t processor) {
    EXPECT_EQ(uc_cpu_select(uc_, processor), UC_ERR_OK);
    selected_ = processor;
  }

  std::uint32_t second_ = 0;
  std::uint32_t selected_ = 0;
  /// Where the selected processor's page lies; nullopt if it has none.
  std::function<std::optional<std::uint64_t>(std::uint64_t)> place_ = [](std::uint64_t page) { return page; };

 private:
  static bool on_miss(uc_engine*, std::uint64_t page, uc_mem_type, uc_tlb_entry* entry, void* self) {
    const auto place = static_cast<Processors*>(self)->place_(page);
    if (!place) return false;
    *entry = {*place, UC_PROT_ALL};
    return true;
  }
};

TEST_P(Processors, HaveRegistersOfTheirOwn) {
  load_program(set_.count + set_.count);
  for (const std::uint32_t processor : {0u, second_}) {
    select(processor);
    write(set_.counter, 10 * processor);
  }
  for (const std::uint32_t processor : {0u, second_, second_, 0u, second_}) {
    select(processor);
    EXPECT_EQ(run(), UC_ERR_OK);
  }
  EXPECT_EQ(read(set_.counter), 16u);
  select(0);
  EXPECT_EQ(read(set_.counter), 4u);
  EXPECT_EQ(uc_cpu_select(uc_, second_ + 1), UC_ERR_ARG);
}

TEST_P(Processors, HavePagesOfTheirOwn) {
  load_program(set_.load);
  place_ = [this](std::uint64_t page) { return page == kData && selected_ != 0 ? page + 0x1000 : page; };
  for (const std::uint32_t word : {0x0101'0101u, 0x0202'0202u})
    EXPECT_EQ(uc_mem_write(uc_, word == 0x0101'0101 ? kData : kData + 0x1000, &word, sizeof word), UC_ERR_OK);
  for (const std::uint32_t processor : {0u, second_, 0u, second_}) {
    select(processor);
    write(set_.base, kData);
    EXPECT_EQ(run(), UC_ERR_OK);
    EXPECT_EQ(read(set_.base), processor == 0 ? 0x0101'0101u : 0x0202'0202u);
  }
}

TEST_P(Processors, HaveRoomForManyPages) {
  constexpr std::uint64_t kMany = 0x10'0000, kPages = 700;
  EXPECT_EQ(uc_mem_map(uc_, kMany, kPages * 0x1000, UC_PROT_READ | UC_PROT_WRITE), UC_ERR_OK);
  load_program(set_.load);
  for (std::uint64_t page = 0; page < kPages; ++page) {
    const auto word = static_cast<std::uint32_t>(0x0101'0101 * (page % 251));
    EXPECT_EQ(uc_mem_write(uc_, kMany + page * 0x1000, &word, sizeof word), UC_ERR_OK);
  }
  select(second_);
  for (unsigned round = 0; round < 3; ++round) {
    for (std::uint64_t page = 0; page < kPages; ++page) {
      write(set_.base, kMany + page * 0x1000);
      ASSERT_EQ(run(), UC_ERR_OK);
      ASSERT_EQ(read(set_.base), 0x0101'0101 * (page % 251));
    }
    EXPECT_EQ(uc_ctl_flush_tlb(uc_), UC_ERR_OK);
  }
}

TEST_P(Processors, MayBeLeftWithinACallback) {
  load_program(set_.load + set_.count);
  for (const bool stops : {false, true}) {
    write(set_.base, kDevice);
    write(set_.counter, 0);
    in_device_ = [this, stops] {
      if (selected_ != 0) {
        if (stops) stop();
        return;
      }
      select(second_);
      write(set_.base, kDevice);
      write(set_.counter, 0);
      EXPECT_EQ(run(), UC_ERR_OK);
      EXPECT_EQ(read(set_.counter), stops ? 0u : 1u);
      select(0);
    };
    EXPECT_EQ(run(), UC_ERR_OK);
    EXPECT_EQ(read(set_.pc), end_);
    EXPECT_EQ(read(set_.base), kAnswer);
    EXPECT_EQ(read(set_.counter), 1u);
  }
}

TEST_P(Processors, OfDifferentClustersShareNoTranslations) {
  load_program(set_.count + set_.count);
  const std::vector<std::uint8_t> other = set_.load + set_.count;  // in the other's place
  EXPECT_EQ(uc_mem_write(uc_, kCode + 0x1000, other.data(), other.size()), UC_ERR_OK);
  place_ = [this](std::uint64_t page) { return page == kCode && selected_ != 0 ? page + 0x1000 : page; };
  select(second_);
  EXPECT_EQ(uc_cpu_set_cluster(uc_, 255), UC_ERR_ARG);
  EXPECT_EQ(uc_cpu_set_cluster(uc_, 254), UC_ERR_OK);
  for (const std::uint32_t processor : {0u, second_, 0u, second_}) {
    select(processor);
    write(set_.base, kData);
    write(set_.counter, 0);
    EXPECT_EQ(uc_emu_start(uc_, kCode, kCode + (processor == 0 ? set_.count + set_.count : other).size(), 0, 0),
              UC_ERR_OK);
    EXPECT_EQ(read(set_.counter), processor == 0 ? 2u : 1u);
  }
}

/// And the address of a miss is the access's own.
TEST_P(Processors, TellWhereNoPageIs) {
  place_ = [](std::uint64_t page) { return page == kUnmapped ? std::nullopt : std::optional(page); };
  using Miss = std::tuple<uc_mem_type, std::uint64_t, int>;
  std::vector<Miss> misses;
  uc_hook handle;
  const uc_cb_eventmem_t on_unmapped = [](uc_engine*, uc_mem_type type, std::uint64_t address, int size, std::int64_t,
                                          void* told) {
    static_cast<std::vector<Miss>*>(told)->emplace_back(type, address, size);
    return false;
  };
  ASSERT_EQ(uc_hook_add(uc_, &handle, UC_HOOK_MEM_UNMAPPED, reinterpret_cast<void*>(on_unmapped), &misses, 1, 0),
            UC_ERR_OK);
  load_program(set_.count + set_.load);
  write(set_.base, kUnmapped + 0x124);
  EXPECT_EQ(run(), UC_ERR_EXCEPTION);
  load_program(set_.store);
  uc_ctl_remove_cache(uc_, kCode, kCode + 0x1000);
  EXPECT_EQ(run(), UC_ERR_EXCEPTION);
  EXPECT_EQ(uc_emu_start(uc_, kUnmapped + 0x40, kNowhere, 0, 0), UC_ERR_EXCEPTION);
  ASSERT_EQ(misses.size(), 3u);
  EXPECT_EQ(misses[0], Miss(UC_MEM_READ_UNMAPPED, kUnmapped + 0x124, 4));
  EXPECT_EQ(misses[1], Miss(UC_MEM_WRITE_UNMAPPED, kUnmapped + 0x124, 4));
  EXPECT_EQ(std::get<0>(misses[2]), UC_MEM_FETCH_UNMAPPED);
  EXPECT_EQ(std::get<1>(misses[2]), kUnmapped + 0x40);
}

TEST_P(Patches, RegistersAreWhereItIsTold) {
  void* place = nullptr;
  ASSERT_EQ(uc_reg_pointer(uc_, set_.counter, &place), UC_ERR_OK);
  const auto value = [this, place] {
    std::uint32_t word = 0;
    if (set_.arch == UC_ARCH_X86) return *static_cast<const std::uint64_t*>(place);
    std::memcpy(&word, place, sizeof word);
    return std::uint64_t{word};
  };
  load_program(set_.count + set_.repeat);
  end_ = kNowhere;
  hook_blocks();
  unsigned blocks = 0;
  in_code_ = [&] {
    EXPECT_EQ(value(), blocks);
    EXPECT_EQ(read(set_.counter), blocks);
    if (++blocks == 8) stop();
  };
  EXPECT_EQ(run(), UC_ERR_OK);
}

TEST(PlacesOfRegisters, FollowTheirNumbersOnPowerPc) {
  uc_engine* uc = nullptr;
  ASSERT_EQ(uc_open(UC_ARCH_PPC, static_cast<uc_mode>(UC_MODE_PPC32 | UC_MODE_BIG_ENDIAN), &uc), UC_ERR_OK);
  void *place = nullptr, *first = nullptr;
  ASSERT_EQ(uc_reg_pointer(uc, UC_PPC_REG_FPR0 + 7, &place), UC_ERR_OK);
  const double pi = 3.14159;
  uc_reg_write(uc, UC_PPC_REG_FPR0 + 7, &pi);
  EXPECT_EQ(std::memcmp(place, &pi, sizeof pi), 0);
  ASSERT_EQ(uc_reg_pointer(uc, UC_PPC_REG_FPR0, &first), UC_ERR_OK);
  EXPECT_EQ(static_cast<char*>(place) - static_cast<char*>(first), 7 * 16);
  EXPECT_EQ(uc_reg_pointer(uc, UC_PPC_REG_CR0, &place), UC_ERR_ARG);
  uc_close(uc);
}

/// A store is not made whose reservation has been cleared in its place.
TEST(PlacesOfRegisters, TellOfTheReservation) {
  constexpr std::uint64_t kCode = 0x1000, kData = 0x2000;
  constexpr std::uint8_t kProgram[] = {0x7C, 0x80, 0x18, 0x28,
                                       0x7C, 0xA0, 0x19, 0x2D};  // lwarx r4,0,r3; stwcx. r5,0,r3
  for (const bool keeps : {true, false}) {
    uc_engine* uc = nullptr;
    void* place = nullptr;
    ASSERT_EQ(uc_open(UC_ARCH_PPC, static_cast<uc_mode>(UC_MODE_PPC32 | UC_MODE_BIG_ENDIAN), &uc), UC_ERR_OK);
    ASSERT_EQ(uc_ctl_set_cpu_model(uc, UC_CPU_PPC32_7457A_V1_2), UC_ERR_OK);
    ASSERT_EQ(uc_mem_map(uc, kCode, 0x2000, UC_PROT_ALL), UC_ERR_OK);
    uc_mem_write(uc, kCode, kProgram, sizeof kProgram);
    const std::uint32_t address = kData, stored = 0x01020304;
    uc_reg_write(uc, UC_PPC_REG_3, &address);
    uc_reg_write(uc, UC_PPC_REG_5, &stored);
    ASSERT_EQ(uc_reg_pointer(uc, UC_PPC_REG_RESERVATION, &place), UC_ERR_OK);
    auto* const reserved = static_cast<std::uint32_t*>(place);
    EXPECT_EQ(*reserved, 0xFFFF'FFFFu);
    EXPECT_EQ(uc_emu_start(uc, kCode, kCode + 4, 0, 0), UC_ERR_OK);
    EXPECT_EQ(*reserved, kData);
    if (!keeps) *reserved = 0xFFFF'FFFF;
    EXPECT_EQ(uc_emu_start(uc, kCode + 4, kCode + 8, 0, 0), UC_ERR_OK);
    std::uint8_t found[4] = {};
    uc_mem_read(uc, kData, found, sizeof found);
    EXPECT_EQ(found[3], keeps ? 4 : 0);
    uc_close(uc);
  }
}

TEST(Registers, XerIsReadAndWrittenWhole) {
  constexpr std::uint64_t kCode = 0x1000;
  constexpr std::uint8_t kProgram[] = {0x7C, 0x60, 0x01, 0x94,   // addze r3,r0
                                       0x30, 0x80, 0x00, 0x01};  // addic r4,r0,1
  uc_engine* uc = nullptr;
  ASSERT_EQ(uc_open(UC_ARCH_PPC, static_cast<uc_mode>(UC_MODE_PPC32 | UC_MODE_BIG_ENDIAN), &uc), UC_ERR_OK);
  ASSERT_EQ(uc_ctl_set_cpu_model(uc, UC_CPU_PPC32_7457A_V1_2), UC_ERR_OK);
  ASSERT_EQ(uc_mem_map(uc, kCode, 0x1000, UC_PROT_ALL), UC_ERR_OK);
  uc_mem_write(uc, kCode, kProgram, sizeof kProgram);
  constexpr std::uint32_t kCarry = 0x2000'0000, kOverflow = 0xC000'0000, kCount = 5;
  const std::uint32_t most = 0xFFFF'FFFF, written = kCarry | kOverflow | kCount;
  std::uint32_t found = 0;
  uc_reg_write(uc, UC_PPC_REG_XER, &written);
  uc_reg_read(uc, UC_PPC_REG_XER, &found);
  EXPECT_EQ(found, written);
  EXPECT_EQ(uc_emu_start(uc, kCode, kCode + 4, 0, 0), UC_ERR_OK);
  uc_reg_read(uc, UC_PPC_REG_3, &found);
  EXPECT_EQ(found, 1u);
  uc_reg_write(uc, UC_PPC_REG_0, &most);
  uc_reg_read(uc, UC_PPC_REG_XER, &found);
  EXPECT_EQ(found, kOverflow | kCount);
  EXPECT_EQ(uc_emu_start(uc, kCode + 4, kCode + 8, 0, 0), UC_ERR_OK);
  uc_reg_read(uc, UC_PPC_REG_XER, &found);
  EXPECT_EQ(found, written);
  uc_close(uc);
}

TEST(PlacesOfRegisters, FollowTheirNumbersOnX86) {
  constexpr int kInOrder[] = {UC_X86_REG_RAX, UC_X86_REG_RCX, UC_X86_REG_RDX, UC_X86_REG_RBX,
                              UC_X86_REG_RSP, UC_X86_REG_RBP, UC_X86_REG_RSI, UC_X86_REG_RDI,
                              UC_X86_REG_R8,  UC_X86_REG_R9,  UC_X86_REG_R10, UC_X86_REG_R11,
                              UC_X86_REG_R12, UC_X86_REG_R13, UC_X86_REG_R14, UC_X86_REG_R15};
  uc_engine* uc = nullptr;
  ASSERT_EQ(uc_open(UC_ARCH_X86, UC_MODE_64, &uc), UC_ERR_OK);
  void* first = nullptr;
  ASSERT_EQ(uc_reg_pointer(uc, UC_X86_REG_RAX, &first), UC_ERR_OK);
  std::uint64_t number = 0;
  for (const int which : kInOrder) {
    void* place = nullptr;
    ASSERT_EQ(uc_reg_pointer(uc, which, &place), UC_ERR_OK);
    EXPECT_EQ(static_cast<std::uint64_t*>(place) - static_cast<std::uint64_t*>(first),
              static_cast<std::ptrdiff_t>(number));
    uc_reg_write(uc, which, &++number);
    EXPECT_EQ(*static_cast<std::uint64_t*>(place), number);
  }
  void* pc = nullptr;
  ASSERT_EQ(uc_reg_pointer(uc, UC_X86_REG_RIP, &pc), UC_ERR_OK);
  uc_reg_write(uc, UC_X86_REG_RIP, &number);
  EXPECT_EQ(*static_cast<std::uint64_t*>(pc), number);
  EXPECT_EQ(uc_reg_pointer(uc, UC_X86_REG_EFLAGS, &pc), UC_ERR_ARG);
  uc_close(uc);
}

TEST_P(Patches, AReadOfTheTimeEndsItsBlock) {
  if (set_.arch != UC_ARCH_X86) return;
  const std::vector<std::uint8_t> rdtsc = {0x0F, 0x31}, rdtscp = {0x0F, 0x01, 0xF9};
  load_program(set_.count + rdtsc + set_.count + rdtscp + set_.count);
  hook_blocks();
  unsigned blocks = 0;
  in_code_ = [&] { ++blocks; };
  EXPECT_EQ(run(), UC_ERR_OK);
  EXPECT_EQ(blocks, 3u);
}

INSTANTIATE_TEST_SUITE_P(Sets, Processors, testing::ValuesIn(kSets), [](const auto& set) { return set.param.name; });
INSTANTIATE_TEST_SUITE_P(Sets, Patches, testing::ValuesIn(kSets), [](const auto& set) { return set.param.name; });

/// PowerPC without its MMU allows everything, code included.
TEST(FastStores, TheSecondStoreToAPageThatHoldsNoCodeIsFast) {
  uc_engine* uc = nullptr;
  ASSERT_EQ(uc_open(UC_ARCH_PPC, static_cast<uc_mode>(UC_MODE_PPC32 | UC_MODE_BIG_ENDIAN), &uc), UC_ERR_OK);
  const std::uint8_t program[] = {0x90, 0x83, 0x00, 0x00, 0x90, 0x83, 0x00, 0x04, 0x90, 0x83, 0x10, 0x00};  // three stw
  ASSERT_EQ(uc_mem_map(uc, kCode, kRegion, UC_PROT_ALL), UC_ERR_OK);
  ASSERT_EQ(uc_mem_map(uc, kData, kRegion, UC_PROT_READ | UC_PROT_WRITE), UC_ERR_OK);
  ASSERT_EQ(uc_mem_write(uc, kCode, program, sizeof program), UC_ERR_OK);
  for (const std::uint64_t base : {kData, kCode + 0x1000}) {
    const auto address = static_cast<std::uint32_t>(base);
    uc_reg_write(uc, UC_PPC_REG_3, &address);
    relieved_pages = 0;
    for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(uc_emu_start(uc, kCode, kCode + sizeof program, 0, 0), UC_ERR_OK);
    EXPECT_EQ(relieved_pages, base == kData ? 2u : 0u);
  }
  uc_close(uc);
}

}  // namespace
