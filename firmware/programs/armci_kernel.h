// SPDX-License-Identifier: Apache-2.0
/// What the kernels on ARMCI share: arguments, processes in a rectangle, matrices in square tiles, and their end.
#ifndef TOROID_FIRMWARE_PROGRAMS_ARMCI_KERNEL_H
#define TOROID_FIRMWARE_PROGRAMS_ARMCI_KERNEL_H

#include <armci.h>
#include <message.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;
static int down, across;  ///< the processes' rectangle; the longer edge is across

static inline void kernel_begin(int* argc, char*** argv) {
  ARMCI_Init_args(argc, argv);
  rank = armci_msg_me();
  size = armci_msg_nproc();
  for (int i = 1; i * i <= size; ++i) {
    if (size % i == 0) down = i;
  }
  across = size / down;
}

/// Argument `place` as a number of `least` to `most`; the job ends with the usage otherwise.
static inline int kernel_argument(int argc, char** argv, int place, int otherwise, int least, int most,
                                  const char* usage) {
  if (place >= argc) return otherwise;
  char* end;
  const long value = strtol(argv[place], &end, 10);
  if (*argv[place] == 0 || *end != 0 || value < least || value > most) {
    if (rank == 0) fprintf(stderr, "%s\n", usage);
    ARMCI_Error((char*)"an argument is wrong", place);
  }
  return (int)value;
}

static inline void* kernel_memory(size_t bytes) {
  void* const memory = malloc(bytes);
  if (memory == NULL) ARMCI_Error((char*)"no memory", 1);
  return memory;
}

/// Zeros in each process, collectively; element i of the result is where they are in process i.
static inline void** kernel_shared(size_t bytes) {
  void** const parts = kernel_memory((size_t)size * sizeof *parts);
  if (ARMCI_Malloc(parts, (armci_size_t)bytes) != 0) ARMCI_Error((char*)"no memory that processes share", 1);
  __builtin_memset(parts[rank], 0, bytes);
  ARMCI_Barrier();
  return parts;
}

static inline void kernel_free(void** parts) {
  ARMCI_Barrier();
  ARMCI_Free(parts[rank]);
  free(parts);
}

/// The sum, or the highest, of all processes' values.
static inline double kernel_over_all(double value, const char* operation) {
  armci_msg_dgop(&value, 1, (char*)(size_t)operation);
  return value;
}

/// Whether all processes found it right.
static inline int kernel_agree(int right) {
  armci_msg_igop(&right, 1, (char*)"min");
  return right;
}

// Matrices of tiles x tiles tiles, each of edge x edge doubles by rows; tile (i, j) is in process
// (i mod down) * across + j mod across. ---------------------------------------------------------------------------

typedef struct {
  void** parts;
  int tiles, edge;
} kernel_matrix_t;

static inline int kernel_owner(int i, int j) {
  return i % down * across + j % across;
}

static inline double* kernel_tile(const kernel_matrix_t* matrix, int i, int j) {
  const int place = i / down * ((matrix->tiles + across - 1) / across) + j / across;
  return (double*)matrix->parts[kernel_owner(i, j)] + (size_t)place * (size_t)(matrix->edge * matrix->edge);
}

static inline int kernel_tile_bytes(const kernel_matrix_t* matrix) {
  return matrix->edge * matrix->edge * (int)sizeof(double);
}

static inline kernel_matrix_t kernel_matrix(int tiles, int edge) {
  kernel_matrix_t matrix = {.tiles = tiles, .edge = edge};
  const int most = ((tiles + down - 1) / down) * ((tiles + across - 1) / across);
  matrix.parts = kernel_shared((size_t)most * (size_t)kernel_tile_bytes(&matrix));
  return matrix;
}

/// Sets the own tiles.
static inline void kernel_fill(const kernel_matrix_t* matrix, double value(int row, int column)) {
  const int edge = matrix->edge;
  for (int i = rank / across; i < matrix->tiles; i += down) {
    for (int j = rank % across; j < matrix->tiles; j += across) {
      double* const tile = kernel_tile(matrix, i, j);
      for (int x = 0; x < edge * edge; ++x) tile[x] = value(i * edge + x / edge, j * edge + x % edge);
    }
  }
  ARMCI_Barrier();
}

/// Gets a tile; from the own memory as well.
static inline void kernel_get(const kernel_matrix_t* matrix, int i, int j, double* tile) {
  ARMCI_Get(kernel_tile(matrix, i, j), tile, kernel_tile_bytes(matrix), kernel_owner(i, j));
}

/// product += sign * left x right, of tiles.
static inline void kernel_multiply(int edge, double sign, const double* left, const double* right, double* product) {
  for (int i = 0; i < edge; ++i) {
    for (int k = 0; k < edge; ++k) {
      const double factor = sign * left[i * edge + k];
      for (int j = 0; j < edge; ++j) product[i * edge + j] += factor * right[k * edge + j];
    }
  }
}

#endif
