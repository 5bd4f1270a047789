// SPDX-License-Identifier: Apache-2.0
#include "torus/traffic/families.h"

#include <algorithm>
#include <stdexcept>

#include "torus/torus/families/blue_gene_lp_network.h"
#include "torus/torus/families/blue_gene_q_family.h"
#include "torus/torus/families/twin_links.h"
#include "torus/traffic/message_run.h"
#include "torus/traffic/traffic_run.h"

namespace toroid {
namespace {

template <typename F>
constexpr TrafficFamily entry() {
  return {&kRouterFamily<F>, &run_traffic_on<F>, &run_messages_on<F>};
}

/// Of several entries with one name, the first with enough dimensions counts.
constexpr TrafficFamily kFamilies[] = {
    entry<BlueGeneLpFamily>(),
    entry<BlueGeneLp5dFamily>(),
    entry<BlueGeneQFamily>(),
    entry<TwinLinksFamily>(),
};

}  // namespace

std::vector<const char*> router_family_names() {
  std::vector<const char*> names;
  for (const TrafficFamily& candidate : kFamilies) {
    const std::string name = candidate.family->name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(candidate.family->name);
  }
  return names;
}

const TrafficFamily& traffic_family(const std::string& name, unsigned dimensions) {
  unsigned most = 0;
  for (const TrafficFamily& candidate : kFamilies) {
    const RouterFamily& family = *candidate.family;
    if (name != family.name) continue;
    if (dimensions <= family.dimensions) return candidate;
    most = std::max(most, family.dimensions);
  }
  if (most == 0) {
    std::string known;
    for (const char* const each : router_family_names()) known += std::string(known.empty() ? "" : ", ") + each;
    throw std::invalid_argument("no router family '" + name + "'; there are " + known + " (" + kWhatCanBeChanged + ")");
  }
  throw std::invalid_argument("routers of family " + name + " are compiled for " + std::to_string(most) +
                              " dimensions at most, not " + std::to_string(dimensions) + " (" + kWhatCanBeChanged +
                              ")");
}

}  // namespace toroid
