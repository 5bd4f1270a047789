// SPDX-License-Identifier: Apache-2.0
// Groups, messages and collective operations.
#include "check.h"

enum { LONG = 50000 };

static int rank, size;

static void messages(void) {
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  int bytes = -1;
  // Short ones, which do not wait for their receiver, out of order of their tags.
  for (int tag = 0; tag < 5; ++tag) {
    int value = rank * 10 + tag;
    armci_msg_snd(tag, &value, sizeof value, next);
  }
  for (int tag = 4; tag >= 0; --tag) {
    int value = -1;
    armci_msg_rcv(tag, &value, sizeof value, &bytes, before);
    CHECK(value == before * 10 + tag && bytes == (int)sizeof value, "tag %d gives %d", tag, value);
  }
  // Long ones wait: even ranks send first.
  unsigned char *out = malloc(LONG), *in = malloc(LONG);
  memset(out, rank + 1, LONG);
  if (size > 1) {
    if (rank % 2 == 0) armci_msg_snd(7, out, LONG, next);
    armci_msg_rcv(7, in, LONG, &bytes, before);
    if (rank % 2 != 0) armci_msg_snd(7, out, LONG, next);
    CHECK(bytes == LONG && in[0] == before + 1 && in[LONG - 1] == before + 1, "%d bytes of %d", bytes, in[0]);
  }
  // Empty ones, to rank 0 of all.
  if (rank != 0) armci_msg_snd(9, NULL, 0, 0);
  unsigned long long seen = 1;
  for (int i = 1; rank == 0 && i < size; ++i) {
    const int from = armci_msg_rcvany(9, NULL, 0, &bytes);
    CHECK(bytes == 0 && (seen >> from & 1) == 0, "a second message of %d", from);
    seen |= 1ull << from;
  }
  free(out);
  free(in);
}

static void collectives(void) {
  for (int root = 0; root < size; ++root) {
    unsigned char* const buffer = malloc(LONG);
    for (int bytes = 0; bytes <= LONG; bytes = bytes * 7 + 1) {
      memset(buffer, rank == root ? root + 1 : 255, LONG);
      armci_msg_brdcst(buffer, bytes, root);
      if (bytes > 0) CHECK(buffer[0] == root + 1 && buffer[bytes - 1] == root + 1, "broadcast of %d bytes", bytes);
      if (bytes < LONG && rank != root) CHECK(buffer[bytes] == 255, "broadcast of more than %d bytes", bytes);
    }
    free(buffer);
  }
  int i[3] = {rank, -rank, 1 << rank % 31};
  armci_msg_igop(i, 2, (char*)"+");
  armci_msg_igop(i + 2, 1, (char*)"or");
  const int all = size * (size - 1) / 2;
  CHECK(i[0] == all && i[1] == -all, "the sums are %d and %d", i[0], i[1]);
  CHECK(i[2] == (size < 31 ? (1 << size) - 1 : 0x7FFFFFFF), "the bits are %x", i[2]);
  long l = rank + 1;
  armci_msg_lgop(&l, 1, (char*)"max");
  CHECK(l == size, "the maximum is %ld", l);
  long long ll = rank + 1;
  armci_msg_llgop(&ll, 1, (char*)"min with what follows in a Fortran string");
  CHECK(ll == 1, "the minimum is %lld", ll);
  float f = rank % 2 == 0 ? -1.5f : 1.0f;
  armci_msg_fgop(&f, 1, (char*)"absmin");
  CHECK(size == 1 || f == 1.0f, "the least absolute value is %g", (double)f);
  double d[1000];
  for (int j = 0; j < 1000; ++j) d[j] = 1 + (j == rank);
  armci_msg_dgop(d, 1000, (char*)"*");
  for (int j = 0; j < 1000; ++j) CHECK(d[j] == (j < size ? 2 : 1), "product %d is %g", j, d[j]);
  int yes = rank != 0;
  armci_msg_gop_scope(SCOPE_MASTERS, &yes, 1, (char*)"&&", ARMCI_INT);
  CHECK_IS(0, yes);
  armci_msg_gop_scope(SCOPE_NODE, &l, 1, (char*)"+", ARMCI_LONG);
  CHECK(l == size, "the own domain's sum is %ld", l);
  struct {
    double key;
    int what;
  } best = {rank == size / 2 ? 100 : rank, rank};
  armci_msg_sel(&best, sizeof best, (char*)"max", ARMCI_DOUBLE, rank != 0 || size == 1);
  CHECK(best.what == size / 2 && best.key == 100, "the selection is %d", best.what);
  best.key = 5, best.what = rank;
  armci_msg_sel(&best, sizeof best, (char*)"min", ARMCI_DOUBLE, rank >= size / 2);
  CHECK(best.what == size / 2, "among equals it is %d", best.what);
  void** const addresses = calloc((size_t)size, sizeof *addresses);
  addresses[rank] = (void*)(uintptr_t)(4096 + rank);
  armci_exchange_address(addresses, size);
  for (int j = 0; j < size; ++j) CHECK(addresses[j] == (void*)(uintptr_t)(4096 + j), "address %d", j);
  free(addresses);
  int root, up, left, right;
  armci_msg_bintree(SCOPE_ALL, &root, &up, &left, &right);
  CHECK(root == 0 && (rank == 0 ? up == -1 : up == (rank - 1) / 2), "the parent is %d", up);
  CHECK(left == (2 * rank + 1 < size ? 2 * rank + 1 : -1), "the child is %d", left);
}

