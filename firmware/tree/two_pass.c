// SPDX-License-Identifier: Apache-2.0
// Sums of doubles in two passes. Exponents, 126 a packet; then the mantissas of these elements, 21 a packet, as
// integers of 96 bits: a sign, the headroom, and 77 bits, of which the highest is the highest bit of a summand with the
// greatest exponent.
#include "firmware/tree/doubles.h"

enum {
  GROUP = 126,                                // elements of a packet of exponents
  PART = 21,                                  // elements of a packet of mantissas
  GUARD = 96 - 1 - HEADROOM - MANTISSA_BITS,  // bits below those of the greatest summand
  INTEGER_WORDS = 3,
};

static uint32_t group_size(const tree_two_pass_t* sum, uint32_t group) {
  const uint32_t left = sum->count - group * GROUP;
  return left < GROUP ? left : GROUP;
}

static uint32_t part_size(const tree_two_pass_t* sum, const tree_place_t* place) {
  const uint32_t left = group_size(sum, place->group) - place->part * PART;
  return left < PART ? left : PART;
}

static bool at_exponents(const tree_two_pass_t* sum, const tree_place_t* place) {
  return place->part == 0 && place->exponents < sum->groups && place->exponents < place->group + TREE_EXPONENTS_AHEAD;
}

static void step(const tree_two_pass_t* sum, tree_place_t* place) {
  if (at_exponents(sum, place)) {
    place->exponents += 1;
  } else if ((place->part + 1) * PART >= group_size(sum, place->group)) {
    place->part = 0;
    place->group += 1;
  } else {
    place->part += 1;
  }
}

static void fill_exponents(const tree_two_pass_t* sum, uint32_t group, uint16_t* packet) {
  const uint32_t size = group_size(sum, group);
  const uint32_t at = group * GROUP * (uint32_t)sizeof(uint64_t);
  const uint8_t* from = sum->inputs[0] + at;
  for (uint32_t i = 0; i < size; ++i) packet[i] = (uint16_t)exponent_of(load(from, i));
  for (uint32_t input = 1; input < sum->input_count; ++input) {
    for (uint32_t i = 0; i < size; ++i) {
      const uint32_t other = exponent_of(load(sum->inputs[input] + at, i));
      if (other > packet[i]) packet[i] = (uint16_t)other;
    }
  }
  for (uint32_t i = size; i < TREE_PAYLOAD_WORDS; ++i) packet[i] = 0;
}

/// Add a summand to the 96 bits at `integer`, most significant word first. `greatest` is the element's exponent.
static void add_aligned(uint32_t* integer, uint64_t bits, uint32_t greatest) {
  uint32_t high;
  uint64_t low;
  if (greatest == SPECIAL) {  // counts, 32 bits each
    if (exponent_of(bits) == SPECIAL) integer[2 - kind_of(bits)] += 1;
    return;
  }
  const uint64_t m = mantissa_of(bits);
  const uint32_t below = greatest - exponent_of(bits);
  if (below <= GUARD) {
    const uint32_t shift = GUARD - below;
    low = m << shift;
    high = shift == 0 ? 0 : (uint32_t)(m >> (64 - shift));
  } else {
    low = below - GUARD < 64 ? m >> (below - GUARD) : 0;
    high = 0;
  }
  if (bits >> 63 != 0) {
    low = -low;
    high = ~high + (low == 0 ? 1 : 0);
  }
  const uint64_t before = (uint64_t)integer[1] << 32 | integer[2];
  const uint64_t after = before + low;
  integer[0] += high + (after < before ? 1 : 0);
  integer[1] = (uint32_t)(after >> 32);
  integer[2] = (uint32_t)after;
}

