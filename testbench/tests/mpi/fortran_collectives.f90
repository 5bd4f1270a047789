! SPDX-License-Identifier: Apache-2.0
! Collective operations in Fortran: Fortran's datatypes, operations of the user, MPI_IN_PLACE, sub-communicators,
! groups, and topologies with their logicals.
module operations
  implicit none
contains
  subroutine greatest_magnitude(in, inout, length, datatype)
    integer :: length, datatype
    double precision :: in(length), inout(length)
    where (abs(in) > abs(inout)) inout = in
  end subroutine greatest_magnitude
end module operations

program fortran_collectives
  use mpi
  use operations
  implicit none
  integer :: ierr, rank, nproc, i, calls

  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, nproc, ierr)
  calls = 0
  call reductions()
  call own_operations()
  call data()
  call groups()
  call cartesian()
  call graph()
  call checks_end()

contains

  subroutine reductions()
    double precision :: x(3), y(3), pair(2), best(2)
    complex :: z, w
    logical :: mine, ours
    integer :: sums(4), whole(2), smallest(2)
    x = [rank, 1, -rank]
    call mpi_allreduce(x, y, 3, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
    call check(all(y == [nproc * (nproc - 1) / 2, nproc, -nproc * (nproc - 1) / 2]), 'MPI_ALLREDUCE of doubles')
    call mpi_allreduce(mpi_in_place, x, 3, mpi_double_precision, mpi_max, mpi_comm_world, ierr)
    call check(all(x == [nproc - 1, 1, 0]), 'MPI_IN_PLACE')
    z = (0., 1.)
    call mpi_reduce(z, w, 1, mpi_complex, mpi_prod, 0, mpi_comm_world, ierr)
    if (rank == 0) call check(w == z**nproc, 'a product of complex numbers')
    mine = rank == 0
    call mpi_allreduce(mine, ours, 1, mpi_logical, mpi_lor, mpi_comm_world, ierr)
    call check(ours .eqv. .true., 'MPI_LOR')
    call mpi_allreduce(mine, ours, 1, mpi_logical, mpi_land, mpi_comm_world, ierr)
    call check(ours .eqv. nproc == 1, 'MPI_LAND')
    pair = [dble(mod(rank * 7, nproc)), dble(rank)]
    call mpi_allreduce(pair, best, 1, mpi_2double_precision, mpi_maxloc, mpi_comm_world, ierr)
    call check(mod(nint(best(2)) * 7, nproc) == nint(best(1)), 'MPI_MAXLOC')
    whole = [-rank, rank]
    call mpi_allreduce(whole, smallest, 1, mpi_2integer, mpi_minloc, mpi_comm_world, ierr)
    call check(all(smallest == [1 - nproc, nproc - 1]), 'MPI_MINLOC')
    call mpi_scan(rank, sums, 1, mpi_integer, mpi_sum, mpi_comm_world, ierr)
    call check(sums(1) == rank * (rank + 1) / 2, 'MPI_SCAN')
    sums = rank
    if (rank == 0) then
      call mpi_reduce(mpi_in_place, sums, 4, mpi_integer, mpi_sum, 0, mpi_comm_world, ierr)
      call check(all(sums == nproc * (nproc - 1) / 2), 'MPI_REDUCE in place')
    else
      call mpi_reduce(sums, sums, 4, mpi_integer, mpi_sum, 0, mpi_comm_world, ierr)
    end if
  end subroutine reductions

  ! Reaches the main program's variables, so that it is called through code that the compiler puts on the stack.
  subroutine counted(in, inout, length, datatype)
    integer :: length, datatype, in(length), inout(length)
    calls = calls + 1
    inout = 10 * inout + in
    if (datatype /= mpi_integer) inout = -1
  end subroutine counted

  subroutine own_operations()
    integer :: op
    logical :: commutes
    double precision :: x(2), y(2)
    integer :: digits, all_digits
    call mpi_op_create(greatest_magnitude, .true., op, ierr)
    call mpi_op_commutative(op, commutes, ierr)
    call check(commutes .eqv. .true., 'MPI_OP_COMMUTATIVE')
    x = [-dble(rank), 1.d0]
    call mpi_allreduce(x, y, 2, mpi_double_precision, op, mpi_comm_world, ierr)
    call check(all(y == [-(nproc - 1.d0), 1.d0]), 'an operation of the user')
    call mpi_op_free(op, ierr)
    call check(op == mpi_op_null, 'MPI_OP_FREE')
    call mpi_op_create(counted, .false., op, ierr)
    call mpi_op_commutative(op, commutes, ierr)
    call check(commutes .eqv. .false., 'MPI_OP_COMMUTATIVE of another')
    digits = 1
    call mpi_reduce(digits, all_digits, 1, mpi_integer, op, 0, mpi_comm_world, ierr)
    if (rank == 0 .and. nproc < 3) call check(all_digits == (10**nproc - 1) / 9, 'an internal procedure')
    if (rank == 0 .and. nproc > 1) call check(calls > 0, 'calls of an internal procedure')
    call mpi_op_free(op, ierr)
  end subroutine own_operations

  subroutine data()
    integer :: table(3, 0:nproc - 1), mine(3), counts(0:nproc - 1), places(0:nproc - 1)
    integer :: triangle(nproc * (nproc + 1) / 2), own(nproc), at
    character(len=4) :: word
    word = merge('root', 'none', rank == nproc - 1)
    call mpi_bcast(word, 4, mpi_character, nproc - 1, mpi_comm_world, ierr)
    call check(word == 'root', 'MPI_BCAST')
    mine = [rank, 2 * rank, -1]
    call mpi_allgather(mine, 3, mpi_integer, table, 3, mpi_integer, mpi_comm_world, ierr)
    call check(all(table(2, :) == [(2 * i, i=0, nproc - 1)]), 'MPI_ALLGATHER')
    table = -5
    table(:, rank) = mine
    call mpi_allgather(mpi_in_place, 0, mpi_datatype_null, table, 3, mpi_integer, mpi_comm_world, ierr)
    call check(all(table(2, :) == [(2 * i, i=0, nproc - 1)]), 'MPI_ALLGATHER in place')
    counts = [(i + 1, i=0, nproc - 1)]
    places = [(i * (i + 1) / 2, i=0, nproc - 1)]
    own = rank
    call mpi_gatherv(own, rank + 1, mpi_integer, triangle, counts, places, mpi_integer, 0, mpi_comm_world, ierr)
    if (rank == 0) then
      do i = 0, nproc - 1
        call check(all(triangle(places(i) + 1:places(i) + counts(i)) == i), 'MPI_GATHERV')
      end do
    end if
    own = -1
    call mpi_scatterv(triangle, counts, places, mpi_integer, own, rank + 1, mpi_integer, 0, mpi_comm_world, ierr)
    call check(all(own(:rank + 1) == rank) .and. all(own(rank + 2:) == -1), 'MPI_SCATTERV')
    at = -1
    table(1, :) = [(rank * 100 + i, i=0, nproc - 1)]
    call mpi_alltoall(table(1, :), 1, mpi_integer, own, 1, mpi_integer, mpi_comm_world, ierr)
    call check(all(own == [(i * 100 + rank, i=0, nproc - 1)]), 'MPI_ALLTOALL')
    call mpi_barrier(mpi_comm_world, ierr)
    call check(ierr == mpi_success, 'MPI_BARRIER')
  end subroutine data

  subroutine groups()
    integer :: group, part, comm, ranges(3, 1), size, me, result, colour
    call mpi_comm_group(mpi_comm_world, group, ierr)
    ranges(:, 1) = [0, nproc - 1, 2]
    call mpi_group_range_incl(group, 1, ranges, part, ierr)
    call mpi_group_size(part, size, ierr)
    call check(size == (nproc + 1) / 2, 'MPI_GROUP_RANGE_INCL')
    call mpi_group_rank(part, me, ierr)
    call check(me == merge(rank / 2, mpi_undefined, mod(rank, 2) == 0), 'MPI_GROUP_RANK')
    call mpi_comm_create(mpi_comm_world, part, comm, ierr)
    call check((comm == mpi_comm_null) .eqv. mod(rank, 2) == 1, 'MPI_COMM_CREATE')
    if (comm /= mpi_comm_null) call mpi_comm_free(comm, ierr)
    call mpi_group_free(part, ierr)
    call mpi_group_free(group, ierr)
    call check(group == mpi_group_null, 'MPI_GROUP_FREE')
    colour = merge(mpi_undefined, mod(rank, 2), rank == nproc - 1 .and. nproc > 1)
    call mpi_comm_split(mpi_comm_world, colour, -rank, comm, ierr)
    if (colour == mpi_undefined) then
      call check(comm == mpi_comm_null, 'MPI_COMM_SPLIT without a colour')
    else
      call mpi_allreduce(1, size, 1, mpi_integer, mpi_sum, comm, ierr)
      call mpi_comm_rank(comm, me, ierr)
      call mpi_comm_compare(comm, mpi_comm_world, result, ierr)
      call check(result == mpi_unequal .or. nproc == 1, 'MPI_COMM_COMPARE')
      call check(me < size, 'MPI_COMM_SPLIT')
      call mpi_comm_free(comm, ierr)
    end if
  end subroutine groups

  subroutine cartesian()
    integer :: comm, line, dims(2), found(2), coords(2), back, low, high, length
    logical :: periods(2), remain(2), found_periods(2), inter
    dims = 0
    call mpi_dims_create(nproc, 2, dims, ierr)
    call check(product(dims) == nproc .and. dims(1) >= dims(2), 'MPI_DIMS_CREATE')
    periods = [.true., .false.]
    call mpi_cart_create(mpi_comm_world, 2, dims, periods, .false., comm, ierr)
    found_periods = [.false., .true.]
    call mpi_cart_get(comm, 2, found, found_periods, coords, ierr)
    call check(all(found == dims) .and. found_periods(1) .and. .not. found_periods(2), 'MPI_CART_GET')
    call check(found_periods(1) .eqv. .true., 'a logical of MPI_CART_GET')
    call mpi_cart_rank(comm, coords, back, ierr)
    call check(back == rank, 'MPI_CART_RANK')
    call mpi_cart_coords(comm, rank, 2, found, ierr)
    call check(all(found == coords), 'MPI_CART_COORDS')
    call mpi_cart_shift(comm, 1, 1, low, high, ierr)
    call check((high == mpi_proc_null) .eqv. coords(2) == dims(2) - 1, 'MPI_CART_SHIFT at an end')
    call mpi_cart_shift(comm, 0, 1, low, high, ierr)
    call check(high == modulo(coords(1) + 1, dims(1)) * dims(2) + coords(2), 'MPI_CART_SHIFT around')
    remain = [.false., .true.]
    call mpi_cart_sub(comm, remain, line, ierr)
    call mpi_comm_size(line, length, ierr)
    call check(length == dims(2), 'MPI_CART_SUB')
    call mpi_topo_test(line, length, ierr)
    call check(length == mpi_cart, 'MPI_TOPO_TEST')
    call mpi_comm_test_inter(line, inter, ierr)
    call check(inter .eqv. .false., 'MPI_COMM_TEST_INTER')
    call mpi_comm_free(line, ierr)
    call mpi_comm_free(comm, ierr)
  end subroutine cartesian

  ! A ring: the index counts edges from 1 in both languages, the edges are ranks.
  subroutine graph()
    integer :: comm, indices(nproc), edges(2 * nproc), nodes, count, neighbours(2)
    indices = [(2 * i, i=1, nproc)]
    edges = [(modulo(i - 1, nproc), modulo(i + 1, nproc), i=0, nproc - 1)]
    call mpi_graph_create(mpi_comm_world, nproc, indices, edges, .false., comm, ierr)
    call mpi_graphdims_get(comm, nodes, count, ierr)
    call check(nodes == nproc .and. count == 2 * nproc, 'MPI_GRAPHDIMS_GET')
    call mpi_graph_neighbors(comm, rank, 2, neighbours, ierr)
    call check(all(neighbours == [modulo(rank - 1, nproc), modulo(rank + 1, nproc)]), 'MPI_GRAPH_NEIGHBORS')
    call mpi_comm_free(comm, ierr)
  end subroutine graph
end program fortran_collectives

include 'checks.inc'
