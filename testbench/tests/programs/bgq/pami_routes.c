// SPDX-License-Identifier: Apache-2.0
// Geometries of rectangles of nodes, which have class routes of their own: parts of the machine one after the other and
// several at a time, with what they compute against plain arithmetic. Rank 0 prints what it has done.
#include <hwi/include/bqc/A2_inlines.h>
#include <pami.h>
#include <spi/include/kernel/location.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIMENSIONS = 5, TASKS_MAX = 512, ALGORITHMS = 8, WORDS = 1500, KEPT = 40 };

static pami_client_t client;
static pami_context_t context;
static unsigned rank, ranks, processes;
static unsigned size[DIMENSIONS], here[DIMENSIONS];
static unsigned next_id = 1;

// A set of tasks with its geometry.
typedef struct {
  pami_geometry_t geometry;
  pami_task_t tasks[TASKS_MAX];
  unsigned count, me;
  const char* what;
} part_t;

typedef struct {
  unsigned low[DIMENSIONS], high[DIMENSIONS];
} box_t;

static void fail(const part_t* part, const char* what, const char* detail) {
  printf("rank %u: %s, %u tasks: %s %s\n", rank, part->what, part->count, what, detail);
  exit(1);
}

static void done(pami_context_t in_context, void* cookie, pami_result_t result) {
  if (in_context != context || result != PAMI_SUCCESS) printf("rank %u: a callback with an error\n", rank), exit(1);
  *(volatile int*)cookie = 1;
}

static void wait_for(volatile int* flag) {
  while (!*flag) PAMI_Context_advance(context, 100);
}

// Geometries --------------------------------------------------------------------------------------------------------

// Tasks go along E first, and fill a node before that.
static void coordinates(unsigned task, unsigned* at) {
  task /= processes;
  for (unsigned d = DIMENSIONS; d-- > 0; task /= size[d]) at[d] = task % size[d];
}

static void find_me(part_t* part) {
  for (part->me = 0; part->me < part->count && part->tasks[part->me] != rank;) ++part->me;
}

static void of_box(part_t* part, const box_t* box, const char* what) {
  part->what = what;
  part->count = 0;
  for (unsigned task = 0; task < ranks; ++task) {
    unsigned at[DIMENSIONS], inside = 1;
    coordinates(task, at);
    for (unsigned d = 0; d < DIMENSIONS; ++d) inside &= at[d] >= box->low[d] && at[d] <= box->high[d];
    if (inside) part->tasks[part->count++] = task;
  }
  find_me(part);
}

static void begin(part_t* part, unsigned id, volatile int* finished) {
  pami_configuration_t wish = {.name = PAMI_GEOMETRY_OPTIMIZE, .value.intval = 1};
  *finished = 0;
  if (PAMI_Geometry_create_tasklist(client, 0, &wish, 1, &part->geometry, PAMI_GEOMETRY_NULL, id, part->tasks,
                                    part->count, context, done, (void*)finished) != PAMI_SUCCESS)
    fail(part, "creation", "is refused");
}

static void make(part_t* part) {
  volatile int finished;
  begin(part, next_id, &finished);
  wait_for(&finished);
}

static void update(part_t* part, int optimize) {
  volatile int finished = 0;
  pami_configuration_t wish = {.name = PAMI_GEOMETRY_OPTIMIZE, .value.intval = (size_t)optimize};
  if (PAMI_Geometry_update(part->geometry, &wish, 1, context, done, (void*)&finished) != PAMI_SUCCESS)
    fail(part, "update", "is refused");
  wait_for(&finished);
}

static void end(part_t* part) {
  volatile int finished = 0;
  if (PAMI_Geometry_destroy(client, &part->geometry, context, done, (void*)&finished) != PAMI_SUCCESS)
    fail(part, "destruction", "is refused");
  wait_for(&finished);
}

// Operations --------------------------------------------------------------------------------------------------------

