// SPDX-License-Identifier: Apache-2.0
// Sums of doubles in one pass: an integer of 2048 bits an element. Bit b stands for 2^(b - 1005): the lowest COUNTS
// bits count what is special, the highest are sign and headroom.
#include "firmware/tree/doubles.h"

enum {
  WIDE_WORDS = TREE_PAYLOAD_BYTES / 4,
  COUNTS = 3 * COUNT_BITS,
  // Bit of the lowest bit of a mantissa with exponent e: the mantissa of e = 2046 ends below the headroom and the sign.
  WIDE_OFFSET = 2048 - 1 - HEADROOM - MANTISSA_BITS - (SPECIAL - 1),  // + e
};

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

static bool send(tree_stream_t* stream) {
  const tree_wide_t* sum = (const tree_wide_t*)stream;
  uint32_t packet[WIDE_WORDS] __attribute__((aligned(16)));
  memset(packet, 0, sizeof packet);
  for (uint32_t i = 0; i < sum->input_count; ++i) add_wide(packet, load(sum->inputs[i], stream->sent));
  tree_give(stream->due | tree_tag(stream, stream->sent) << TREE_HEADER_INJECTION_TAG_SHIFT, packet, sizeof packet);
  return true;
}

static uint32_t receive(tree_stream_t* stream) {
  const tree_wide_t* sum = (const tree_wide_t*)stream;
  if (sum->out == NULL) return tree_take(NULL, 0);
  uint32_t packet[WIDE_WORDS] __attribute__((aligned(16)));
  const uint32_t header = tree_take(packet, sizeof packet);
  store(sum->out, stream->received, double_of_wide(packet));
  return header;
}

static void begin(const tree_operation_t* operation, tree_work_t* work, const uint8_t* const* inputs,
                  uint32_t input_count, uint8_t* out, uint32_t count) {
  const uint32_t header = tree_collective_header(operation->route_class, TREE_ADD, TREE_PAYLOAD_WORDS, 0);
  work->wide = (tree_wide_t){
      .base = {.to_send = count,
               .to_receive = count,
               .send = send,
               .receive = receive,
               .due = header,
               .route_class = operation->route_class},
      .inputs = inputs,
      .input_count = input_count,
      .out = out,
  };
}

tree_operation_t tree_wide_sum(uint32_t route_class, uint32_t buffer_bytes) {
  const uint32_t size = sizeof(double);
  return (tree_operation_t){.begin = begin, .bytes = size, .chunk = buffer_bytes / size, .route_class = route_class};
}
