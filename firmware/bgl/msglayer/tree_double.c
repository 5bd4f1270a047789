// SPDX-License-Identifier: Apache-2.0
// Sums of doubles over the tree, whose ALU adds integers. Adding integers is associative, so the bits of the result do
// not depend on the order of additions.
//
// A double is taken as sign, exponent e (of 11 bits; 1 for what is subnormal, 0 for zero) and mantissa m of 53 bits:
// (-1)^s * m * 2^(e - 1075). e = 2047 marks what is special: its packets carry counts of infinities and NaNs instead.
#include "firmware/bgl/msglayer/state.h"
#include "firmware/bgl/msglayer/tree.h"

enum {
  SPECIAL = 2047,  // exponent of infinities and NaNs
  MANTISSA_BITS = 53,
  HEADROOM = 18,    // bits: sums of 2^18 summands fit
  COUNT_BITS = 18,  // of each count of special summands
};

static const uint64_t NOT_A_NUMBER = UINT64_C(0x7FF8000000000000);
static const uint64_t INFINITE = UINT64_C(0x7FF0000000000000);
static const uint64_t SIGN = UINT64_C(0x8000000000000000);

static uint64_t load(const uint8_t* from, uint32_t element) {
  uint64_t bits;
  memcpy(&bits, from + element * sizeof bits, sizeof bits);
  return bits;
}

static void store(uint8_t* to, uint32_t element, uint64_t bits) {
  memcpy(to + element * sizeof bits, &bits, sizeof bits);
}

static uint32_t exponent_of(uint64_t bits) {
  const uint32_t exponent = (uint32_t)(bits >> 52) & SPECIAL;
  return exponent == 0 && bits << 1 != 0 ? 1 : exponent;
}

static uint64_t mantissa_of(uint64_t bits) {
  const uint64_t fraction = bits & (INFINITE ^ ~SIGN);
  return (bits & INFINITE) != 0 ? fraction | UINT64_C(1) << 52 : fraction;
}

/// Which count a special summand goes to: 0 +infinity, 1 -infinity, 2 NaN.
static unsigned kind_of(uint64_t bits) {
  return (bits & ~SIGN) != INFINITE ? 2 : bits >> 63 != 0 ? 1 : 0;
}

/// The sum where some summand was special.
static uint64_t special_sum(bool plus, bool minus, bool nan) {
  if (nan || (plus && minus)) return NOT_A_NUMBER;
  return minus ? SIGN | INFINITE : INFINITE;
}

/// The double nearest to (-1)^negative * m * 2^(e - 1075), for the exact value's first bits: 2^62 <= top < 2^63 stands
/// for m * 2^10 and is followed by nothing, or by something smaller (`sticky`). Even where two are as near.
static uint64_t rounded(bool negative, uint64_t top, bool sticky, int32_t e) {
  const uint64_t sign = negative ? SIGN : 0;
  if (e >= SPECIAL) return sign | INFINITE;
  uint32_t shift = 63 - MANTISSA_BITS;
  if (e < 1) {  // subnormal: fewer bits
    if (e < -60) return sign;
    shift += (uint32_t)(1 - e);
    e = 0;
  }
  if (shift >= 64) return sign;
  const uint64_t rest = top & ((UINT64_C(1) << shift) - 1);
  const uint64_t half = UINT64_C(1) << (shift - 1);
  uint64_t m = top >> shift;
  if (rest > half || (rest == half && (sticky || (m & 1) != 0))) m += 1;
  // The leading bit adds 1 to the exponent's field; a carry out of the mantissa does the same, up to infinity.
  return sign | ((e == 0 ? m : ((uint64_t)(uint32_t)(e - 1) << 52) + m));
}

// ---------------------------------------------------------------------------------------------------------------------
// Two passes. Exponents, 126 a packet; then the mantissas of these elements, 21 a packet, as integers of 96 bits: a
// sign, the headroom, and 77 bits, of which the highest is the highest bit of a summand with the greatest exponent.

enum {
  GROUP = 126,                                // elements of a packet of exponents
  PART = 21,                                  // elements of a packet of mantissas
  AHEAD = 4,                                  // packets of exponents on the way before the first of their mantissas is
  GUARD = 96 - 1 - HEADROOM - MANTISSA_BITS,  // bits below those of the greatest summand
  INTEGER_WORDS = 3,
};

