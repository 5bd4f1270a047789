// SPDX-License-Identifier: Apache-2.0
#include "hw/sim/configuration.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <type_traits>

#include "hw/core/longest_run.h"
#include "torus/torus/packet.h"

namespace toroid {

namespace {

using Json = nlohmann::ordered_json;

// The same of a network at 1 GHz.
constexpr std::uint64_t kMostCycles = kLongestRunNs;
// Sums of weights must stay finite.
constexpr double kLargestWeight = 1e100;
// Bytes; and cycles that a source of messages may be told to pause: an hour at 1 GHz and more.
constexpr std::uint64_t kLongestMessage = std::uint64_t{1} << 40;
constexpr std::uint64_t kLongestPause = 0xFFFFFFFE;
constexpr unsigned kMostExtent = 255;
// Objects and lists within each other; a configuration has five levels.
constexpr int kDeepest = 16;
constexpr std::size_t kLongestShown = 60;

/// What a value must be and is not.
struct Mismatch {
  std::string expected;
};

void take(const Json& value, bool& out) {
  if (!value.is_boolean()) throw Mismatch{"true or false"};
  out = value.get<bool>();
}

/// The library converts -1, 1.5 and numbers of more bits to something; a configuration never means that.
template <typename T>
std::enable_if_t<std::is_unsigned_v<T>> take(const Json& value, T& out) {
  constexpr std::uint64_t largest = std::numeric_limits<T>::max();
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > largest) {
    throw Mismatch{"a whole number from 0 to " + std::to_string(largest)};
  }
  out = value.get<T>();
}

void take(const Json& value, double& out) {
  if (!value.is_number()) throw Mismatch{"a number"};
  out = value.get<double>();
}

/// Texts end at a zero byte where they go: paths, arguments, variables.
void take(const Json& value, std::string& out) {
  if (!value.is_string()) throw Mismatch{"a text"};
  out = value.get<std::string>();
  if (out.find('\0') != std::string::npos) throw Mismatch{"a text without zero bytes"};
}

template <typename First, typename Second>
void take(const Json& value, std::pair<First, Second>& out) {
  if (!value.is_array() || value.size() != 2) throw Mismatch{"a list of pairs"};
  take(value[0], out.first);
  take(value[1], out.second);
}

template <typename T>
void take(const Json& value, std::vector<T>& out) {
  if (!value.is_array()) throw Mismatch{"a list"};
  out.clear();
  for (const Json& entry : value) {
    T taken{};
    take(entry, taken);
    out.push_back(std::move(taken));
  }
}

void take(const Json& value, std::map<std::string, std::string>& out) {
  if (!value.is_object()) throw Mismatch{"an object of texts"};
  for (const auto& [name, entry] : value.items()) {
    take(Json(name), out[name]);
    take(entry, out[name]);
  }
}

/// A value in printable characters, its beginning if it is long.
std::string shown(const Json& value) {
  const std::string text = value.dump(-1, ' ', true);
  return text.size() <= kLongestShown ? text : text.substr(0, kLongestShown) + "...";
}

Json parsed(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw ConfigurationError(path + ": cannot be read");
  try {
    return Json::parse(file, [&](int depth, Json::parse_event_t, Json&) {
      if (depth > kDeepest) {
        throw ConfigurationError(path + ": more than " + std::to_string(kDeepest) + " levels of objects and lists");
      }
      return true;
    });
  } catch (const Json::exception& error) {
    throw ConfigurationError(path + ": " + error.what());
  }
}

/// One object of the file: returns its members by key and, at the end, rejects members that were not read.
class Section {
 public:
  Section(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object_.is_object()) throw ConfigurationError(where_ + ": must be an object");
  }

  template <typename T>
  T required(const std::string& key) {
    if (!object_.contains(key)) throw ConfigurationError(where_ + ": key \"" + key + "\" is missing");
    return convert<T>(key);
  }

  template <typename T>
  T optional(const std::string& key, T fallback) {
    if (!object_.contains(key) || object_[key].is_null()) {
      known_.insert(key);
      return fallback;
    }
    return convert<T>(key);
  }

  bool has(const std::string& key) {
    known_.insert(key);
    return object_.contains(key) && !object_[key].is_null();
  }

  const Json& child(const std::string& key) {
    known_.insert(key);
    if (!object_.contains(key)) throw ConfigurationError(where_ + ": key \"" + key + "\" is missing");
    return object_[key];
  }

  void finish() const {
    for (const auto& [key, value] : object_.items()) {
      if (known_.count(key) == 0) throw ConfigurationError(where_ + ": unknown key " + shown(key));
    }
  }

