! SPDX-License-Identifier: Apache-2.0
!
! Fortran: arrays, modules, derived types, complex numbers, formatted input and output.
module shapes
  implicit none
  type :: point
    real(8) :: x = 0, y = 0
  contains
    procedure :: length
  end type point
  interface operator(+)
    module procedure add
  end interface
contains
  pure real(8) function length(this)
    class(point), intent(in) :: this
    length = sqrt(this%x**2 + this%y**2)
  end function length
  pure type(point) function add(a, b)
    type(point), intent(in) :: a, b
    add = point(a%x + b%x, a%y + b%y)
  end function add
  recursive integer function factorial(n) result(value)
    integer, intent(in) :: n
    value = 1
    if (n > 1) value = n*factorial(n - 1)
  end function factorial
end module shapes

program arrays
  use shapes
  implicit none
  real(8), allocatable :: matrix(:, :), other(:, :)
  integer :: i, j, parts(3)
  integer(8) :: wide
  complex(8) :: z
  type(point) :: sum
  character(len=40) :: text
  allocate (matrix(6, 5), other(5, 6))
  do j = 1, 5
    do i = 1, 6
      matrix(i, j) = mod(i*7 + j*3, 11) - 5
      other(j, i) = mod(i*5 + j, 13) - 6
    end do
  end do
  print '(a,3f10.3)', 'products ', sum_of(matmul(matrix, other)), dot_product(matrix(:, 2), other(3, :)), &
    maxval(matrix, mask=matrix < 4)
  print '(a,5i4)', 'counts ', count(matrix > 0, dim=1)
  print '(a,9f6.1)', 'rows ', pack(matrix(2:6:2, 1:5:2), matrix(2:6:2, 1:5:2) /= 0)
  print '(a,3i4)', 'places ', maxloc(matrix), size(reshape(matrix, [10, 3]))
  z = exp((0d0, 1d0)*0.7d0)*(2d0, 3d0)/(1d0, -1d0)
  print '(a,2f12.8)', 'complex ', z
  sum = point(3, 0) + point(0, 4)
  wide = huge(wide)/3
  print '(a,f5.2,i6,i22)', 'type ', sum%length(), factorial(7), wide
  write (text, '(3i5,f8.3)') 7, 8, 9, 2.5
  read (text, '(3i5)') parts
  print '(a,i4,1x,a)', 'text ', parts(1)*parts(2) + parts(3), trim(adjustl(text(16:)))
  where (matrix > 0)
    matrix = sqrt(matrix)
  elsewhere
    matrix = -1
  end where
  print '(a,f12.6)', 'where ', sum_of(matrix)
  open (unit=10, file='isa_programs.dat', form='unformatted', access='stream', status='replace')
  write (10) matrix(:, 1), 12345
  close (10)
  open (unit=11, file='isa_programs.dat', form='unformatted', access='stream', status='old')
  read (11) other(:, 1), other(1, 2), i
  close (11, status='delete')
  print '(a,f12.6,i8)', 'file ', sum_of(other(:, 1:1)), i
contains
  real(8) function sum_of(values)
    real(8), intent(in) :: values(:, :)
    sum_of = sum_all(size(values), values)
  end function sum_of
  real(8) function sum_all(n, values)
    integer, intent(in) :: n
    real(8), intent(in) :: values(n)
    integer :: k
    sum_all = 0
    do k = 1, n
      sum_all = sum_all + values(k)*mod(k, 3)
    end do
  end function sum_all
end program arrays
