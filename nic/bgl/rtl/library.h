// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "torus/rtl/waves.h"

namespace toroid::rtl {

class RouterPins;
class LinkPins;
class TreePins;

// What libtoroid_rtl.so has: units in Verilog behind their pins, and waves of them. It is loaded while a program runs
// (load.h) and needs no symbol of that program, so the two share nothing but these headers' classes without code.

/// Counts up with each change of the classes that both sides see.
inline constexpr unsigned kLibraryInterface = 1;

class Library {
 public:
  virtual ~Library() = default;

  // A unit called `name`, as waves and messages show it: "router@0,0,0".
  virtual std::unique_ptr<RouterPins> router(const std::string& name) = 0;
  virtual std::unique_ptr<LinkPins> link(const std::string& name) = 0;
  virtual std::unique_ptr<TreePins> tree(const std::string& name) = 0;

  /// Waves of units made until now, of a clock of `mhz`. Throws std::invalid_argument for scopes that do not exist and
  /// for a file that cannot be written. To be destroyed before the units.
  virtual std::unique_ptr<Waves> waves(const WavesRequest& request, unsigned mhz) = 0;
  /// The units made until now are gone, or will be clocked no more: later waves are without them.
  virtual void forget() = 0;
};

/// The library's one entry, by the name kLibraryEntry: null where it has another interface than asked for.
using LibraryEntry = Library* (*)(unsigned interface);
inline constexpr const char* kLibraryEntry = "toroid_rtl_library";

}  // namespace toroid::rtl
