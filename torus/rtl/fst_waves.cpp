// SPDX-License-Identifier: Apache-2.0
#include "torus/rtl/fst_waves.h"

#include <gtkwave/fstapi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>

#include "torus/rtl/verilated_hooks.h"

namespace toroid::rtl {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr int kAllLevels = 1000;
constexpr const char* kOwnScope = "network";
constexpr std::size_t kShownNames = 60;

/// The number of the cycle, as a signal in its own scope.
///
/// It comes last and is always recorded, for a reason of Verilator's: that keeps a bit for each signal in a vector no
/// longer than the last recorded one needs, and reads it for all.
struct CycleSignal {
  std::uint64_t cycle = 0;
  std::uint32_t code = 0;

  void add_to(VerilatedFst& fst) {
    fst.addInitCb(
        [](void* self, VerilatedFst* file, std::uint32_t base) {
          static_cast<CycleSignal*>(self)->code = base + 1;
          file->pushNamePrefix(std::string(kOwnScope) + " ");
          file->declQuad(base + 1, "cycle", -1, FST_VD_IMPLICIT, FST_VT_VCD_WIRE, false, -1, 63, 0);
          file->popNamePrefix();
        },
        this);
    fst.addFullCb(
        [](void* self, VerilatedFst::Buffer* buffer) {
          const auto& signal = *static_cast<CycleSignal*>(self);
          buffer->fullQData(buffer->oldp(signal.code), signal.cycle, 64);
        },
        this);
    fst.addChgCb(
        [](void* self, VerilatedFst::Buffer* buffer) {
          const auto& signal = *static_cast<CycleSignal*>(self);
          buffer->chgQData(buffer->oldp(signal.code), signal.cycle, 64);
        },
        this);
  }
};

std::string listed(std::vector<std::string> names) {
  std::string text;
  const std::size_t more = names.size() > kShownNames ? names.size() - kShownNames : 0;
  if (more != 0) names.resize(kShownNames);
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return more == 0 ? text : text + " and " + std::to_string(more) + " more";
}

/// The unit that a scope lies in.
std::string unit_of(const std::string& scope) {
  return scope.substr(0, scope.find('.'));
}

/// All scopes of some units, "unit.top.instance": as they stand in a file that is written for nothing else.
std::vector<std::string> scopes_of(const std::vector<Traced>& units) {
  std::string name = (std::filesystem::temp_directory_path() / "toroid-scopes-XXXXXX").string();
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0) throw std::invalid_argument("waves: " + name + ": cannot be written");
  ::close(descriptor);
  {
    VerilatedFstC fst;
    for (const Traced& unit : units) unit.trace(fst);
    fst.open(name.c_str());
    fst.dump(std::uint64_t{0});
  }
  std::vector<std::string> scopes;
  if (void* const reader = fstReaderOpen(name.c_str())) {
    std::vector<std::string> path;
    while (const fstHier* const item = fstReaderIterateHier(reader)) {
      if (item->htyp == FST_HT_SCOPE) {
        path.push_back((path.empty() ? "" : path.back() + ".") + item->u.scope.name);
        scopes.push_back(path.back());
      } else if (item->htyp == FST_HT_UPSCOPE) {
        path.pop_back();
      }
    }
    fstReaderClose(reader);
  }
  std::remove(name.c_str());
  return scopes;
}

/// The whole paths that `asked` stands for: itself, or all that end like it below its unit.
std::vector<std::string> full_paths(const std::string& asked, const std::vector<std::string>& scopes) {
  const std::string unit = unit_of(asked);
  const std::string rest = asked.substr(unit.size());
  std::vector<std::string> found;
  for (const std::string& scope : scopes) {
    if (scope == asked) return {scope};
    if (unit_of(scope) == unit && scope.size() >= unit.size() + rest.size() &&
        scope.compare(scope.size() - rest.size(), rest.size(), rest) == 0) {
      found.push_back(scope);
    }
  }
  return found;
}