  std::string at(const std::string& key) const { return where_ + ": \"" + key + "\""; }

 private:
  template <typename T>
  T convert(const std::string& key) {
    known_.insert(key);
    const Json& value = object_[key];
    T taken{};
    try {
      take(value, taken);
    } catch (const Mismatch& mismatch) {
      throw ConfigurationError(at(key) + " is " + shown(value) + "; it must be " + mismatch.expected);
    }
    return taken;
  }

  const Json& object_;
  std::string where_;
  std::set<std::string> known_;
};

std::vector<ProcessMode> read_modes(const Json& object, const std::string& where,
                                    const std::map<std::string, std::string>& origins) {
  constexpr unsigned kMost = 255;
  std::vector<ProcessMode> modes;
  if (!object.is_object() || object.empty())
    throw ConfigurationError(where + ": must be an object with a mode at least");
  for (const auto& [name, entry] : object.items()) {
    Section section(entry, where + ": " + shown(name));
    const auto number = [&section](const std::string& key) {
      const auto value = section.required<unsigned>(key);
      if (value < 1 || value > kMost)
        throw ConfigurationError(section.at(key) + " must be 1 to " + std::to_string(kMost));
      return value;
    };
    const auto title = section.required<std::string>("title");
    const auto origin = origins.find(name);
    modes.push_back({name, title, number("processes"), number("cores"), origin == origins.end() ? "" : origin->second});
    section.finish();
  }
  return modes;
}

bool names_dimensions(const std::string& letters) {
  const auto is_letter = [](char letter) { return letter >= 'A' && letter <= 'Z'; };
  return !letters.empty() && letters.size() <= kMaxDimensions &&
         std::all_of(letters.begin(), letters.end(), is_letter) &&
         std::set<char>(letters.begin(), letters.end()).size() == letters.size();
}

trace::Request read_trace(const Json& object, const std::string& where) {
  Section section(object, where);
  trace::Request trace;
  trace.file = section.required<std::string>("file");
  trace.functions.calls = section.optional<std::vector<std::string>>("calls", {});
  trace.functions.usual = section.optional<std::vector<std::vector<std::string>>>("usual", {});
  trace.functions.always = section.optional<std::vector<std::string>>("always", {});
  trace.contents = section.optional<bool>("contents", false);
  section.finish();
  return trace;
}

RunRequest::Gdb read_gdb(const Json& object, const std::string& where) {
  Section section(object, where);
  RunRequest::Gdb gdb;
  gdb.rank = section.required<std::uint32_t>("rank");
  const auto port = section.optional<std::uint32_t>("port", 0);
  if (port > 0xFFFF) throw ConfigurationError(section.at("port") + " must be at most 65535");
  gdb.port = static_cast<std::uint16_t>(port);
  gdb.sources = section.optional<std::string>("sources", {});
  section.finish();
  return gdb;
}

RunRequest read_run(const Json& object, const std::string& where) {
  Section section(object, where);
  RunRequest run;
  run.program = section.required<std::string>("program");
  run.arguments = section.optional<std::vector<std::string>>("arguments", {});
  run.ranks = section.required<std::uint32_t>("ranks");
  run.mode = section.optional<std::string>("mode", {});
  run.mapping_file = section.optional<std::string>("mapping", {});
  run.order = section.optional<std::string>("order", {});
  run.job_directory = section.required<std::string>("job_directory");
  run.prefix_output = section.optional<bool>("prefix_output", false);
  const auto timeout = section.optional<std::uint64_t>("timeout_ns", 0);
  if (timeout > kLongestRunNs) {
    throw ConfigurationError(section.at("timeout_ns") + " must be at most " + std::to_string(kLongestRunNs));
  }
  if (timeout != 0) run.timeout_ns = timeout;
  run.park = section.optional<bool>("park", true);
  run.check_coherence = section.optional<bool>("check_coherence", false);
  if (object.contains("gdb")) run.gdb = read_gdb(section.child("gdb"), where + ": gdb");
  for (const auto& [key, value] : section.optional<std::map<std::string, std::string>>("environment", {})) {
    run.environment.emplace_back(key, value);
  }
  if (section.has("trace")) run.trace = read_trace(section.child("trace"), where + ": trace");
  section.finish();
  return run;
}

