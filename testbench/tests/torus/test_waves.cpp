// SPDX-License-Identifier: Apache-2.0
//
// Waves of several units in one file, read back as GTKWave reads them.
#include <Vtally.h>
#include <Vtally_by_two.h>
#include <gtest/gtest.h>
#include <gtkwave/fstapi.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "torus/rtl/fst_waves.h"
#include "torus/rtl/verilated_hooks.h"

namespace {

using namespace toroid::rtl;

constexpr unsigned kMhz = 250;  // 4000 ps

using Change = std::pair<std::uint64_t, std::string>;  // time, value in binary

struct Recorded {
  std::map<std::string, std::vector<Change>> signals;  ///< by "scope.scope.name"
  int timescale = 0;                                   ///< power of ten of a second
};

Recorded read(const std::string& path) {
  Recorded found;
  void* const reader = fstReaderOpen(path.c_str());
  if (reader == nullptr) throw std::runtime_error(path + " is no FST file");
  found.timescale = fstReaderGetTimescale(reader);
  std::map<fstHandle, std::vector<std::string>> names;
  std::vector<std::string> scopes;
  while (const fstHier* const item = fstReaderIterateHier(reader)) {
    if (item->htyp == FST_HT_SCOPE) scopes.push_back((scopes.empty() ? "" : scopes.back()) + item->u.scope.name + ".");
    if (item->htyp == FST_HT_UPSCOPE) scopes.pop_back();
    if (item->htyp != FST_HT_VAR) continue;
    const std::string name = item->u.var.name;
    names[item->u.var.handle].push_back(scopes.back() + name.substr(0, name.find(' ')));
    found.signals[names[item->u.var.handle].back()];
  }
  fstReaderSetFacProcessMaskAll(reader);
  struct Into {
    Recorded& found;
    const std::map<fstHandle, std::vector<std::string>>& names;
  } into{found, names};
  fstReaderIterBlocks(
      reader,
      [](void* self, std::uint64_t time, fstHandle handle, const unsigned char* value) {
        Into& target = *static_cast<Into*>(self);
        for (const std::string& name : target.names.at(handle)) {
          target.found.signals[name].emplace_back(time, reinterpret_cast<const char*>(value));
        }
      },
      &into, nullptr);
  fstReaderClose(reader);
  return found;
}

template <typename Model>
class Unit {
 public:
  explicit Unit(const std::string& name) : name_(name), model_(&shared_context(), name.c_str()) {}

  void edge(Waves& waves, std::uint64_t cycle, bool add = true) {
    waves.edge(cycle);
    model_.add = add;
    model_.clk = 0;
    model_.eval();
    model_.clk = 1;
    model_.eval();
  }
  Traced traced() {
    const auto lower_clock = [this] {
      model_.clk = 0;
      model_.eval();
    };
    return {name_, [this](VerilatedFstC& file) { model_.trace(&file, 99); }, lower_clock};
  }

 private:
  std::string name_;
  Model model_;
};

class WavesTest : public testing::Test {
 protected:
  WavesTest()
      : path_(
            (std::filesystem::temp_directory_path() / ("toroid-test-" + std::to_string(getpid()) + ".fst")).string()) {}
  ~WavesTest() override { std::remove(path_.c_str()); }

