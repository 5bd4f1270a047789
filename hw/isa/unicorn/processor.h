// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unicorn/unicorn.h>

#include <cstdint>
#include <memory>

#include "hw/isa/engine.h"

namespace toroid::unicorn {

class UnicornEngine;

/// Where a processor of a patched library keeps its registers: uc_reg_pointer().
struct RegisterPlaces {
  const void* general = nullptr;    ///< in the order of their numbers
  std::uint64_t* floats = nullptr;  ///< the high halves of floating-point registers, 16 bytes apart
};

/// What the library is opened as.
struct Architecture {
  uc_arch arch;
  uc_mode mode;
  int model;                       ///< uc_ctl_set_cpu_model()
  void (*prepare)(uc_engine* uc);  ///< sets the registers that all processors begin with
  int first_general;               ///< the library's number of the first general purpose register
  int first_float;
  const int* general = nullptr;  ///< general purpose registers, where the library does not number them in their order
  /// Adds hooks that the instruction set alone has, beside UnicornEngine::add_hooks().
  void (*add_hooks)(uc_engine* uc, UnicornEngine* const* running) = nullptr;
  uc_engine* open() const;  ///< throws std::runtime_error if the library cannot be set up
  bool operator==(const Architecture& other) const { return arch == other.arch && mode == other.mode; }
};

/// Throws std::runtime_error, with `what`, unless `error` is UC_ERR_OK.
void check(uc_err error, const char* what);

/// A processor of the library's: that of an instance of its own (own_processor.cpp), or one of many in one instance
/// (shared_processor.cpp).
class Processor {
 public:
  explicit Processor(uc_engine* uc) : uc_(uc) {}
  Processor(const Processor&) = delete;
  Processor& operator=(const Processor&) = delete;
  virtual ~Processor() = default;

  /// What the library's functions take. They work on this processor only while it is selected.
  uc_engine* uc() const { return uc_; }
  /// Before each use of uc() and before a callback returns: other processors may have run meanwhile.
  virtual void select() {}
  /// The next call is uc_emu_start(), for this program of the client's.
  virtual void begin(std::uint64_t program) { (void)program; }

  // As Engine has them.
  virtual bool map_memory(std::uint64_t address, std::uint64_t size, std::uint8_t* host, unsigned permissions,
                          ImagePart image) = 0;
  virtual bool unmap_memory(std::uint64_t address, std::uint64_t size) = 0;
  virtual bool map_device(std::uint64_t address, std::uint64_t size) = 0;

  /// The code at `address`; false if there is none.
  virtual bool fetch(std::uint64_t address, void* bytes, std::size_t size) const = 0;
  /// What uc_emu_start() is to take for its end, if no instruction has the address `no_address`.
  virtual std::uint64_t end(std::uint64_t no_address) const { return no_address; }
  /// The library has told that nothing is mapped where an access goes. Returns what the fault is.
  virtual FaultKind kind_of_miss(FaultKind unmapped, std::uint64_t address) const {
    (void)address;
    return unmapped;
  }

  /// Where the general purpose registers lie, in the order of their numbers; nullptr if that is not known. May be
  /// called only while it runs.
  virtual const void* general_registers() = 0;
  /// The same for the floating-point registers, 16 bytes apart.
  virtual std::uint64_t* float_registers() = 0;

 private:
  uc_engine* const uc_;
};

/// Throws std::runtime_error if the library cannot be set up.
std::unique_ptr<Processor> make_own_processor(const Architecture& architecture, UnicornEngine& engine,
                                              Observation observation);
/// nullptr if the library has no instances with several processors.
std::unique_ptr<Processor> make_shared_processor(const Architecture& architecture, UnicornEngine& engine);

}  // namespace toroid::unicorn
