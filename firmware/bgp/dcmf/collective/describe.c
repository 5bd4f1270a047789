// SPDX-License-Identifier: Apache-2.0
// Collective operations in words: for errors, and for the machine's reports of processes that wait for ever. Nothing
// here runs as long as all is well.
#include "firmware/bgp/dcmf/collective/describe.h"

#include <stddef.h>
#include <stdio.h>

// What a program does not use is not linked for its name.
#pragma weak dcmf_step_alltoallv
#pragma weak dcmf_step_allreduce
#pragma weak dcmf_step_allreduce_ring
#pragma weak dcmf_step_barrier
#pragma weak dcmf_step_broadcast
#pragma weak dcmf_step_interrupt_barrier
#pragma weak dcmf_step_lines
#pragma weak dcmf_step_reduce

static const char* const kTypes[DCMF_DT_COUNT] = {
    [DCMF_SIGNED_CHAR] = "DCMF_SIGNED_CHAR",
    [DCMF_UNSIGNED_CHAR] = "DCMF_UNSIGNED_CHAR",
    [DCMF_SIGNED_SHORT] = "DCMF_SIGNED_SHORT",
    [DCMF_UNSIGNED_SHORT] = "DCMF_UNSIGNED_SHORT",
    [DCMF_SIGNED_INT] = "DCMF_SIGNED_INT",
    [DCMF_UNSIGNED_INT] = "DCMF_UNSIGNED_INT",
    [DCMF_SIGNED_LONG_LONG] = "DCMF_SIGNED_LONG_LONG",
    [DCMF_UNSIGNED_LONG_LONG] = "DCMF_UNSIGNED_LONG_LONG",
    [DCMF_FLOAT] = "DCMF_FLOAT",
    [DCMF_DOUBLE] = "DCMF_DOUBLE",
    [DCMF_LONG_DOUBLE] = "DCMF_LONG_DOUBLE",
    [DCMF_LOGICAL] = "DCMF_LOGICAL",
    [DCMF_SINGLE_COMPLEX] = "DCMF_SINGLE_COMPLEX",
    [DCMF_DOUBLE_COMPLEX] = "DCMF_DOUBLE_COMPLEX",
    [DCMF_LOC_2INT] = "DCMF_LOC_2INT",
    [DCMF_LOC_SHORT_INT] = "DCMF_LOC_SHORT_INT",
    [DCMF_LOC_FLOAT_INT] = "DCMF_LOC_FLOAT_INT",
    [DCMF_LOC_DOUBLE_INT] = "DCMF_LOC_DOUBLE_INT",
    [DCMF_LOC_2FLOAT] = "DCMF_LOC_2FLOAT",
    [DCMF_LOC_2DOUBLE] = "DCMF_LOC_2DOUBLE",
};

static const char* const kOperations[DCMF_OP_COUNT] = {
    [DCMF_MAX] = "DCMF_MAX",   [DCMF_MIN] = "DCMF_MIN",   [DCMF_SUM] = "DCMF_SUM",       [DCMF_PROD] = "DCMF_PROD",
    [DCMF_LAND] = "DCMF_LAND", [DCMF_LOR] = "DCMF_LOR",   [DCMF_LXOR] = "DCMF_LXOR",     [DCMF_BAND] = "DCMF_BAND",
    [DCMF_BOR] = "DCMF_BOR",   [DCMF_BXOR] = "DCMF_BXOR", [DCMF_MAXLOC] = "DCMF_MAXLOC", [DCMF_MINLOC] = "DCMF_MINLOC",
};

static bool is_barrier(const dcmf_collective_t* collective) {
  return collective->step == dcmf_step_barrier || collective->step == dcmf_step_interrupt_barrier;
}

