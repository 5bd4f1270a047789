// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "nic/bgq/mu.h"
#include "torus/base/network_clock.h"
#include "torus/collective/class_route.h"
#include "torus/collective/global_interrupts.h"
#include "torus/collective/network.h"

namespace toroid {

/// The routes of one node's classes as its kernel gives them to programs, and keeps them in the network's control
/// registers: of 16 classes of collectives, and of 16 of global interrupts. A class is free while its word is 0.
class ClassRoutes {
 public:
  /// Where a route comes from: one of the two groups of classes.
  enum class Of : std::uint8_t { collectives, interrupts };

  struct Node {
    CollectiveNetwork& collectives;
    InterruptClasses& interrupts;
    MuDevice& mu;
    NetworkClock& clock;
    std::uint32_t number;
  };
  /// All that `node` names is kept by reference. `job` is the node's route of the class that the job has from its
  /// start on; the system's own classes have the same links.
  ClassRoutes(const Node& node, const ClassRoute& job);

  bool is_free(Of of, unsigned number) const { return word(of, number) == 0; }
  /// Marks a free class as taken; a class of global interrupts becomes one that users may use.
  void take(Of of, unsigned number);
  /// Returns 0, or which rule of the machine's kernel the route violates (kernel_services.h): then nothing changes.
  int set(Of of, unsigned number, std::uint16_t input, std::uint16_t output);
  void release(Of of, unsigned number);

  /// The neighbour to which a link of the class's route leads does not have the link the other way, so that nothing
  /// passes there: nullopt if it has, or if the class is one of the system's, which the network does not know here.
  std::optional<std::uint32_t> missing_end(Of of, unsigned number, Direction link) const;

  /// As in the control registers: type, inputs, outputs.
  std::uint32_t word(Of of, unsigned number) const { return words_[static_cast<unsigned>(of)][number]; }

 private:
  const ClassRoute& route_of(Of of, std::uint32_t node, unsigned number) const;
  void store(Of of, unsigned number, std::uint32_t word);
  void set_system(unsigned number, bool system);
  int collective_rule(unsigned number, std::uint32_t word) const;
  int interrupt_rule(unsigned number, std::uint32_t word) const;

  const Node node_;
  std::array<std::array<std::uint32_t, kClassRoutes>, 2> words_{};
};

}  // namespace toroid
