// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/power/registers.h"

namespace toroid::power {
namespace {

const char* const kVectorTypes =
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

// A register of the quad processing extension but for its first element: gdb would not know that to be the
// floating-point register, and show or write back what it remembers of it.
const char* const kQuadTypes =
    "    <struct id=\"quad_rest\">\n"
    "      <field name=\"e1\" type=\"ieee_double\"/>\n"
    "      <field name=\"e2\" type=\"ieee_double\"/>\n"
    "      <field name=\"e3\" type=\"ieee_double\"/>\n"
    "    </struct>\n";

RegisterSet make(Width width) {
  const bool wide = width == Width::wide;
  const unsigned word = word_bytes(width);
  const char* const number = wide ? "uint64" : "uint32";
  using Use = RegisterSet::Use;
  enum Feature : unsigned { kCore, kFloatingPoint, kVectors, kQuads = kVectors };
  std::vector<RegisterSet::Entry> entries;
  const auto numbered = [&entries](const char* prefix, unsigned bytes, const char* type, unsigned feature, Use use) {
    for (unsigned i = 0; i < 32; ++i) entries.push_back({prefix + std::to_string(i), bytes, type, feature, use});
  };
  numbered("r", word, number, kCore, Use::ordinary);
  numbered("f", 8, "ieee_double", kFloatingPoint, Use::ordinary);
  entries.push_back({"pc", word, "code_ptr", kCore});
  entries.push_back({"msr", word, number, kCore, Use::read_only});
  entries.push_back({"cr", 4, "uint32", kCore});
  entries.push_back({"lr", word, "code_ptr", kCore});
  entries.push_back({"ctr", word, number, kCore});
  entries.push_back({"xer", 4, "uint32", kCore});
  entries.push_back({"fpscr", 4, "uint32", kFloatingPoint});
  if (wide) {
    numbered("q", 24, "quad_rest", kQuads, Use::emulated);
    return {"powerpc:common64",
            std::move(entries),
            {{"org.gnu.gdb.power.core", ""}, {"org.gnu.gdb.power.fpu", ""}, {"org.toroid.qpx", kQuadTypes}}};
  }
  numbered("vr", 16, "vec128", kVectors, Use::vector);
  entries.push_back({"vscr", 4, "int32", kVectors, Use::unavailable});
  entries.push_back({"vrsave", 4, "uint32", kVectors, Use::unavailable});
  return {"powerpc:common",
          std::move(entries),
          {{"org.gnu.gdb.power.core", ""}, {"org.gnu.gdb.power.fpu", ""}, {"org.gnu.gdb.power.altivec", kVectorTypes}}};
}

}  // namespace

const RegisterSet& registers(Width width) {
  static const RegisterSet narrow = make(Width::narrow), wide = make(Width::wide);
  return width == Width::wide ? wide : narrow;
}

}  // namespace toroid::power