void check_loads(const TrafficRequest& traffic, const Section& section) {
  if (traffic.loads.empty()) throw ConfigurationError(section.at("loads") + " must name at least one load");
  for (const double load : traffic.loads) {
    if (!(load > 0 && load <= 1)) throw ConfigurationError(section.at("loads") + " must lie above 0 and up to 1");
  }
  if (traffic.warmup_cycles > kMostCycles || traffic.measure_cycles > kMostCycles) {
    throw ConfigurationError(section.at("warmup_cycles") + " and \"measure_cycles\" must be at most " +
                             std::to_string(kMostCycles));
  }
  for (const auto& [bytes, weight] : traffic.sizes) {
    if (!(weight > 0 && weight <= kLargestWeight)) {
      throw ConfigurationError(section.at("sizes") +
                               " must be pairs of a packet's bytes and a weight above 0, up to 1e100");
    }
  }
}

MessagesRequest read_messages(const Json& object, const std::string& where) {
  Section section(object, where);
  MessagesRequest messages;
  messages.bytes = section.required<std::vector<std::uint64_t>>("bytes");
  messages.count = section.required<std::uint32_t>("count");
  messages.header_bytes = section.required<unsigned>("header_bytes");
  messages.tie_rule = section.optional<std::string>("tie_rule", "");
  messages.interval_cycles = section.optional<std::uint64_t>("interval_cycles", 0);
  messages.start_within_cycles = section.optional<std::uint64_t>("start_within_cycles", 0);
  section.finish();
  if (messages.bytes.empty()) throw ConfigurationError(section.at("bytes") + " must name at least one size");
  for (const std::uint64_t bytes : messages.bytes) {
    if (bytes == 0 || bytes > kLongestMessage) {
      throw ConfigurationError(section.at("bytes") + " must lie from 1 to " + std::to_string(kLongestMessage));
    }
  }
  if (messages.count == 0) throw ConfigurationError(section.at("count") + " must be at least 1");
  if (!messages.tie_rule.empty() && messages.tie_rule != "parity" && messages.tie_rule != "plus") {
    throw ConfigurationError(section.at("tie_rule") + " is " + shown(messages.tie_rule) +
                             "; it must be parity or plus, or absent");
  }
  if (messages.interval_cycles > kLongestPause || messages.start_within_cycles > kLongestPause) {
    throw ConfigurationError(section.at("interval_cycles") + " and \"start_within_cycles\" must be at most " +
                             std::to_string(kLongestPause));
  }
  return messages;
}

TrafficRequest read_traffic(const Json& object, const std::string& where, std::size_t dimensions) {
  Section section(object, where);
  TrafficRequest traffic;
  traffic.pattern = section.required<std::string>("pattern");
  traffic.routing = section.required<std::string>("routing");
  traffic.hot_fraction = section.optional<double>("hot_fraction", 0.0);
  traffic.displacement = section.optional<std::vector<unsigned>>("displacement", {});
  traffic.senders_every = section.optional<std::uint32_t>("senders_every", 1);
  if (section.has("messages")) {
    traffic.messages = read_messages(section.child("messages"), where + ": messages");
  } else {
    traffic.loads = section.required<std::vector<double>>("loads");
    traffic.sizes = section.required<std::vector<std::pair<unsigned, double>>>("sizes");
    traffic.warmup_cycles = section.required<std::uint64_t>("warmup_cycles");
    traffic.measure_cycles = section.required<std::uint64_t>("measure_cycles");
    traffic.check = section.optional<bool>("check", false);
    check_loads(traffic, section);
  }
  section.finish();
  if (traffic.routing != "adaptive" && traffic.routing != "deterministic") {
    throw ConfigurationError(section.at("routing") + " is " + shown(traffic.routing) +
                             "; it must be adaptive or deterministic");
  }
  if (!(traffic.hot_fraction >= 0 && traffic.hot_fraction <= 1)) {
    throw ConfigurationError(section.at("hot_fraction") + " must be from 0 to 1");
  }
  if ((traffic.pattern == "displacement" || !traffic.displacement.empty()) &&
      traffic.displacement.size() != dimensions) {
    throw ConfigurationError(section.at("displacement") + " must have " + std::to_string(dimensions) + " entries");
  }
  for (const unsigned by : traffic.displacement) {
    if (by > kMostExtent) {
      throw ConfigurationError(section.at("displacement") + " must lie from 0 to " + std::to_string(kMostExtent));
    }
  }
  if (traffic.senders_every == 0) throw ConfigurationError(section.at("senders_every") + " must be at least 1");
  return traffic;
}

