/* SPDX-License-Identifier: Apache-2.0 */
/* Puts, gets and atomic operations. */
#include "firmware/programs/bgq/pami_stress.h"

typedef struct check {
  uint64_t seed, bytes, at;
  layout_t layout;
  uint32_t lane;
} check_t;

void check_arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes, const void* pipe,
                   size_t bytes, pami_endpoint_t origin, pami_recv_t* recv) {
  (void)context, (void)header_bytes, (void)pipe, (void)bytes, (void)recv;
  work_t* work = cookie;
  const check_t* check = header;
  uint8_t* at = work->memory + check->at;
  tell(work, origin, check->lane, contents_wrong(at, &check->layout, check->seed, &in_one_piece, check->bytes));
  contents_clear(at, &check->layout, check->bytes);
}

static void is_put(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context, (void)result;
  lane_t* lane = cookie;
  work_t* work = lane->work;
  check_t check = {.seed = lane->seed,
                   .bytes = lane->bytes,
                   .at = lane->at,
                   .layout = lane->there,
                   .lane = (uint32_t)(lane - work->lane)};
  pami_send_immediate_t send = {
      .header = {.iov_base = &check, .iov_len = sizeof check}, .dispatch = kCheck, .dest = work->to};
  must(work, PAMI_Send_immediate(work->context, &send), "PAMI_Send_immediate");
}

/* What a put or a get has of an operation of any kind. */
typedef struct rma {
  unsigned kind; /* bit 0: with memory regions; bit 1: by types */
  pami_rma_t rma;
  pami_memregion_t local;
  pami_rma_addr_t addr;
  pami_rdma_t rdma;
} rma_t;

static void start_rma(work_t* work, lane_t* lane, uint8_t* local, pami_event_function done_fn, rma_t* made) {
  static const pami_hint_t hints[] = {PAMI_HINT_DEFAULT, PAMI_HINT_DEFAULT, PAMI_HINT_ENABLE, PAMI_HINT_DISABLE};
  size_t bytes;
  *made = (rma_t){.kind = (unsigned)(draw(work) % 4),
                  .rma = {.dest = work->to, .bytes = lane->bytes, .cookie = lane, .done_fn = done_fn},
                  .addr = {.local = local, .remote = (void*)(work->bases[work->other] + lane->at)},
                  .rdma = {.remote = {.mr = &work->others[work->other], .offset = lane->at}}};
  made->rma.hints.use_rdma = hints[draw(work) % 4];
  must(work, PAMI_Memregion_create(work->context, local, layout_extent(&lane->here, lane->bytes), &bytes, &made->local),
       "PAMI_Memregion_create");
  made->rdma.local.mr = &made->local;
  lane->types = (pami_rma_typed_t){.local = layout_type(&lane->here), .remote = layout_type(&lane->there)};
}

/* Layouts of an operation that is by types, or in one piece. */
static void draw_layouts(work_t* work, lane_t* lane) {
  const bool typed = draw(work) % 2;
  lane->here = typed ? layout_draw(draw(work), lane->bytes) : in_one_piece;
  lane->there = typed ? layout_draw(draw(work), lane->bytes) : in_one_piece;
}

void put(work_t* work, lane_t* lane) {
  const uint64_t number = (uint64_t)(lane - work->lane);
  uint8_t* from = lane->local + kGuard + draw(work) % 64;
  if (lane->bytes == 0) lane->bytes = 1;
  draw_layouts(work, lane);
  lane->at = number * lane_bytes() + kGuard + draw(work) % 64;
  contents_fill(from, &lane->here, lane->seed, lane->bytes);
  lane->busy = 2; /* done_fn, and the verdict that rdone_fn asks for */
  rma_t any;
  start_rma(work, lane, from, less, &any);
  const pami_rma_put_t there = {.rdone_fn = is_put};
  if (lane->here.block != in_one_piece.block || lane->there.block != in_one_piece.block) any.kind |= 2;
  pami_put_simple_t plain = {.rma = any.rma, .addr = any.addr, .put = there};
  pami_rput_simple_t region = {.rma = any.rma, .rdma = any.rdma, .put = there};
  pami_put_typed_t typed = {.rma = any.rma, .addr = any.addr, .type = lane->types, .put = there};
  pami_rput_typed_t both = {.rma = any.rma, .rdma = any.rdma, .type = lane->types, .put = there};
  switch (any.kind) {
    case 0:
      must(work, PAMI_Put(work->context, &plain), "PAMI_Put");
      break;
    case 1:
      must(work, PAMI_Rput(work->context, &region), "PAMI_Rput");
      break;
    case 2:
      must(work, PAMI_Put_typed(work->context, &typed), "PAMI_Put_typed");
      break;
    default:
      must(work, PAMI_Rput_typed(work->context, &both), "PAMI_Rput_typed");
  }
}

