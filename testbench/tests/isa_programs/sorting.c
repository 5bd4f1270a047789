// SPDX-License-Identifier: Apache-2.0
//
// qsort(), bsearch() and comparison functions.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
  unsigned key;
  char name[12];
  double weight;
};

static int by_key(const void* a, const void* b) {
  const unsigned x = ((const struct entry*)a)->key, y = ((const struct entry*)b)->key;
  return x < y ? -1 : x > y;
}
static int by_name(const void* a, const void* b) {
  return strcmp(((const struct entry*)a)->name, ((const struct entry*)b)->name);
}
static int by_weight(const void* a, const void* b) {
  const double x = ((const struct entry*)a)->weight, y = ((const struct entry*)b)->weight;
  return x < y ? -1 : x > y;
}

int main(void) {
  enum { COUNT = 2000 };
  static struct entry entries[COUNT];
  unsigned seed = 12345;
  for (unsigned i = 0; i < COUNT; ++i) {
    seed = seed * 1664525u + 1013904223u;
    entries[i].key = seed >> 4 << 11 | i;  // all differ
    snprintf(entries[i].name, sizeof entries[i].name, "n%u", seed % 1000003 * 2000 + i);
    entries[i].weight = (double)(seed % 10007) / 3 + i * 1e-6;
  }
  int (*const orders[])(const void*, const void*) = {by_key, by_name, by_weight};
  for (unsigned order = 0; order < 3; ++order) {
    qsort(entries, COUNT, sizeof entries[0], orders[order]);
    unsigned long sum = 0;
    for (unsigned i = 0; i < COUNT; ++i) {
      sum = (sum * 31 + entries[i].key) & 0xffffffff;
      if (i > 0 && orders[order](&entries[i - 1], &entries[i]) > 0) puts("out of order");
      const struct entry* const found = bsearch(&entries[i], entries, COUNT, sizeof entries[0], orders[order]);
      if (found == NULL || orders[order](found, &entries[i]) != 0) puts("not found");
    }
    printf("%lu %s %.6f\n", sum, entries[0].name, entries[COUNT - 1].weight);
  }
  return 0;
}
