// SPDX-License-Identifier: Apache-2.0
// Reductions over the tree. Its ALU has only unsigned numbers, and only the maximum: the sign bit of signed numbers is
// inverted before and after, doubles are converted to numbers of the same order, and a minimum is the maximum of
// complements.
#include "firmware/tree/operation.h"

// What is done to elements. -------------------------------------------------------------------------------------------

static void apply_mask(const tree_operation_t* operation, uint32_t* packet) {
  for (unsigned i = 0; i < TREE_PAYLOAD_WORDS32; i += 2) {
    packet[i] ^= operation->mask[0];
    packet[i + 1] ^= operation->mask[1];
  }
}

// A double as a number of the same order, by the pair of its words: those of negative ones are inverted, those of
// others get the highest bit. The mask is that of a minimum. All ones stand for what is not a number: more than
// anything.
static const uint32_t SIGN = 0x80000000u;
static const uint32_t INFINITE = 0x7FF00000u;
static const uint32_t ALL = 0xFFFFFFFFu;

static void doubles_to_keys(const tree_operation_t* operation, uint32_t* packet) {
  for (unsigned i = 0; i < TREE_PAYLOAD_WORDS32; i += 2) {
    const uint32_t high = packet[i], low = packet[i + 1];
    const uint32_t invert = operation->mask[0] ^ ((high & SIGN) != 0 ? ALL : 0);
    const bool number = (high & ~SIGN) < INFINITE || ((high & ~SIGN) == INFINITE && low == 0);
    packet[i] = number ? high ^ invert ^ ((high & SIGN) != 0 ? 0 : SIGN) : ALL;
    packet[i + 1] = number ? low ^ invert : ALL;
  }
}

static void keys_to_doubles(const tree_operation_t* operation, uint32_t* packet) {
  for (unsigned i = 0; i < TREE_PAYLOAD_WORDS32; i += 2) {
    const uint32_t high = packet[i] ^ operation->mask[0];
    const uint32_t low = packet[i + 1] ^ operation->mask[0];
    const bool number = (packet[i] & packet[i + 1]) != ALL;
    const bool negative = (high & SIGN) == 0;
    packet[i] = !number ? INFINITE | 0x80000 : negative ? ~high : high ^ SIGN;
    packet[i + 1] = !number ? 0 : negative ? ~low : low;
  }
}

// The stream of packets. ----------------------------------------------------------------------------------------------

static void fill(const tree_reduce_t* reduce, uint32_t input, uint32_t number, uint32_t* packet) {
  const uint32_t bytes = tree_packet_bytes(reduce->bytes, number);
  memcpy(packet, reduce->inputs[input] + number * TREE_PAYLOAD_BYTES, bytes);
  memset((uint8_t*)packet + bytes, 0, TREE_PAYLOAD_BYTES - bytes);
  if (reduce->operation->before != NULL) reduce->operation->before(reduce->operation, packet);
}

static bool send(tree_stream_t* stream) {
  const tree_reduce_t* reduce = (const tree_reduce_t*)stream;
  const tree_operation_t* operation = reduce->operation;
  const uint32_t header = stream->due | tree_tag(stream, stream->sent) << TREE_HEADER_INJECTION_TAG_SHIFT;
  if (operation->before == NULL && reduce->input_count == 1) {
    tree_give(header, reduce->inputs[0] + stream->sent * TREE_PAYLOAD_BYTES,
              tree_packet_bytes(reduce->bytes, stream->sent));
    return true;
  }
  uint32_t packet[TREE_PAYLOAD_WORDS32] __attribute__((aligned(16)));
  uint32_t other[TREE_PAYLOAD_WORDS32] __attribute__((aligned(16)));
  const bool whole = tree_packet_bytes(reduce->bytes, stream->sent) == TREE_PAYLOAD_BYTES;
  fill(reduce, 0, stream->sent, packet);
  for (uint32_t input = 1; input < reduce->input_count; ++input) {
    const uint8_t* from = reduce->inputs[input] + stream->sent * TREE_PAYLOAD_BYTES;
    const bool as_it_is = operation->before == NULL && whole && (uintptr_t)from % sizeof(uint32_t) == 0;
    if (!as_it_is) fill(reduce, input, stream->sent, other);
    tree_combine(operation->opcode, operation->words, packet, as_it_is ? (const uint32_t*)(const void*)from : other);
  }
  tree_give(header, packet, TREE_PAYLOAD_BYTES);
  return true;
}

static uint32_t receive(tree_stream_t* stream) {
  const tree_reduce_t* reduce = (const tree_reduce_t*)stream;
  const tree_operation_t* operation = reduce->operation;
  const uint32_t bytes = tree_packet_bytes(reduce->bytes, stream->received);
  if (reduce->out == NULL) return tree_take(NULL, 0);
  uint8_t* to = reduce->out + stream->received * TREE_PAYLOAD_BYTES;
  if (operation->after == NULL) return tree_take(to, bytes);
  uint32_t packet[TREE_PAYLOAD_WORDS32] __attribute__((aligned(16)));
  const uint32_t header = tree_take(packet, TREE_PAYLOAD_BYTES);
  operation->after(operation, packet);
  memcpy(to, packet, bytes);
  return header;
}

static void begin(const tree_operation_t* operation, tree_work_t* work, const uint8_t* const* inputs,
                  uint32_t input_count, uint8_t* out, uint32_t count) {
  const uint32_t bytes = count * operation->bytes;
  const uint32_t packets = tree_packets(bytes);
  const uint32_t header = tree_collective_header(operation->route_class, operation->opcode, operation->words, 0);
  work->reduce = (tree_reduce_t){
      .base = {.to_send = packets,
               .to_receive = packets,
               .send = send,
               .receive = receive,
               .due = header,
               .route_class = operation->route_class},
      .operation = operation,
      .inputs = inputs,
      .input_count = input_count,
      .out = out,
      .bytes = bytes,
  };
}

// ---------------------------------------------------------------------------------------------------------------------

static bool has_sign(tree_element_t element) {
  return element == TREE_INT32 || element == TREE_INT64;
}

tree_operation_t tree_reduction(tree_element_t element, tree_reduction_t how, uint32_t route_class,
                                uint32_t buffer_bytes) {
  static const unsigned opcodes[TREE_REDUCTIONS] = {
      [TREE_REDUCE_SUM] = TREE_ADD, [TREE_REDUCE_MAX] = TREE_MAX, [TREE_REDUCE_MIN] = TREE_MAX,
      [TREE_REDUCE_AND] = TREE_AND, [TREE_REDUCE_OR] = TREE_OR,   [TREE_REDUCE_XOR] = TREE_XOR};
  const bool narrow = element == TREE_INT32 || element == TREE_UINT32;
  tree_operation_t operation = {.begin = begin,
                                .bytes = narrow ? 4 : 8,
                                .route_class = route_class,
                                .opcode = opcodes[how],
                                .words = narrow ? 2 : 4};
  operation.chunk = buffer_bytes / operation.bytes;
  if (how == TREE_REDUCE_MAX || how == TREE_REDUCE_MIN) {
    const uint32_t all = how == TREE_REDUCE_MIN ? ALL : 0;
    operation.mask[0] = has_sign(element) ? all ^ SIGN : all;
    operation.mask[1] = has_sign(element) && narrow ? all ^ SIGN : all;
    if (element == TREE_DOUBLE) {
      operation.before = doubles_to_keys;
      operation.after = keys_to_doubles;
    } else if ((operation.mask[0] | operation.mask[1]) != 0) {
      operation.before = operation.after = apply_mask;
    }
  }
  return operation;
}
