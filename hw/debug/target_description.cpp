// SPDX-License-Identifier: Apache-2.0
#include "hw/debug/target_description.h"

namespace toroid {
namespace {

std::string line_of(const RegisterSet::Entry& entry, std::size_t number) {
  return "    <reg name=\"" + entry.name + "\" bitsize=\"" + std::to_string(8 * entry.bytes) + "\" type=\"" +
         entry.type + "\" regnum=\"" + std::to_string(number) + "\"/>\n";
}

}  // namespace

std::string target_description(const RegisterSet& registers) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target version=\"1.0\">\n"
      "  <architecture>" +
      registers.architecture() + "</architecture>\n";
  for (unsigned feature = 0; feature < registers.features().size(); ++feature) {
    text += "  <feature name=\"" + registers.features()[feature].name + "\">\n" + registers.features()[feature].types;
    for (std::size_t number = 0; number < registers.size(); ++number) {
      const RegisterSet::Entry& entry = registers[static_cast<Register>(number)];
      if (entry.feature == feature) text += line_of(entry, number);
    }
    text += "  </feature>\n";
  }
  return text + "</target>\n";
}

}  // namespace toroid
