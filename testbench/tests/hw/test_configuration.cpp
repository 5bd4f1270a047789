// SPDX-License-Identifier: Apache-2.0
//
// Configuration files of the simulator: each is read, or refused in one line that names the file.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <systemc>

#include "hw/chips/bgl/describe.h"
#include "hw/sim/configuration.h"
#include "hw/sim/shape.h"
#include "testbench/shipped.h"

namespace toroid {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const char* const kRun = R"({
  "version": 1, "kind": "run", "machine": "bgl", "dimensions": "XYZ",
  "modes": {"co": {"title": "one a node", "processes": 1, "cores": 2}}, "shape": [4, 4, 2], "wrap": [true, true, false],
  "seed": 1, "parameters": {"core.clock": 700, "torus.bit_error_rate": 0.0},
  "run": {"program": "/nowhere", "arguments": ["a", "b"], "environment": {"A": "1"}, "mode": "co", "ranks": 32,
          "mapping": "map.txt", "job_directory": ".", "prefix_output": true, "timeout_ns": 1000, "park": true,
          "check_coherence": false, "trace": {"file": "t", "calls": ["MPI_*"], "contents": true},
          "gdb": {"rank": 0, "port": 0}},
  "rtl": {"units": ["router@all"], "waves": {"file": "w", "scopes": ["x"], "from_ns": 1, "to_ns": 2}}})";

const char* const kTraffic = R"({
  "version": 1, "kind": "traffic", "machine": "bgl", "dimensions": "ABCDE",
  "modes": {"co": {"title": "one a node", "processes": 1, "cores": 2}}, "shape": [2, 2, 2, 2, 2],
  "wrap": [true, true, true, true, true], "seed": 1, "parameters": {"core.clock": 700},
  "traffic": {"pattern": "uniform", "routing": "adaptive", "loads": [0.3, 0.5], "sizes": [[256, 1.0], [32, 0.5]],
              "warmup_cycles": 10, "measure_cycles": 10, "hot_fraction": 0.1, "check": false}})";

const char* const kMessages = R"({
  "version": 1, "kind": "traffic", "machine": "bgl", "dimensions": "XYZ",
  "modes": {"co": {"title": "one a node", "processes": 1, "cores": 2}}, "shape": [2, 2, 2],
  "wrap": [true, true, true], "seed": 1, "parameters": {"core.clock": 700},
  "traffic": {"pattern": "displacement", "routing": "adaptive", "displacement": [0, 0, 1], "senders_every": 2,
              "messages": {"bytes": [8, 4096], "count": 100, "header_bytes": 16, "tie_rule": "parity",
                           "interval_cycles": 700, "start_within_cycles": 425}}})";

class ConfigurationFile : public ::testing::Test {
 protected:
  /// What is said of a file with this content; empty where it is taken.
  std::string refusal(const std::string& content) {
    std::ofstream(path_, std::ios::binary) << content;
    try {
      const Configuration configuration = Configuration::read(path_);
      const Topology topology(shape_of(configuration));
      return "";
    } catch (const ConfigurationError& error) {
      return error.what();
    }
  }

  /// The same of a configuration with one value replaced.
  std::string with(const char* base, const char* pointer, const Json& value) {
    Json changed = Json::parse(base);
    changed[Json::json_pointer(pointer)] = value;
    return refusal(changed.dump());
  }

  void check(const std::string& said) {
    EXPECT_EQ(said.rfind(path_ + ":", 0), 0u) << said;
    for (const char character : said) EXPECT_GE(static_cast<unsigned char>(character), 0x20) << said;
    EXPECT_LT(said.size(), 600u);
  }

  void TearDown() override { fs::remove(path_); }

  const std::string path_ = fs::temp_directory_path() / ("toroid-configuration-" + std::to_string(getpid()));
};

TEST_F(ConfigurationFile, IsTaken) {
  EXPECT_EQ(refusal(kRun), "");
  EXPECT_EQ(refusal(kTraffic), "");
  EXPECT_EQ(refusal(kMessages), "");
}

