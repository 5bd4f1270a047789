// SPDX-License-Identifier: Apache-2.0
// Reductions over the tree.
#include <string.h>

#include "firmware/bgl/msglayer/state.h"
#include "firmware/bgl/msglayer/tree.h"

_Static_assert((int)BGLML_INT32 == (int)TREE_INT32 && (int)BGLML_UINT32 == (int)TREE_UINT32 &&
                   (int)BGLML_INT64 == (int)TREE_INT64 && (int)BGLML_UINT64 == (int)TREE_UINT64 &&
                   (int)BGLML_DOUBLE == (int)TREE_DOUBLE && (int)BGLML_ELEMENTS == (int)TREE_ELEMENTS,
               "the layer's numbers of elements are those of firmware/tree");
_Static_assert((int)BGLML_SUM == (int)TREE_REDUCE_SUM && (int)BGLML_MAX == (int)TREE_REDUCE_MAX &&
                   (int)BGLML_MIN == (int)TREE_REDUCE_MIN && (int)BGLML_AND == (int)TREE_REDUCE_AND &&
                   (int)BGLML_OR == (int)TREE_REDUCE_OR && (int)BGLML_XOR == (int)TREE_REDUCE_XOR &&
                   (int)BGLML_REDUCTIONS == (int)TREE_REDUCTIONS,
               "and so are those of reductions");

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

/// What the processes of this node contribute, combined with what those of all others do: to `out`, if wanted.
static void perform(const tree_operation_t* operation, const uint8_t* const* inputs, uint32_t input_count, uint8_t* out,
                    uint32_t count) {
  tree_work_t work;
  operation->begin(operation, &work, inputs, input_count, out, count);
  bglml_tree_run(&work.stream);
}

/// The operation on whole buffers, for this process. `wanted`: the result is to be stored.
static void operate(const tree_operation_t* operation, const void* in, void* out, uint32_t count, bool wanted) {
  bglml_tree_t* tree = &bglml_instance->tree;
  const uint32_t chunk = tree->shared ? operation->chunk : count;
  for (uint32_t done = 0; done < count; done += chunk) {
    const uint32_t elements = count - done < chunk ? count - done : chunk;
    const uint32_t bytes = elements * operation->bytes;
    const uint8_t* const from = (const uint8_t*)in + done * operation->bytes;
    uint8_t* const to = wanted ? (uint8_t*)out + done * operation->bytes : NULL;
    if (tree->other == BGLML_NO_RANK) {
      perform(operation, &from, 1, to, elements);
    } else if (tree->leads) {
      bglml_tree_hear(tree);
      const uint8_t* const inputs[BGLML_TREE_INPUTS] = {from, tree->in};
      perform(operation, inputs, BGLML_TREE_INPUTS, tree->out, elements);
      if (wanted) memcpy(to, tree->out, bytes);
      bglml_tree_tell(tree, tree->out, bytes);
    } else {
      bglml_tree_tell(tree, from, bytes);
      bglml_tree_hear(tree);
      if (wanted) memcpy(to, tree->in, bytes);
    }
  }
}

/// The sum of doubles. `wanted`: the result is to be stored.
static void sum(const void* in, void* out, uint32_t count, bglml_double_sum_t how, bool wanted) {
  if (how != BGLML_DOUBLE_TWO_PASS && how != BGLML_DOUBLE_WIDE) {
    bglml_fatal("sum of doubles of kind %d; there are kinds 0..%d", (int)how, BGLML_DOUBLE_WIDE);
  }
  if (bglml_size() > 1u << TREE_SUM_HEADROOM) {
    bglml_fatal("sum of doubles of %u ranks; there is room for %u", bglml_size(), 1u << TREE_SUM_HEADROOM);
  }
  const tree_operation_t operation = how == BGLML_DOUBLE_WIDE
                                         ? tree_wide_sum(TOROID_TREE_CLASS_REDUCTION, BGLML_TREE_CHUNK)
                                         : tree_two_pass_sum(TOROID_TREE_CLASS_REDUCTION, BGLML_TREE_CHUNK);
  if (count != 0) operate(&operation, in, out, count, wanted);
}

static void reduce(const void* in, void* out, uint32_t count, bglml_element_t element, bglml_reduction_t how,
                   uint32_t root) {
  require(element, how);
  const bool narrow = element == BGLML_INT32 || element == BGLML_UINT32;
  bglml_tree_begin(root == BGLML_NO_RANK ? "allreduce" : "reduction", (uint64_t)count * (narrow ? 4u : 8u), root,
                   (uint32_t)element << 8 | (uint32_t)how);
  const bool wanted = root == BGLML_NO_RANK || bglml_instance->rank == root;
  if (wanted && out == NULL && count != 0) {
    bglml_tree_no_place(root == BGLML_NO_RANK ? "bglml_tree_allreduce()" : "bglml_tree_reduce()");
  }
  if (element == BGLML_DOUBLE && how == BGLML_SUM) {
    sum(in, out, count, BGLML_DOUBLE_TWO_PASS, wanted);
    return;
  }
  const tree_operation_t operation =
      tree_reduction((tree_element_t)element, (tree_reduction_t)how, TOROID_TREE_CLASS_REDUCTION, BGLML_TREE_CHUNK);
  operate(&operation, in, out, count, wanted);
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

void bglml_tree_sum_double(const double* in, double* out, uint32_t count, bglml_double_sum_t how) {
  bglml_tree_require("bglml_tree_sum_double() called");
  bglml_tree_begin("sum of doubles", (uint64_t)count * sizeof *in, BGLML_NO_RANK, (uint32_t)how);
  if (out == NULL && count != 0) bglml_tree_no_place("bglml_tree_sum_double()");
  sum(in, out, count, how, true);
}