// The first algorithm of the network or of messages; 0: there is none.
static pami_algorithm_t algorithm(pami_geometry_t geometry, pami_xfer_type_t type, unsigned network) {
  pami_algorithm_t algorithms[ALGORITHMS];
  pami_metadata_t data[ALGORITHMS];
  size_t lengths[2];
  PAMI_Geometry_algorithms_num(geometry, type, lengths);
  PAMI_Geometry_algorithms_query(geometry, type, algorithms, data, lengths[0], algorithms + lengths[0],
                                 data + lengths[0], lengths[1]);
  for (size_t i = 0; i < lengths[0] + lengths[1]; ++i) {
    if (data[i].check_perf.values.hw_accel == network) return algorithms[i];
  }
  return 0;
}

// Of barrier, broadcast, all-reduction and reduction, those that the network performs.
static unsigned offered(const part_t* part) {
  static const pami_xfer_type_t kTypes[] = {PAMI_XFER_BARRIER, PAMI_XFER_BROADCAST, PAMI_XFER_ALLREDUCE,
                                            PAMI_XFER_REDUCE};
  unsigned bits = 0;
  for (unsigned i = 0; i < 4; ++i) bits |= (algorithm(part->geometry, kTypes[i], 1) != 0) << i;
  return bits;
}

static void start(pami_algorithm_t by, pami_collective_t command, volatile int* finished) {
  *finished = 0;
  pami_xfer_t xfer = {done, (void*)finished, by, {0}, command};
  if (PAMI_Collective(context, &xfer) != PAMI_SUCCESS) printf("rank %u: PAMI_Collective fails\n", rank), exit(1);
}

static void perform(pami_algorithm_t by, pami_collective_t command) {
  volatile int finished;
  start(by, command, &finished);
  wait_for(&finished);
}

// The last to come must have come before the first leaves. The time base is one for all nodes.
static void check_barrier(const part_t* part, unsigned network, unsigned late) {
  const unsigned long long begin = PAMI_Wtimebase(client);
  while (part->me == late % part->count && PAMI_Wtimebase(client) < begin + 5000) continue;
  long long times[2] = {(long long)PAMI_Wtimebase(client), 0}, last[2];
  perform(algorithm(part->geometry, PAMI_XFER_BARRIER, network), (pami_collective_t){0});
  times[1] = -(long long)PAMI_Wtimebase(client);
  perform(algorithm(part->geometry, PAMI_XFER_ALLREDUCE, 0),
          (pami_collective_t){.xfer_allreduce = {(char*)times, PAMI_TYPE_SIGNED_LONG_LONG, 2, (char*)last,
                                                 PAMI_TYPE_SIGNED_LONG_LONG, 2, PAMI_DATA_MAX, NULL, 1}});
  if (last[0] > -last[1]) fail(part, "barrier:", "somebody left before the last one came");
}

static void check_broadcast(const part_t* part, unsigned network, size_t bytes, unsigned seed) {
  static char data[4 * WORDS + 1];
  const pami_task_t root = part->tasks[seed % part->count];
  for (size_t i = 0; i < bytes; ++i) data[i] = rank == root ? (char)(i * 7 + seed + root) : 0;
  data[bytes] = 0x55;
  pami_endpoint_t from;
  PAMI_Endpoint_create(client, root, 0, &from);
  perform(algorithm(part->geometry, PAMI_XFER_BROADCAST, network),
          (pami_collective_t){.xfer_broadcast = {from, data, PAMI_TYPE_BYTE, bytes}});
  for (size_t i = 0; i < bytes; ++i) {
    if (data[i] != (char)(i * 7 + seed + root)) fail(part, "broadcast:", "wrong bytes");
  }
  if (data[bytes] != 0x55) fail(part, "broadcast:", "a byte too many");
}

// Elements of the three kinds; sums of doubles are of whole numbers, so their order makes no difference.
static long long value(unsigned task, unsigned i, unsigned seed) {
  return (long long)((task * 2654435761u + i * 40503u + seed * 977u) % 20011u) - 10000;
}

