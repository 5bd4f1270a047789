// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hw/machine/report.h"
#include "torus/rtl/unit_set.h"

namespace toroid {

using ResultFile = nlohmann::ordered_json;

/// A result that holds the configuration and nothing else yet.
ResultFile begin_result(const nlohmann::ordered_json& configuration);
/// Puts a run's report into the result, laid out as docs/reference/simulator_files.md says.
void add_run(ResultFile& result, const RunReport& report);
/// What units in Verilog have done.
void add_rtl(ResultFile& result, const std::vector<rtl::UnitReport>& units);
/// Writes the file whole or not at all. Throws ConfigurationError where it cannot be written.
void write_result(const ResultFile& result, const std::string& path);

}  // namespace toroid
