// SPDX-License-Identifier: Apache-2.0
#include "nic/bgl/rtl/units.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>
#include <utility>

#include "nic/bgl/rtl/link_adapter.h"
#include "nic/bgl/rtl/link_pins.h"
#include "nic/bgl/rtl/load.h"
#include "nic/bgl/rtl/router_adapter.h"
#include "nic/bgl/rtl/tree_adapter.h"

namespace toroid::rtl {

namespace {

std::string coordinates_text(const Topology& topology, std::uint32_t node) {
  const Coordinates at = topology.coordinates(node);
  std::string text;
  for (unsigned d = 0; d < topology.dimensions(); ++d) text += (d == 0 ? "" : ",") + std::to_string(at[d]);
  return text;
}

std::string lower(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return text;
}

/// "x+".
std::string direction_text(const Topology& topology, Direction direction) {
  return lower(topology.direction_name(direction));
}

/// Reads UNIT@WHERE requests.
class Reader {
 public:
  Reader(const std::string& request, const Topology& torus, const TreeTopology* tree)
      : request_(request), torus_(torus), tree_(tree) {}

  std::vector<UnitPlace> places() const {
    const auto at = request_.find('@');
    const std::string unit = request_.substr(0, at);
    const std::string where = at == std::string::npos ? "" : request_.substr(at + 1);
    if (unit != "router" && unit != "link" && unit != "tree") {
      fail("there is no unit \"" + unit + "\" in Verilog; there is router, link and tree");
    }
    if (where.empty()) fail("does not say where: " + unit + "@0,0,0 or " + unit + "@all");
    if (unit == "router") return routers(where);
    return unit == "link" ? links(where) : trees(where);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::invalid_argument("rtl: \"" + request_ + "\": " + what);
  }

  std::vector<UnitPlace> routers(const std::string& where) const {
    std::vector<UnitPlace> found;
    for (const std::uint32_t node : nodes(where)) {
      found.push_back({UnitPlace::Kind::router, node, 0, "router@" + coordinates_text(torus_, node)});
    }
    return found;
  }

  std::vector<UnitPlace> links(const std::string& where) const {
    const auto slash = where.find('/');
    std::optional<Direction> only;
    if (slash != std::string::npos) only = direction(where.substr(slash + 1));
    std::vector<UnitPlace> found;
    for (const std::uint32_t node : nodes(where.substr(0, slash))) {
      for (Direction d = 0; d < torus_.directions(); ++d) {
        if ((only && d != *only) || torus_.neighbour(node, d) == kNoNode) continue;
        found.push_back({UnitPlace::Kind::link, node, d,
                         "link@" + coordinates_text(torus_, node) + "/" + direction_text(torus_, d)});
      }
    }
    if (found.empty()) fail("no link leaves there");
    return found;
  }

  std::vector<UnitPlace> trees(const std::string& where) const {
    if (tree_ == nullptr) fail("there is no tree in this run, only the torus");
    std::vector<UnitPlace> found;
    const auto add = [&](std::uint32_t node) {
      const std::string place = tree_->is_io_node(node) ? "io" + std::to_string(node - tree_->compute_nodes())
                                                        : coordinates_text(torus_, node);
      found.push_back({UnitPlace::Kind::tree, node, 0, "tree@" + place});
    };
    if (where == "all") {
      for (std::uint32_t node = 0; node < tree_->nodes(); ++node) add(node);
    } else if (where.compare(0, 2, "io") == 0) {
      const std::optional<unsigned> number = read_number(where.substr(2));
      if (!number) fail("expected an I/O node such as io0");
      if (*number >= tree_->io_nodes()) {
        fail("there is no such I/O node; the machine has io0" +
             (tree_->io_nodes() > 1 ? " to io" + std::to_string(tree_->io_nodes() - 1) : ""));
      }
      add(tree_->compute_nodes() + *number);
    } else {
      add(nodes(where).front());
    }
    return found;
  }

  std::vector<std::uint32_t> nodes(const std::string& where) const {
    std::vector<std::uint32_t> found;
    if (where == "all") {
      for (std::uint32_t node = 0; node < torus_.nodes(); ++node) found.push_back(node);
      return found;
    }
    Coordinates at{};
    unsigned dimension = 0;
    std::size_t begin = 0;
    for (; dimension < torus_.dimensions() && begin <= where.size(); ++dimension) {
      const std::size_t end = std::min(where.find(',', begin), where.size());
      const std::optional<unsigned> coordinate = read_number(where.substr(begin, end - begin));
      if (!coordinate) fail(expected_place());
      if (*coordinate >= torus_.extent(dimension)) {
        fail("there is no such node; the shape is " + torus_.shape().text());
      }
      at[dimension] = static_cast<std::uint8_t>(*coordinate);
      begin = end + 1;
    }
    if (dimension != torus_.dimensions() || begin <= where.size()) fail(expected_place());
    return {torus_.node(at)};
  }

