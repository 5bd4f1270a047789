// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/x86_64/registers.h"

#include <string>
#include <utility>

namespace toroid::x86_64 {
namespace {

const char* const kFlagTypes =
    "    <flags id=\"i386_eflags\" size=\"4\">\n"
    "      <field name=\"CF\" start=\"0\" end=\"0\"/>\n"
    "      <field name=\"PF\" start=\"2\" end=\"2\"/>\n"
    "      <field name=\"AF\" start=\"4\" end=\"4\"/>\n"
    "      <field name=\"ZF\" start=\"6\" end=\"6\"/>\n"
    "      <field name=\"SF\" start=\"7\" end=\"7\"/>\n"
    "      <field name=\"DF\" start=\"10\" end=\"10\"/>\n"
    "      <field name=\"OF\" start=\"11\" end=\"11\"/>\n"
    "    </flags>\n";
const char* const kVectorTypes =
    "    <vector id=\"v4f\" type=\"ieee_single\" count=\"4\"/>\n"
    "    <vector id=\"v2d\" type=\"ieee_double\" count=\"2\"/>\n"
    "    <vector id=\"v16i8\" type=\"int8\" count=\"16\"/>\n"
    "    <vector id=\"v8i16\" type=\"int16\" count=\"8\"/>\n"
    "    <vector id=\"v4i32\" type=\"int32\" count=\"4\"/>\n"
    "    <vector id=\"v2i64\" type=\"int64\" count=\"2\"/>\n"
    "    <union id=\"vec128\">\n"
    "      <field name=\"v4_float\" type=\"v4f\"/>\n"
    "      <field name=\"v2_double\" type=\"v2d\"/>\n"
    "      <field name=\"v16_int8\" type=\"v16i8\"/>\n"
    "      <field name=\"v8_int16\" type=\"v8i16\"/>\n"
    "      <field name=\"v4_int32\" type=\"v4i32\"/>\n"
    "      <field name=\"v2_int64\" type=\"v2i64\"/>\n"
    "      <field name=\"uint128\" type=\"uint128\"/>\n"
    "    </union>\n";

RegisterSet make() {
  using Use = RegisterSet::Use;
  enum Feature : unsigned { kCore, kSse, kSegments };
  std::vector<RegisterSet::Entry> entries;
  for (const char* const name : {"rax", "rbx", "rcx", "rdx", "rsi", "rdi"})
    entries.push_back({name, 8, "int64", kCore});
  for (const char* const name : {"rbp", "rsp"}) entries.push_back({name, 8, "data_ptr", kCore});
  for (unsigned i = 8; i < 16; ++i) entries.push_back({"r" + std::to_string(i), 8, "int64", kCore});
  entries.push_back({"rip", 8, "code_ptr", kCore});
  entries.push_back({"eflags", 4, "i386_eflags", kCore});
  for (const char* const name : {"cs", "ss", "ds", "es", "fs", "gs"})
    entries.push_back({name, 4, "int32", kCore, Use::unavailable});
  for (unsigned i = 0; i < 8; ++i) entries.push_back({"st" + std::to_string(i), 10, "i387_ext", kCore, Use::vector});
  for (const char* const name : {"fctrl", "fstat", "ftag", "fiseg", "fioff", "foseg", "fooff", "fop"})
    entries.push_back({name, 4, "int", kCore});
  for (unsigned i = 0; i < 16; ++i) entries.push_back({"xmm" + std::to_string(i), 16, "vec128", kSse, Use::vector});
  entries.push_back({"mxcsr", 4, "int32", kSse});
  entries.push_back({"fs_base", 8, "int64", kSegments});
  entries.push_back({"gs_base", 8, "int64", kSegments});
  return {"i386:x86-64",
          std::move(entries),
          {{"org.gnu.gdb.i386.core", kFlagTypes},
           {"org.gnu.gdb.i386.sse", kVectorTypes},
           {"org.gnu.gdb.i386.segments", ""}}};
}

}  // namespace

const RegisterSet& registers() {
  static const RegisterSet set = make();
  return set;
}

}  // namespace toroid::x86_64
