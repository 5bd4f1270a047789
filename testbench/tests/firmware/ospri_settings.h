// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <map>
#include <string>

namespace toroid::testing {

using Variables = std::map<std::string, std::string>;

/// Environment variables for as long as this lives.
class Settings {
 public:
  explicit Settings(Variables values) : values_(std::move(values)) {
    for (const auto& [name, value] : values_) setenv(name.c_str(), value.c_str(), 1);
  }
  ~Settings() {
    for (const auto& each : values_) unsetenv(each.first.c_str());
  }
  Settings(const Settings&) = delete;
  Settings& operator=(const Settings&) = delete;

 private:
  Variables values_;
};

}  // namespace toroid::testing
