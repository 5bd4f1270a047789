/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Barrier, broadcast, reduction and all-reduction of the world and of rectangles by the network.
 *
 * The first task of a node is its server: it alone drives the network. Contributions of the node's tasks go through
 * memory that they share, a chunk at a time: each puts its own into its place and counts itself by an atomic operation
 * of the L2; the server combines them in the order of places, has the network combine the nodes', and tells by a
 * generation number that the result is there. A task puts its next chunk only when it has taken the last result, so a
 * place and the result are free when they are written. Where each node has one task, the network reads and writes the
 * program's buffers themselves.
 *
 * Operations of a process wait for each other, those of different geometries too, and all processes start them in the
 * same order. A node takes part in a geometry with all its tasks, so they share this memory, the server and what it has
 * of the Messaging Unit.
 */
#include "firmware/bgq/pami/collective/network.h"

#include <string.h>

#include "firmware/bgq/pami/collective/class_route.h"
#include "firmware/bgq/pami/collective/route.h"
#include "firmware/bgq/pami/types/layout.h"
#include "firmware/bgq/pami/types/operations.h"
#include "firmware/hot.h"

enum { kChunk = 8192, kLine = 128 };

/* Memory of the node. */
typedef struct {
  uint64_t arrived; /* tasks that have put a chunk, or come to a barrier, since the start; not the server */
  uint8_t line0[kLine - 8];
  uint64_t generation; /* of the last result */
  uint8_t line1[kLine - 8];
  uint8_t result[kChunk];
  uint8_t part[][kChunk]; /* by place */
} shared_t;

typedef enum { kQueued, kGather, kNetwork, kResult } stage_t;

/* What is to be done. Small, so that the compiler fills and copies it without the C library's functions, which lie
 * elsewhere in the cache. */
typedef struct {
  bool barrier;
  bool takes;    /* this task gets the result */
  bool to_all;   /* so does every other */
  uint32_t only; /* place of the one task that contributes; kAll or kNone */
  unsigned opcode, word;
  pami_type_t type;
  pami_data_function function;
  const char* from;
  char* to;
  size_t bytes;
} what_t;

typedef struct operation {
  struct operation* next;
  pami_hook_t hook;
  pami_context_impl_t* context;
  struct pami_route* route;
  stage_t stage;
  bool barrier;
  bool direct;   /* between the program's buffers */
  bool takes;    /* this task gets the result */
  bool to_all;   /* so does every other */
  uint32_t only; /* place of the one task that contributes; kAll or kNone */
  unsigned opcode, word;
  pami_type_t type;
  pami_data_function function;
  const char* from;
  char* to;
  size_t bytes, at, chunk;
  pami_event_function done;
  void* cookie;
} operation_t;

enum { kAll = 0xFFFFFFFF, kNone = 0xFFFFFFFE };

/* What all geometries of the process share. */
static struct {
  uint32_t lock;
  operation_t* first;
  operation_t** last;
  operation_t* unused;
  shared_t* shared;
  uint64_t generation; /* of this task's last chunk */
  uint32_t tasks, place;
  bool alone; /* one task on each node: the network works on the program's buffers */
} node __attribute__((aligned(64)));

static struct pami_route world_route;

static void add_to(uint64_t* counter) {
  L2_AtomicStoreAdd(counter, 1);
}

static void lock(void) {
  while (__atomic_exchange_n(&node.lock, 1, __ATOMIC_ACQUIRE)) {
  }
}
static void unlock(void) {
  __atomic_store_n(&node.lock, 0, __ATOMIC_RELEASE);
}

/* Steps --------------------------------------------------------------------------------------------------------------
 */

/* The server: what the node's tasks contribute, as one; NULL: nothing. */
static const void* combined(const operation_t* operation) {
  if (operation->only == kNone) return NULL;
  if (operation->only != kAll) return node.shared->part[operation->only];
  uint8_t* sum = node.shared->part[0];
  for (uint32_t place = 1; place < node.tasks; ++place) {
    pami_combine(sum, node.shared->part[place], operation->chunk, operation->type, operation->function, NULL);
  }
  return sum;
}