/// The position in the sequence of packets: exponents run ahead of mantissas.
typedef struct {
  uint32_t exponents;  ///< groups whose exponents are past
  uint32_t group;      ///< whose mantissas are due
  uint32_t part;       ///< of them
} place_t;

typedef struct {
  bglml_tree_stream_t base;
  const uint8_t* const* inputs;
  uint32_t input_count;
  uint8_t* out;
  uint32_t count;
  uint32_t groups;
  place_t sending, receiving;
  uint16_t greatest[AHEAD + 1][TREE_PAYLOAD_WORDS] __attribute__((aligned(16)));  ///< by group, a ring
} two_pass_t;

static uint32_t group_size(const two_pass_t* sum, uint32_t group) {
  const uint32_t left = sum->count - group * GROUP;
  return left < GROUP ? left : GROUP;
}

static uint32_t part_size(const two_pass_t* sum, const place_t* place) {
  const uint32_t left = group_size(sum, place->group) - place->part * PART;
  return left < PART ? left : PART;
}

static bool at_exponents(const two_pass_t* sum, const place_t* place) {
  return place->part == 0 && place->exponents < sum->groups && place->exponents < place->group + AHEAD;
}

static void step(const two_pass_t* sum, place_t* place) {
  if (at_exponents(sum, place)) {
    place->exponents += 1;
  } else if ((place->part + 1) * PART >= group_size(sum, place->group)) {
    place->part = 0;
    place->group += 1;
  } else {
    place->part += 1;
  }
}