typedef union {
  int32_t narrow[WORDS];
  int64_t wide[WORDS];
  double real[WORDS];
} elements_t;

static void put(elements_t* to, unsigned kind, unsigned i, long long number) {
  if (kind == 0) to->narrow[i] = (int32_t)number;
  if (kind == 1) to->wide[i] = number;
  if (kind == 2) to->real[i] = (double)number;
}

static long long get(const elements_t* from, unsigned kind, unsigned i) {
  return kind == 0 ? from->narrow[i] : kind == 1 ? from->wide[i] : (long long)from->real[i];
}

static long long combine(unsigned operation, long long a, long long b) {
  if (operation == 0) return a + b;
  if (operation == 1) return a < b ? a : b;
  if (operation == 2) return a > b ? a : b;
  return a ^ b;
}

typedef struct {
  elements_t in, out;
  unsigned kind, operation, count, seed;
  volatile int finished;
} reduction_t;

static void start_reduction(const part_t* part, unsigned network, int root, reduction_t* job) {
  pami_type_t types[] = {PAMI_TYPE_SIGNED_INT, PAMI_TYPE_SIGNED_LONG_LONG, PAMI_TYPE_DOUBLE};
  pami_data_function functions[] = {PAMI_DATA_SUM, PAMI_DATA_MIN, PAMI_DATA_MAX, PAMI_DATA_BXOR};
  for (unsigned i = 0; i < job->count; ++i) put(&job->in, job->kind, i, value(rank, i, job->seed));
  memset(&job->out, 0, sizeof job->out);
  const pami_type_t type = types[job->kind];
  const pami_data_function function = functions[job->operation];
  pami_collective_t command = {0};
  if (root < 0) {
    command.xfer_allreduce =
        (pami_allreduce_t){(char*)&job->in, type, job->count, (char*)&job->out, type, job->count, function, NULL, 1};
  } else {
    pami_endpoint_t to;
    PAMI_Endpoint_create(client, part->tasks[root], 0, &to);
    command.xfer_reduce =
        (pami_reduce_t){to, (char*)&job->in, type, job->count, (char*)&job->out, type, job->count, function, NULL, 1};
  }
  start(algorithm(part->geometry, root < 0 ? PAMI_XFER_ALLREDUCE : PAMI_XFER_REDUCE, network), command, &job->finished);
}

static void check_reduction(const part_t* part, int root, const reduction_t* job) {
  if (root >= 0 && part->me != (unsigned)root) return;
  for (unsigned i = 0; i < job->count; ++i) {
    long long expected = value(part->tasks[0], i, job->seed);
    for (unsigned member = 1; member < part->count; ++member)
      expected = combine(job->operation, expected, value(part->tasks[member], i, job->seed));
    if (get(&job->out, job->kind, i) == expected) continue;
    char detail[80];
    snprintf(detail, sizeof detail, "kind %u, operation %u, element %u of %u", job->kind, job->operation, i,
             job->count);
    fail(part, root < 0 ? "all-reduction:" : "reduction:", detail);
  }
}

static void reduce(const part_t* part, unsigned network, unsigned seed) {
  static reduction_t job;
  static const unsigned kCounts[] = {1, 2, 5, 64, WORDS};
  job.kind = seed % 3;
  job.operation = seed / 3 % (job.kind == 2 ? 3 : 4);
  job.count = kCounts[seed % 5];
  job.seed = seed;
  const int root = seed % 4 == 3 ? (int)(seed % part->count) : -1;
  start_reduction(part, network, root, &job);
  wait_for(&job.finished);
  check_reduction(part, root, &job);
}

static void use(const part_t* part, unsigned network, unsigned cases) {
  for (unsigned late = 0; late < 2; ++late) check_barrier(part, network, late * (part->count - 1));
  static const size_t kBytes[] = {1, 8, 513, 4 * WORDS};
  for (unsigned i = 0; i < 4; ++i) check_broadcast(part, network, kBytes[i], i * 5);
  for (unsigned seed = 0; seed < cases; ++seed) reduce(part, network, seed);
}