  std::string expected_place() const {
    return "expected \"all\" or " + std::to_string(torus_.dimensions()) + " coordinates such as " +
           coordinates_text(torus_, torus_.nodes() - 1);
  }

  Direction direction(const std::string& text) const {
    for (Direction d = 0; d < torus_.directions(); ++d) {
      if (lower(text) == direction_text(torus_, d)) return d;
    }
    fail("there is no direction \"" + text + "\"; expected x+, x-, y+, ...");
  }

  static std::optional<unsigned> read_number(const std::string& text) {
    if (text.empty() || text.size() > 6) return std::nullopt;
    for (const char digit : text) {
      if (digit < '0' || digit > '9') return std::nullopt;
    }
    return static_cast<unsigned>(std::stoul(text));
  }

  const std::string& request_;
  const Topology& torus_;
  const TreeTopology* tree_;
};

const char* name_of(UnitPlace::Kind kind) {
  return kind == UnitPlace::Kind::router ? "router" : kind == UnitPlace::Kind::link ? "link" : "tree unit";
}

std::vector<std::string> obstacles(UnitPlace::Kind kind, const TorusNetwork& torus, const TreeNetwork* tree) {
  switch (kind) {
    case UnitPlace::Kind::router:
      return RtlRouter::obstacles(torus.config(), torus.topology());
    case UnitPlace::Kind::link:
      return RtlLink::obstacles(torus.config());
    case UnitPlace::Kind::tree:
      return RtlTreeRouter::obstacles(tree->config());
  }
  return {};
}

}  // namespace

std::vector<UnitPlace> unit_places(const std::vector<std::string>& requests, const Topology& torus,
                                   const TreeTopology* tree) {
  std::vector<UnitPlace> all;
  std::set<std::string> seen;
  for (const std::string& request : requests) {
    for (UnitPlace& place : Reader(request, torus, tree).places()) {
      if (seen.insert(place.name).second) all.push_back(std::move(place));
    }
  }
  return all;
}

namespace {

std::vector<UnitPlace> checked_places(const UnitsRequest& request, TorusNetwork& torus, TreeNetwork* tree) {
  std::vector<UnitPlace> places =
      unit_places(request.units, torus.topology(), tree == nullptr ? nullptr : &tree->topology());
  for (const UnitPlace& place : places) {
    const std::vector<std::string> found = obstacles(place.kind, torus, tree);
    if (found.empty()) continue;
    throw std::invalid_argument("rtl: a " + std::string(name_of(place.kind)) +
                                " in Verilog does not fit this machine: " + found.front());
  }
  return places;
}

}  // namespace

Units::Units(const UnitsRequest& request, TorusNetwork& torus, TreeNetwork* tree)
    : run_(torus.wheel()), places_(checked_places(request, torus, tree)), library_(load_library(library_path())) {
  // All pins before all adapters: waves are opened once, with all units.
  std::vector<std::unique_ptr<RouterPins>> routers;
  std::vector<std::unique_ptr<LinkPins>> links;
  std::vector<std::unique_ptr<TreePins>> trees;
  for (const UnitPlace& place : places_) {
    if (place.kind == UnitPlace::Kind::router) routers.push_back(library_.router(place.name));
    if (place.kind == UnitPlace::Kind::link) links.push_back(library_.link(place.name));
    if (place.kind == UnitPlace::Kind::tree) trees.push_back(library_.tree(place.name));
  }
  if (request.waves) waves_ = library_.waves(*request.waves, torus.config().clock_mhz);
  run_.set_waves(waves_.get());
  std::size_t link = 0;
  for (const UnitPlace& place : places_) {
    if (place.kind != UnitPlace::Kind::link) continue;
    auto unit = std::make_unique<RtlLink>(torus.router(place.node), place.direction, torus.config(),
                                          torus.link_seed(place.node, place.direction), place.name,
                                          std::move(links[link++]), run_);
    units_.push_back(unit.get());
    torus.set_link(std::move(unit));
  }
  std::size_t router = 0;
  for (const UnitPlace& place : places_) {
    if (place.kind != UnitPlace::Kind::router) continue;
    auto unit = std::make_unique<RtlRouter>(torus, place.node, place.name, std::move(routers[router++]), run_);
    units_.push_back(unit.get());
    torus.stand_in(std::move(unit));
  }
  std::size_t tree_router = 0;
  for (const UnitPlace& place : places_) {
    if (place.kind != UnitPlace::Kind::tree) continue;
    auto unit = std::make_unique<RtlTreeRouter>(*tree, place.node, place.name, std::move(trees[tree_router++]), run_);
    units_.push_back(unit.get());
    tree->stand_in(std::move(unit));
  }
}

Units::~Units() {
  run_.set_waves(nullptr);
  waves_.reset();
  library_.forget();
}

std::vector<UnitReport> Units::report() const {
  std::vector<UnitReport> report;
  for (const RtlUnit* unit : units_) report.push_back({unit->name(), unit->clock_cycles(), unit->changed_bytes()});
  return report;
}

}  // namespace toroid::rtl
