// SPDX-License-Identifier: Apache-2.0
#include "torus/torus/mapping.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace toroid {
namespace {

constexpr std::uintmax_t kLargestFile = 16 << 20;  // bytes; the largest machine's 131,072 lines have a tenth of it

std::string place_text(const Topology& topology, const Place& place) {
  const Coordinates at = topology.coordinates(place.node);
  std::string text = "(";
  for (unsigned d = 0; d < topology.dimensions(); ++d) text += std::to_string(at[d]) + ",";
  return text + std::to_string(place.processor) + ")";
}

/// The numbers of a line; false when something in it is not one.
bool read_numbers(const std::string& line, std::vector<std::uint64_t>& numbers, std::string& word) {
  std::istringstream words(line);
  numbers.clear();
  while (words >> word) {
    if (word.size() > 9 || word.find_first_not_of("0123456789") != std::string::npos) return false;
    numbers.push_back(std::stoull(word));
  }
  return true;
}

}  // namespace

void Mapping::add(const Place& place) {
  ranks_[place.node * processors_ + place.processor] = ranks();
  places_.push_back(place);
}

Mapping Mapping::xyzt(const Topology& topology, unsigned processors_per_node) {
  Mapping mapping(topology.nodes(), processors_per_node);
  for (unsigned t = 0; t < processors_per_node; ++t) {
    for (std::uint32_t node = 0; node < topology.nodes(); ++node) mapping.add(Place{node, t});
  }
  return mapping;
}

Mapping Mapping::by_letters(const std::string& letters, const Topology& topology, unsigned processors_per_node) {
  const std::string names = topology.shape().names + "T";
  if (!std::is_permutation(letters.begin(), letters.end(), names.begin(), names.end())) {
    throw MappingError("mapping " + letters + ": it must name each of " + names + " once");
  }
  Mapping mapping(topology.nodes(), processors_per_node);
  const std::uint32_t ranks = topology.nodes() * processors_per_node;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    Place place;
    Coordinates at{};
    std::uint32_t left = rank;
    for (std::size_t i = letters.size(); i-- > 0;) {
      const auto d = static_cast<unsigned>(names.find(letters[i]));
      const std::uint32_t extent = d < topology.dimensions() ? topology.extent(d) : processors_per_node;
      if (d < topology.dimensions()) {
        at[d] = static_cast<std::uint8_t>(left % extent);
      } else {
        place.processor = left % extent;
      }
      left /= extent;
    }
    place.node = topology.node(at);
    mapping.add(place);
  }
  return mapping;
}

Mapping Mapping::parse(std::istream& text, const std::string& name, const Topology& topology,
                       unsigned processors_per_node, std::uint32_t ranks) {
  Mapping mapping(topology.nodes(), processors_per_node);
  const unsigned n = topology.dimensions();
  std::vector<unsigned> line_of;  // by rank
  std::vector<std::uint64_t> numbers;
  std::string line;
  std::string word;
  for (unsigned number = 1; std::getline(text, line); ++number) {
    const auto fail = [&](const std::string& why) {
      throw MappingError(name + ":" + std::to_string(number) + ": " + why);
    };
    line.erase(std::min(line.find('#'), line.size()));
    if (!read_numbers(line, numbers, word)) fail("'" + word + "' is not a coordinate");
    if (numbers.empty()) continue;
    if (numbers.size() != n + 1) {
      fail(std::to_string(numbers.size()) + " numbers where " + std::to_string(n + 1) +
           " are needed: " + std::to_string(n) + " coordinates and the processor");
    }
    Coordinates at{};
    for (unsigned d = 0; d < n; ++d) {
      if (numbers[d] >= topology.extent(d)) {
        fail("coordinate " + std::to_string(numbers[d]) + " of dimension " + std::to_string(d) +
             " is outside the machine, " + topology.shape().text() + "; it may be 0 to " +
             std::to_string(topology.extent(d) - 1));
      }
      at[d] = static_cast<std::uint8_t>(numbers[d]);
    }
    if (numbers[n] >= processors_per_node) {
      fail("processor " + std::to_string(numbers[n]) + " where a node has " + std::to_string(processors_per_node) +
           " of them; it may be 0 to " + std::to_string(processors_per_node - 1));
    }
    const Place place{topology.node(at), static_cast<std::uint32_t>(numbers[n])};
    if (const std::uint32_t other = mapping.rank(place); other != kNoRank) {
      fail(place_text(topology, place) + " has been given to rank " + std::to_string(other) + " in line " +
           std::to_string(line_of[other]));
    }
    mapping.add(place);
    line_of.push_back(number);
  }
  const std::uint32_t needed = ranks ? ranks : topology.nodes() * processors_per_node;
  if (mapping.ranks() < needed) {
    std::uint32_t missing = 0;
    while (mapping.ranks_[missing] != kNoRank) ++missing;
    const Place place{missing / processors_per_node, missing % processors_per_node};
    throw MappingError(name + ": " + std::to_string(mapping.ranks()) + " places for " + std::to_string(needed) +
                       " ranks; " + place_text(topology, place) + " is missing");
  }
  return mapping;
}

Mapping Mapping::load(const std::string& path, const Topology& topology, unsigned processors_per_node,
                      std::uint32_t ranks) {
  std::error_code error;
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error))
    throw MappingError(path + ": not a regular file, which a mapping must be");
  if (const auto size = std::filesystem::file_size(path, error); !error && size > kLargestFile)
    throw MappingError(path + ": a file of " + std::to_string(size) + " bytes; mappings of up to " +
                       std::to_string(kLargestFile) + " are read");
  std::ifstream file(path);
  if (!file) throw MappingError(path + ": cannot be opened");
  return parse(file, path, topology, processors_per_node, ranks);
}

}  // namespace toroid