// Parts of the machine ----------------------------------------------------------------------------------------------

static box_t whole(void) {
  box_t box;
  for (unsigned d = 0; d < DIMENSIONS; ++d) box.low[d] = 0, box.high[d] = size[d] - 1;
  return box;
}

// Those with this task's coordinates but in the dimensions of `free`.
static box_t along(unsigned dimensions) {
  box_t box;
  for (unsigned d = 0; d < DIMENSIONS; ++d) {
    const int moves = dimensions >> d & 1;
    box.low[d] = moves ? 0 : here[d];
    box.high[d] = moves ? size[d] - 1 : here[d];
  }
  return box;
}

static box_t half(unsigned d) {
  box_t box = whole();
  const unsigned middle = size[d] / 2;
  if (here[d] < middle) {
    box.high[d] = middle - 1;
  } else {
    box.low[d] = middle;
  }
  return box;
}

static void expect_network(const part_t* part, unsigned bits) {
  if (offered(part) == bits) return;
  char detail[40];
  snprintf(detail, sizeof detail, "offers %X instead of %X", offered(part), bits);
  fail(part, "the network", detail);
}

// With the network, without it, and with it again.
static void one(const box_t* box, const char* what) {
  static part_t part;
  of_box(&part, box, what);
  ++next_id;
  if (part.count < 2) return;
  make(&part);
  expect_network(&part, 15);
  use(&part, 1, 12 * ((part.count < ranks) + 1));
  update(&part, 0);
  expect_network(&part, 0);
  use(&part, 0, 4);
  update(&part, 1);
  expect_network(&part, 15);
  use(&part, 1, 6);
  end(&part);
  if (rank == 0) printf("%s of %u\n", what, part.count);
}

static void each_alone(void) {
  for (unsigned d = 0; d < DIMENSIONS; ++d) {
    if (size[d] < 2) continue;
    box_t box = half(d);
    one(&box, "half");
    box = along(31u & ~(1u << d));
    one(&box, "plane");
    box = along(1u << d);
    one(&box, "line");
  }
  box_t box = along(0);
  one(&box, "node");
  box = whole();
  one(&box, "all");
}

// Lines in two dimensions at once, and the world: each task is in three.
static void crossing(void) {
  static part_t row, column, world;
  static reduction_t jobs[3];
  unsigned first = 0, second;
  while (first < DIMENSIONS && size[first] < 2) ++first;
  for (second = first + 1; second < DIMENSIONS && size[second] < 2;) ++second;
  if (second >= DIMENSIONS) return;
  box_t box = along(1u << first);
  of_box(&row, &box, "row");
  box = along(31u & ~(1u << first));
  of_box(&column, &box, "what crosses it");
  box = whole();
  of_box(&world, &box, "world");
  PAMI_Geometry_world(client, &world.geometry);
  ++next_id;
  make(&row);
  ++next_id;
  make(&column);
  expect_network(&row, 15);
  expect_network(&column, 15);
  part_t* const parts[] = {&row, &column, &world};
  for (unsigned round = 0; round < 30; ++round) {
    for (unsigned i = 0; i < 3; ++i) {
      jobs[i].kind = (round + i) % 3;
      jobs[i].operation = round % 3;
      jobs[i].count = 1 + round % 3 * 200;
      jobs[i].seed = round * 3 + i;
    }
    // All three under way.
    for (unsigned i = 0; i < 3; ++i) start_reduction(parts[(i + round) % 3], 1, -1, &jobs[(i + round) % 3]);
    for (unsigned i = 0; i < 3; ++i) {
      wait_for(&jobs[i].finished);
      check_reduction(parts[i], -1, &jobs[i]);
    }
    check_barrier(parts[round % 3], 1, round);
  }
  end(&row);
  end(&column);
  if (rank == 0) printf("crossing %u and %u\n", row.count, column.count);
}

