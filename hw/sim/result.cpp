// SPDX-License-Identifier: Apache-2.0
#include "hw/sim/result.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "hw/machine/parameters.h"
#include "hw/machine/sections.h"
#include "hw/sim/warnings.h"

namespace toroid {

namespace {

template <typename T>
ResultFile or_null(const std::optional<T>& value) {
  return value ? ResultFile(*value) : ResultFile(nullptr);
}

ResultFile rank_object(const RankReport& rank) {
  ResultFile object;
  object["rank"] = rank.rank;
  object["coordinates"] = rank.coordinates;
  object["status"] = or_null(rank.status);
  object["fault"] = or_null(rank.fault);
  object["waiting"] = or_null(rank.waiting);
  object["instructions"] = rank.instructions;
  object["cycles"] = rank.cycles;
  object["memory"] = rank.memory;
  object["second_core"] = rank.second_core ? ResultFile{{"instructions", rank.second_core->instructions},
                                                        {"cycles", rank.second_core->cycles}}
                                           : ResultFile(nullptr);
  object["io"] = io_section(rank.io);
  object["system_calls"] = rank.system_calls;
  object["unknown_system_calls"] = rank.unknown_system_calls;
  return object;
}

}  // namespace

ResultFile begin_result(const nlohmann::ordered_json& configuration) {
  ResultFile result;
  result["version"] = 1;
  result["configuration"] = configuration;
  return result;
}

void add_run(ResultFile& result, const RunReport& report) {
  result["ended"] = name_of(report.ending);
  result["error"] = or_null(report.error);
  result["simulated_ns"] = report.simulated_ns;
  if (!report.not_modelled.empty()) result["not_modelled"] = report.not_modelled;
  result["ranks"] = ResultFile::array();
  for (const RankReport& rank : report.ranks) result["ranks"].push_back(rank_object(rank));
  result.update(report.machine.sections);
  result["stuck"] = or_null(report.stuck);
}

void add_rtl(ResultFile& result, const std::vector<rtl::UnitReport>& units) {
  ResultFile list = ResultFile::array();
  std::uint64_t clock_cycles = 0;
  std::uint64_t changed_bytes = 0;
  for (const rtl::UnitReport& unit : units) {
    list.push_back({{"unit", unit.name}, {"clock_cycles", unit.clock_cycles}, {"changed_bytes", unit.changed_bytes}});
    clock_cycles += unit.clock_cycles;
    changed_bytes += unit.changed_bytes;
  }
  if (changed_bytes > 0) {
    const auto changes = [](const rtl::UnitReport& unit) { return unit.changed_bytes > 0; };
    print_warning(std::to_string(changed_bytes) +
                  " bytes of packets came out of units in Verilog otherwise than they " +
                  "went in, the first of these units being " + std::find_if(units.begin(), units.end(), changes)->name);
  }
  result["rtl"] = {{"clock_cycles", clock_cycles}, {"changed_bytes", changed_bytes}, {"units", std::move(list)}};
}

void write_result(const ResultFile& result, const std::string& path) {
  const std::string unfinished = path + ".part";
  errno = 0;
  std::ofstream file(unfinished);
  // Texts from outside are printable already (printable.h); one that was forgotten must not cost the whole result.
  file << result.dump(1, ' ', false, ResultFile::error_handler_t::replace) << "\n";
  file.close();
  if (!file || std::rename(unfinished.c_str(), path.c_str()) != 0) {
    throw ConfigurationError(path + ": the result file cannot be written" +
                             (errno == 0 ? "" : std::string(": ") + std::strerror(errno)));
  }
}

}  // namespace toroid
