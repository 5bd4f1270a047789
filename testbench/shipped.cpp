// SPDX-License-Identifier: Apache-2.0
#include "testbench/shipped.h"

#include <fstream>
#include <map>
#include <regex>
#include <stdexcept>

namespace toroid::test {

namespace {

using Values = std::map<std::string, Parameters::Value>;

/// A shipped description has each parameter on a line of its own, "    clock: {value: 700, unit: MHz, ...}" in the
/// group "  core:".
Values read_values(const std::string& path) {
  std::ifstream file(path);
  const std::regex dimensions_line(R"(^dimensions: (\w+)$)");
  const std::regex group_line(R"(^  (\w+):$)");
  const std::regex value_line(R"(^    (\w+): \{value: ([^,}]+))");
  Values values;
  std::string group;
  std::smatch found;
  for (std::string line; std::getline(file, line);) {
    if (std::regex_search(line, found, dimensions_line)) values["dimensions"] = found[1].str();
    if (std::regex_search(line, found, group_line)) group = found[1];
    if (!std::regex_search(line, found, value_line)) continue;
    const std::string name = group + "." + found[1].str();
    const std::string value = found[2];
    if (value.find_first_not_of("0123456789.e-") == std::string::npos) {
      values[name] = std::stod(value);
    } else {
      values[name] = value;
    }
  }
  if (values.empty()) throw std::runtime_error(path + ": no description of a machine");
  return values;
}

/// Test chips, which are not shipped, have descriptions of the same form.
std::string description_of(const std::string& machine) {
  const bool test_chip = machine.rfind("test-", 0) == 0;
  return (test_chip ? TOROID_TEST_CHIPS "/" + machine : std::string(TOROID_MACHINES)) + "/" + machine + ".yaml";
}

}  // namespace

Parameters shipped_parameters(const std::string& machine, const std::string& without) {
  static std::map<std::string, Values> read;
  Values& values = read[machine];
  if (values.empty()) values = read_values(description_of(machine));
  Parameters parameters;
  parameters.set_dimensions(std::get<std::string>(values.at("dimensions")));
  for (const auto& [name, value] : values) {
    if (name != without && name != "dimensions") parameters.set(name, value);
  }
  return parameters;
}

namespace {

struct Fifos {
  unsigned depth;
  void visit_parameters(ParameterVisitor& visitor) {
    visitor.count(depth, "torus_fifo.depth", "chunks", {8, 1024}, "of each FIFO");
  }
};

}  // namespace

TorusConfig shipped_zoned_torus() {
  TorusConfig config = shipped<TorusConfig>("bgq");
  config.zones = shipped<ZoneConfig>("bgq");
  config.fifo_groups = 1;
  config.injection_fifos = 16;
  config.reception_depth = shipped<Fifos>("bgq").depth;
  return config;
}

TorusConfig shipped_torus() {
  TorusConfig config = shipped<TorusConfig>();
  config.fifo_groups = 2;
  config.injection_fifos = 4;
  config.reception_depth = shipped<Fifos>().depth;
  return config;
}

}  // namespace toroid::test
