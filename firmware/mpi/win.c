// SPDX-License-Identifier: Apache-2.0
// Windows: how they are made and freed.
#include "firmware/mpi/win.h"

#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/agree.h"
#include "firmware/mpi/attribute.h"
#include "firmware/mpi/win_rma.h"

static bglmpi_win_t* windows;  ///< this process's, the latest first

bglmpi_win_t* bglmpi_win_find(uint32_t context) {
  bglmpi_win_t* win = windows;
  while (win != NULL && win->comm->context != context) win = win->next;
  return win;
}

int bglmpi_enter_win(const char* function, MPI_Win handle, bglmpi_win_t** win) {
  bglmpi_enter(function);
  *win = bglmpi_object(handle, BGLMPI_WIN);
  if (*win != NULL) return MPI_SUCCESS;
  if (handle == MPI_WIN_NULL) return bglmpi_fail(NULL, MPI_ERR_WIN, "the window is MPI_WIN_NULL");
  return bglmpi_fail(NULL, MPI_ERR_WIN, "0x%X is no window, or a freed one", (unsigned)handle);
}

int bglmpi_win_check_rank(bglmpi_win_t* win, int rank) {
  if ((rank >= 0 && rank < win->comm->size) || rank == MPI_PROC_NULL) return MPI_SUCCESS;
  return bglmpi_fail(win->comm, MPI_ERR_RANK, "target is rank %d; the window has ranks 0 to %d and MPI_PROC_NULL", rank,
                     win->comm->size - 1);
}

int bglmpi_win_check_assertion(bglmpi_win_t* win, int assertion, int allowed) {
  if ((assertion & ~allowed) == 0) return MPI_SUCCESS;
  return bglmpi_fail(win->comm, MPI_ERR_ASSERT, "assertion 0x%X has bits that mean nothing here", (unsigned)assertion);
}

/// What a process tells the others of its part.
typedef struct {
  uint32_t base, size, unit;
} part_t;

/// A communicator of its own for the window, whose errors are the window's.
static bglmpi_comm_t* own_comm(bglmpi_comm_t* comm) {
  const uint32_t context = bglmpi_agree_context(comm);
  bglmpi_comm_t* own = bglmpi_comm_new(bglmpi_retain(comm->group), context, comm);
  bglmpi_errhandler_release(own->errhandler);
  own->errhandler = bglmpi_retain(bglmpi_object(MPI_ERRORS_ARE_FATAL, BGLMPI_ERRHANDLER));
  return own;
}

/// A window that other processes' messages find from now on: they may know all before this one does.
static bglmpi_win_t* make(bglmpi_comm_t* comm, const struct bglmpi_info* info, int flavor) {
  bglmpi_rma_init();
  bglmpi_win_t* win = bglmpi_allocate(sizeof *win);
  win->object.references = 1;
  win->flavor = flavor;
  win->first = win->last = -1;
  win->peers = bglmpi_allocate((size_t)comm->size * sizeof *win->peers);
  win->comm = own_comm(comm);
  win->comm->info = bglmpi_info_copy(info);
  win->locks = !bglmpi_info_says(win->comm->info, "no_locks", "true");
  win->comm->owner = bglmpi_object_open(win, BGLMPI_WIN);
  win->next = windows;
  windows = win;
  return win;
}

static void exchange(bglmpi_win_t* win) {
  const part_t mine = {(uint32_t)(uintptr_t)win->base, (uint32_t)win->size, (uint32_t)win->unit};
  const int ranks = win->comm->size;
  part_t* parts = bglmpi_allocate((size_t)ranks * sizeof *parts);
  bglmpi_collect(win->comm, &mine, sizeof mine, parts);
  for (int rank = 0; rank < ranks; ++rank) {
    win->peers[rank].base = (uint8_t*)(uintptr_t)parts[rank].base;
    win->peers[rank].size = parts[rank].size;
    win->peers[rank].unit = parts[rank].unit;
  }
  free(parts);
  if (win->locks) bglmpi_interrupts_begin();
}

/// Begin a call that makes a window.
static int begin(const char* function, MPI_Aint size, int unit, MPI_Info info_handle, MPI_Comm comm_handle,
                 bglmpi_comm_t** comm, struct bglmpi_info** info) {
  *info = NULL;
  BGLMPI_TRY(bglmpi_enter_comm(function, comm_handle, comm));
  if (bglmpi_is_inter(*comm)) return bglmpi_fail(*comm, MPI_ERR_COMM, "windows need an intracommunicator");
  if (size < 0) return bglmpi_fail(*comm, MPI_ERR_SIZE, "the size is %ld; it must be 0 or more", size);
  if (unit <= 0) return bglmpi_fail(*comm, MPI_ERR_DISP, "the displacement unit is %d; it must be 1 or more", unit);
  if (info_handle != MPI_INFO_NULL) BGLMPI_TRY(bglmpi_info(*comm, info_handle, info));
  return MPI_SUCCESS;
}

static void open_part(bglmpi_win_t* win, void* base, MPI_Aint size, int unit, MPI_Win* handle) {
  win->base = base;
  win->size = size;
  win->unit = unit;
  exchange(win);
  *handle = win->object.handle;
}