static void publish(void) {
  __atomic_store_n(&node.shared->generation, node.generation, __ATOMIC_RELEASE);
}

/* The result of a chunk is there. Returns whether it was the last. */
static bool take(operation_t* operation) {
  if (operation->barrier || operation->direct) return true;
  if (operation->takes) memcpy(operation->to + operation->at, node.shared->result, operation->chunk);
  operation->at += operation->chunk;
  return operation->at == operation->bytes;
}

/* Everybody is there: the network's turn. Returns whether the node's tasks have what they wait for at once. */
HOT_OF_COLLECTIVES static bool to_network(operation_t* operation) {
  struct pami_route* route = operation->route;
  if (operation->barrier) {
    if (!route->network) return true;
    pami_interrupt_barrier_enter(&route->barrier);
    return false;
  }
  const void* from = combined(operation);
  if (!route->network) {
    memcpy(node.shared->result, from, operation->chunk);
    return true;
  }
  const size_t words = (operation->chunk + operation->word - 1) / operation->word * operation->word;
  pami_class_route_start(&route->descriptor, operation->opcode, operation->word, from, node.shared->result, words);
  return false;
}

/* Begins the next chunk, or the barrier. */
HOT_OF_COLLECTIVES static void begin(operation_t* operation) {
  struct pami_route* route = operation->route;
  if (operation->direct) {
    pami_class_route_start(&route->descriptor, operation->opcode, operation->word,
                           operation->only == kNone ? NULL : operation->from, operation->to, operation->bytes);
    operation->stage = kNetwork;
    return;
  }
  ++node.generation;
  if (!operation->barrier) {
    const size_t left = operation->bytes - operation->at;
    operation->chunk = left < kChunk ? left : kChunk;
    if (operation->only == kAll || operation->only == node.place) {
      memcpy(node.shared->part[node.place], operation->from + operation->at, operation->chunk);
    }
  }
  if (node.place) {
    __atomic_thread_fence(__ATOMIC_RELEASE);
    add_to(&node.shared->arrived);
    operation->stage = kResult;
  } else if (node.tasks == 1 && route->network) {
    operation->stage = kNetwork;
    to_network(operation);
  } else {
    operation->stage = kGather;
  }
}

HOT_OF_COLLECTIVES static void finish(operation_t* operation) {
  pami_context_impl_t* context = operation->context;
  const pami_event_function done = operation->done;
  void* cookie = operation->cookie;
  pami_hook_remove(context, &operation->hook);
  lock();
  node.first = operation->next;
  if (node.first == NULL) node.last = &node.first;
  operation->next = node.unused;
  node.unused = operation;
  unlock();
  if (done) done(context, cookie, PAMI_SUCCESS);
}

/* One look at what an operation waits for; the hook of its context. */
HOT_OF_COLLECTIVES static unsigned poll(pami_context_impl_t* context, void* cookie) {
  operation_t* operation = cookie;
  bool ready = false;
  switch (operation->stage) {
    case kQueued:
      if (node.first != operation) return 0;
      begin(operation);
      return 1;
    case kGather: {
      const uint64_t all = node.generation * (node.tasks - 1);
      if (__atomic_load_n(&node.shared->arrived, __ATOMIC_ACQUIRE) != all) return 0;
      operation->stage = kNetwork;
      if (!to_network(operation)) return 1;
      ready = true;
      break;
    }
    case kNetwork:
      ready =
          operation->barrier ? pami_interrupt_barrier_done(&operation->route->barrier) : pami_class_route_done(context);
      break;
    case kResult:
      ready = __atomic_load_n(&node.shared->generation, __ATOMIC_ACQUIRE) == node.generation;
      break;
  }
  if (!ready) return 0;
  if (node.place == 0 && !operation->direct) publish();
  if (take(operation)) {
    finish(operation);
  } else {
    begin(operation);
  }
  return 1;
}

