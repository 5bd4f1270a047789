// SPDX-License-Identifier: Apache-2.0
//
// Functions of the C library for bytes, at all alignments.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 600 };
static char a[SIZE], b[SIZE];

int main(void) {
  unsigned long sum = 0;
  for (unsigned from = 0; from < 20; ++from) {
    for (unsigned to = 0; to < 20; ++to) {
      for (unsigned length = 0; length < 130; length += 1 + length / 9) {
        for (unsigned i = 0; i < SIZE; ++i) a[i] = (char)('a' + (i * 7 + from) % 26), b[i] = '.';
        memcpy(b + to, a + from, length);
        b[to + length] = 0;
        sum = sum * 31 + strlen(b + to);
        sum += (unsigned long)(memcmp(b + to, a + from, length) == 0);
        memmove(a + from + 3, a + from, length);
        memmove(a + to, a + to + 5, length);
        const char* const found = memchr(a, 'q', from + length + 1);
        sum = (sum * 31 + (found == NULL ? 77u : (unsigned long)(found - a))) & 0xffffffff;
        memset(a + from, 'z', length / 2);
        sum += strspn(a + from, "z") + strcspn(a, "z");
        const int order = strncmp(a + from, b + to, length);
        sum += order < 0 ? 1 : order > 0 ? 2 : 3;
      }
    }
  }
  char text[200];
  snprintf(text, sizeof text, "%-8s|%8s|%+d|%#x|%05d|%.3f|%e|%c|%%|%lld", "left", "right", 42, 255, -42, 3.14159, 1e-7,
           'x', -1234567890123ll);
  puts(text);
  int whole, count;
  double fraction;
  char word[20];
  count = sscanf("17 2.5 hello", "%d %lf %19s", &whole, &fraction, word);
  printf("%d %d %g %s %ld %g\n", count, whole, fraction, word, strtol("-0x1f", NULL, 0), strtod("1e3", NULL));
  for (char* part = strtok(strcpy(text, "a,b;;c"), ",;"); part != NULL; part = strtok(NULL, ",;")) printf("[%s]", part);
  printf(" %lu\n", sum & 0xffffffff);
  return 0;
}
