// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Prints its arguments and TOROID_* variables; exits with 3.
int main(int argc, char** argv, char** envp) {
  printf("hello from %s\n", argv[0]);
  for (int i = 1; i < argc; ++i) printf("argument %d: %s\n", i, argv[i]);
  for (char** variable = envp; *variable != NULL; ++variable) printf("environment: %s\n", *variable);
  const char* value = getenv("TOROID_TEST");
  printf("TOROID_TEST is %s, %.3f\n", value != NULL ? value : "not set", argc * 1.5);
  char* block = malloc(3000000);
  if (block == NULL) return 1;
  memset(block, 7, 3000000);
  fprintf(stderr, "sum %d\n", block[0] + block[2999999]);
  free(block);
  return 3;
}
