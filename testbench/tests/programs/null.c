// SPDX-License-Identifier: Apache-2.0
// Stores through a null pointer.
#include <stddef.h>

static int* volatile target = NULL;

__attribute__((noinline)) void store_through_null(void) {
  *target = 1;
}

int main(void) {
  store_through_null();
  return 0;
}
