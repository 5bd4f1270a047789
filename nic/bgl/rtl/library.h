// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "torus/rtl/waves.h"

namespace toroid::rtl {

class RouterPins;
class LinkPins;
class TreePins;

// The interface of libtoroid_rtl.so: units in Verilog behind their pins, and waves of them. The library is loaded at
// run time (load.h) and needs no symbol of the program; the two share only the abstract classes of these headers.

/// Incremented with each change of the classes that both sides use.
inline constexpr unsigned kLibraryInterface = 1;

class Library {
 public:
  virtual ~Library() = default;

  // A unit called `name`, as waves and messages show it: "router@0,0,0".
  virtual std::unique_ptr<RouterPins> router(const std::string& name) = 0;
  virtual std::unique_ptr<LinkPins> link(const std::string& name) = 0;
  virtual std::unique_ptr<TreePins> tree(const std::string& name) = 0;

  /// Waves of the units created so far, with a clock of `mhz`. Throws std::invalid_argument for scopes that do not
  /// exist and for a file that cannot be written. Must be destroyed before the units.
  virtual std::unique_ptr<Waves> waves(const WavesRequest& request, unsigned mhz) = 0;
  /// Forgets the units created so far, which are destroyed or no longer clocked: later waves do not contain them.
  virtual void forget() = 0;
};

/// The library's only entry point, with the name kLibraryEntry: returns nullptr if its interface has a different
/// number.
using LibraryEntry = Library* (*)(unsigned interface);
inline constexpr const char* kLibraryEntry = "toroid_rtl_library";

}  // namespace toroid::rtl
