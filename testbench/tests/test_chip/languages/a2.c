// SPDX-License-Identifier: Apache-2.0
//
// What 64-bit PowerPC has and other instruction sets have not: the time base, a line of 64 bytes, waiting,
// reservations, four doubles at a time, structures of 64 bits.
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static unsigned failures;

static void expect(int good, const char* what) {
  if (good) return;
  failures += 1;
  printf("not true: %s\n", what);
}

static void lines(void) {
  static char bytes[320] __attribute__((aligned(64)));
  memset(bytes, 7, sizeof bytes);
  __asm__ volatile("dcbz 0,%0" : : "r"(bytes + 133) : "memory");
  unsigned zeros = 0;
  for (unsigned i = 0; i < sizeof bytes; ++i) zeros += bytes[i] == 0;
  expect(zeros == 64 && bytes[128] == 0 && bytes[191] == 0, "dcbz clears the line of 64 bytes and no other");
  expect(getauxval(AT_DCACHEBSIZE) == 64, "programs know the line");
  expect((getauxval(AT_HWCAP) & 0x10000080) == 0, "neither AltiVec nor VSX");
}

static void times(void) {
  uint64_t first = 0, second = 0;
  __asm__ volatile("mftb %0" : "=r"(first));
  for (volatile int i = 0; i < 1000; ++i) {
  }
  __asm__ volatile("mfspr %0,268" : "=r"(second));
  expect(second - first >= 1000 && second - first < 1000000, "the time base counts cycles");
  __asm__ volatile("wait; .long 0x7c20007c; .long 0x7c40007c; or 1,1,1; or 6,6,6; or 2,2,2; .long 0x7c2006ac");
}

static void reservations(void) {
  uint64_t word = 5, old = 0;
  uint32_t done = 0;
  __asm__ volatile("1: ldarx %0,0,%2; addi 9,%0,37; stdcx. 9,0,%2; bne- 1b; mfcr %1"
                   : "=&r"(old), "=r"(done)
                   : "r"(&word)
                   : "r9", "cr0", "memory");
  expect(old == 5 && word == 42, "a reservation holds");
  __asm__ volatile("stdcx. %1,0,%2; mfcr %0" : "=r"(done) : "r"((uint64_t)1), "r"(&word) : "cr0", "memory");
  expect(word == 42 && (done & 0x20000000) == 0, "and is used up");
}

/// Words of the quad processing extension, of which the assembler knows none: registers 1 to 4.
#define FOUR(primary, t, a, b, c, extended) \
  ".long " #primary "<<26|" #t "<<21|" #a "<<16|" #b "<<11|" #c "<<6|" #extended "<<1\n"

static void fours(void) {
  static double first[8] __attribute__((aligned(32))) = {1, -2, 0.5, INFINITY, 9, 9, 9, 9};
  static double second[4] __attribute__((aligned(32))) = {2, -3, -0.0, -INFINITY};
  static double sum[4] __attribute__((aligned(32))), less[4] __attribute__((aligned(32))),
      greater[4] __attribute__((aligned(32))), chosen[4] __attribute__((aligned(32)));
  register double* a __asm__("r14") = first;
  register double* b __asm__("r15") = second;
  register double* s __asm__("r16") = sum;
  register double* l __asm__("r17") = less;
  register double* g __asm__("r18") = greater;
  register double* c __asm__("r19") = chosen;
  register uint64_t by __asm__("r20") = 32 + 8;  // the address is rounded down, what is written back is not
  register double* moved __asm__("r21") = first - 4;
  __asm__ volatile(FOUR(31, 1, 21, 20, 0, 615)  // qvlfdux f1,r21,r20
                   FOUR(31, 2, 0, 15, 0, 583)   // qvlfdx f2,0,r15
                   FOUR(4, 3, 1, 2, 0, 21)      // qvfadd f3,f1,f2
                   FOUR(31, 3, 0, 16, 0, 711)   // qvstfdx f3,0,r16
                   FOUR(4, 3, 1, 2, 0, 96)      // qvfcmplt f3,f1,f2
                   FOUR(31, 3, 0, 17, 0, 711)   //
                   FOUR(4, 3, 1, 2, 0, 32)      // qvfcmpgt f3,f1,f2
                   FOUR(31, 3, 0, 18, 0, 711)   //
                   FOUR(4, 4, 0, 3, 0, 72)      // qvfmr f4,f3
                   FOUR(4, 3, 4, 2, 1, 23)      // qvfsel f3,f4,f1,f2
                   FOUR(31, 3, 0, 19, 0, 711)
                   : "+r"(moved)
                   : "r"(a), "r"(b), "r"(s), "r"(l), "r"(g), "r"(c), "r"(by)
                   : "fr1", "fr2", "fr3", "fr4", "memory");
  expect(moved == first + 1, "the sum is written back");
  expect(sum[0] == 3 && sum[1] == -5 && sum[2] == 0.5 && isnan(sum[3]) && !signbit(sum[3]), "sums");
  expect(less[0] == 1 && less[1] == -1 && less[2] == -1 && less[3] == -1, "less");
  expect(greater[0] == -1 && greater[1] == 1 && greater[2] == 1 && greater[3] == 1, "greater");
  expect(chosen[0] == 2 && chosen[1] == -2 && chosen[2] == 0.5 && chosen[3] == INFINITY, "the chosen");
}

static void structures(void) {
  const int file = open("words", O_RDWR | O_CREAT | O_TRUNC, 0600);
  const struct iovec pieces[2] = {{"six by", 6}, {" nine\n", 6}};
  expect(writev(file, pieces, 2) == 12, "pieces are written");
  struct stat status;
  expect(fstat(file, &status) == 0 && status.st_size == 12 && S_ISREG(status.st_mode) && status.st_nlink == 1, "stat");
  char text[8] = "";
  expect(pread(file, text, 4, 7) == 4 && strcmp(text, "nine") == 0, "an offset in one register");
  expect(lseek(file, INT64_C(1) << 33, SEEK_SET) == INT64_C(1) << 33, "an offset in two");
  expect(ftruncate(file, INT64_C(1) << 33) == 0 && fstat(file, &status) == 0 && status.st_size == INT64_C(1) << 33,
         "a size of more than 32 bits");
  close(file);
}

int main(void) {
  lines();
  times();
  reservations();
  fours();
  structures();
  printf("%u failures\n", failures);
  return failures != 0;
}