/* Starting -----------------------------------------------------------------------------------------------------------
 */

/* Kept for the next ones: the allocator takes as long as the network. */
HOT_OF_COLLECTIVES static operation_t* operation_new(void) {
  lock();
  operation_t* operation = node.unused;
  if (operation != NULL) node.unused = operation->next;
  unlock();
  return operation != NULL ? operation : malloc(sizeof *operation);
}

HOT_OF_COLLECTIVES static pami_result_t start(pami_context_impl_t* context, struct pami_route* route,
                                              const what_t* what, const pami_xfer_t* xfer) {
  if (what->bytes == 0 && !what->barrier) {
    pami_later_call(context, xfer->cb_done, xfer->cookie, PAMI_SUCCESS);
    return PAMI_SUCCESS;
  }
  operation_t* operation = operation_new();
  if (operation == NULL) return PAMI_ENOMEM;
  operation->next = NULL;
  operation->barrier = what->barrier;
  operation->takes = what->takes;
  operation->to_all = what->to_all;
  operation->only = what->only;
  operation->opcode = what->opcode;
  operation->word = what->word;
  operation->type = what->type;
  operation->function = what->function;
  operation->from = what->from;
  operation->to = what->to;
  operation->bytes = what->bytes;
  operation->at = 0;
  operation->stage = kQueued;
  operation->context = context;
  operation->route = route;
  operation->done = xfer->cb_done;
  operation->cookie = xfer->cookie;
  operation->hook = (pami_hook_t){NULL, poll, operation};
  operation->direct = node.alone && route->network && !what->barrier && what->to_all && what->bytes % what->word == 0;
  lock();
  *node.last = operation;
  node.last = &operation->next;
  unlock();
  pami_hook_add(context, &operation->hook);
  if (node.first == operation) begin(operation);
  return PAMI_SUCCESS;
}

/* Operands -----------------------------------------------------------------------------------------------------------
 */

/* How the unit combines elements: false if it cannot. */
HOT_OF_COLLECTIVES static bool operand(pami_data_function function, pami_type_t type, unsigned* opcode,
                                       unsigned* word) {
  static const struct {
    uint8_t bits, is_signed, is_unsigned, floating;
  } kOpcodes[PAMI_OPERATION_COUNT] = {
      [PAMI_OPERATION_SUM] = {0xFF, MUHWI_COLLECTIVE_OP_CODE_SIGNED_ADD, MUHWI_COLLECTIVE_OP_CODE_UNSIGNED_ADD,
                              MUHWI_COLLECTIVE_OP_CODE_FLOATING_POINT_ADD},
      [PAMI_OPERATION_MIN] = {0xFF, MUHWI_COLLECTIVE_OP_CODE_SIGNED_MIN, MUHWI_COLLECTIVE_OP_CODE_UNSIGNED_MIN,
                              MUHWI_COLLECTIVE_OP_CODE_FLOATING_POINT_MIN},
      [PAMI_OPERATION_MAX] = {0xFF, MUHWI_COLLECTIVE_OP_CODE_SIGNED_MAX, MUHWI_COLLECTIVE_OP_CODE_UNSIGNED_MAX,
                              MUHWI_COLLECTIVE_OP_CODE_FLOATING_POINT_MAX},
      [PAMI_OPERATION_BAND] = {MUHWI_COLLECTIVE_OP_CODE_AND, 0xFF, 0xFF, 0xFF},
      [PAMI_OPERATION_BOR] = {MUHWI_COLLECTIVE_OP_CODE_OR, 0xFF, 0xFF, 0xFF},
      [PAMI_OPERATION_BXOR] = {MUHWI_COLLECTIVE_OP_CODE_XOR, 0xFF, 0xFF, 0xFF},
  };
  const pami_operation_t operation = pami_operation(function);
  const pami_element_t element = pami_type_element(type);
  if (operation < PAMI_OPERATION_MAX || operation == PAMI_OPERATION_COUNT || !pami_can_combine(function, type)) {
    return false;
  }
  *word = 4;
  if (operation == PAMI_OPERATION_BAND || operation == PAMI_OPERATION_BOR || operation == PAMI_OPERATION_BXOR) {
    *opcode = kOpcodes[operation].bits;
    return true;
  }
  if (operation != PAMI_OPERATION_SUM && operation != PAMI_OPERATION_MIN && operation != PAMI_OPERATION_MAX) {
    return false;
  }
  switch (element) {
    case PAMI_ELEMENT_SIGNED_LONG:
      *word = 8; /* fall through */
    case PAMI_ELEMENT_SIGNED_INT:
      *opcode = kOpcodes[operation].is_signed;
      return true;
    case PAMI_ELEMENT_UNSIGNED_LONG:
      *word = 8; /* fall through */
    case PAMI_ELEMENT_UNSIGNED_INT:
      *opcode = kOpcodes[operation].is_unsigned;
      return true;
    case PAMI_ELEMENT_DOUBLE:
      *word = 8;
      *opcode = kOpcodes[operation].floating;
      return true;
    default:
      return false;
  }
}

