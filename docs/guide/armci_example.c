// SPDX-License-Identifier: Apache-2.0
// Each process puts a patch of its own matrix into that of the next process, and adds another one to it.
#include <armci.h>
#include <message.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 8, COLUMNS = 6, PATCH_ROWS = 3, PATCH_COLUMNS = 2 };

int main(void) {
  ARMCI_Init();
  const int rank = armci_msg_me(), size = armci_msg_nproc(), next = (rank + 1) % size;

  // [memory]
  void** const matrices = malloc((size_t)size * sizeof *matrices);
  if (ARMCI_Malloc(matrices, ROWS * COLUMNS * sizeof(double)) != 0) ARMCI_Error((char*)"no memory", 1);
  double* const own = matrices[rank];
  for (int i = 0; i < ROWS * COLUMNS; ++i) own[i] = 0;
  ARMCI_Barrier();  // all matrices are zero
  // [end]

  // [patch]
  double patch[PATCH_ROWS][PATCH_COLUMNS];
  for (int i = 0; i < PATCH_ROWS * PATCH_COLUMNS; ++i) patch[0][i] = rank + 1;
  double* const there = (double*)matrices[next] + 4 * COLUMNS + 1;  // row 4, column 1
  int near = sizeof patch[0], far = COLUMNS * sizeof(double);       // from one row to the next
  int count[2] = {sizeof patch[0], PATCH_ROWS};
  ARMCI_PutS(patch, &near, there, &far, count, 1, next);
  // [end]

  // [accumulate]
  double scale = 10;
  armci_hdl_t handle;
  ARMCI_INIT_HANDLE(&handle);
  ARMCI_NbAccS(ARMCI_ACC_DBL, &scale, patch, &near, there, &far, count, 1, next, &handle);
  ARMCI_Wait(&handle);  // the patch may be changed,
  ARMCI_Barrier();      // and everything is where it belongs
  // [end]

  const int before = (rank + size - 1) % size;
  int right = own[4 * COLUMNS + 1] == 11 * (before + 1) && own[6 * COLUMNS + 2] == 11 * (before + 1) && own[0] == 0;
  armci_msg_igop(&right, 1, (char*)"min");
  if (rank == 0) printf("%d processes: %s\n", size, right ? "right" : "wrong");
  ARMCI_Barrier();
  ARMCI_Free(own);
  free(matrices);
  ARMCI_Finalize();
  return !right;
}