static void is_fetched(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context, (void)result;
  lane_t* lane = cookie;
  const uint8_t* at = lane->local + kGuard + lane->seed % 64;
  complain(lane->work, "get", contents_wrong(at, &lane->here, lane->work->other + lane->at, &lane->there, lane->bytes),
           lane->bytes);
  --lane->busy;
}

void get(work_t* work, lane_t* lane) {
  uint8_t* to = lane->local + kGuard + lane->seed % 64;
  if (lane->bytes == 0) lane->bytes = 1;
  draw_layouts(work, lane);
  contents_clear(to, &lane->here, lane->bytes);
  lane->at = sources_at() + draw(work) % (lane_bytes() - layout_extent(&lane->there, lane->bytes));
  lane->busy = 1;
  rma_t any;
  start_rma(work, lane, to, is_fetched, &any);
  if (lane->here.block != in_one_piece.block || lane->there.block != in_one_piece.block) any.kind |= 2;
  pami_get_simple_t plain = {.rma = any.rma, .addr = any.addr};
  pami_rget_simple_t region = {.rma = any.rma, .rdma = any.rdma};
  pami_get_typed_t typed = {.rma = any.rma, .addr = any.addr, .type = lane->types};
  pami_rget_typed_t both = {.rma = any.rma, .rdma = any.rdma, .type = lane->types};
  switch (any.kind) {
    case 0:
      must(work, PAMI_Get(work->context, &plain), "PAMI_Get");
      break;
    case 1:
      must(work, PAMI_Rget(work->context, &region), "PAMI_Rget");
      break;
    case 2:
      must(work, PAMI_Get_typed(work->context, &typed), "PAMI_Get_typed");
      break;
    default:
      must(work, PAMI_Rget_typed(work->context, &both), "PAMI_Rget_typed");
  }
}

void wait_for(work_t* work, const int* busy) {
  while (*busy != 0) PAMI_Context_advance(work->context, 1000);
}

void atomics(work_t* work, lane_t* lane) {
  static const pami_atomic_t operations[] = {PAMI_ATOMIC_FETCH_ADD, PAMI_ATOMIC_FETCH_OR,
                                             PAMI_ATOMIC_FETCH_AND, PAMI_ATOMIC_FETCH_XOR,
                                             PAMI_ATOMIC_FETCH_SET, PAMI_ATOMIC_FETCH_COMPARE_SET};
  uint64_t expected = draw(work), old = 0, test = 0;
  pami_rmw_t rmw = {.dest = work->to,
                    .cookie = lane,
                    .done_fn = less,
                    .local = &old,
                    .remote = (void*)(work->bases[work->other] + word_at()),
                    .value = &expected,
                    .test = &test,
                    .operation = PAMI_ATOMIC_SET,
                    .type = PAMI_TYPE_UNSIGNED_LONG};
  lane->busy = 1;
  must(work, PAMI_Rmw(work->context, &rmw), "PAMI_Rmw");
  wait_for(work, &lane->busy);
  for (unsigned i = 0; i < 6; ++i) {
    uint64_t value = draw(work);
    test = draw(work) % 2 ? expected : value;
    rmw.value = &value;
    rmw.operation = operations[i];
    lane->busy = 1;
    must(work, PAMI_Rmw(work->context, &rmw), "PAMI_Rmw");
    wait_for(work, &lane->busy);
    complain(work, "atomic operation", old != expected, 8);
    switch (i) {
      case 0:
        expected += value;
        break;
      case 1:
        expected |= value;
        break;
      case 2:
        expected &= value;
        break;
      case 3:
        expected ^= value;
        break;
      case 4:
        expected = value;
        break;
      default:
        expected = test == expected ? value : expected;
    }
    ++work->operations;
  }
}
