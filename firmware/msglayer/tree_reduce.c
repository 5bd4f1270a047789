// SPDX-License-Identifier: Apache-2.0
// Reductions of integers over the tree. Its ALU knows unsigned numbers, and of order only the maximum: signed numbers
// get their sign bit inverted on the way in and out, and a minimum is the maximum of complements.
#include "firmware/msglayer/state.h"
#include "firmware/msglayer/tree.h"

enum { WORDS = BGL_TREE_PAYLOAD_BYTES / 4 };

typedef struct {
  bglml_tree_stream_t base;
  const bglml_tree_operation_t* operation;
  const uint8_t* const* inputs;
  uint32_t input_count;
  uint8_t* out;  ///< NULL: not wanted
  uint32_t bytes;
  bool plain;  ///< what goes in and out are the elements as they are
} reduction_t;

static uint32_t bytes_of(const reduction_t* reduction, uint32_t number) {
  const uint32_t left = reduction->bytes - number * BGL_TREE_PAYLOAD_BYTES;
  return left < BGL_TREE_PAYLOAD_BYTES ? left : BGL_TREE_PAYLOAD_BYTES;
}

static bool aligned(const void* memory) {
  return (uintptr_t)memory % BGLML_QUAD_BYTES == 0;
}

static void change(uint32_t* words, const uint32_t mask[2]) {
  if ((mask[0] | mask[1]) == 0) return;
  for (unsigned i = 0; i < WORDS; i += 2) {
    words[i] ^= mask[0];
    words[i + 1] ^= mask[1];
  }
}

static uint64_t join(const uint32_t* words) {
  return (uint64_t)words[0] << 32 | words[1];
}

/// What the ALU would make of a packet of each of the node's processes.
static void combine(uint32_t* into, const uint32_t* from, const bglml_tree_operation_t* operation) {
  for (unsigned i = 0; i < WORDS; i += 2) {
    switch (operation->opcode) {
      case BGL_TREE_OR:
        into[i] |= from[i], into[i + 1] |= from[i + 1];
        break;
      case BGL_TREE_AND:
        into[i] &= from[i], into[i + 1] &= from[i + 1];
        break;
      case BGL_TREE_XOR:
        into[i] ^= from[i], into[i + 1] ^= from[i + 1];
        break;
      case BGL_TREE_MAX:
        if (operation->words == 4) {
          if (join(from + i) > join(into + i)) into[i] = from[i], into[i + 1] = from[i + 1];
        } else {
          if (from[i] > into[i]) into[i] = from[i];
          if (from[i + 1] > into[i + 1]) into[i + 1] = from[i + 1];
        }
        break;
      default: {
        const uint64_t sum = join(into + i) + join(from + i);
        into[i] = operation->words == 4 ? (uint32_t)(sum >> 32) : into[i] + from[i];
        into[i + 1] = (uint32_t)sum;
      }
    }
  }
}

static bool send(bglml_tree_stream_t* stream) {
  const reduction_t* reduction = (const reduction_t*)stream;
  const uint32_t at = stream->sent * BGL_TREE_PAYLOAD_BYTES;
  const uint32_t bytes = bytes_of(reduction, stream->sent);
  const uint32_t header = stream->due | bglml_tree_tag(stream, stream->sent) << BGL_TREE_HEADER_INJECTION_TAG_SHIFT;
  const uint8_t* from = reduction->inputs[0] + at;
  if (reduction->plain && reduction->input_count == 1) {
    if (bytes == BGL_TREE_PAYLOAD_BYTES && aligned(from)) {
      bgl_tree_inject(BGLML_TREE_VC, header, from);
    } else {
      bgl_tree_inject_bytes(BGLML_TREE_VC, header, from, bytes);
    }
    return true;
  }
  uint32_t packet[WORDS] __attribute__((aligned(16))) = {0};
  memcpy(packet, from, bytes);
  change(packet, reduction->operation->mask);
  for (uint32_t i = 1; i < reduction->input_count; ++i) {
    uint32_t other[WORDS] __attribute__((aligned(16))) = {0};
    memcpy(other, reduction->inputs[i] + at, bytes);
    change(other, reduction->operation->mask);
    combine(packet, other, reduction->operation);
  }
  bgl_tree_inject(BGLML_TREE_VC, header, packet);
  return true;
}