static void fill_exponents(const two_pass_t* sum, uint32_t group, uint16_t* packet) {
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

static void fill_mantissas(const two_pass_t* sum, const place_t* place, uint32_t* packet) {
  const uint16_t* greatest = sum->greatest[place->group % (AHEAD + 1)] + place->part * PART;
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

static bool send_two_pass(bglml_tree_stream_t* stream) {
  two_pass_t* sum = (two_pass_t*)stream;
  union {
    uint16_t exponents[TREE_PAYLOAD_WORDS];
    uint32_t words[TREE_PAYLOAD_BYTES / 4];
  } packet __attribute__((aligned(16)));
  const uint32_t tag = bglml_tree_tag(stream, stream->sent);
  if (at_exponents(sum, &sum->sending)) {
    fill_exponents(sum, sum->sending.exponents, packet.exponents);
    bglml_tree_give(tree_collective_header(TOROID_TREE_CLASS_REDUCTION, TREE_MAX, 1, tag), &packet, TREE_PAYLOAD_BYTES);
  } else if (sum->receiving.exponents > sum->sending.group) {
    fill_mantissas(sum, &sum->sending, packet.words);
    bglml_tree_give(tree_collective_header(TOROID_TREE_CLASS_REDUCTION, TREE_ADD, 2 * INTEGER_WORDS, tag), &packet,
                    TREE_PAYLOAD_BYTES);
  } else {
    return false;
  }
  step(sum, &sum->sending);
  return true;
}

static uint32_t receive_two_pass(bglml_tree_stream_t* stream) {
  two_pass_t* sum = (two_pass_t*)stream;
  const place_t place = sum->receiving;
  uint32_t header;
  if (at_exponents(sum, &place)) {
    stream->due = tree_collective_header(TOROID_TREE_CLASS_REDUCTION, TREE_MAX, 1, 0);
    header = bglml_tree_take(sum->greatest[place.exponents % (AHEAD + 1)], TREE_PAYLOAD_BYTES);
  } else {
    uint32_t packet[TREE_PAYLOAD_BYTES / 4] __attribute__((aligned(16)));
    stream->due = tree_collective_header(TOROID_TREE_CLASS_REDUCTION, TREE_ADD, 2 * INTEGER_WORDS, 0);
    header = bglml_tree_take(packet, sum->out != NULL ? sizeof packet : 0);
    const uint16_t* greatest = sum->greatest[place.group % (AHEAD + 1)] + place.part * PART;
    const uint32_t size = sum->out != NULL ? part_size(sum, &place) : 0;
    uint8_t* to = sum->out + (place.group * GROUP + place.part * PART) * sizeof(uint64_t);
    for (uint32_t i = 0; i < size; ++i) {
      store(to, i, quick_double_of(packet + INTEGER_WORDS * i, greatest[i]));
    }
  }
  step(sum, &sum->receiving);
  return header;
}

static void run_two_pass(const bglml_tree_operation_t* operation, const uint8_t* const* inputs, uint32_t input_count,
                         uint8_t* out, uint32_t count) {
  (void)operation;
  two_pass_t sum = {
      .base = {.send = send_two_pass, .receive = receive_two_pass},
      .inputs = inputs,
      .input_count = input_count,
      .out = out,
      .count = count,
      .groups = (count + GROUP - 1) / GROUP,
  };
  const uint32_t last = count - (sum.groups - 1) * GROUP;
  const uint32_t packets = sum.groups + (sum.groups - 1) * (GROUP / PART) + (last + PART - 1) / PART;
  sum.base.to_send = sum.base.to_receive = packets;
  bglml_tree_run(&sum.base);
}

// ---------------------------------------------------------------------------------------------------------------------
// One pass: an integer of 2048 bits an element. Bit b stands for 2^(b - 1005): the lowest COUNTS bits count what is
// special, the highest are sign and headroom.

enum {
  WIDE_WORDS = TREE_PAYLOAD_BYTES / 4,
  COUNTS = 3 * COUNT_BITS,
  // Bit of the lowest bit of a mantissa with exponent e: the mantissa of e = 2046 ends below the headroom and the sign.
  WIDE_OFFSET = 2048 - 1 - HEADROOM - MANTISSA_BITS - (SPECIAL - 1),  // + e
};

typedef struct {
  bglml_tree_stream_t base;
  const uint8_t* const* inputs;
  uint32_t input_count;
  uint8_t* out;
} wide_t;

/// The word with bit `bit`; the first word is the most significant.
static unsigned wide_word(unsigned bit) {
  return WIDE_WORDS - 1 - bit / 32;
}

/// Add `value` * 2^bit, with a carry, or take it away.
static void add_at(uint32_t* integer, uint64_t value, unsigned bit, bool negative) {
  const unsigned shift = bit % 32;
  uint32_t words[3] = {(uint32_t)(value << shift), (uint32_t)(value << shift >> 32),
                       shift == 0 ? 0 : (uint32_t)(value >> (64 - shift))};
  uint32_t carry = 0;
  for (int word = (int)wide_word(bit), i = 0; word >= 0 && (i < 3 || carry != 0); --word, ++i) {
    const uint64_t part = (uint64_t)(i < 3 ? words[i] : 0) + carry;
    const uint64_t result = negative ? integer[word] - part : integer[word] + part;
    integer[word] = (uint32_t)result;
    carry = (uint32_t)(result >> 32) != 0 ? 1 : 0;
  }
}

static void add_wide(uint32_t* integer, uint64_t bits) {
  const uint32_t exponent = exponent_of(bits);
  if (exponent == SPECIAL) {
    add_at(integer, 1, kind_of(bits) * COUNT_BITS, false);
    return;
  }
  const int32_t bit = (int32_t)exponent + WIDE_OFFSET;
  uint64_t m = mantissa_of(bits);
  if (bit < COUNTS) m = COUNTS - bit < 64 ? m >> (COUNTS - bit) : 0;  // cut off
  if (m != 0) add_at(integer, m, bit < COUNTS ? COUNTS : (unsigned)bit, bits >> 63 != 0);
}

static uint64_t double_of_wide(uint32_t* integer) {
  const uint64_t lowest = (uint64_t)integer[wide_word(32)] << 32 | integer[wide_word(0)];
  const uint32_t mask = (1u << COUNT_BITS) - 1;
  const uint32_t plus = (uint32_t)lowest & mask;
  const uint32_t minus = (uint32_t)(lowest >> COUNT_BITS) & mask;
  const uint32_t nan = (uint32_t)(lowest >> 2 * COUNT_BITS) & mask;
  if ((plus | minus | nan) != 0) return special_sum(plus != 0, minus != 0, nan != 0);
  const bool negative = integer[0] >> 31 != 0;
  if (negative) {
    uint32_t carry = 1;
    for (int word = WIDE_WORDS - 1; word >= 0; --word) {
      integer[word] = ~integer[word] + carry;
      carry = carry != 0 && integer[word] == 0 ? 1 : 0;
    }
  }
  unsigned first = 0;
  while (first < WIDE_WORDS && integer[first] == 0) first += 1;
  if (first == WIDE_WORDS) return 0;
  // 96 bits from the first word that is not 0 hold the 63 that count. (The lowest words only have counts: they are 0.)
  const unsigned zeros = (unsigned)__builtin_clz(integer[first]);
  const uint32_t second = first + 1 < WIDE_WORDS ? integer[first + 1] : 0;
  const uint32_t third = first + 2 < WIDE_WORDS ? integer[first + 2] : 0;
  uint64_t top = (uint64_t)integer[first] << 32 | second;
  if (zeros != 0) top = top << zeros | third >> (32 - zeros);
  bool sticky = (top & 1) != 0 || (zeros < 32 && (uint32_t)(third << zeros) != 0);
  top >>= 1;
  for (unsigned word = first + 3; word < WIDE_WORDS && !sticky; ++word) sticky = integer[word] != 0;
  const int32_t highest = (int32_t)(32 * (WIDE_WORDS - 1 - first) + 31 - zeros);
  return rounded(negative, top, sticky, highest - (MANTISSA_BITS - 1) - WIDE_OFFSET);
}

static bool send_wide(bglml_tree_stream_t* stream) {
  const wide_t* sum = (const wide_t*)stream;
  uint32_t packet[WIDE_WORDS] __attribute__((aligned(16)));
  memset(packet, 0, sizeof packet);
  for (uint32_t i = 0; i < sum->input_count; ++i) add_wide(packet, load(sum->inputs[i], stream->sent));
  bglml_tree_give(stream->due | bglml_tree_tag(stream, stream->sent) << TREE_HEADER_INJECTION_TAG_SHIFT, packet,
                  sizeof packet);
  return true;
}

static uint32_t receive_wide(bglml_tree_stream_t* stream) {
  const wide_t* sum = (const wide_t*)stream;
  if (sum->out == NULL) return bglml_tree_take(NULL, 0);
  uint32_t packet[WIDE_WORDS] __attribute__((aligned(16)));
  const uint32_t header = bglml_tree_take(packet, sizeof packet);
  store(sum->out, stream->received, double_of_wide(packet));
  return header;
}

static void run_wide(const bglml_tree_operation_t* operation, const uint8_t* const* inputs, uint32_t input_count,
                     uint8_t* out, uint32_t count) {
  (void)operation;
  const uint32_t header = tree_collective_header(TOROID_TREE_CLASS_REDUCTION, TREE_ADD, TREE_PAYLOAD_WORDS, 0);
  wide_t sum = {
      .base = {.to_send = count, .to_receive = count, .send = send_wide, .receive = receive_wide, .due = header},
      .inputs = inputs,
      .input_count = input_count,
      .out = out,
  };
  bglml_tree_run(&sum.base);
}

void bglml_tree_sum(const void* in, void* out, uint32_t count, int how, bool wanted) {
  if (how != BGLML_DOUBLE_TWO_PASS && how != BGLML_DOUBLE_WIDE) {
    bglml_fatal("sum of doubles of kind %d; there are kinds 0..%d", how, BGLML_DOUBLE_WIDE);
  }
  if (bglml_size() > 1u << HEADROOM) {
    bglml_fatal("sum of doubles of %u ranks; there is room for %u", bglml_size(), 1u << HEADROOM);
  }
  const bglml_tree_operation_t operation = {
      .run = how == BGLML_DOUBLE_WIDE ? run_wide : run_two_pass,
      .bytes = sizeof(double),
      .chunk = BGLML_TREE_CHUNK / (GROUP * sizeof(double)) * GROUP,
  };
  if (count != 0) bglml_tree_operate(&operation, in, out, count, wanted);
}

void bglml_tree_sum_double(const double* in, double* out, uint32_t count, bglml_double_sum_t how) {
  bglml_tree_require("bglml_tree_sum_double() called");
  bglml_tree_begin("sum of doubles", (uint64_t)count * sizeof *in, BGLML_NO_RANK, (uint32_t)how);
  if (out == NULL && count != 0) bglml_tree_no_place("bglml_tree_sum_double()");
  bglml_tree_sum(in, out, count, how, true);
}
