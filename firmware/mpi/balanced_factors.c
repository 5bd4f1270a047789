// SPDX-License-Identifier: Apache-2.0
// A branch-and-bound search over the divisors of a number.
#include "firmware/mpi/balanced_factors.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  // A number below 2^31 has at most as many prime factors, and as many divisors, which 2,095,133,040 has.
  MAX_PRIMES = 30,
  MAX_DIVISORS = 1600,
  // Among more factors than that there are ones, of which the search needs only one.
  MAX_FACTORS = MAX_PRIMES + 1
};

typedef struct {
  uint32_t divisors[MAX_DIVISORS];  ///< ascending
  int divisor_count;
  int count;                      ///< of the factors
  uint32_t factors[MAX_FACTORS];  ///< those chosen so far
  uint32_t best[MAX_FACTORS];     ///< those of the least difference so far
  uint32_t difference;            ///< between the greatest and the least of them
} search_t;

static void add_prime(search_t* search, uint32_t prime, int exponent) {
  const int before = search->divisor_count;
  uint32_t power = 1;
  for (int e = 0; e < exponent; ++e) {
    power *= prime;
    for (int i = 0; i < before; ++i) search->divisors[search->divisor_count++] = search->divisors[i] * power;
  }
}

static int compare(const void* first, const void* second) {
  const uint32_t a = *(const uint32_t*)first, b = *(const uint32_t*)second;
  return (a > b) - (a < b);
}

static void find_divisors(search_t* search, uint32_t number) {
  search->divisors[0] = 1;
  search->divisor_count = 1;
  for (uint32_t prime = 2; prime * prime <= number; prime += prime == 2 ? 1 : 2) {
    int exponent = 0;
    for (; number % prime == 0; number /= prime) ++exponent;
    if (exponent != 0) add_prime(search, prime, exponent);
  }
  if (number != 1) add_prime(search, number, 1);
  qsort(search->divisors, (size_t)search->divisor_count, sizeof *search->divisors, compare);
}

/// base^exponent; where that is greater than `limit`, some number that is not less than `limit`.
static uint64_t power_up_to(uint32_t base, int exponent, uint32_t limit) {
  uint64_t power = 1;
  for (int i = 0; i < exponent && power < limit; ++i) power *= base;
  return power;
}

/// Whether the factors chosen are better than the best so far, from which they differ.
static bool is_better(const search_t* search) {
  int last = search->count - 1;
  const uint32_t difference = search->factors[0] - search->factors[last];
  if (difference != search->difference) return difference < search->difference;
  while (last > 0 && search->factors[last] == search->best[last]) --last;
  return search->factors[last] > search->best[last];
}

/// Choose the factors from number `at` on: their product is `rest`, and none is greater than `most`.
static void choose(search_t* search, int at, uint32_t rest, uint32_t most) {
  const int open = search->count - at;
  // The least that a factor may be in a product that is not worse than the best so far.
  const uint32_t greatest = at == 0 ? 0 : search->factors[0];
  const uint32_t least = greatest > search->difference ? greatest - search->difference : 1;
  if (open == 1) {
    if (rest < least || rest > most) return;
    search->factors[at] = rest;
    if (!is_better(search)) return;
    memcpy(search->best, search->factors, (size_t)search->count * sizeof *search->best);
    search->difference = search->factors[0] - rest;
    return;
  }
  for (int i = 0; i < search->divisor_count; ++i) {
    const uint32_t factor = search->divisors[i];
    // With this one as the greatest of those that are open, the others cannot be as great as they have to be.
    const uint32_t bound = at == 0 && factor > search->difference ? factor - search->difference : least;
    if (factor > most || power_up_to(bound, open - 1, rest) > rest / factor) return;
    if (power_up_to(factor, open, rest) < rest || rest % factor != 0) continue;
    search->factors[at] = factor;
    choose(search, at + 1, rest / factor, factor);
  }
}

void mpii_balanced_factors(int number, int count, int* factors) {
  search_t search;
  find_divisors(&search, (uint32_t)number);
  search.count = count < MAX_FACTORS ? count : MAX_FACTORS;
  search.difference = UINT32_MAX;
  choose(&search, 0, (uint32_t)number, (uint32_t)number);
  for (int i = 0; i < count; ++i) factors[i] = i < search.count ? (int)search.best[i] : 1;
}