  std::vector<Traced> units() { return {first_.traced(), second_.traced()}; }
  std::string refusal(WavesRequest request) {
    try {
      FstWaves(request, kMhz, units());
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "none";
  }

  std::string path_;
  Unit<Vtally> first_{"tally@0,0,0"};
  Unit<Vtally_by_two> second_{"tally@1,0,0"};
};

TEST_F(WavesTest, the_column_of_a_cycle_shows_its_inputs_and_the_outputs_that_its_edge_leaves) {
  FstWaves waves({path_, {}, 0, WavesRequest::kToTheEnd}, kMhz, units());
  for (const std::uint64_t cycle : {10, 11, 20}) {
    first_.edge(waves, cycle, cycle != 11);
    if (cycle != 20) second_.edge(waves, cycle);
  }
  waves.close();
  const Recorded found = read(path_);
  EXPECT_EQ(found.timescale, -12);
  const auto& count = found.signals.at("tally@0,0,0.count");
  EXPECT_EQ(count, (std::vector<Change>{{40000, "00000001"}, {80000, "00000010"}}));
  EXPECT_EQ(found.signals.at("tally@0,0,0.tally.count"), count);
  EXPECT_EQ(found.signals.at("tally@0,0,0.add"), (std::vector<Change>{{40000, "1"}, {44000, "0"}, {80000, "1"}}));
  EXPECT_EQ(found.signals.at("tally@1,0,0.count"), (std::vector<Change>{{40000, "00000010"}, {44000, "00000100"}}));
  const auto& clk = found.signals.at("tally@0,0,0.clk");
  EXPECT_EQ(clk,
            (std::vector<Change>{{40000, "1"}, {42000, "0"}, {44000, "1"}, {46000, "0"}, {80000, "1"}, {82000, "0"}}));
  EXPECT_EQ(found.signals.at("tally@1,0,0.clk").size(), 4);
  EXPECT_EQ(found.signals.at("network.cycle").back(), (Change{80000, std::string(59, '0') + "10100"}));
}

TEST_F(WavesTest, only_the_scopes_asked_for) {
  FstWaves waves({path_, {"tally@1,0,0"}, 0, WavesRequest::kToTheEnd}, kMhz, units());
  second_.edge(waves, 1);
  waves.close();
  const Recorded found = read(path_);
  EXPECT_EQ(found.signals.count("tally@0,0,0.count"), 0);
  EXPECT_EQ(found.signals.count("tally@1,0,0.count"), 1);
}

TEST_F(WavesTest, not_those_behind_the_last_one_asked_for) {
  FstWaves waves({path_, {"tally@0,0,0"}, 0, WavesRequest::kToTheEnd}, kMhz, units());
  first_.edge(waves, 1);
  waves.close();
  const Recorded found = read(path_);
  EXPECT_EQ(found.signals.count("tally@0,0,0.count"), 1);
  EXPECT_EQ(found.signals.count("tally@1,0,0.count"), 0);
}

TEST_F(WavesTest, what_is_no_file_stays_what_it_is) {
  std::remove(path_.c_str());
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_THROW(FstWaves({path_, {}, 0, WavesRequest::kToTheEnd}, kMhz, units()), std::invalid_argument);
  EXPECT_TRUE(std::filesystem::is_fifo(path_));
}

TEST_F(WavesTest, scopes_inside_a_unit) {
  FstWaves waves({path_, {"tally@1,0,0.tally"}, 0, WavesRequest::kToTheEnd}, kMhz, units());
  second_.edge(waves, 1);
  second_.edge(waves, 2);
  waves.close();
  const Recorded found = read(path_);
  EXPECT_EQ(found.signals.count("tally@1,0,0.count"), 0);
  EXPECT_EQ(found.signals.at("tally@1,0,0.tally.count"), (std::vector<Change>{{4000, "00000010"}, {8000, "00000100"}}));
  EXPECT_EQ(found.signals.count("network.cycle"), 1);
}

TEST_F(WavesTest, only_the_times_asked_for) {
  FstWaves waves({path_, {}, 8000, 13000}, kMhz, units());
  for (std::uint64_t cycle = 1; cycle < 6; ++cycle) first_.edge(waves, cycle);
  waves.close();
  EXPECT_EQ(read(path_).signals.at("tally@0,0,0.count"),
            (std::vector<Change>{{8000, "00000010"}, {12000, "00000011"}}));
}

TEST_F(WavesTest, unknown_scopes_are_refused_with_those_there_are) {
  EXPECT_EQ(refusal({path_, {"tally@9,0,0"}, 0, 1}),
            "waves: no RTL unit is called \"tally@9,0,0\"; there is tally@0,0,0, tally@1,0,0");
  EXPECT_EQ(refusal({path_, {"tally@1,0,0.adder"}, 0, 1}),
            "waves: there is no scope \"tally@1,0,0.adder\"; below tally@1,0,0 there is tally");
}

TEST_F(WavesTest, a_file_that_cannot_be_written_is_refused) {
  EXPECT_EQ(refusal({"/nowhere/waves.fst", {}, 0, 1}), "/nowhere/waves.fst: cannot be written");
}

}  // namespace
