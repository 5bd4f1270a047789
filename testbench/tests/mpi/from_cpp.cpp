// SPDX-License-Identifier: Apache-2.0
// MPI from C++: mpi.h as every C++ from 98 on compiles it, with classes, containers and functions of C++ as MPI's.
#include <mpi.h>

#include <algorithm>
#include <complex>
#include <iostream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

typedef std::complex<double> Complex;

static int failures, rank, size;

static void check(bool right, const std::string& what) {
  if (right) return;
  std::cerr << "rank " << rank << ": " << what << '\n';
  ++failures;
}

template <class T>
struct Datatype;
template <>
struct Datatype<int> {
  static MPI_Datatype get() { return MPI_INT; }
};
template <>
struct Datatype<double> {
  static MPI_Datatype get() { return MPI_DOUBLE; }
};
template <>
struct Datatype<Complex> {
  static MPI_Datatype get() { return MPI_CXX_DOUBLE_COMPLEX; }
};

template <class T>
static std::vector<T> around_the_ring(const std::vector<T>& out) {
  std::vector<T> in(out.size());
  MPI_Sendrecv(&out[0], static_cast<int>(out.size()), Datatype<T>::get(), (rank + 1) % size, 1, &in[0],
               static_cast<int>(in.size()), Datatype<T>::get(), (rank + size - 1) % size, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  return in;
}

struct Particle {
  double position[3];
  int charge;
  bool alive;
};

static MPI_Datatype particle_type() {
  Particle model;
  int lengths[] = {3, 1, 1};
  MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT, MPI_CXX_BOOL};
  MPI_Aint base, places[3];
  MPI_Get_address(&model, &base);
  MPI_Get_address(model.position, &places[0]);
  MPI_Get_address(&model.charge, &places[1]);
  MPI_Get_address(&model.alive, &places[2]);
  for (int i = 0; i < 3; ++i) places[i] -= base;
  MPI_Datatype plain, made;
  MPI_Type_create_struct(3, lengths, places, types, &plain);
  MPI_Type_create_resized(plain, 0, sizeof(Particle), &made);
  MPI_Type_commit(&made);
  MPI_Type_free(&plain);
  return made;
}

static void throwing(MPI_Comm*, int* code, ...) {
  int error_class;
  MPI_Error_class(*code, &error_class);
  throw std::runtime_error(error_class == MPI_ERR_RANK ? "rank" : "other");
}

static void longest(void* in, void* inout, int* length, MPI_Datatype*) {
  const Complex* first = static_cast<Complex*>(in);
  Complex* second = static_cast<Complex*>(inout);
  for (int i = 0; i < *length; ++i) {
    if (std::abs(first[i]) > std::abs(second[i])) second[i] = first[i];
  }
}

static int forget(MPI_Comm, int, void* value, void* extra) {
  static_cast<std::vector<int>*>(extra)->push_back(*static_cast<int*>(value));
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int previous = (rank + size - 1) % size;

  check(around_the_ring(std::vector<int>(5, rank)) == std::vector<int>(5, previous), "integers");
  check(around_the_ring(std::vector<Complex>(2, Complex(rank, 1)))[1] == Complex(previous, 1), "complex numbers");

  MPI_Datatype type = particle_type();
  std::vector<Particle> out(4), in(4);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].position[2] = rank + 0.5;
    out[i].charge = static_cast<int>(i);
    out[i].alive = i % 2 == 0;
  }
  MPI_Request requests[2];
  MPI_Irecv(&in[0], 4, type, previous, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&out[0], 4, type, (rank + 1) % size, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  check(in[3].position[2] == previous + 0.5 && in[3].charge == 3 && in[2].alive && !in[3].alive, "structures");
  MPI_Type_free(&type);

  MPI_Op op;
  MPI_Op_create(longest, 1, &op);
  Complex mine(0, -rank), all;
  MPI_Allreduce(&mine, &all, 1, MPI_CXX_DOUBLE_COMPLEX, op, MPI_COMM_WORLD);
  check(all == Complex(0, 1 - size), "an operation of the user");
  MPI_Op_free(&op);

  MPI_Comm comm;
  MPI_Errhandler handler;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler(throwing, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  bool caught = false;
  try {
    MPI_Send(&rank, 1, MPI_INT, 100000, 0, comm);
  } catch (const std::runtime_error& error) {
    caught = error.what() == std::string("rank");
  }
  check(caught, "an exception from an error handler");
  MPI_Errhandler_free(&handler);

  std::vector<int> forgotten;
  int key, value = 42;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key, &forgotten);
  MPI_Comm_set_attr(comm, key, &value);
  MPI_Comm_free(&comm);
  check(forgotten.size() == 1 && forgotten[0] == 42, "a delete function");
  MPI_Comm_free_keyval(&key);

  int sum = 0;
  MPI_Allreduce(&failures, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) std::cout << (sum == 0 ? "ok" : "failed") << std::endl;
  MPI_Finalize();
  return failures != 0;
}
