// SPDX-License-Identifier: Apache-2.0
// Windows: how they are made and freed.
#include "firmware/mpi/win.h"

#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/agree.h"
#include "firmware/mpi/attribute.h"
#include "firmware/mpi/collective.h"
#include "firmware/mpi/environment.h"
#include "firmware/mpi/win_rma.h"

static mpii_win_t* windows;  ///< this process's, the latest first

mpii_win_t* mpii_win_find(uint32_t context) {
  mpii_win_t* win = windows;
  while (win != NULL && win->comm->context != context) win = win->next;
  return win;
}

int mpii_enter_win(const char* function, MPI_Win handle, mpii_win_t** win) {
  mpii_enter(function);
  *win = mpii_object(handle, MPII_WIN);
  if (*win != NULL) return MPI_SUCCESS;
  if (handle == MPI_WIN_NULL) return mpii_fail(NULL, MPI_ERR_WIN, "the window is MPI_WIN_NULL");
  return mpii_fail(NULL, MPI_ERR_WIN, "0x%X is no window, or a freed one", (unsigned)handle);
}

int mpii_win_check_rank(mpii_win_t* win, int rank) {
  if ((rank >= 0 && rank < win->comm->size) || rank == MPI_PROC_NULL) return MPI_SUCCESS;
  return mpii_fail(win->comm, MPI_ERR_RANK, "target is rank %d; the window has ranks 0 to %d and MPI_PROC_NULL", rank,
                   win->comm->size - 1);
}

int mpii_win_check_assertion(mpii_win_t* win, int assertion, int allowed) {
  if ((assertion & ~allowed) == 0) return MPI_SUCCESS;
  return mpii_fail(win->comm, MPI_ERR_ASSERT, "assertion 0x%X has bits that mean nothing here", (unsigned)assertion);
}

/// What a process tells the others of its part.
typedef struct {
  uintptr_t base;
  size_t size;
  uint32_t unit;
} part_t;

/// A communicator of its own for the window, whose errors are the window's.
static mpii_comm_t* own_comm(mpii_comm_t* comm) {
  const uint32_t context = mpii_agree_context(comm);
  mpii_comm_t* own = mpii_comm_new(mpii_retain(comm->group), context, comm);
  mpii_network_share(own, comm);
  mpii_errhandler_release(own->errhandler);
  own->errhandler = mpii_retain(mpii_object(MPI_ERRORS_ARE_FATAL, MPII_ERRHANDLER));
  return own;
}

/// A window that other processes' messages find from now on: they may know all before this one does.
static mpii_win_t* make(mpii_comm_t* comm, const struct mpii_info* info, int flavor) {
  static bool open;
  if (!open) mpit_open_accesses();
  open = true;
  mpii_win_t* win = mpii_allocate(sizeof *win);
  win->object.references = 1;
  win->flavor = flavor;
  win->first = win->last = -1;
  win->peers = mpii_allocate((size_t)comm->size * sizeof *win->peers);
  win->comm = own_comm(comm);
  win->comm->info = mpii_info_copy(info);
  win->locks = !mpii_info_says(win->comm->info, "no_locks", "true");
  win->comm->owner = mpii_object_open(win, MPII_WIN);
  win->next = windows;
  windows = win;
  return win;
}

static void exchange(mpii_win_t* win) {
  const part_t mine = {(uintptr_t)win->base, (size_t)win->size, (uint32_t)win->unit};
  const int ranks = win->comm->size;
  part_t* parts = mpii_allocate((size_t)ranks * sizeof *parts);
  mpii_collect(win->comm, &mine, sizeof mine, parts);
  for (int rank = 0; rank < ranks; ++rank) {
    win->peers[rank].base = (uint8_t*)parts[rank].base;
    win->peers[rank].size = parts[rank].size;
    win->peers[rank].unit = parts[rank].unit;
  }
  free(parts);
  win->served = win->locks && mpii_limits()->interrupts && mpit_serve_begin();
}

/// Begin a call that makes a window.
static int begin(const char* function, MPI_Aint size, int unit, MPI_Info info_handle, MPI_Comm comm_handle,
                 mpii_comm_t** comm, struct mpii_info** info) {
  *info = NULL;
  MPII_TRY(mpii_enter_comm(function, comm_handle, comm));
  if (mpii_is_inter(*comm)) return mpii_fail(*comm, MPI_ERR_COMM, "windows need an intracommunicator");
  if (size < 0) return mpii_fail(*comm, MPI_ERR_SIZE, "the size is %ld; it must be 0 or more", size);
  if (unit <= 0) return mpii_fail(*comm, MPI_ERR_DISP, "the displacement unit is %d; it must be 1 or more", unit);
  if (info_handle != MPI_INFO_NULL) MPII_TRY(mpii_info(*comm, info_handle, info));
  return MPI_SUCCESS;
}

static void open_part(mpii_win_t* win, void* base, MPI_Aint size, int unit, MPI_Win* handle) {
  win->base = base;
  win->size = size;
  win->unit = unit;
  exchange(win);
  *handle = win->object.handle;
}

