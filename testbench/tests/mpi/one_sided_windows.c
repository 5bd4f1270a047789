// SPDX-License-Identifier: Apache-2.0
// Windows as objects: attributes, names, hints, groups, error handlers, dynamic and shared ones; wrong use.
#include <string.h>

#include "check.h"

static int rank, size, deleted, handled;
static MPI_Win handled_win;

static int copy_none(MPI_Win win, int key, void* extra, void* in, void* out, int* flag) {
  (void)win, (void)key, (void)extra, (void)in, (void)out;
  *flag = 0;
  return MPI_SUCCESS;
}

static int count_delete(MPI_Win win, int key, void* value, void* extra) {
  (void)win, (void)key;
  CHECK(*(int*)value == 17 && extra == &deleted, "the value and the extra state come back");
  ++deleted;
  return MPI_SUCCESS;
}

static void attributes(void) {
  char memory[48], name[MPI_MAX_OBJECT_NAME];
  int key, flag, length, seventeen = 17, *number;
  MPI_Aint* bytes;
  void* value;
  MPI_Win win;
  MPI_Group group, world;
  MPI_Info info, used;
  char hint[8];
  MPI_Info_create(&info);
  MPI_Info_set(info, "no_locks", "true");
  MPI_Win_create(memory, 48, 4, info, MPI_COMM_WORLD, &win);
  MPI_Info_free(&info);
  MPI_Win_get_info(win, &used);
  MPI_Info_get(used, "no_locks", 7, hint, &flag);
  CHECK(flag && strcmp(hint, "true") == 0, "a hint is kept");
  MPI_Win_set_info(win, used);
  MPI_Info_free(&used);
  MPI_Win_get_attr(win, MPI_WIN_BASE, &value, &flag);
  CHECK(flag && value == memory, "MPI_WIN_BASE");
  MPI_Win_get_attr(win, MPI_WIN_SIZE, &bytes, &flag);
  CHECK(flag && *bytes == 48, "MPI_WIN_SIZE is %ld", *bytes);
  MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &number, &flag);
  CHECK(flag && *number == 4, "MPI_WIN_DISP_UNIT is %d", *number);
  MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &number, &flag);
  CHECK(flag && *number == MPI_WIN_FLAVOR_CREATE, "MPI_WIN_CREATE_FLAVOR is %d", *number);
  MPI_Win_get_attr(win, MPI_WIN_MODEL, &number, &flag);
  CHECK(flag && *number == MPI_WIN_UNIFIED, "MPI_WIN_MODEL is %d", *number);
  MPI_Win_create_keyval(copy_none, count_delete, &key, &deleted);
  MPI_Win_get_attr(win, key, &value, &flag);
  CHECK(!flag, "no attribute yet");
  MPI_Win_set_attr(win, key, &seventeen);
  MPI_Win_get_attr(win, key, &value, &flag);
  CHECK(flag && value == &seventeen, "an attribute's value");
  MPI_Win_delete_attr(win, key);
  CHECK(deleted == 1, "deleted %d times", deleted);
  MPI_Win_set_attr(win, key, &seventeen);
  MPI_Win_free_keyval(&key);
  MPI_Win_get_name(win, name, &length);
  CHECK(length == 0 && name[0] == '\0', "a window has no name at first");
  MPI_Win_set_name(win, "a window");
  MPI_Win_get_name(win, name, &length);
  CHECK(length == 8 && strcmp(name, "a window") == 0, "name '%s'", name);
  MPI_Win_get_group(win, &group);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_compare(group, world, &length);
  CHECK(length == MPI_IDENT, "the group is the communicator's");
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  MPI_Win_free(&win);
  CHECK(win == MPI_WIN_NULL && deleted == 2, "deleted %d times with the window", deleted);
}

static void handler(MPI_Win* win, int* code, ...) {
  handled_win = *win;
  handled = *code;
}