// More geometries than there are classes: the last ones have none, and work.
static void many(void) {
  static part_t parts[KEPT];
  unsigned count = 0, with_route = 0, with_interrupts = 0;
  for (unsigned dimensions = 1; dimensions < 31; ++dimensions) {
    unsigned plain = 1;  // those of other nodes have as many members
    for (unsigned d = 0; d < DIMENSIONS; ++d) plain &= size[d] > 1 || (dimensions >> d & 1) == 0;
    const box_t box = along(dimensions);
    part_t* const part = &parts[count];
    of_box(part, &box, "one of many");
    if (!plain || part->count < 2 * processes || part->count == ranks) continue;
    ++next_id;
    make(part);
    ++count;
    const unsigned network = offered(part);
    with_route += (network >> 1 & 1);
    with_interrupts += network & 1;
    for (unsigned i = 0; i < count; ++i) reduce(&parts[i], offered(&parts[i]) >> 2 & 1, count + i);
    check_barrier(part, network & 1, dimensions);
  }
  for (unsigned i = 0; i < count; ++i) end(&parts[i]);
  if (rank == 0) printf("many %u, %u with a class route, %u with interrupts\n", count, with_route, with_interrupts);
}

// Classes come back: two geometries at a time, many times.
static void again(void) {
  static part_t part, other;
  const unsigned rounds = 40;
  for (unsigned round = 0; round < rounds; ++round) {
    unsigned d = round % DIMENSIONS;
    while (size[d] < 2) d = (d + 1) % DIMENSIONS;
    const box_t box = round % 2 ? along(1u << d) : half(d);
    const box_t wide = half(d);
    of_box(&part, &box, "one of many after each other");
    of_box(&other, &wide, "the one beside it");
    ++next_id;
    if (part.count < 2) continue;
    make(&part);
    ++next_id;
    make(&other);
    expect_network(&part, 15);
    expect_network(&other, 15);
    reduce(&part, 1, round);
    reduce(&other, 1, round);
    check_barrier(&part, 1, round);
    check_barrier(&other, 1, round);
    end(round % 3 ? &part : &other);
    reduce(round % 3 ? &other : &part, 1, round + 1);
    check_barrier(round % 3 ? &other : &part, 1, round);
    end(round % 3 ? &other : &part);
  }
  if (rank == 0) printf("again %u\n", rounds);
}

// Lines in all dimensions and what crosses them are made at the same time, by half of the tasks in the opposite order.
static void at_once(void) {
  static part_t parts[2 * DIMENSIONS];
  volatile int finished[2 * DIMENSIONS];
  for (unsigned round = 0; round < 4; ++round) {
    unsigned count = 0;
    for (unsigned d = 0; d < DIMENSIONS; ++d) {
      if (size[d] < 2) continue;
      for (unsigned across = 0; across < 2; ++across) {
        const box_t box = along(across ? 31u & ~(1u << d) : 1u << d);
        of_box(&parts[count], &box, "one of several at once");
        if (parts[count].count >= 2 * processes) ++count;
      }
    }
    for (unsigned i = 0; i < count; ++i) {
      const unsigned which = (rank / processes + round) % 2 ? i : count - 1 - i;
      begin(&parts[which], next_id + 1 + which, &finished[which]);
    }
    next_id += count;
    for (unsigned i = 0; i < count; ++i) wait_for(&finished[i]);
    for (unsigned i = 0; i < count; ++i) {
      reduce(&parts[i], offered(&parts[i]) >> 2 & 1, round + i);
      check_barrier(&parts[i], offered(&parts[i]) & 1, round);
    }
    unsigned with_route = 0;
    for (unsigned i = 0; i < count; ++i) with_route += offered(&parts[i]) >> 1 & 1;
    for (unsigned i = 0; i < count; ++i) end(&parts[i]);
    if (rank == 0) printf("at once %u, %u with a class route\n", count, with_route);
  }
}