/// The first summand: what add_aligned() makes of 96 zeros, in the words of the core for summands of common size.
static void put_aligned(uint32_t* integer, uint64_t bits, uint32_t greatest) {
  const uint32_t top = (uint32_t)(bits >> 32), low = (uint32_t)bits;
  const uint32_t exponent = top >> 20 & SPECIAL;
  const uint32_t below = greatest - exponent;
  if (exponent == 0 || greatest == SPECIAL || below >= GUARD + 32) {
    integer[0] = integer[1] = integer[2] = 0;
    add_aligned(integer, bits, greatest);
    return;
  }
  const uint32_t high = (top & 0xFFFFF) | 0x100000;
  uint32_t words[INTEGER_WORDS];
  if (below <= GUARD) {
    const uint32_t shift = GUARD - below, rest = 31 - shift;
    words[0] = high >> 1 >> rest;
    words[1] = high << shift | low >> 1 >> rest;
    words[2] = low << shift;
  } else {
    const uint32_t shift = below - GUARD;  // 1..31
    words[0] = 0;
    words[1] = high >> shift;
    words[2] = low >> shift | high << (32 - shift);
  }
  if (top >> 31 != 0) {
    words[2] = -words[2];
    words[1] = ~words[1] + (words[2] == 0 ? 1 : 0);
    words[0] = ~words[0] + ((words[1] | words[2]) == 0 ? 1 : 0);
  }
  integer[0] = words[0];
  integer[1] = words[1];
  integer[2] = words[2];
}

static uint64_t double_of(const uint32_t* integer, uint32_t greatest) {
  if (greatest == SPECIAL) return special_sum(integer[2] != 0, integer[1] != 0, integer[0] != 0);
  uint32_t high = integer[0];
  uint64_t low = (uint64_t)integer[1] << 32 | integer[2];
  const bool negative = high >> 31 != 0;
  if (negative) {
    low = -low;
    high = ~high + (low == 0 ? 1 : 0);
  }
  if (high == 0 && low == 0) return 0;
  // The highest bit, counted from the lowest of the 96, and the 63 bits from it on.
  const unsigned highest = high != 0 ? 95 - (unsigned)__builtin_clz(high) : 63 - (unsigned)__builtin_clzll(low);
  uint64_t top;
  bool sticky = false;
  if (highest <= 62) {
    top = low << (62 - highest);
  } else {
    const unsigned shift = highest - 62;  // 1..33
    top = low >> shift | (uint64_t)high << (64 - shift);
    sticky = low << (64 - shift) != 0;
  }
  top &= ~SIGN;
  return rounded(negative, top, sticky, (int32_t)greatest + (int32_t)highest - (MANTISSA_BITS - 1 + GUARD));
}

/// The same in the words of the core, for sums of common size: no less than a 2^12th of the greatest summand, and
/// neither subnormal nor infinite.
static uint64_t quick_double_of(const uint32_t* integer, uint32_t greatest) {
  uint32_t high = integer[0], middle = integer[1], low = integer[2];
  const uint32_t sign = high & 0x80000000u;
  if (sign != 0) {
    low = -low;
    middle = ~middle + (low == 0 ? 1 : 0);
    high = ~high + ((low | middle) == 0 ? 1 : 0);
  }
  if (high == 0 || greatest == SPECIAL) return double_of(integer, greatest);
  const uint32_t zeros = (uint32_t)__builtin_clz(high);  // 1..31
  const uint32_t exponent = greatest + (95 - (MANTISSA_BITS - 1 + GUARD)) - zeros;
  if (exponent - 1 >= SPECIAL - 1) return double_of(integer, greatest);
  const uint32_t others = 32 - zeros;
  const uint32_t first = high << zeros | middle >> others;
  const uint32_t second = middle << zeros | low >> others;
  const uint32_t rest = second << (MANTISSA_BITS - 32);
  uint32_t bottom = first << 21 | second >> 11;
  // The leading bit adds 1 to the exponent's field.
  uint32_t top = ((exponent - 1) << 20) + (first >> 11);
  const uint32_t half = 0x80000000u;
  if (rest > half || (rest == half && (low << zeros != 0 || (bottom & 1) != 0))) {
    bottom += 1;
    top += bottom == 0 ? 1 : 0;
  }
  return (uint64_t)(sign | top) << 32 | bottom;
}