static bool contiguous(pami_type_t type, size_t count) {
  return count == 0 || (pami_layout(type) && pami_type_contiguous(type));
}

/* What a reduction by the network is; sets what does not allow it. */
HOT_OF_COLLECTIVES static what_t reduction(pami_type_t stype, size_t count, pami_type_t rtype, size_t rcount,
                                           pami_data_function function, metadata_result_t* wrong) {
  what_t operation = {.only = kAll, .type = stype, .function = function};
  wrong->check.contiguous_send = !contiguous(stype, count);
  wrong->check.contiguous_recv = !contiguous(rtype, rcount);
  if (wrong->bitmask || count == 0) return operation;
  pami_type_t type = pami_type_element(stype) == PAMI_ELEMENT_RAW && rcount ? rtype : stype;
  operation.type = type;
  wrong->check.datatype_op = !operand(function, type, &operation.opcode, &operation.word);
  operation.bytes = count * pami_type_size(stype);
  return operation;
}

metadata_result_t pami_check_network_broadcast(pami_xfer_t* xfer) {
  metadata_result_t wrong = {0};
  wrong.check.contiguous_send = wrong.check.contiguous_recv =
      !contiguous(xfer->cmd.xfer_broadcast.type, xfer->cmd.xfer_broadcast.typecount);
  return wrong;
}

metadata_result_t pami_check_network_allreduce(pami_xfer_t* xfer) {
  const pami_allreduce_t* c = &xfer->cmd.xfer_allreduce;
  metadata_result_t wrong = {0};
  reduction(c->stype, c->stypecount, c->rtype, c->rtypecount, c->op, &wrong);
  return wrong;
}

metadata_result_t pami_check_network_reduce(pami_xfer_t* xfer) {
  const pami_reduce_t* c = &xfer->cmd.xfer_reduce;
  metadata_result_t wrong = {0};
  reduction(c->stype, c->stypecount, c->rtype, c->rtypecount, c->op, &wrong);
  return wrong;
}

HOT_OF_COLLECTIVES pami_result_t pami_start_network_barrier(pami_context_impl_t* context,
                                                            pami_geometry_impl_t* geometry, const pami_xfer_t* xfer) {
  const what_t what = {.barrier = true};
  return start(context, geometry->route, &what, xfer);
}

/* The place of a task in this node; kNone: it is in another. */
static uint32_t place_of(pami_task_t task) {
  for (uint32_t place = 0; place < pami_job.local_tasks; ++place) {
    if (pami_job.local[place] == task) return place;
  }
  return kNone;
}

