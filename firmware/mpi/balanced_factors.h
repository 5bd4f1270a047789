// SPDX-License-Identifier: Apache-2.0
/// What MPI_Dims_create() computes. For the library's own files.
#ifndef TOROID_FIRMWARE_MPI_BALANCED_FACTORS_H
#define TOROID_FIRMWARE_MPI_BALANCED_FACTORS_H

/// Write `number`, at least 1, as a product of `count` factors, at least one, the greatest first, that are as close to
/// each other as possible: the difference between the greatest and the least is the least possible; among the products
/// with that difference the least factor is the greatest possible, then the second least, and so on.
void mpii_balanced_factors(int number, int count, int* factors);

#endif