static uint32_t receive(bglml_tree_stream_t* stream) {
  const reduction_t* reduction = (const reduction_t*)stream;
  const uint32_t bytes = bytes_of(reduction, stream->received);
  if (reduction->out == NULL) return bgl_tree_receive_bytes(BGLML_TREE_VC, NULL, 0);
  uint8_t* to = reduction->out + stream->received * BGL_TREE_PAYLOAD_BYTES;
  if (reduction->plain && bytes == BGL_TREE_PAYLOAD_BYTES && aligned(to)) return bgl_tree_receive(BGLML_TREE_VC, to);
  if (reduction->plain) return bgl_tree_receive_bytes(BGLML_TREE_VC, to, bytes);
  uint32_t packet[WORDS] __attribute__((aligned(16)));
  const uint32_t header = bgl_tree_receive(BGLML_TREE_VC, packet);
  change(packet, reduction->operation->mask);
  memcpy(to, packet, bytes);
  return header;
}

static void run(const bglml_tree_operation_t* operation, const uint8_t* const* inputs, uint32_t input_count,
                uint8_t* out, uint32_t count) {
  const uint32_t bytes = count * operation->bytes;
  const uint32_t packets = (bytes + BGL_TREE_PAYLOAD_BYTES - 1) / BGL_TREE_PAYLOAD_BYTES;
  const uint32_t header =
      bgl_tree_collective_header(TOROID_TREE_CLASS_REDUCTION, operation->opcode, operation->words, 0);
  reduction_t reduction = {
      .base = {.to_send = packets, .to_receive = packets, .send = send, .receive = receive, .due = header},
      .operation = operation,
      .inputs = inputs,
      .input_count = input_count,
      .out = out,
      .bytes = bytes,
      .plain = (operation->mask[0] | operation->mask[1]) == 0,
  };
  bglml_tree_run(&reduction.base);
}

static void reduce(const void* in, void* out, uint32_t count, bglml_element_t element, bglml_reduction_t how,
                   uint32_t root) {
  static const unsigned opcodes[BGLML_REDUCTIONS] = {
      [BGLML_SUM] = BGL_TREE_ADD, [BGLML_MAX] = BGL_TREE_MAX, [BGLML_MIN] = BGL_TREE_MAX,
      [BGLML_AND] = BGL_TREE_AND, [BGLML_OR] = BGL_TREE_OR,   [BGLML_XOR] = BGL_TREE_XOR};
  if ((unsigned)element >= BGLML_ELEMENTS || (unsigned)how >= BGLML_REDUCTIONS) {
    bglml_fatal("reduction %d of elements of kind %d; there are reductions 0..%d and kinds 0..%d", how, element,
                BGLML_REDUCTIONS - 1, BGLML_ELEMENTS - 1);
  }
  const bool wide = element == BGLML_INT64 || element == BGLML_UINT64;
  bglml_tree_begin(root == BGLML_NO_RANK ? "allreduce" : "reduction", (uint64_t)count * (wide ? 8u : 4u), root,
                   (uint32_t)element << 8 | (uint32_t)how);
  const bool has_sign = element == BGLML_INT32 || element == BGLML_INT64;
  bglml_tree_operation_t operation = {.run = run, .bytes = wide ? 8 : 4, .opcode = opcodes[how], .words = wide ? 4 : 2};
  operation.chunk = BGLML_TREE_CHUNK / operation.bytes;
  if (how == BGLML_MAX || how == BGLML_MIN) {
    const uint32_t all = how == BGLML_MIN ? 0xFFFFFFFFu : 0;
    operation.mask[0] = has_sign ? all ^ 0x80000000u : all;
    operation.mask[1] = has_sign && !wide ? all ^ 0x80000000u : all;
  }
  bglml_tree_operate(&operation, in, out, count, root == BGLML_NO_RANK || bglml_rank() == root);
}

void bglml_tree_allreduce(const void* in, void* out, uint32_t count, bglml_element_t element, bglml_reduction_t how) {
  reduce(in, out, count, element, how, BGLML_NO_RANK);
}

void bglml_tree_reduce(const void* in, void* out, uint32_t count, bglml_element_t element, bglml_reduction_t how,
                       uint32_t root) {
  if (root >= bglml_size()) bglml_fatal("reduction to rank %u; the job has ranks 0..%u", root, bglml_size() - 1);
  reduce(in, out, count, element, how, root);
}