pami_result_t pami_start_network_broadcast(pami_context_impl_t* context, pami_geometry_impl_t* geometry,
                                           const pami_xfer_t* xfer) {
  const pami_broadcast_t* c = &xfer->cmd.xfer_broadcast;
  if (pami_check_network_broadcast((pami_xfer_t*)xfer).bitmask || pami_rank(geometry, c->root) == PAMI_NO_RANK) {
    return pami_error(PAMI_INVAL, "this broadcast cannot go by the network: check_fn tells why");
  }
  const what_t what = {.only = place_of(pami_task_of(c->root)),
                       .takes = true,
                       .to_all = true,
                       .opcode = MUHWI_COLLECTIVE_OP_CODE_OR,
                       .word = 4,
                       .from = c->buf,
                       .to = c->buf,
                       .bytes = c->typecount ? c->typecount * pami_type_size(c->type) : 0};
  return start(context, geometry->route, &what, xfer);
}

HOT_OF_COLLECTIVES pami_result_t pami_start_network_allreduce(pami_context_impl_t* context,
                                                              pami_geometry_impl_t* geometry, const pami_xfer_t* xfer) {
  const pami_allreduce_t* c = &xfer->cmd.xfer_allreduce;
  metadata_result_t wrong = {0};
  what_t what = reduction(c->stype, c->stypecount, c->rtype, c->rtypecount, c->op, &wrong);
  if (wrong.bitmask) return pami_error(PAMI_INVAL, "this all-reduction cannot go by the network: check_fn tells why");
  what.takes = what.to_all = true;
  what.from = c->sndbuf;
  what.to = c->rcvbuf;
  return start(context, geometry->route, &what, xfer);
}

pami_result_t pami_start_network_reduce(pami_context_impl_t* context, pami_geometry_impl_t* geometry,
                                        const pami_xfer_t* xfer) {
  const pami_reduce_t* c = &xfer->cmd.xfer_reduce;
  metadata_result_t wrong = {0};
  what_t what = reduction(c->stype, c->stypecount, c->rtype, c->rtypecount, c->op, &wrong);
  const uint32_t root = pami_rank(geometry, c->root);
  if (wrong.bitmask || root == PAMI_NO_RANK) {
    return pami_error(PAMI_INVAL, "this reduction cannot go by the network: check_fn tells why");
  }
  what.takes = root == geometry->rank[context->offset];
  what.from = c->sndbuf;
  what.to = c->rcvbuf;
  return start(context, geometry->route, &what, xfer);
}

/* The world's route
 * ------------------------------------------------------------------------------------------------------ */

bool pami_has_route(const pami_geometry_impl_t* geometry) {
  return geometry->route != NULL && geometry->optimized && geometry->route->combines;
}

bool pami_has_interrupts(const pami_geometry_impl_t* geometry) {
  return geometry->route != NULL && geometry->optimized && geometry->route->interrupts;
}

struct pami_route* pami_network_start(void) {
  node.tasks = pami_job.local_tasks;
  node.place = pami_job.local_place;
  node.alone = pami_job.processes == 1; /* all nodes know this of all */
  node.last = &node.first;
  node.shared = pami_node_allocate(sizeof *node.shared + node.tasks * sizeof node.shared->part[0]);
  if (node.shared == NULL) return NULL;
  world_route.combines = world_route.interrupts = true;
  world_route.network = pami_job.tasks > pami_job.local_tasks;
  if (!world_route.network) return &world_route;
  pami_classes_start();
  uint32_t interrupt_class = 0;
  Kernel_GetGlobalBarrierUserClassRouteId(&interrupt_class);
  MUSPI_GIBarrierInit(&world_route.barrier, interrupt_class);
  pami_class_route_describe(&world_route.descriptor, 0);
  /* All nodes take the same slots. */
  if (node.place == 0 && !pami_class_route_open())
    pami_fatal("the class route's base addresses or an injection FIFO are not free");
  return &world_route;
}

void pami_network_end(void) {
  for (operation_t* operation; (operation = node.unused) != NULL;) {
    node.unused = operation->next;
    free(operation);
  }
  if (node.place == 0) pami_class_route_close();
}
