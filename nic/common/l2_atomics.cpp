// SPDX-License-Identifier: Apache-2.0
#include "nic/common/l2_atomics.h"

namespace toroid {

using Kind = MemoryOperation::Kind;

MemoryOperation l2_load(unsigned operation) {
  switch (static_cast<L2Load>(operation & 7)) {
    case L2Load::clear:
      return {Kind::exchange, 8, 0, 0};
    case L2Load::increment:
      return {Kind::add, 8, 1, 0};
    case L2Load::decrement:
      return {Kind::add, 8, ~std::uint64_t{0}, 0};
    case L2Load::increment_bounded:
      return {Kind::increment_bounded, 8, 0, 0};
    case L2Load::decrement_bounded:
      return {Kind::decrement_bounded, 8, 0, 0};
    case L2Load::increment_if_equal:
      return {Kind::increment_if_equal, 8, 0, 0};
    case L2Load::load:
    case L2Load::reserved:
      break;
  }
  return {Kind::load, 8, 0, 0};
}

MemoryOperation l2_store(unsigned operation, std::uint64_t value) {
  switch (static_cast<L2Store>(operation & 7)) {
    case L2Store::store:
      break;
    case L2Store::twin:
      return {Kind::store_twin, 8, value, 0};
    case L2Store::add:
    case L2Store::add_coherence_on_zero:
      return {Kind::add, 8, value, 0};
    case L2Store::bit_or:
      return {Kind::bit_or, 8, value, 0};
    case L2Store::bit_xor:
      return {Kind::bit_xor, 8, value, 0};
    case L2Store::max_unsigned:
      return {Kind::max_unsigned, 8, value, 0};
    case L2Store::max_signed:
      return {Kind::max_signed, 8, value, 0};
  }
  return {Kind::exchange, 8, value, 0};
}

}  // namespace toroid