rtl::WavesRequest read_waves(const Json& object, const std::string& where) {
  Section section(object, where);
  rtl::WavesRequest waves;
  waves.file = section.required<std::string>("file");
  waves.scopes = section.optional<std::vector<std::string>>("scopes", {});
  const auto from = section.optional<std::uint64_t>("from_ns", 0);
  const auto to = section.optional<std::uint64_t>("to_ns", kLongestRunNs);
  section.finish();
  if (from > to || to > kLongestRunNs) {
    throw ConfigurationError(section.at("from_ns") + " and \"to_ns\" must follow each other, up to " +
                             std::to_string(kLongestRunNs));
  }
  waves.from_ps = from * 1000;
  waves.to_ps = to * 1000;
  return waves;
}

rtl::UnitsRequest read_rtl(const Json& object, const std::string& where) {
  Section section(object, where);
  rtl::UnitsRequest rtl;
  rtl.units = section.required<std::vector<std::string>>("units");
  if (rtl.units.empty()) throw ConfigurationError(section.at("units") + " must name at least one unit");
  if (section.has("waves")) rtl.waves = read_waves(section.child("waves"), where + ": waves");
  section.finish();
  return rtl;
}

/// The values, and the places in people's files that errors are to name.
void read_parameters(Section& section, const std::string& path, Parameters& parameters) {
  const Json& values = section.child("parameters");
  if (!values.is_object()) throw ConfigurationError(path + ": \"parameters\" must be an object");
  for (const auto& [name, value] : values.items()) {
    if (value.is_number()) {
      parameters.set(name, value.get<double>());
    } else if (value.is_string()) {
      parameters.set(name, value.get<std::string>());
    } else if (value.is_boolean()) {
      parameters.set(name, value.get<bool>() ? "true" : "false");
    } else {
      throw ConfigurationError(path + ": parameter " + shown(name) + " must be a number, a text, true or false");
    }
  }
  if (section.has("description")) parameters.set_description(section.required<std::string>("description"));
  for (const auto& [name, origin] : section.optional<std::map<std::string, std::string>>("origins", {})) {
    parameters.set_origin(name, origin);
  }
}

}  // namespace

Configuration Configuration::read(const std::string& path) {
  Configuration result;
  result.echo = parsed(path);
  Section section(result.echo, path);
  if (section.required<unsigned>("version") != 1) throw ConfigurationError(path + ": \"version\" must be 1");
  const auto kind = section.required<std::string>("kind");
  result.machine = section.required<std::string>("machine");
  result.dimensions = section.required<std::string>("dimensions");
  result.shape = section.required<std::vector<unsigned>>("shape");
  result.wrap = section.required<std::vector<bool>>("wrap");
  result.seed = section.required<std::uint64_t>("seed");
  result.elaboration_order = section.optional<std::uint64_t>("elaboration_order", 0);
  read_parameters(section, path, result.description.parameters);
  result.description.parameters.set_dimensions(result.dimensions);
  result.description.modes = read_modes(section.child("modes"), path + ": modes",
                                        section.optional<std::map<std::string, std::string>>("mode_origins", {}));
  if (!names_dimensions(result.dimensions)) {
    throw ConfigurationError(path + ": \"dimensions\" is " + shown(result.dimensions) + "; it must be 1 to " +
                             std::to_string(kMaxDimensions) + " different letters from A to Z");
  }
  if (const std::size_t count = result.dimensions.size(); result.shape.size() != count || result.wrap.size() != count) {
    throw ConfigurationError(path + ": \"shape\" and \"wrap\" must each have " + std::to_string(count) + " entries");
  }
  for (const unsigned size : result.shape) {
    if (size < 1 || size > kMostExtent) throw ConfigurationError(path + ": a dimension of \"shape\" must be 1 to 255");
  }
  if (kind == "run") {
    result.run = read_run(section.child("run"), path + ": run");
  } else if (kind == "traffic") {
    result.traffic = read_traffic(section.child("traffic"), path + ": traffic", result.dimensions.size());
  } else if (kind != "collective") {
    throw ConfigurationError(path + ": \"kind\" is " + shown(kind) + "; it must be run, traffic or collective");
  }
  if (section.has("rtl")) {
    result.rtl = read_rtl(section.child("rtl"), path + ": rtl");
    if (!result.run && !result.traffic) {
      throw ConfigurationError(section.at("rtl") + " does not go with the kind collective");
    }
    if (result.traffic && result.traffic->messages) {
      throw ConfigurationError(section.at("rtl") + " does not go with \"messages\"");
    }
    if (result.rtl->waves && result.traffic && result.traffic->loads.size() != 1) {
      throw ConfigurationError(section.at("rtl") + ": \"waves\" needs a single load");
    }
  }
  section.finish();
  // Where values stood says nothing of the machine: the same machine has the same result.
  result.echo.erase("description");
  result.echo.erase("origins");
  result.echo.erase("mode_origins");
  return result;
}

}  // namespace toroid
