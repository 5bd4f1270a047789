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
  if (gdb_register::is_vector(number)) return 16;
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
  text += reg("fpscr", kFpscr, "uint32") +
          "  </feature>\n  <feature name=\"org.gnu.gdb.power.altivec\">\n"
          "    <vector id=\"v4f\" type=\"ieee_single\" count=\"4\"/>\n"
          "    <vector id=\"v4i32\" type=\"int32\" count=\"4\"/>\n"
          "    <vector id=\"v8i16\" type=\"int16\" count=\"8\"/>\n"
          "    <vector id=\"v16i8\" type=\"int8\" count=\"16\"/>\n"
          "    <union id=\"vec128\">\n"
          "      <field name=\"uint128\" type=\"uint128\"/>\n"
          "      <field name=\"v4_float\" type=\"v4f\"/>\n"
          "      <field name=\"v4_int32\" type=\"v4i32\"/>\n"
          "      <field name=\"v8_int16\" type=\"v8i16\"/>\n"
          "      <field name=\"v16_int8\" type=\"v16i8\"/>\n"
          "    </union>\n";
  for (unsigned i = 0; i < 32; ++i) text += reg("vr" + std::to_string(i), kVector + i, "vec128");
  return text + reg("vscr", kVscr, "int32") + reg("vrsave", kVrsave, "uint32") + "  </feature>\n</target>\n";
}

}  // namespace toroid
