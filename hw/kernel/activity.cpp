// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/activity.h"

#include <cstddef>
#include <optional>

#include "hw/kernel/kernel_abi.h"
#include "hw/kernel/printable.h"

namespace toroid {

std::string filled_in(const std::string& format, const AddressSpace& space, const std::vector<std::uint32_t>& values) {
  std::string text;
  std::size_t used = 0;
  for (std::size_t at = 0; at < format.size(); ++at) {
    if (format[at] != '%' || at + 1 == format.size() || used == values.size()) {
      text += format[at];
      continue;
    }
    const std::uint32_t value = values[used++];
    switch (format[++at]) {
      case 'd':
        text += std::to_string(static_cast<std::int32_t>(value));
        break;
      case 'x':
        text += hex(value);
        break;
      case 's':
        text += space.string_at(value, kLongestActivity).value_or("?");
        break;
      default:
        text += std::to_string(value);
        break;
    }
  }
  return printable(text);
}

std::string activity_of(const ElfImage& image, const AddressSpace& space, ByteOrder order) {
  const std::uint64_t address = image.address_of(TOROID_ACTIVITY_SYMBOL);
  if (address == 0) return "";
  const std::uint8_t* words = space.readable(address, sizeof(toroid_activity));
  if (words == nullptr) return "";
  const std::uint32_t what = load_u32(words + offsetof(toroid_activity, what), order);
  const std::optional<std::string> format = what == 0 ? std::nullopt : space.string_at(what, kLongestActivity);
  if (!format) return "";
  std::vector<std::uint32_t> values;
  for (unsigned i = 0; i < TOROID_ACTIVITY_ARGUMENTS; ++i)
    values.push_back(load_u32(words + offsetof(toroid_activity, arguments) + 4 * i, order));
  return filled_in(*format, space, values);
}

}  // namespace toroid