// No rectangles: they are asked to have a route, and have none.
static void others(void) {
  static part_t part;
  for (unsigned kind = 0; kind < 3; ++kind) {
    part.what = "no rectangle";
    part.count = 0;
    for (unsigned task = 0; task < ranks; ++task) {
      unsigned at[DIMENSIONS], sum = 0;
      coordinates(task, at);
      for (unsigned d = 0; d < DIMENSIONS; ++d) sum += at[d];
      const unsigned in = kind == 0 ? task + 1 < ranks : kind == 1 ? sum % 2 == 0 : task % 3 != 1;
      if (in) part.tasks[part.count++] = task;
    }
    find_me(&part);
    ++next_id;
    if (part.me == part.count) continue;
    make(&part);
    expect_network(&part, 0);
    use(&part, 0, 8);
    end(&part);
    if (rank == 0) printf("no rectangle of %u\n", part.count);
  }
}

// Clocks of an all-reduction and a barrier of half of the machine: by the network, by messages.
static void times(void) {
  static part_t part;
  unsigned d = 0;
  while (size[d] < 2) ++d;
  const box_t box = half(d);
  of_box(&part, &box, "half");
  ++next_id;
  if (part.count < 2) return;
  unsigned long long clocks[4];
  const unsigned long long before = PAMI_Wtimebase(client);
  make(&part);
  const unsigned long long made = PAMI_Wtimebase(client) - before;
  for (unsigned i = 0; i < 4; ++i) {
    const pami_xfer_type_t type = i < 2 ? PAMI_XFER_ALLREDUCE : PAMI_XFER_BARRIER;
    const pami_algorithm_t by = algorithm(part.geometry, type, i % 2 == 0);
    double in = rank, out;
    pami_collective_t command = {0};
    if (i < 2) {
      command.xfer_allreduce =
          (pami_allreduce_t){(char*)&in, PAMI_TYPE_DOUBLE, 1, (char*)&out, PAMI_TYPE_DOUBLE, 1, PAMI_DATA_SUM, NULL, 1};
    }
    perform(by, command);
    check_barrier(&part, 1, 0);
    const unsigned long long begin = PAMI_Wtimebase(client);
    for (unsigned round = 0; round < 20; ++round) perform(by, command);
    clocks[i] = (PAMI_Wtimebase(client) - begin) / 20;
  }
  end(&part);
  if (rank == 0)
    printf("clocks of an allreduce %llu, by messages %llu; of a barrier %llu, by messages %llu; making %llu\n",
           clocks[0], clocks[1], clocks[2], clocks[3], made);
}

int main(void) {
  pami_configuration_t asked[2] = {{.name = PAMI_CLIENT_TASK_ID}, {.name = PAMI_CLIENT_NUM_TASKS}};
  Personality_t personality;
  if (Kernel_GetPersonality(&personality, sizeof personality) != 0) return 1;
  const Personality_Networks_t* net = &personality.Network_Config;
  const unsigned nodes[] = {net->Anodes, net->Bnodes, net->Cnodes, net->Dnodes, net->Enodes};
  const unsigned at[] = {net->Acoord, net->Bcoord, net->Ccoord, net->Dcoord, net->Ecoord};
  memcpy(size, nodes, sizeof size);
  memcpy(here, at, sizeof here);
  processes = Kernel_ProcessCount();
  if (PAMI_Client_create("routes", &client, NULL, 0) != PAMI_SUCCESS) return 1;
  PAMI_Client_query(client, asked, 2);
  rank = (unsigned)asked[0].value.intval;
  ranks = (unsigned)asked[1].value.intval;
  if (ranks > TASKS_MAX || PAMI_Context_createv(client, NULL, 0, &context, 1) != PAMI_SUCCESS) return 1;
  each_alone();
  crossing();
  many();
  again();
  at_once();
  others();
  times();
  PAMI_Context_destroyv(&context, 1);
  PAMI_Client_destroy(&client);
  return 0;
}