void dcmf_describe_operation(char* text, size_t size, const dcmf_collective_t* collective) {
  const dcmf_geometry_t* geometry = collective->geometry;
  const bool all = collective->root == geometry->count;
  const unsigned root = all ? 0 : dcmf_member(geometry, collective->root);
  if (is_barrier(collective)) {
    snprintf(text, size, "a barrier");
  } else if (collective->step == dcmf_step_alltoallv) {
    snprintf(text, size, "an exchange of all with all");
  } else if (collective->is_broadcast) {
    snprintf(text, size, "a broadcast of %u bytes from rank %u", (unsigned)collective->bytes, root);
  } else if (all) {
    snprintf(text, size, "a reduction, %s of %u %s, to all ranks", kOperations[collective->op],
             (unsigned)collective->count, kTypes[collective->dt]);
  } else {
    snprintf(text, size, "a reduction, %s of %u %s, to rank %u", kOperations[collective->op],
             (unsigned)collective->count, kTypes[collective->dt], root);
  }
}

void dcmf_name_operation(char* text, size_t size, uint32_t geometry, uint32_t operation) {
  if (geometry == DCMF_WORLD) {
    snprintf(text, size, "operation %u of all processes", (unsigned)operation);
  } else {
    snprintf(text, size, "operation %u of geometry %u", (unsigned)operation, (unsigned)geometry);
  }
}

void dcmf_refuse_message(const dcmf_collective_t* collective, uint32_t rank, uint32_t bytes, uint32_t due) {
  char name[64], own[128];
  dcmf_name_operation(name, sizeof name, collective->geometry->id, collective->operation);
  dcmf_describe_operation(own, sizeof own, collective);
  dcmf_fatal(
      "%s is %s here, but another one at rank %u, which sent %u bytes in place of %u; all processes must start the "
      "same operations in the same order, with the same sizes and roots",
      name, own, (unsigned)rank, (unsigned)bytes, (unsigned)due);
}

void dcmf_refuse_left_over(uint32_t rank, dcmf_key_t key, uint32_t bytes) {
  char name[64];
  dcmf_name_operation(name, sizeof name, key.geometry, key.operation >> DCMF_STEPS);
  dcmf_fatal(
      "DCMF_Messager_finalize: rank %u sent %u bytes of %s that no operation took here; all processes must start the "
      "same operations in the same order, with the same sizes and roots",
      (unsigned)rank, (unsigned)bytes, name);
}

// Packets of the collective network ------------------------------------------------------------------------------

// What begin() of tree.c puts into tags for the root and for the other arguments.
static uint32_t root_of(const dcmf_collective_t* collective) {
  const bool all = collective->root == collective->geometry->count;
  return all ? UINT32_MAX : dcmf_member(collective->geometry, collective->root);
}
static uint32_t kind_of(const dcmf_collective_t* collective) {
  return collective->is_broadcast ? 0 : (uint32_t)collective->dt << 8 | collective->op;
}

// Tags are made of an operation's number and arguments, of which one differs most likely: what another process
// has started is what its tag stands for. Sizes come last, as there is one for each tag.
static bool find_other(char* text, size_t size, const dcmf_collective_t* collective, uint32_t operation,
                       uint32_t first_tag) {
  enum { NUMBERS = 64, SIZES = TREE_TAG_MASK + 1 };
  const uint32_t bytes = collective->bytes, kind = kind_of(collective), root = root_of(collective);
  dcmf_collective_t other = *collective;
  const uint32_t places =
      collective->geometry->count + (collective->is_broadcast ? 0 : 1);  // a reduction may be to all
  for (uint32_t place = 0; place < places; ++place) {
    other.root = place;
    if (tree_first_tag(operation, bytes, root_of(&other), kind) != first_tag) continue;
    dcmf_describe_operation(text, size, &other);
    return true;
  }
  other.root = collective->root;
  for (unsigned dt = 0; dt < DCMF_DT_COUNT && !collective->is_broadcast; ++dt) {
    for (unsigned op = 0; op < DCMF_OP_COUNT; ++op) {
      const uint32_t one = dcmf_reduction_bytes((DCMF_Dt)dt, (DCMF_Op)op, 1);
      other.dt = (uint8_t)dt;
      other.op = (uint8_t)op;
      if (one == 0 || tree_first_tag(operation, bytes, root, kind_of(&other)) != first_tag) continue;
      other.count = bytes / one;
      dcmf_describe_operation(text, size, &other);
      return true;
    }
  }
  other.dt = collective->dt;
  other.op = collective->op;
  for (uint32_t away = 1; away <= NUMBERS; ++away) {
    const bool behind = tree_first_tag(operation - away, bytes, root, kind) == first_tag && operation >= away;
    if (!behind && tree_first_tag(operation + away, bytes, root, kind) != first_tag) continue;
    snprintf(text, size, "the same as operation %u", (unsigned)(behind ? operation - away : operation + away));
    return true;
  }
  const uint32_t element = collective->is_broadcast ? 1 : bytes / collective->count;
  for (uint32_t count = 0; count * element < SIZES; ++count) {
    if (tree_first_tag(operation, count * element, root, kind) != first_tag) continue;
    other.count = count;
    other.bytes = count * element;
    dcmf_describe_operation(text, size, &other);
    return true;
  }
  return false;
}

