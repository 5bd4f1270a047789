// SPDX-License-Identifier: Apache-2.0
// The memory of dynamic windows.
#include <stdlib.h>

#include "firmware/mpi/win.h"

bool mpii_win_covers(const mpii_win_t* win, uintptr_t address, uint32_t bytes) {
  for (const mpii_attached_t* piece = win->attached; piece != NULL; piece = piece->next) {
    const uintptr_t base = (uintptr_t)piece->base;
    if (address >= base && address - base <= piece->size && bytes <= piece->size - (address - base)) return true;
  }
  return false;
}

static int enter(const char* function, MPI_Win handle, mpii_win_t** win) {
  MPII_TRY(mpii_enter_win(function, handle, win));
  if ((*win)->flavor == MPI_WIN_FLAVOR_DYNAMIC) return MPI_SUCCESS;
  return mpii_fail((*win)->comm, MPI_ERR_RMA_FLAVOR, "the window is not of MPI_Win_create_dynamic()");
}

int PMPI_Win_attach(MPI_Win handle, void* base, MPI_Aint size) {
  mpii_win_t* win;
  MPII_TRY(enter("MPI_Win_attach", handle, &win));
  if (size < 0) return mpii_fail(win->comm, MPI_ERR_SIZE, "the size is %ld; it must be 0 or more", size);
  if (base == NULL && size != 0) {
    return mpii_fail(win->comm, MPI_ERR_BASE, "the base address of %ld bytes is a null pointer", size);
  }
  const uintptr_t first = (uintptr_t)base, end = first + (uintptr_t)size;
  for (const mpii_attached_t* piece = win->attached; piece != NULL; piece = piece->next) {
    const uintptr_t from = (uintptr_t)piece->base;
    if (first < from + piece->size && from < end) {
      return mpii_fail(win->comm, MPI_ERR_RMA_ATTACH, "some of the %ld bytes at %p are attached already", size, base);
    }
  }
  mpii_attached_t* piece = mpii_allocate(sizeof *piece);
  *piece = (mpii_attached_t){win->attached, base, (size_t)size};
  win->attached = piece;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_attach);

int PMPI_Win_detach(MPI_Win handle, const void* base) {
  mpii_win_t* win;
  MPII_TRY(enter("MPI_Win_detach", handle, &win));
  mpii_attached_t** place = &win->attached;
  while (*place != NULL && (*place)->base != base) place = &(*place)->next;
  if (*place == NULL) return mpii_fail(win->comm, MPI_ERR_RMA_ATTACH, "nothing is attached at %p", base);
  mpii_attached_t* piece = *place;
  *place = piece->next;
  free(piece);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_detach);