TEST_F(ConfigurationFile, HasNumbersThatFit) {
  EXPECT_EQ(with(kRun, "/run/ranks", 4294967297u),
            path_ + ": run: \"ranks\" is 4294967297; it must be a whole number from 0 to 4294967295");
  EXPECT_EQ(with(kRun, "/run/ranks", -1),
            path_ + ": run: \"ranks\" is -1; it must be a whole number from 0 to 4294967295");
  EXPECT_EQ(with(kRun, "/shape/0", 4294967297u),
            path_ + ": \"shape\" is [4294967297,4,2]; it must be a whole number from 0 to 4294967295");
  EXPECT_EQ(with(kRun, "/shape/0", 1.5),
            path_ + ": \"shape\" is [1.5,4,2]; it must be a whole number from 0 to 4294967295");
  EXPECT_EQ(with(kTraffic, "/traffic/sizes/0", Json::array({1})),
            path_ + ": traffic: \"sizes\" is [[1],[32,0.5]]; it must be a list of pairs");
  EXPECT_EQ(with(kTraffic, "/traffic/sizes/0/1", 1e308),
            path_ + ": traffic: \"sizes\" must be pairs of a packet's bytes and a weight above 0, up to 1e100");
  EXPECT_EQ(with(kTraffic, "/traffic/hot_fraction", 1.5), path_ + ": traffic: \"hot_fraction\" must be from 0 to 1");
  EXPECT_EQ(with(kTraffic, "/traffic/warmup_cycles", ~std::uint64_t{0}),
            path_ + ": traffic: \"warmup_cycles\" and \"measure_cycles\" must be at most 10000000000000000");
  check(refusal(R"({"version": 1e999})"));
}

TEST_F(ConfigurationFile, HasMessagesThatCanBeSent) {
  const std::string traffic = path_ + ": traffic: ";
  const std::string messages = traffic + "messages: ";
  EXPECT_EQ(with(kMessages, "/traffic/messages/bytes", Json::array()),
            messages + "\"bytes\" must name at least one size");
  EXPECT_EQ(with(kMessages, "/traffic/messages/bytes/0", 0), messages + "\"bytes\" must lie from 1 to 1099511627776");
  EXPECT_EQ(with(kMessages, "/traffic/messages/count", 0), messages + "\"count\" must be at least 1");
  EXPECT_EQ(with(kMessages, "/traffic/messages/tie_rule", "minus"),
            messages + "\"tie_rule\" is \"minus\"; it must be parity or plus, or absent");
  EXPECT_EQ(with(kMessages, "/traffic/messages/interval_cycles", 4294967295u),
            messages + "\"interval_cycles\" and \"start_within_cycles\" must be at most 4294967294");
  EXPECT_EQ(with(kMessages, "/traffic/displacement", Json::array({1, 2})),
            traffic + "\"displacement\" must have 3 entries");
  EXPECT_EQ(with(kMessages, "/traffic/displacement/1", 256), traffic + "\"displacement\" must lie from 0 to 255");
  EXPECT_EQ(with(kMessages, "/traffic/senders_every", 0), traffic + "\"senders_every\" must be at least 1");
  EXPECT_EQ(with(kMessages, "/traffic/loads", Json::array({0.3})), traffic + "unknown key \"loads\"");
  EXPECT_EQ(with(kMessages, "/rtl", Json::object({{"units", Json::array({"router@all"})}})),
            path_ + ": \"rtl\" does not go with \"messages\"");
}