void tree_refuse(uint32_t number, uint32_t due, uint32_t header) {
  const dcmf_tree_t* tree = &dcmf_instance->networks->tree;
  const dcmf_collective_t* collective = tree->queue.first;
  const uint32_t operation = tree->operations - 1;
  char own[128], other[128], wanted[64], got[64];
  dcmf_describe_operation(own, sizeof own, collective);
  tree_describe_header(wanted, sizeof wanted, due);
  tree_describe_header(got, sizeof got, header);
  const uint32_t first_tag = (tree_header_tag(header) - tree->packets - number) & TREE_TAG_MASK;
  const bool reduces = tree_header_class(header) == TOROID_TREE_CLASS_REDUCTION;
  if (reduces == collective->is_broadcast) {
    snprintf(other, sizeof other, reduces ? "a reduction" : "a broadcast");
  } else if (!find_other(other, sizeof other, collective, operation, first_tag)) {
    snprintf(other, sizeof other, "another one");
  }
  dcmf_fatal(
      "operation %u over the collective network is %s here, but %s at another process, by the packet that arrived; all "
      "processes must start the same operations in the same order, with the same sizes and roots (packet %u: %s in "
      "place of %s)",
      (unsigned)operation, own, other, (unsigned)(tree->packets + number), got, wanted);
}

void dcmf_refuse_packet(const dcmf_tree_t* tree, uint32_t header) {
  const char* like = "";
  for (uint32_t away = 1; away < dcmf_instance->size && tree->operations != 0; ++away) {
    const uint32_t tag = tree_header_tag(header), further = tree_first_tag(0, 0, away, 0);
    if (((tree->tag + further - tag) & TREE_TAG_MASK) == 0 || ((tree->tag - further - tag) & TREE_TAG_MASK) == 0)
      like = ", like the last one here but for its root,";
  }
  char got[64];
  tree_describe_header(got, sizeof got, header);
  dcmf_fatal(
      "DCMF_Messager_finalize: a packet of a %s over the collective network%s has come that no operation took here; "
      "all "
      "processes must start the same operations in the same order, with the same sizes and roots (%s)",
      tree_header_class(header) == TOROID_TREE_CLASS_REDUCTION ? "reduction" : "broadcast", like, got);
}

// For the machine ------------------------------------------------------------------------------------------------

#if UINTPTR_MAX == UINT32_MAX
#include "hw/kernel/kernel_abi.h"

// By a word of the operation, with its number, size and root for arguments.
typedef struct {
  uint32_t choice, text;
} choice_t;
#define CHOICE(word, text) \
  { (uint32_t)(uintptr_t)(word), (uint32_t)(uintptr_t)(text) }

