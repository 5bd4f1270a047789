/* SPDX-License-Identifier: Apache-2.0 */
/* All ranks write 64 pieces of 32 bytes each, dealt out in turn, and read them again: collectively, with the value of
 * romio_cb_write and romio_cb_read that the argument says. Rank 0 prints "right" where all is as it was written. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { PIECE = 32, PIECES = 64 };

int main(int argc, char** argv) {
  int rank, size, right, all;
  static unsigned char data[PIECE * PIECES], again[PIECE * PIECES];
  MPI_File file;
  MPI_Info info;
  MPI_Datatype piece, turns;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Info_create(&info);
  MPI_Info_set(info, "romio_cb_write", argv[1]);
  MPI_Info_set(info, "romio_cb_read", argv[1]);
  for (int i = 0; i < PIECE * PIECES; ++i) data[i] = (unsigned char)(rank * 31 + i * 7);
  MPI_Type_contiguous(PIECE, MPI_BYTE, &piece);
  MPI_Type_create_resized(piece, 0, PIECE * size, &turns);
  MPI_Type_commit(&turns);
  MPI_File_open(MPI_COMM_WORLD, "turns.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file);
  MPI_File_set_view(file, rank * PIECE, MPI_BYTE, turns, "native", MPI_INFO_NULL);
  MPI_File_write_all(file, data, sizeof data, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_read_at_all(file, 0, again, sizeof again, MPI_BYTE, MPI_STATUS_IGNORE);
  right = memcmp(data, again, sizeof data) == 0;
  MPI_Reduce(&right, &all, 1, MPI_INT, MPI_LAND, 0, MPI_COMM_WORLD);
  if (rank == 0 && all) printf("right\n");
  MPI_Info_free(&info);
  MPI_Type_free(&piece);
  MPI_Type_free(&turns);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