static void wrong(void) {
  int *base, value = 0, flag;
  MPI_Win win;
  MPI_Request request;
  MPI_Group world;
  MPI_Errhandler own, got;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK_ERROR(MPI_ERR_SIZE, MPI_Win_create(&value, -1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
  CHECK_ERROR(MPI_ERR_DISP, MPI_Win_create(&value, 4, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
  CHECK_ERROR(MPI_ERR_BASE, MPI_Win_create(NULL, 4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
  CHECK_ERROR(MPI_ERR_COMM, MPI_Win_create(&value, 4, 1, MPI_INFO_NULL, MPI_COMM_NULL, &win));
  win = MPI_WIN_NULL;
  CHECK_ERROR(MPI_ERR_WIN, MPI_Win_fence(0, win));
  CHECK_ERROR(MPI_ERR_WIN, MPI_Win_free(&win));
  MPI_Win_allocate(4 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  MPI_Win_get_errhandler(win, &got);
  CHECK(got == MPI_ERRORS_ARE_FATAL, "a window's first error handler");
  MPI_Win_create_errhandler(handler, &own);
  MPI_Win_set_errhandler(win, own);
  MPI_Errhandler_free(&own);
  CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
  CHECK(handled == MPI_ERR_RMA_SYNC && handled_win == win, "the window's handler gets it");
  MPI_Win_call_errhandler(win, MPI_ERR_OTHER);
  CHECK(handled == MPI_ERR_OTHER, "a handler can be called");
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_unlock(0, win));
  CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_unlock_all(win));
  CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_complete(win));
  CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_wait(win));
  CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_test(win, &flag));
  CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_flush(0, win));
  CHECK_ERROR(MPI_ERR_RMA_FLAVOR, MPI_Win_attach(win, &value, 4));
  CHECK_ERROR(MPI_ERR_LOCKTYPE, MPI_Win_lock(3, 0, 0, win));
  CHECK_ERROR(MPI_ERR_ASSERT, MPI_Win_lock(MPI_LOCK_SHARED, 0, MPI_MODE_NOPUT, win));
  CHECK_ERROR(MPI_ERR_ASSERT, MPI_Win_fence(1 << 10, win));
  CHECK_ERROR(MPI_ERR_RANK, MPI_Win_lock(MPI_LOCK_SHARED, size, 0, win));
  MPI_Win_fence(0, win);
  CHECK_ERROR(MPI_ERR_RANK, MPI_Put(&value, 1, MPI_INT, size, 0, 1, MPI_INT, win));
  CHECK_ERROR(MPI_ERR_DISP, MPI_Put(&value, 1, MPI_INT, 0, -1, 1, MPI_INT, win));
  CHECK_ERROR(MPI_ERR_RMA_RANGE, MPI_Put(&value, 1, MPI_INT, 0, 4, 1, MPI_INT, win));
  CHECK_ERROR(MPI_ERR_RMA_RANGE, MPI_Get(&value, 1, MPI_INT, 0, 3, 2, MPI_INT, win));
  CHECK_ERROR(MPI_ERR_COUNT, MPI_Get(&value, -1, MPI_INT, 0, 0, 1, MPI_INT, win));
  CHECK_ERROR(MPI_ERR_TYPE, MPI_Get(&value, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, win));
  CHECK_ERROR(MPI_ERR_TYPE, MPI_Get(&value, 1, MPI_FLOAT, 0, 0, 1, MPI_INT, win));
  CHECK_ERROR(MPI_ERR_TRUNCATE, MPI_Get(&value, 1, MPI_INT, 0, 0, 2, MPI_INT, win));
  CHECK_ERROR(MPI_ERR_OP, MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_OP_NULL, win));
  CHECK_ERROR(MPI_ERR_OP, MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_NO_OP, win));
  CHECK_ERROR(MPI_ERR_OP, MPI_Accumulate(&value, 1, MPI_FLOAT, 0, 0, 1, MPI_FLOAT, MPI_BAND, win));
  CHECK_ERROR(MPI_ERR_BUFFER, MPI_Put(NULL, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
  CHECK_ERROR(MPI_ERR_TYPE, MPI_Compare_and_swap(base, base, base, MPI_DOUBLE, 0, 0, win));
  CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Rput(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &request));
  MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
  MPI_Win_fence(0, win);
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
  CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win));
  CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_fence(0, win));
  CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_free(&win));
  if (size > 1) {
    CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Get(&value, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win));
  }
  MPI_Win_unlock(rank, win);
  MPI_Comm_group(MPI_COMM_SELF, &world);
  MPI_Win_start(world, 0, win);
  if (size > 1) {
    CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Get(&value, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win));
  }
  MPI_Win_post(world, 0, win);
  CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_post(world, 0, win));
  MPI_Win_complete(win);
  MPI_Win_wait(win);
  MPI_Group_free(&world);
  MPI_Win_free(&win);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/// Memory that is attached while the window is there; its addresses go by message.
static void dynamic(void) {
  MPI_Win win;
  MPI_Aint mine, theirs;
  int *first = malloc(4 * sizeof *first), *second = malloc(40 * sizeof *second), value = 7 + rank, flag, *flavor;
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &flavor, &flag);
  CHECK(*flavor == MPI_WIN_FLAVOR_DYNAMIC, "flavour %d", *flavor);
  MPI_Win_attach(win, first, 4 * sizeof *first);
  MPI_Win_attach(win, second, 40 * sizeof *second);
  CHECK_ERROR(MPI_ERR_RMA_ATTACH, MPI_Win_attach(win, second + 39, 8));
  second[39] = 0;
  MPI_Get_address(&second[39], &mine);
  MPI_Sendrecv(&mine, 1, MPI_AINT, before, 0, &theirs, 1, MPI_AINT, next, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win);
  MPI_Put(&value, 1, MPI_INT, next, theirs, 1, MPI_INT, win);
  MPI_Win_unlock(next, win);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(second[39] == 7 + before, "%d in attached memory", second[39]);
  MPI_Win_detach(win, second);
  CHECK_ERROR(MPI_ERR_RMA_ATTACH, MPI_Win_detach(win, second));
  MPI_Win_free(&win);
  free(first);
  free(second);
}

/// Processes share no memory, but each may do so with itself.
static void shared(void) {
  int *base, *found, unit;
  MPI_Aint bytes;
  MPI_Win win;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (size > 1) {
    CHECK_ERROR(MPI_ERR_RMA_SHARED, MPI_Win_allocate_shared(8, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Win_allocate_shared(8, 4, MPI_INFO_NULL, MPI_COMM_SELF, &base, &win);
  MPI_Win_shared_query(win, 0, &bytes, &unit, &found);
  CHECK(found == base && bytes == 8 && unit == 4, "%ld bytes in units of %d", bytes, unit);
  MPI_Win_free(&win);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  attributes();
  wrong();
  dynamic();
  shared();
  return check_end();
}
