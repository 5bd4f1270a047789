// SPDX-License-Identifier: Apache-2.0
// The memory of dynamic windows.
#include <stdlib.h>

#include "firmware/mpi/win.h"

bool bglmpi_win_covers(const bglmpi_win_t* win, uintptr_t address, uint32_t bytes) {
  for (const bglmpi_attached_t* piece = win->attached; piece != NULL; piece = piece->next) {
    const uintptr_t base = (uintptr_t)piece->base;
    if (address >= base && address - base <= piece->size && bytes <= piece->size - (address - base)) return true;
  }
  return false;
}

static int enter(const char* function, MPI_Win handle, bglmpi_win_t** win) {
  BGLMPI_TRY(bglmpi_enter_win(function, handle, win));
  if ((*win)->flavor == MPI_WIN_FLAVOR_DYNAMIC) return MPI_SUCCESS;
  return bglmpi_fail((*win)->comm, MPI_ERR_RMA_FLAVOR, "the window is not of MPI_Win_create_dynamic()");
}

int PMPI_Win_attach(MPI_Win handle, void* base, MPI_Aint size) {
  bglmpi_win_t* win;
  BGLMPI_TRY(enter("MPI_Win_attach", handle, &win));
  if (size < 0) return bglmpi_fail(win->comm, MPI_ERR_SIZE, "the size is %ld; it must be 0 or more", size);
  if (base == NULL && size != 0) {
    return bglmpi_fail(win->comm, MPI_ERR_BASE, "the base address of %ld bytes is a null pointer", size);
  }
  const uintptr_t first = (uintptr_t)base, end = first + (uintptr_t)size;
  for (const bglmpi_attached_t* piece = win->attached; piece != NULL; piece = piece->next) {
    const uintptr_t from = (uintptr_t)piece->base;
    if (first < from + piece->size && from < end) {
      return bglmpi_fail(win->comm, MPI_ERR_RMA_ATTACH, "some of the %ld bytes at %p are attached already", size, base);
    }
  }
  bglmpi_attached_t* piece = bglmpi_allocate(sizeof *piece);
  *piece = (bglmpi_attached_t){win->attached, base, (uint32_t)size};
  win->attached = piece;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Win_attach);

int PMPI_Win_detach(MPI_Win handle, const void* base) {
  bglmpi_win_t* win;
  BGLMPI_TRY(enter("MPI_Win_detach", handle, &win));
  bglmpi_attached_t** place = &win->attached;
  while (*place != NULL && (*place)->base != base) place = &(*place)->next;
  if (*place == NULL) return bglmpi_fail(win->comm, MPI_ERR_RMA_ATTACH, "nothing is attached at %p", base);
  bglmpi_attached_t* piece = *place;
  *place = piece->next;
  free(piece);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Win_detach);