static void groups(void) {
  // Even and odd ranks, the latter from the last on.
  const int odd = rank % 2, n = odd ? size / 2 : (size + 1) / 2;
  int* const list = malloc((size_t)size * sizeof *list);
  for (int i = 0; i < n; ++i) list[i] = odd ? 2 * (n - 1 - i) + 1 : 2 * i;
  ARMCI_Group group, world, other;
  ARMCI_Group_create(n, list, &group);
  int place = -1, members = -1;
  CHECK_IS(0, ARMCI_Group_rank(&group, &place));
  ARMCI_Group_size(&group, &members);
  CHECK(members == n && list[place] == rank, "place %d of %d", place, members);
  for (int i = 0; i < n; ++i) CHECK_IS(list[i], ARMCI_Absolute_id(&group, i));
  ARMCI_Group_get_world(&world);
  ARMCI_Group_size(&world, &members);
  CHECK_IS(size, members);

  void** const memories = calloc((size_t)n, sizeof *memories);
  CHECK_IS(0, ARMCI_Malloc_group(memories, place == 0 ? 0 : 64, &group));
  CHECK(memories[0] == NULL, "memory of 0 bytes is at %p", memories[0]);
  for (int i = 1; i < n; ++i) {
    if (place == 0) CHECK_IS(0, ARMCI_PutValueInt(77 + i, memories[i], list[i]));
  }
  ARMCI_GroupFence(&group);
  armci_msg_group_barrier(&group);
  if (place != 0) CHECK_IS(77 + place, *(int*)memories[place]);
  int sum = rank, wanted = 0, token = rank;
  for (int i = 0; i < n; ++i) wanted += list[i];
  armci_msg_group_igop(&sum, 1, (char*)"+", &group);
  CHECK_IS(wanted, sum);
  armci_msg_group_bcast_scope(SCOPE_ALL, &token, sizeof token, list[n - 1], &group);
  CHECK_IS(list[n - 1], token);

  // A child, by places of its parent: all but its first. The default group is the parent of groups without one.
  if (n > 1) {
    int* const places = malloc((size_t)n * sizeof *places);
    for (int i = 1; i < n; ++i) places[i - 1] = i;
    ARMCI_Group child, chosen;
    ARMCI_Group_create_child(n - 1, places, &child, &group);
    ARMCI_Group_set_default(&group);
    ARMCI_Group_get_default(&chosen);
    ARMCI_Group_create(n - 1, places, &other);
    int inner = -2, again = -2;
    CHECK_IS(place == 0 ? FAIL2 : 0, ARMCI_Group_rank(&child, &inner));
    ARMCI_Group_rank(&other, &again);
    CHECK(inner == place - 1 && again == inner, "places %d and %d", inner, again);
    CHECK_IS(list[1], ARMCI_Absolute_id(&child, 0));
    if (place != 0) armci_msg_group_barrier(&child);
    ARMCI_Group_set_default(&world);
    ARMCI_Group_free(&other);
    ARMCI_Group_free(&child);
    free(places);
  }
  CHECK_IS(0, ARMCI_Free_group(memories[place], &group));
  ARMCI_Group_free(&group);
  free(memories);
  free(list);
}

/// Memory of one process that the others learn of by a message.
static void offered_memory(void) {
  armci_meminfo_t info;
  memset(&info, 0, sizeof info);
  if (rank == 0) {
    ARMCI_Memget(sizeof(int) * (size_t)size, &info, 0);
    memset(info.addr, 0, info.size);
  }
  armci_msg_bcast(&info, sizeof info, 0);
  int* const words = ARMCI_Memat(&info, 0);
  CHECK(info.cpid == 0 && info.size == sizeof(int) * (size_t)size, "the owner is %d", info.cpid);
  CHECK_IS(0, ARMCI_PutValueInt(rank + 1, words + rank, 0));
  ARMCI_Barrier();
  for (int i = 0; rank == 0 && i < size; ++i) CHECK_IS(i + 1, words[i]);
  ARMCI_Memdt(&info, 0);
  ARMCI_Memctl(&info);
}

int main(void) {
  ARMCI_Init();
  CHECK_IS(1, ARMCI_Initialized());
  rank = armci_msg_me();
  size = armci_msg_nproc();
  messages();
  collectives();
  if (size > 1) groups();
  offered_memory();
  CHECK_IS(size, armci_domain_count(ARMCI_DOMAIN_SMP));
  CHECK_IS(rank, armci_domain_my_id(ARMCI_DOMAIN_SMP));
  CHECK_IS(1, armci_domain_nprocs(ARMCI_DOMAIN_SMP, -1));
  CHECK_IS(1, ARMCI_Same_node(rank));
  return check_end();
}