static const choice_t kByMessages[] = {
    CHOICE(dcmf_step_barrier, "operation %u of a geometry by messages, a barrier"),
    CHOICE(dcmf_step_broadcast, "operation %u of a geometry by messages, a broadcast of %u bytes from place %u"),
    CHOICE(dcmf_step_lines, "operation %u of a geometry along lines, a broadcast of %u bytes from place %u"),
    CHOICE(dcmf_step_reduce, "operation %u of a geometry by messages, a reduction of %u bytes to place %u"),
    CHOICE(dcmf_step_allreduce, "operation %u of a geometry by messages, a reduction of %u bytes to all"),
    CHOICE(dcmf_step_allreduce_ring, "operation %u of a geometry by messages, a reduction of %u bytes to all"),
    CHOICE(dcmf_step_alltoallv, "operation %u of a geometry by messages, an exchange of all with all"),
    CHOICE(0, 0),
};

static const choice_t kByInterrupts[] = {
    CHOICE(dcmf_step_interrupt_barrier, "operation %u of all processes, a barrier over the global interrupts"),
    CHOICE(0, 0),
};

// By the bytes dt, op, running and entered.
_Static_assert(offsetof(dcmf_collective_t, dt) % 4 == 0 && offsetof(dcmf_collective_t, op) % 4 == 1, "they are a word");
#define OPERATION_MASK 0x00FF0000u
#define REDUCTION(op)          \
  CHOICE((uint32_t)(op) << 16, \
         "operation %u of all processes, a reduction (" #op ") of %u bytes over the collective network")
static const choice_t kByTree[] = {
    CHOICE(0, "operation %u of all processes, a broadcast of %u bytes from place %u over the collective network"),
    REDUCTION(DCMF_SUM),
    REDUCTION(DCMF_MAX),
    REDUCTION(DCMF_MIN),
    REDUCTION(DCMF_BAND),
    REDUCTION(DCMF_BOR),
    REDUCTION(DCMF_BXOR),
    CHOICE(0, 0),
};

#define ARGUMENTS \
  { offsetof(dcmf_collective_t, operation), offsetof(dcmf_collective_t, bytes), offsetof(dcmf_collective_t, root) }

static const struct toroid_waits kWaits[] = {
    {
        .memory = (uint32_t)(uintptr_t)&dcmf_own_state.networks,
        .first = offsetof(struct dcmf_networks, barrier.queue.first),
        .heads = 1,
        .next = offsetof(dcmf_collective_t, next),
        .object = TOROID_WAITS_ELEMENT,
        .choice = offsetof(dcmf_collective_t, step),
        .mask = UINT32_MAX,
        .texts = (uint32_t)(uintptr_t)kByInterrupts,
        .arguments = ARGUMENTS,
    },
    {
        .memory = (uint32_t)(uintptr_t)&dcmf_own_state.networks,
        .first = offsetof(struct dcmf_networks, tree.queue.first),
        .heads = 1,
        .next = offsetof(dcmf_collective_t, next),
        .object = TOROID_WAITS_ELEMENT,
        .choice = offsetof(dcmf_collective_t, dt),
        .mask = OPERATION_MASK,
        .texts = (uint32_t)(uintptr_t)kByTree,
        .arguments = ARGUMENTS,
    },
    {
        .first = (uint32_t)(uintptr_t)&dcmf_own_state.exchange.receives,
        .heads = DCMF_EXCHANGE_LISTS,
        .next = offsetof(dcmf_waiting_t, next),
        .object = offsetof(dcmf_waiting_t, owner),
        .choice = offsetof(dcmf_collective_t, step),
        .mask = UINT32_MAX,
        .texts = (uint32_t)(uintptr_t)kByMessages,
        .arguments = ARGUMENTS,
    },
    {.heads = 0},
};

const struct toroid_library toroid_library_dcmf = {
    .functions = (uint32_t)(uintptr_t)"DCMF_",
    .ready = (uint32_t)(uintptr_t)&dcmf_own_state.peers,
    .misuse = (uint32_t)(uintptr_t)"is called before DCMF_Messager_initialize() or after the last "
                                   "DCMF_Messager_finalize()",
    .waits = (uint32_t)(uintptr_t)kWaits,
};
#endif