int PMPI_Win_create(void* base, MPI_Aint size, int unit, MPI_Info info_handle, MPI_Comm comm_handle, MPI_Win* handle) {
  mpii_comm_t* comm;
  struct mpii_info* info;
  MPII_TRY(begin("MPI_Win_create", size, unit, info_handle, comm_handle, &comm, &info));
  MPII_TRY(mpii_check_given(NULL, handle, "win"));
  if (base == NULL && size != 0) {
    return mpii_fail(comm, MPI_ERR_BASE, "the base address of %ld bytes is a null pointer", size);
  }
  open_part(make(comm, info, MPI_WIN_FLAVOR_CREATE), base, size, unit, handle);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_create);

static int allocate(mpii_comm_t* comm, MPI_Aint size, int unit, const struct mpii_info* info, int flavor, void* base,
                    MPI_Win* handle) {
  // Whole cache lines, and something for a size of 0: addresses differ.
  enum { LINE = 32 };
  void* memory = (size_t)size < SIZE_MAX - LINE ? aligned_alloc(LINE, ((size_t)size / LINE + 1) * LINE) : NULL;
  if (memory == NULL) return mpii_fail(comm, MPI_ERR_NO_MEM, "there is no memory for %ld bytes", size);
  mpii_win_t* win = make(comm, info, flavor);
  win->allocated = memory;
  open_part(win, memory, size, unit, handle);
  *(void**)base = memory;
  return MPI_SUCCESS;
}

int PMPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info_handle, MPI_Comm comm_handle, void* base,
                      MPI_Win* handle) {
  mpii_comm_t* comm;
  struct mpii_info* info;
  MPII_TRY(begin("MPI_Win_allocate", size, unit, info_handle, comm_handle, &comm, &info));
  MPII_TRY(mpii_check_given(NULL, base, "base"));
  MPII_TRY(mpii_check_given(NULL, handle, "win"));
  return allocate(comm, size, unit, info, MPI_WIN_FLAVOR_ALLOCATE, base, handle);
}
MPII_PUBLIC(Win_allocate);

int PMPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info_handle, MPI_Comm comm_handle, void* base,
                             MPI_Win* handle) {
  mpii_comm_t* comm;
  struct mpii_info* info;
  MPII_TRY(begin("MPI_Win_allocate_shared", size, unit, info_handle, comm_handle, &comm, &info));
  MPII_TRY(mpii_check_given(NULL, base, "base"));
  MPII_TRY(mpii_check_given(NULL, handle, "win"));
  if (comm->size > 1) {
    return mpii_fail(comm, MPI_ERR_RMA_SHARED,
                     "%d processes cannot share memory: each has its own, those of a node as well", comm->size);
  }
  return allocate(comm, size, unit, info, MPI_WIN_FLAVOR_SHARED, base, handle);
}
MPII_PUBLIC(Win_allocate_shared);

int PMPI_Win_shared_query(MPI_Win handle, int rank, MPI_Aint* size, int* unit, void* base) {
  mpii_win_t* win;
  MPII_TRY(mpii_enter_win("MPI_Win_shared_query", handle, &win));
  MPII_TRY(mpii_check_given(win->comm, size, "size"));
  MPII_TRY(mpii_check_given(win->comm, unit, "unit"));
  MPII_TRY(mpii_check_given(win->comm, base, "base"));
  MPII_TRY(mpii_win_check_rank(win, rank));
  if (win->flavor != MPI_WIN_FLAVOR_SHARED) {
    return mpii_fail(win->comm, MPI_ERR_RMA_FLAVOR, "the window is not of MPI_Win_allocate_shared()");
  }
  *size = win->size;
  *unit = win->unit;
  *(void**)base = win->base;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_shared_query);

int PMPI_Win_create_dynamic(MPI_Info info_handle, MPI_Comm comm_handle, MPI_Win* handle) {
  mpii_comm_t* comm;
  struct mpii_info* info;
  MPII_TRY(begin("MPI_Win_create_dynamic", 0, 1, info_handle, comm_handle, &comm, &info));
  MPII_TRY(mpii_check_given(NULL, handle, "win"));
  open_part(make(comm, info, MPI_WIN_FLAVOR_DYNAMIC), NULL, 0, 1, handle);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_create_dynamic);

static void destroy(mpii_win_t* win) {
  mpii_win_t** place = &windows;
  while (*place != win) place = &(*place)->next;
  *place = win->next;
  if (win->served) mpit_serve_end();
  mpii_object_close(win);
  mpii_comm_close(win->comm);
  while (win->attached != NULL) {
    mpii_attached_t* piece = win->attached;
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
  mpii_win_t* win;
  mpii_enter("MPI_Win_free");
  MPII_TRY(mpii_check_given(NULL, handle, "win"));
  MPII_TRY(mpii_enter_win("MPI_Win_free", *handle, &win));
  if (win->posted || win->access > MPII_ACCESS_FENCE) {
    return mpii_fail(win->comm, MPI_ERR_RMA_SYNC, "an epoch has not ended");
  }
  MPII_TRY(mpii_attributes_delete(*handle, &win->attributes));
  mpii_win_flush_all(win);
  mpii_win_barrier(win);
  destroy(win);
  *handle = MPI_WIN_NULL;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_free);
