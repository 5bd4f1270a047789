// SPDX-License-Identifier: Apache-2.0
//
// What parameters a machine has: from the lists that the configuration structs are read by.
#include <iostream>
#include <string>

#include "hw/chips/registry.h"
#include "hw/sim/jobs.h"

namespace toroid {

namespace {

using Json = nlohmann::ordered_json;

class List final : public ParameterVisitor {
 public:
  Json json = Json::array();

 private:
  double visit(const ParameterInfo& info, double value) override {
    Json entry = {{"name", info.name}};
    if (info.truth) {
      entry["type"] = "truth";
    } else if (info.choices.empty()) {
      entry["type"] = info.whole ? "whole" : "number";
      entry["unit"] = info.unit;
      entry["minimum"] = limit(info, info.minimum);
      entry["maximum"] = limit(info, info.maximum);
    } else {
      entry["type"] = "choice";
      entry["choices"] = info.choices;
    }
    entry["meaning"] = info.meaning;
    json.push_back(std::move(entry));
    return value;
  }

  std::string visit_text(const ParameterInfo& info, const std::string& value) override {
    json.push_back({{"name", info.name}, {"type", "choice"}, {"choices", info.choices}, {"meaning", info.meaning}});
    return value;
  }
  std::vector<unsigned> visit_order(const ParameterInfo& info, const std::vector<unsigned>& value) override {
    add_text(info);
    return value;
  }
  std::vector<unsigned> visit_masks(const ParameterInfo& info, const std::vector<unsigned>& value) override {
    add_text(info);
    return value;
  }
  std::vector<unsigned> visit_directions(const ParameterInfo& info, const std::vector<unsigned>& value) override {
    add_text(info);
    return value;
  }
  void add_text(const ParameterInfo& info) {
    json.push_back({{"name", info.name},
                    {"type", "text"},
                    {"unit", info.unit},
                    {"pattern", info.pattern},
                    {"meaning", std::string(info.meaning) + ": " + info.form}});
  }

  static Json limit(const ParameterInfo& info, double value) {
    return info.whole ? Json(static_cast<std::uint64_t>(value)) : Json(value);
  }
};

}  // namespace

void list_parameters(const std::string& machine) {
  List list;
  visit_machine_parameters(machine, list);
  std::cout << list.json.dump(1) << "\n";
}

}  // namespace toroid
