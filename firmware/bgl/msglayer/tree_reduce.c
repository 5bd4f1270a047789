// SPDX-License-Identifier: Apache-2.0
// Reductions over the tree. Its ALU has only unsigned numbers, and only the maximum: the sign bit of signed numbers is
// inverted before and after, doubles are converted to numbers of the same order, and a minimum is the maximum of
// complements.
#include "firmware/bgl/msglayer/state.h"
#include "firmware/bgl/msglayer/tree.h"

enum { WORDS = TREE_PAYLOAD_BYTES / 4 };

typedef struct {
  bglml_tree_stream_t base;
  const bglml_tree_operation_t* operation;
  const uint8_t* const* inputs;
  uint32_t input_count;
  uint8_t* out;  ///< NULL: not wanted
  uint32_t bytes;
} reduction_t;

static uint32_t bytes_of(const reduction_t* reduction, uint32_t number) {
  const uint32_t left = reduction->bytes - number * TREE_PAYLOAD_BYTES;
  return left < TREE_PAYLOAD_BYTES ? left : TREE_PAYLOAD_BYTES;
}

// What is done to elements. -------------------------------------------------------------------------------------------

static void apply_mask(const bglml_tree_operation_t* operation, uint32_t* packet) {
  for (unsigned i = 0; i < WORDS; i += 2) {
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

static void doubles_to_keys(const bglml_tree_operation_t* operation, uint32_t* packet) {
  for (unsigned i = 0; i < WORDS; i += 2) {
    const uint32_t high = packet[i], low = packet[i + 1];
    const uint32_t invert = operation->mask[0] ^ ((high & SIGN) != 0 ? ALL : 0);
    const bool number = (high & ~SIGN) < INFINITE || ((high & ~SIGN) == INFINITE && low == 0);
    packet[i] = number ? high ^ invert ^ ((high & SIGN) != 0 ? 0 : SIGN) : ALL;
    packet[i + 1] = number ? low ^ invert : ALL;
  }
}

static void keys_to_doubles(const bglml_tree_operation_t* operation, uint32_t* packet) {
  for (unsigned i = 0; i < WORDS; i += 2) {
    const uint32_t high = packet[i] ^ operation->mask[0];
    const uint32_t low = packet[i + 1] ^ operation->mask[0];
    const bool number = (packet[i] & packet[i + 1]) != ALL;
    const bool negative = (high & SIGN) == 0;
    packet[i] = !number ? INFINITE | 0x80000 : negative ? ~high : high ^ SIGN;
    packet[i + 1] = !number ? 0 : negative ? ~low : low;
  }
}

// The stream of packets. ----------------------------------------------------------------------------------------------

static bool send(bglml_tree_stream_t* stream) {
  const reduction_t* reduction = (const reduction_t*)stream;
  const bglml_tree_operation_t* operation = reduction->operation;
  const uint32_t at = stream->sent * TREE_PAYLOAD_BYTES;
  const uint32_t bytes = bytes_of(reduction, stream->sent);
  const uint32_t header = stream->due | bglml_tree_tag(stream, stream->sent) << TREE_HEADER_INJECTION_TAG_SHIFT;
  if (operation->before == NULL && reduction->input_count == 1) {
    bglml_tree_give(header, reduction->inputs[0] + at, bytes);
    return true;
  }
  uint32_t packets[BGLML_TREE_INPUTS][WORDS] __attribute__((aligned(16)));
  for (uint32_t i = 0; i < reduction->input_count; ++i) {
    memcpy(packets[i], reduction->inputs[i] + at, bytes);
    memset((uint8_t*)packets[i] + bytes, 0, TREE_PAYLOAD_BYTES - bytes);
    if (operation->before != NULL) operation->before(operation, packets[i]);
    if (i != 0) bglml_tree_combine(operation->opcode, operation->words, packets[0], packets[i]);
  }
  bglml_tree_give(header, packets[0], TREE_PAYLOAD_BYTES);
  return true;
}

static uint32_t receive(bglml_tree_stream_t* stream) {
  const reduction_t* reduction = (const reduction_t*)stream;
  const bglml_tree_operation_t* operation = reduction->operation;
  const uint32_t bytes = bytes_of(reduction, stream->received);
  if (reduction->out == NULL) return bglml_tree_take(NULL, 0);
  uint8_t* to = reduction->out + stream->received * TREE_PAYLOAD_BYTES;
  if (operation->after == NULL) return bglml_tree_take(to, bytes);
  uint32_t packet[WORDS] __attribute__((aligned(16)));
  const uint32_t header = bglml_tree_take(packet, TREE_PAYLOAD_BYTES);
  operation->after(operation, packet);
  memcpy(to, packet, bytes);
  return header;
}

static void run(const bglml_tree_operation_t* operation, const uint8_t* const* inputs, uint32_t input_count,
                uint8_t* out, uint32_t count) {
  const uint32_t bytes = count * operation->bytes;
  const uint32_t packets = (bytes + TREE_PAYLOAD_BYTES - 1) / TREE_PAYLOAD_BYTES;
  const uint32_t header = tree_collective_header(TOROID_TREE_CLASS_REDUCTION, operation->opcode, operation->words, 0);
  reduction_t reduction = {
      .base = {.to_send = packets, .to_receive = packets, .send = send, .receive = receive, .due = header},
      .operation = operation,
      .inputs = inputs,
      .input_count = input_count,
      .out = out,
      .bytes = bytes,
  };
  bglml_tree_run(&reduction.base);
}

// Operations. ---------------------------------------------------------------------------------------------------------

static bool has_sign(bglml_element_t element) {
  return element == BGLML_INT32 || element == BGLML_INT64;
}

/// Ends the process if there is no such reduction.
static void require(bglml_element_t element, bglml_reduction_t how) {
  if ((unsigned)element >= BGLML_ELEMENTS || (unsigned)how >= BGLML_REDUCTIONS) {
    bglml_fatal("reduction %d of elements of kind %d; there are reductions 0..%d and kinds 0..%d", how, element,
                BGLML_REDUCTIONS - 1, BGLML_ELEMENTS - 1);
  }
  if (element == BGLML_DOUBLE && how > BGLML_MIN) {
    bglml_fatal("reduction %d of doubles; there are their sum (%d), maximum (%d) and minimum (%d)", how, BGLML_SUM,
                BGLML_MAX, BGLML_MIN);
  }
}

static void reduce(const void* in, void* out, uint32_t count, bglml_element_t element, bglml_reduction_t how,
                   uint32_t root) {
  static const unsigned opcodes[BGLML_REDUCTIONS] = {
      [BGLML_SUM] = TREE_ADD, [BGLML_MAX] = TREE_MAX, [BGLML_MIN] = TREE_MAX,
      [BGLML_AND] = TREE_AND, [BGLML_OR] = TREE_OR,   [BGLML_XOR] = TREE_XOR};
  require(element, how);
  const bool narrow = element == BGLML_INT32 || element == BGLML_UINT32;
  bglml_tree_begin(root == BGLML_NO_RANK ? "allreduce" : "reduction", (uint64_t)count * (narrow ? 4u : 8u), root,
                   (uint32_t)element << 8 | (uint32_t)how);
  const bool wanted = root == BGLML_NO_RANK || bglml_instance->rank == root;
  if (wanted && out == NULL && count != 0) {
    bglml_tree_no_place(root == BGLML_NO_RANK ? "bglml_tree_allreduce()" : "bglml_tree_reduce()");
  }
  if (element == BGLML_DOUBLE && how == BGLML_SUM) {
    bglml_tree_sum(in, out, count, BGLML_DOUBLE_TWO_PASS, wanted);
    return;
  }
  bglml_tree_operation_t operation = {
      .run = run, .bytes = narrow ? 4 : 8, .opcode = opcodes[how], .words = narrow ? 2 : 4};
  operation.chunk = BGLML_TREE_CHUNK / operation.bytes;
  if (how == BGLML_MAX || how == BGLML_MIN) {
    const uint32_t all = how == BGLML_MIN ? ALL : 0;
    operation.mask[0] = has_sign(element) ? all ^ SIGN : all;
    operation.mask[1] = has_sign(element) && narrow ? all ^ SIGN : all;
    if (element == BGLML_DOUBLE) {
      operation.before = doubles_to_keys;
      operation.after = keys_to_doubles;
    } else if ((operation.mask[0] | operation.mask[1]) != 0) {
      operation.before = operation.after = apply_mask;
    }
  }
  bglml_tree_operate(&operation, in, out, count, wanted);
}

void bglml_tree_allreduce(const void* in, void* out, uint32_t count, bglml_element_t element, bglml_reduction_t how) {
  bglml_tree_require("bglml_tree_allreduce() called");
  reduce(in, out, count, element, how, BGLML_NO_RANK);
}

void bglml_tree_reduce(const void* in, void* out, uint32_t count, bglml_element_t element, bglml_reduction_t how,
                       uint32_t root) {
  bglml_tree_require("bglml_tree_reduce() called");
  if (root >= bglml_size()) bglml_fatal("reduction to rank %u; the job has ranks 0..%u", root, bglml_size() - 1);
  reduce(in, out, count, element, how, root);
}
