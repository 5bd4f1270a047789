// SPDX-License-Identifier: Apache-2.0
#include "nic/bgl/rtl/load.h"

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>

namespace toroid::rtl {

std::string library_path() {
  const auto executable = std::filesystem::read_symlink("/proc/self/exe");
  return (executable.parent_path().parent_path() / "lib" / "libtoroid_rtl.so").string();
}

Library& load_library(const std::string& path) {
  if (!std::filesystem::exists(path)) {
    throw std::runtime_error(path + " is not there: units in Verilog have not been built; the build target is 'rtl'");
  }
  // Its own symbols first: a program may hold classes of the same names.
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(std::string("cannot be loaded: ") + dlerror());
  const auto entry = reinterpret_cast<LibraryEntry>(dlsym(library, kLibraryEntry));
  if (entry == nullptr) throw std::runtime_error(path + " is no library of units in Verilog: " + dlerror());
  Library* const found = entry(kLibraryInterface);
  if (found == nullptr) {
    throw std::runtime_error(path + " was built from other sources than this simulator; build the target 'rtl' again");
  }
  return *found;
}

}  // namespace toroid::rtl
