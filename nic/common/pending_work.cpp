// SPDX-License-Identifier: Apache-2.0
#include "nic/common/pending_work.h"

#include <cstdio>

namespace toroid {

std::string counted(std::uint64_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string behind_text(std::uint64_t packets) {
  return packets == 0 ? "" : ", and " + counted(packets, "packet") + " behind it";
}

std::string dcr_text(unsigned number) {
  char text[48];
  std::snprintf(text, sizeof text, "device control register 0x%03x", number);
  return text;
}

}  // namespace toroid
