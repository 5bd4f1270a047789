// SPDX-License-Identifier: Apache-2.0
#include "hw/debug/target_description.h"

namespace toroid {
namespace {

std::string reg(const std::string& name, unsigned number, const std::string& type) {
  return "    <reg name=\"" + name + "\" bitsize=\"" + std::to_string(8 * gdb_register_bytes(number)) + "\" type=\"" +
         type + "\" regnum=\"" + std::to_string(number) + "\"/>\n";
}

}  // namespace

unsigned gdb_register_bytes(unsigned number) {
  return number >= gdb_register::kFloat && number < gdb_register::kFloat + 32 ? 8 : 4;
}

std::string target_description() {
  using namespace gdb_register;
  std::string text =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target version=\"1.0\">\n"
      "  <architecture>powerpc:common</architecture>\n  <feature name=\"org.gnu.gdb.power.core\">\n";
  for (unsigned i = 0; i < 32; ++i) text += reg("r" + std::to_string(i), kGeneral + i, "uint32");
  text += reg("pc", kPc, "code_ptr") + reg("msr", kMsr, "uint32") + reg("cr", kCr, "uint32") +
          reg("lr", kLr, "code_ptr") + reg("ctr", kCtr, "uint32") + reg("xer", kXer, "uint32");
  text += "  </feature>\n  <feature name=\"org.gnu.gdb.power.fpu\">\n";
  for (unsigned i = 0; i < 32; ++i) text += reg("f" + std::to_string(i), kFloat + i, "ieee_double");
  return text + reg("fpscr", kFpscr, "uint32") + "  </feature>\n</target>\n";
}

}  // namespace toroid
