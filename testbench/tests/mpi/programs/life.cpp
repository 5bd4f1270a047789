// SPDX-License-Identifier: Apache-2.0
// Conway's Game of Life on a torus of processes, with datatypes for rows, columns and the whole board.
#include <mpi.h>

#include <cstdlib>
#include <iostream>
#include <vector>

using namespace std;

class Board {
 public:
  Board(MPI_Comm comm, int n) : cart(comm), total(n) {
    int periods[2];
    MPI_Cart_get(cart, 2, dims, periods, coords);
    rows = total / dims[0];
    columns = total / dims[1];
    cells.resize((rows + 2) * (columns + 2));
    next = cells;
    MPI_Type_contiguous(columns, MPI_CHAR, &row_type);
    MPI_Type_vector(rows + 2, 1, columns + 2, MPI_CHAR, &column_type);
    int sizes[2] = {rows + 2, columns + 2}, inner[2] = {rows, columns}, starts[2] = {1, 1};
    MPI_Type_create_subarray(2, sizes, inner, starts, MPI_ORDER_C, MPI_CHAR, &inner_type);
    MPI_Type_commit(&row_type);
    MPI_Type_commit(&column_type);
    MPI_Type_commit(&inner_type);
  }
  ~Board() {
    MPI_Type_free(&row_type);
    MPI_Type_free(&column_type);
    MPI_Type_free(&inner_type);
  }
  void set(int x, int y) {
    x -= coords[0] * rows;
    y -= coords[1] * columns;
    if (x >= 0 && x < rows && y >= 0 && y < columns) at(x + 1, y + 1) = 1;
  }
  void step() {
    exchange();
    for (int i = 1; i <= rows; ++i) {
      for (int j = 1; j <= columns; ++j) {
        int n = -at(i, j);
        for (int di = -1; di <= 1; ++di)
          for (int dj = -1; dj <= 1; ++dj) n += at(i + di, j + dj);
        next[i * (columns + 2) + j] = n == 3 || (n == 2 && at(i, j));
      }
    }
    cells.swap(next);
  }
  vector<char> gather() {
    int rank, size;
    MPI_Comm_rank(cart, &rank);
    MPI_Comm_size(cart, &size);
    vector<char> all(rank == 0 ? total * total : 0);
    MPI_Request request;
    MPI_Isend(&cells[0], 1, inner_type, 0, 9, cart, &request);
    if (rank == 0) {
      for (int from = 0; from < size; ++from) {
        int place[2], sizes[2] = {total, total}, part[2] = {rows, columns};
        MPI_Datatype type;
        MPI_Cart_coords(cart, from, 2, place);
        int starts[2] = {place[0] * rows, place[1] * columns};
        MPI_Type_create_subarray(2, sizes, part, starts, MPI_ORDER_C, MPI_CHAR, &type);
        MPI_Type_commit(&type);
        MPI_Recv(&all[0], 1, type, from, 9, cart, MPI_STATUS_IGNORE);
        MPI_Type_free(&type);
      }
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return all;
  }

 private:
  char& at(int i, int j) { return cells[i * (columns + 2) + j]; }
  void exchange() {
    int up, down, left, right;
    MPI_Cart_shift(cart, 0, 1, &up, &down);
    MPI_Cart_shift(cart, 1, 1, &left, &right);
    MPI_Sendrecv(&at(rows, 1), 1, row_type, down, 1, &at(0, 1), 1, row_type, up, 1, cart, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&at(1, 1), 1, row_type, up, 2, &at(rows + 1, 1), 1, row_type, down, 2, cart, MPI_STATUS_IGNORE);
    // Whole columns, so that the corners come as well.
    MPI_Sendrecv(&at(0, columns), 1, column_type, right, 3, &at(0, 0), 1, column_type, left, 3, cart,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&at(0, 1), 1, column_type, left, 4, &at(0, columns + 1), 1, column_type, right, 4, cart,
                 MPI_STATUS_IGNORE);
  }
  MPI_Comm cart;
  int total, dims[2], coords[2], rows, columns;
  vector<char> cells, next;
  MPI_Datatype row_type, column_type, inner_type;
};

int main(int argc, char* argv[]) {
  MPI_Init(&argc, &argv);
  int size, rank, dims[2] = {0, 0}, periods[2] = {1, 1};
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Comm cart;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
  MPI_Comm_rank(cart, &rank);
  {
    const int n = 12;
    Board board(cart, n);
    // A glider; it is back where it was, one cell on, after four steps.
    const int glider[5][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};
    for (int i = 0; i < 5; ++i) board.set(glider[i][0], glider[i][1]);
    for (int step = 0; step < 4 * 10; ++step) board.step();
    vector<char> all = board.gather();
    if (rank == 0) {
      int alive = 0, right = 0;
      for (size_t i = 0; i < all.size(); ++i) alive += all[i];
      for (int i = 0; i < 5; ++i) right += all[(glider[i][0] + 10) % n * n + (glider[i][1] + 10) % n];
      cout << alive << " cells alive, " << right << " of the glider where it belongs" << endl;
    }
  }
  MPI_Comm_free(&cart);
  MPI_Finalize();
  return 0;
}