TEST_F(ConfigurationFile, HasTextsThatArePrintedPlainly) {
  EXPECT_EQ(with(kRun, "/run/arguments/0", std::string("a\0b", 3)),
            path_ + R"(: run: "arguments" is ["a\u0000b","b"]; it must be a text without zero bytes)");
  EXPECT_EQ(with(kRun, "/kind", "\x1b[31m\n"),
            path_ + R"(: "kind" is "\u001b[31m\n"; it must be run, traffic or collective)");
  EXPECT_EQ(with(kRun, "/\x1b[31m", 1), path_ + R"(: unknown key "\u001b[31m")");
  EXPECT_EQ(with(kRun, "/parameters", 5), path_ + R"(: "parameters" must be an object)");
}

/// What is said of a description's parameters; empty where they make a machine.
std::string refusal_of(const Parameters& parameters) {
  try {
    describe(parameters);
    return "";
  } catch (const ConfigurationError& error) {
    return error.what();
  }
}

TEST(Parameters, HaveNoDefaults) {
  class Names final : public ParameterVisitor {
   public:
    std::vector<ParameterInfo> all;

   private:
    double visit(const ParameterInfo& info, double value) override {
      all.push_back(info);
      return value;
    }
    std::string visit_text(const ParameterInfo& info, const std::string& value) override {
      all.push_back(info);
      return value;
    }
    std::vector<unsigned> visit_order(const ParameterInfo& info, const std::vector<unsigned>& value) override {
      all.push_back(info);
      return value;
    }
    std::vector<unsigned> visit_masks(const ParameterInfo& info, const std::vector<unsigned>& value) override {
      all.push_back(info);
      return value;
    }
    std::vector<unsigned> visit_directions(const ParameterInfo& info, const std::vector<unsigned>& value) override {
      all.push_back(info);
      return value;
    }
  } names;
  BglConfig{}.visit_parameters(names);
  EXPECT_GT(names.all.size(), 80u);
  for (const ParameterInfo& info : names.all) {
    Parameters parameters = test::shipped_parameters("bgl", info.name);
    parameters.set_description("mine.yaml");
    const std::string unit = *info.unit == '\0' ? "" : std::string(" in ") + info.unit;
    EXPECT_EQ(refusal_of(parameters), "mine.yaml: parameter " + std::string(info.name) + " is missing, " +
                                          info.expected() + unit + ": " + info.meaning);
  }
}

TEST(Parameters, AreNamedWithTheirPlace) {
  const auto refused = [](const char* name, const Parameters::Value& value) {
    Parameters parameters = test::shipped_parameters();
    parameters.set(name, value);
    parameters.set_origin(name, "mine.yaml:7");
    return refusal_of(parameters);
  };
  EXPECT_EQ(refusal_of(test::shipped_parameters()), "");
  EXPECT_EQ(refused("torus.tie_rule", "plus"), "");
  EXPECT_EQ(refused("torus.clock", 0.0),
            "mine.yaml:7: torus.clock is 0 MHz; it must be a whole number from 1 to 100000");
  EXPECT_EQ(refused("torus.clock", 1.5),
            "mine.yaml:7: torus.clock is 1.5 MHz; it must be a whole number from 1 to 100000");
  EXPECT_EQ(refused("torus.clock", std::nan("")),
            "mine.yaml:7: torus.clock is nan MHz; it must be a whole number from 1 to 100000");
  EXPECT_EQ(refused("torus.clock", "fast"),
            "mine.yaml:7: torus.clock is 'fast'; it must be a whole number from 1 to 100000");
  EXPECT_EQ(refused("torus.tie_rule", "up"),
            "mine.yaml:7: torus.tie_rule is 'up'; it must be parity, plus or sum_parity");
  EXPECT_EQ(refused("torus.tie_rule", 1.0),
            "mine.yaml:7: torus.tie_rule is a number; it must be parity, plus or sum_parity");
  EXPECT_EQ(refused("tree.bit_error_rate", 0.1),
            "mine.yaml:7: tree.bit_error_rate is 0.1 per bit; it must be a number from 0 to 0.003");
  EXPECT_EQ(
      refused("torus.buffer_chunks", 12.0),
      "mine.yaml:7: torus.buffer_chunks must be from 16 (one maximum packet and bubble_chunks) to 255 (8-bit token "
      "counters)");
  EXPECT_EQ(
      refused("cache.l1_size", 33.0),
      "mine.yaml:7: cache.l1_size is 33792 bytes in sets of 64 lines of 32 bytes; size and ways must be powers of "
      "two, and a set must fit");
  EXPECT_EQ(refused("torus.colour", 1.0), "mine.yaml:7: torus.colour means nothing to this machine");
}

TEST_F(ConfigurationFile, IsNotDeep) {
  const std::string brackets(1'000'000, '[');
  EXPECT_EQ(refusal(R"({"version": )" + brackets), path_ + ": more than 16 levels of objects and lists");
  std::string braces;
  for (int i = 0; i < 100'000; ++i) braces += R"({"a":)";
  EXPECT_EQ(refusal(braces), path_ + ": more than 16 levels of objects and lists");
}

/// A random place of a configuration.
Json* place(Json& root, std::mt19937_64& random) {
  Json* at = &root;
  while ((at->is_object() || at->is_array()) && !at->empty() && random() % 4 != 0) {
    auto member = at->begin();
    std::advance(member, random() % at->size());
    at = &*member;
  }
  return at;
}

Json nasty(std::mt19937_64& random) {
  static const Json kNasty = Json::parse(R"([null, true, false, 0, 1, -1, 255, 256, 65536, 4294967295, 4294967296,
    18446744073709551615, 1.5, -0.0, 1e308, 1e-308, "", "run", "\u0000", "\u001b[31m", "\ud83d\ude00", [], {}, [[]],
    [{}], {"": 1}, [1, 2, 3], ["a", 1], [[1, 2, 3]], {"a": {"b": {"c": []}}}, "vn", "deterministic", [0.5, 0.5],
    [[8, 0]], [true, true, true], 5])");
  return kNasty[random() % kNasty.size()];
}

void change(Json& root, std::mt19937_64& random) {
  Json& at = *place(root, random);
  switch (random() % 5) {
    case 0:
      if (at.is_object() && !at.empty()) at.erase(std::next(at.begin(), random() % at.size()));
      break;
    case 1:
      if (at.is_object()) at["key" + std::to_string(random() % 3)] = nasty(random);
      break;
    case 2:
      if (at.is_array()) at.push_back(nasty(random));
      break;
    default:
      at = nasty(random);
  }
}

void spoil(std::string& text, std::mt19937_64& random) {
  static const std::string kPieces[] = {"[",
                                        "]",
                                        "{",
                                        "}",
                                        ",",
                                        ":",
                                        "\"",
                                        "\\u0000",
                                        "\\ud800",
                                        "\xff",
                                        "\x1b",
                                        "1e999",
                                        "-",
                                        "null",
                                        "//",
                                        std::string(1, '\0'),
                                        std::string(300, '['),
                                        "\xef\xbb\xbf"};
  const std::size_t at = random() % (text.size() + 1);
  switch (random() % 3) {
    case 0:
      text.insert(at, kPieces[random() % std::size(kPieces)]);
      break;
    case 1:
      text.erase(at, random() % 20);
      break;
    default:
      if (at < text.size()) text[at] = static_cast<char>(random());
  }
}

/// More of them with TOROID_FUZZ_CASES.
TEST_F(ConfigurationFile, SurvivesMutations) {
  const char* asked = std::getenv("TOROID_FUZZ_CASES");
  const unsigned long cases = asked != nullptr ? std::strtoul(asked, nullptr, 10) : 1500;
  unsigned long refused = 0;
  for (unsigned long number = 0; number < cases; ++number) {
    std::mt19937_64 random(number);
    Json root = Json::parse(random() % 2 == 0 ? kRun : kTraffic);
    for (std::uint64_t left = random() % 4; left > 0; --left) change(root, random);
    std::string text = root.dump();
    for (std::uint64_t left = random() % 3; left > 0; --left) spoil(text, random);
    SCOPED_TRACE("case " + std::to_string(number) + ": " + text.substr(0, 2000));
    const std::string said = refusal(text);
    if (said.empty()) continue;
    ++refused;
    check(said);
    if (HasFailure()) return;
  }
  EXPECT_GT(refused, cases / 2);
  EXPECT_LT(refused, cases);
}

}  // namespace
}  // namespace toroid