static void fill_mantissas(const tree_two_pass_t* sum, const tree_place_t* place, uint32_t* packet) {
  const uint16_t* greatest = sum->greatest[place->group % (TREE_EXPONENTS_AHEAD + 1)] + place->part * PART;
  const uint32_t first = place->group * GROUP + place->part * PART;
  const uint32_t size = part_size(sum, place);
  const uint8_t* from = sum->inputs[0] + first * sizeof(uint64_t);
  for (uint32_t i = 0; i < size; ++i) put_aligned(packet + INTEGER_WORDS * i, load(from, i), greatest[i]);
  for (uint32_t input = 1; input < sum->input_count; ++input) {
    from = sum->inputs[input] + first * sizeof(uint64_t);
    for (uint32_t i = 0; i < size; ++i) add_aligned(packet + INTEGER_WORDS * i, load(from, i), greatest[i]);
  }
  for (uint32_t i = INTEGER_WORDS * size; i < TREE_PAYLOAD_BYTES / 4; ++i) packet[i] = 0;
}

static bool send(tree_stream_t* stream) {
  tree_two_pass_t* sum = (tree_two_pass_t*)stream;
  union {
    uint16_t exponents[TREE_PAYLOAD_WORDS];
    uint32_t words[TREE_PAYLOAD_BYTES / 4];
  } packet __attribute__((aligned(16)));
  const uint32_t tag = tree_tag(stream, stream->sent);
  if (at_exponents(sum, &sum->sending)) {
    fill_exponents(sum, sum->sending.exponents, packet.exponents);
    tree_give(tree_collective_header(stream->route_class, TREE_MAX, 1, tag), &packet, TREE_PAYLOAD_BYTES);
  } else if (sum->receiving.exponents > sum->sending.group) {
    fill_mantissas(sum, &sum->sending, packet.words);
    tree_give(tree_collective_header(stream->route_class, TREE_ADD, 2 * INTEGER_WORDS, tag), &packet,
              TREE_PAYLOAD_BYTES);
  } else {
    return false;
  }
  step(sum, &sum->sending);
  return true;
}

static uint32_t receive(tree_stream_t* stream) {
  tree_two_pass_t* sum = (tree_two_pass_t*)stream;
  const tree_place_t place = sum->receiving;
  uint32_t header;
  if (at_exponents(sum, &place)) {
    stream->due = tree_collective_header(stream->route_class, TREE_MAX, 1, 0);
    header = tree_take(sum->greatest[place.exponents % (TREE_EXPONENTS_AHEAD + 1)], TREE_PAYLOAD_BYTES);
  } else {
    uint32_t packet[TREE_PAYLOAD_BYTES / 4] __attribute__((aligned(16)));
    stream->due = tree_collective_header(stream->route_class, TREE_ADD, 2 * INTEGER_WORDS, 0);
    header = tree_take(packet, sum->out != NULL ? sizeof packet : 0);
    const uint16_t* greatest = sum->greatest[place.group % (TREE_EXPONENTS_AHEAD + 1)] + place.part * PART;
    const uint32_t size = sum->out != NULL ? part_size(sum, &place) : 0;
    uint8_t* to = sum->out + (place.group * GROUP + place.part * PART) * sizeof(uint64_t);
    for (uint32_t i = 0; i < size; ++i) {
      store(to, i, quick_double_of(packet + INTEGER_WORDS * i, greatest[i]));
    }
  }
  step(sum, &sum->receiving);
  return header;
}

static void begin(const tree_operation_t* operation, tree_work_t* work, const uint8_t* const* inputs,
                  uint32_t input_count, uint8_t* out, uint32_t count) {
  const uint32_t groups = (count + GROUP - 1) / GROUP;
  const uint32_t last = count - (groups - 1) * GROUP;
  const uint32_t packets = groups + (groups - 1) * (GROUP / PART) + (last + PART - 1) / PART;
  tree_two_pass_t* sum = &work->two_pass;
  sum->base = (tree_stream_t){.to_send = packets,
                              .to_receive = packets,
                              .send = send,
                              .receive = receive,
                              .route_class = operation->route_class};
  sum->inputs = inputs;
  sum->input_count = input_count;
  sum->out = out;
  sum->count = count;
  sum->groups = groups;
  sum->sending = sum->receiving = (tree_place_t){0, 0, 0};
}

tree_operation_t tree_two_pass_sum(uint32_t route_class, uint32_t buffer_bytes) {
  return (tree_operation_t){
      .begin = begin,
      .bytes = sizeof(double),
      .chunk = buffer_bytes / (GROUP * sizeof(double)) * GROUP,
      .route_class = route_class,
  };
}