int PMPI_Win_create(void* base, MPI_Aint size, int unit, MPI_Info info_handle, MPI_Comm comm_handle, MPI_Win* handle) {
  bglmpi_comm_t* comm;
  struct bglmpi_info* info;
  BGLMPI_TRY(begin("MPI_Win_create", size, unit, info_handle, comm_handle, &comm, &info));
  BGLMPI_TRY(bglmpi_check_given(NULL, handle, "win"));
  if (base == NULL && size != 0) {
    return bglmpi_fail(comm, MPI_ERR_BASE, "the base address of %ld bytes is a null pointer", size);
  }
  open_part(make(comm, info, MPI_WIN_FLAVOR_CREATE), base, size, unit, handle);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Win_create);

static int allocate(bglmpi_comm_t* comm, MPI_Aint size, int unit, const struct bglmpi_info* info, int flavor,
                    void* base, MPI_Win* handle) {
  // Whole cache lines, and something for a size of 0: addresses differ.
  enum { LINE = 32 };
  void* memory = (size_t)size < SIZE_MAX - LINE ? aligned_alloc(LINE, ((size_t)size / LINE + 1) * LINE) : NULL;
  if (memory == NULL) return bglmpi_fail(comm, MPI_ERR_NO_MEM, "there is no memory for %ld bytes", size);
  bglmpi_win_t* win = make(comm, info, flavor);
  win->allocated = memory;
  open_part(win, memory, size, unit, handle);
  *(void**)base = memory;
  return MPI_SUCCESS;
}

int PMPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info_handle, MPI_Comm comm_handle, void* base,
                      MPI_Win* handle) {
  bglmpi_comm_t* comm;
  struct bglmpi_info* info;
  BGLMPI_TRY(begin("MPI_Win_allocate", size, unit, info_handle, comm_handle, &comm, &info));
  BGLMPI_TRY(bglmpi_check_given(NULL, base, "base"));
  BGLMPI_TRY(bglmpi_check_given(NULL, handle, "win"));
  return allocate(comm, size, unit, info, MPI_WIN_FLAVOR_ALLOCATE, base, handle);
}
BGLMPI_PUBLIC(Win_allocate);

int PMPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info_handle, MPI_Comm comm_handle, void* base,
                             MPI_Win* handle) {
  bglmpi_comm_t* comm;
  struct bglmpi_info* info;
  BGLMPI_TRY(begin("MPI_Win_allocate_shared", size, unit, info_handle, comm_handle, &comm, &info));
  BGLMPI_TRY(bglmpi_check_given(NULL, base, "base"));
  BGLMPI_TRY(bglmpi_check_given(NULL, handle, "win"));
  if (comm->size > 1) {
    return bglmpi_fail(comm, MPI_ERR_RMA_SHARED,
                       "%d processes cannot share memory: each has its own, those of a node as well", comm->size);
  }
  return allocate(comm, size, unit, info, MPI_WIN_FLAVOR_SHARED, base, handle);
}
BGLMPI_PUBLIC(Win_allocate_shared);

int PMPI_Win_shared_query(MPI_Win handle, int rank, MPI_Aint* size, int* unit, void* base) {
  bglmpi_win_t* win;
  BGLMPI_TRY(bglmpi_enter_win("MPI_Win_shared_query", handle, &win));
  BGLMPI_TRY(bglmpi_check_given(win->comm, size, "size"));
  BGLMPI_TRY(bglmpi_check_given(win->comm, unit, "unit"));
  BGLMPI_TRY(bglmpi_check_given(win->comm, base, "base"));
  BGLMPI_TRY(bglmpi_win_check_rank(win, rank));
  if (win->flavor != MPI_WIN_FLAVOR_SHARED) {
    return bglmpi_fail(win->comm, MPI_ERR_RMA_FLAVOR, "the window is not of MPI_Win_allocate_shared()");
  }
  *size = win->size;
  *unit = win->unit;
  *(void**)base = win->base;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Win_shared_query);

int PMPI_Win_create_dynamic(MPI_Info info_handle, MPI_Comm comm_handle, MPI_Win* handle) {
  bglmpi_comm_t* comm;
  struct bglmpi_info* info;
  BGLMPI_TRY(begin("MPI_Win_create_dynamic", 0, 1, info_handle, comm_handle, &comm, &info));
  BGLMPI_TRY(bglmpi_check_given(NULL, handle, "win"));
  open_part(make(comm, info, MPI_WIN_FLAVOR_DYNAMIC), NULL, 0, 1, handle);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Win_create_dynamic);

static void destroy(bglmpi_win_t* win) {
  bglmpi_win_t** place = &windows;
  while (*place != win) place = &(*place)->next;
  *place = win->next;
  if (win->locks) bglmpi_interrupts_end();
  bglmpi_object_close(win);
  bglmpi_comm_close(win->comm);
  while (win->attached != NULL) {
    bglmpi_attached_t* piece = win->attached;
    win->attached = piece->next;
    free(piece);
  }
  free(win->started);
  free(win->posted_to);
  free(win->allocated);
  free(win->peers);
  free(win);
}

int PMPI_Win_free(MPI_Win* handle) {
  bglmpi_win_t* win;
  bglmpi_enter("MPI_Win_free");
  BGLMPI_TRY(bglmpi_check_given(NULL, handle, "win"));
  BGLMPI_TRY(bglmpi_enter_win("MPI_Win_free", *handle, &win));
  if (win->posted || win->access > BGLMPI_ACCESS_FENCE) {
    return bglmpi_fail(win->comm, MPI_ERR_RMA_SYNC, "an epoch has not ended");
  }
  BGLMPI_TRY(bglmpi_attributes_delete(*handle, &win->attributes));
  bglmpi_win_flush_all(win);
  bglmpi_win_barrier(win);
  destroy(win);
  *handle = MPI_WIN_NULL;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Win_free);