/// What may be written behind a unit: the last parts of its scopes' paths, of arrays the first one, without those that
/// Verilator has named.
std::vector<std::string> names_below(const std::string& unit, const std::vector<std::string>& scopes) {
  std::set<std::string> names;
  for (const std::string& scope : scopes) {
    if (unit_of(scope) != unit || scope == unit) continue;
    const std::string name = scope.substr(scope.rfind('.') + 1);
    const auto index = name.find('[');
    const bool first = index == std::string::npos || name.substr(index) == "[0]";
    if (first && name.compare(0, 7, "unnamed") != 0) names.insert(name);
  }
  return {names.begin(), names.end()};
}

}  // namespace

struct FstWaves::Cycle : CycleSignal {};

FstWaves::FstWaves(const WavesRequest& request, unsigned mhz, const std::vector<Traced>& units)
    : request_(request), mhz_(mhz), signal_(std::make_unique<Cycle>()) {
  std::set<std::string> wanted;
  for (const std::string& scope : request.scopes) wanted.insert(unit_of(scope));
  const std::set<std::string> asked_for = wanted;
  std::vector<std::string> names;
  for (const Traced& unit : units) {
    names.push_back(unit.name);
    // All links of a node by its place: "link@0,0,0".
    const std::string node = unit.name.substr(0, unit.name.find('/'));
    if (asked_for.empty() || asked_for.count(unit.name) != 0 || asked_for.count(node) != 0) units_.push_back(unit);
    wanted.erase(unit.name);
    wanted.erase(node);
  }
  if (!wanted.empty()) {
    throw std::invalid_argument("waves: no RTL unit is called \"" + *wanted.begin() + "\"; there " +
                                (names.empty() ? "are none" : "is " + listed(names)));
  }
  const bool whole_units =
      std::all_of(request.scopes.begin(), request.scopes.end(), [](const auto& s) { return s == unit_of(s); });
  if (!whole_units) {
    const std::vector<std::string> scopes = scopes_of(units_);
    for (const std::string& asked : request.scopes) {
      const std::vector<std::string> paths = full_paths(asked, scopes);
      if (paths.empty()) {
        throw std::invalid_argument("waves: there is no scope \"" + asked + "\"; below " + unit_of(asked) +
                                    " there is " + listed(names_below(unit_of(asked), scopes)));
      }
      for (const std::string& path : paths) fst_.dumpvars(kAllLevels, path);
    }
    fst_.dumpvars(kAllLevels, kOwnScope);
  }
  // The FST writer removes an existing file of that name, even a device.
  if (std::filesystem::exists(request.file) && !std::filesystem::is_regular_file(request.file)) {
    throw std::invalid_argument(request.file + ": is no regular file, which waves need");
  }
  if (!std::ofstream(request.file)) throw std::invalid_argument(request.file + ": cannot be written");
  shared_context();
  fst_.set_time_unit("1ps");
  fst_.set_time_resolution("1ps");
  for (const Traced& unit : units_) unit.trace(fst_);
  signal_->add_to(*fst_.spTrace());
  fst_.open(request.file.c_str());
  open_ = true;
}

FstWaves::~FstWaves() {
  close();
}

std::uint64_t FstWaves::picoseconds(std::uint64_t cycle) const {
  return static_cast<std::uint64_t>(Wide{cycle} * 1000000 / mhz_);  // as torus/base/clock.h has it
}

void FstWaves::dump(std::uint64_t at) {
  if (open_ && at >= request_.from_ps && at <= request_.to_ps) fst_.dump(at);
}

void FstWaves::flush() {
  if (!pending_) return;
  pending_ = false;
  const std::uint64_t begin = picoseconds(cycle_);
  signal_->cycle = cycle_;
  dump(begin);
  for (const Traced& unit : units_) unit.lower_clock();
  dump(begin + (picoseconds(cycle_ + 1) - begin) / 2);
}

void FstWaves::edge(std::uint64_t cycle) {
  if (!open_) return;
  if (pending_ && cycle != cycle_) flush();
  if (picoseconds(cycle) > request_.to_ps) return close();
  cycle_ = cycle;
  pending_ = true;
}

void FstWaves::close() {
  if (!open_) return;
  flush();
  fst_.close();
  open_ = false;
}

}  // namespace toroid::rtl
