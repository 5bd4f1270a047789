// SPDX-License-Identifier: Apache-2.0
//
// Random accesses of all sizes and alignments to watched pages, which are a device window of the cores, and the same to
// ordinary memory: what each load gives, and what all have left at the end, must be the same. `accesses COUNT SEED`.
//
// The window lies between ordinary pages, and accesses reach over both of its edges.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/tests/test_chip/driver.h"

enum { PAGE = 4096, WINDOW = 4 * PAGE, AROUND = PAGE, BYTES = WINDOW + 2 * AROUND, MOST = 64 };

static uint8_t device[BYTES] __attribute__((aligned(4096))), plain[BYTES] __attribute__((aligned(4096)));
static uint64_t seed;

static uint64_t next(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return seed >> 17 ^ seed;
}

/// Accesses with `value` at `at`: stores or exchanges, or loads into `value`, which has room for MOST bytes.
typedef struct {
  const char* name;
  unsigned bytes, alignment;
  void (*access)(uint8_t* at, uint8_t* value);
} kind;

#define ACCESS(name) static void name(uint8_t* at, uint8_t* value)
#define PLAIN(type)                          \
  ACCESS(load_##type) {                      \
    const type read = *(volatile type*)at;   \
    memcpy(value, &read, sizeof read);       \
  }                                          \
  ACCESS(store_##type) {                     \
    type written;                            \
    memcpy(&written, value, sizeof written); \
    *(volatile type*)at = written;           \
  }
PLAIN(uint8_t)
PLAIN(uint16_t)
PLAIN(uint32_t)
PLAIN(uint64_t)
PLAIN(double)

ACCESS(exchange_word) {
  uint32_t written;
  memcpy(&written, value, sizeof written);
  written = __atomic_exchange_n((uint32_t*)at, written, __ATOMIC_SEQ_CST);
  memcpy(value, &written, sizeof written);
}

#if defined(__x86_64__)
#define LOAD(name, text)                                                                       \
  ACCESS(name) {                                                                               \
    __asm__ volatile(text "; movups %%xmm1, (%1)" : : "r"(at), "r"(value) : "xmm1", "memory"); \
  }
#define STORE(name, text)                                                                      \
  ACCESS(name) {                                                                               \
    __asm__ volatile("movups (%1), %%xmm1; " text : : "r"(at), "r"(value) : "xmm1", "memory"); \
  }
LOAD(movups, "movups (%0), %%xmm1")
LOAD(movaps, "movaps (%0), %%xmm1")
LOAD(lddqu, "lddqu (%0), %%xmm1")
LOAD(movq, "movq (%0), %%xmm1")
LOAD(movss, "movss (%0), %%xmm1")
STORE(movups_to, "movups %%xmm1, (%0)")
STORE(movaps_to, "movaps %%xmm1, (%0)")
STORE(movntdq_to, "movntdq %%xmm1, (%0); sfence")
STORE(movhps_to, "movhps %%xmm1, (%0)")
STORE(movss_to, "movss %%xmm1, (%0)")
ACCESS(movnti_to) {
  __asm__ volatile("movnti %1, (%0); sfence" : : "r"(at), "r"(*(uint64_t*)value) : "memory");
}
ACCESS(fld) {
  __asm__ volatile("fldt (%0); fstpt (%1)" : : "r"(at), "r"(value) : "memory");
}
ACCESS(fst) {
  __asm__ volatile("fldt (%1); fstpt (%0)" : : "r"(at), "r"(value) : "memory");
}
ACCESS(copy_to) {
  uint64_t count = 29;
  __asm__ volatile("rep movsb" : "+D"(at), "+S"(value), "+c"(count) : : "memory");
}
ACCESS(copy_from) {
  uint64_t count = 6;
  __asm__ volatile("rep movsq" : "+D"(value), "+S"(at), "+c"(count) : : "memory");
}
ACCESS(fill) {
  uint64_t count = 5;
  __asm__ volatile("rep stosl" : "+D"(at), "+c"(count) : "a"(*(uint32_t*)value) : "memory");
}
ACCESS(add_locked) {
  __asm__ volatile("lock xaddw %%cx, (%0)" : : "r"(at), "c"(*(uint16_t*)value) : "memory");
}
ACCESS(exchange_two) {
  uint64_t* const words = (uint64_t*)value;
  __asm__ volatile("lock cmpxchg16b (%2)"
                   : "+a"(words[0]), "+d"(words[1])
                   : "r"(at), "b"(words[2]), "c"(words[3])
                   : "memory");
}
ACCESS(masked) {
  __asm__ volatile("movups (%1), %%xmm1; movups 16(%1), %%xmm2; maskmovdqu %%xmm2, %%xmm1"
                   :
                   : "D"(at), "r"(value)
                   : "xmm1", "xmm2", "memory");
}
#define OWN                                                                                                 \
  {"movups", 16, 1, movups}, {"movaps", 16, 16, movaps}, {"lddqu", 16, 1, lddqu}, {"movq", 8, 1, movq},     \
      {"movss", 4, 1, movss}, {"movups to", 16, 1, movups_to}, {"movaps to", 16, 16, movaps_to},            \
      {"movntdq", 16, 16, movntdq_to}, {"movhps", 8, 1, movhps_to}, {"movss to", 4, 1, movss_to},           \
      {"movnti", 8, 1, movnti_to}, {"fld", 10, 1, fld}, {"fst", 10, 1, fst}, {"rep movsb", 29, 1, copy_to}, \
      {"rep movsq", 48, 1, copy_from}, {"rep stosl", 20, 1, fill}, {"xadd", 2, 1, add_locked},              \
      {"cmpxchg16b", 16, 16, exchange_two}, {"maskmovdqu", 16, 1, masked},
#define EXCHANGE_ALIGNMENT 1
#else
/// r4 has the address, r5 the value's, r6 is 0, r7 4; other registers belong to whoever names them.
#define CODE(name, text)                                                                      \
  ACCESS(name) {                                                                              \
    register uint8_t* where __asm__("r4") = at;                                               \
    register uint8_t* what __asm__("r5") = value;                                             \
    register unsigned long zero __asm__("r6") = 0;                                            \
    __asm__ volatile(text                                                                     \
                     : "+r"(where), "+r"(what), "+r"(zero)                                    \
                     :                                                                        \
                     : "r7", "r8", "r9", "r28", "r29", "r30", "r31", "fr1", "cr0", "memory"); \
  }
CODE(lwbrx, "lwbrx 8,6,4; stw 8,0(5)")
CODE(stwbrx, "lwz 8,0(5); stwbrx 8,6,4")
CODE(lhbrx, "lhbrx 8,6,4; stw 8,0(5)")
CODE(sthbrx, "lwz 8,0(5); sthbrx 8,6,4")
CODE(lha, "lha 8,0(4); stw 8,0(5)")
CODE(lwzux, "li 7,4; lwzux 8,4,7; stw 8,0(5)")
CODE(stwu, "lwz 8,0(5); stwu 8,4(4)")
CODE(lfs, "lfs 1,0(4); stfs 1,0(5)")
CODE(stfs, "lfs 1,0(5); stfs 1,0(4)")
CODE(lfdu, "lfdu 1,8(4); stfd 1,0(5)")
CODE(stfdx, "lfd 1,0(5); stfdx 1,6,4")
CODE(stfiwx, "lfd 1,0(5); stfiwx 1,6,4")
#define BOTH                                                                                                      \
  {"lwbrx", 4, 4, lwbrx}, {"stwbrx", 4, 4, stwbrx}, {"lhbrx", 2, 2, lhbrx}, {"sthbrx", 2, 2, sthbrx},             \
      {"lha", 2, 1, lha}, {"lwzux", 8, 1, lwzux}, {"stwu", 8, 1, stwu}, {"lfs", 4, 4, lfs}, {"stfs", 4, 4, stfs}, \
      {"lfdu", 16, 4, lfdu}, {"stfdx", 8, 4, stfdx}, {"stfiwx", 4, 4, stfiwx},
#if defined(__powerpc64__)
CODE(ldbrx, ".long 0x7d062428; std 8,0(5)")
CODE(stdbrx, "ld 8,0(5); .long 0x7d062528")
CODE(lwa, "lwa 8,0(4); std 8,0(5)")
CODE(ldu, "ldu 8,8(4); std 8,0(5)")
CODE(stdux, "li 7,8; ld 8,0(5); stdux 8,4,7")
CODE(exchange_double, "ld 8,0(5); 1: ldarx 9,0,4; stdcx. 8,0,4; bne- 1b; std 9,0(5)")
CODE(qvlfdx, ".long 0x7c26248e; .long 0x7c262d8e")  // from r4 to r5: qvlfdx 1,6,4; qvstfdx 1,6,5
CODE(qvstfdx, ".long 0x7c262c8e; .long 0x7c26258e")
#define OWN                                                                                      \
  BOTH{"ldbrx", 8, 4, ldbrx}, {"stdbrx", 8, 4, stdbrx}, {"lwa", 4, 1, lwa}, {"ldu", 16, 1, ldu}, \
      {"stdux", 16, 1, stdux}, {"ldarx", 8, 8, exchange_double}, {"qvlfdx", 32, 32, qvlfdx},     \
      {"qvstfdx", 32, 32, qvstfdx},
#else
CODE(lmw, "lmw 28,0(4); stmw 28,0(5)")
CODE(stmw, "lmw 28,0(5); stmw 28,0(4)")
#define OWN BOTH{"lmw", 16, 4, lmw}, {"stmw", 16, 4, stmw},
#endif
#define EXCHANGE_ALIGNMENT 4
#endif

static const kind kinds[] = {{"byte", 1, 1, load_uint8_t},
                             {"byte to", 1, 1, store_uint8_t},
                             {"half", 2, 1, load_uint16_t},
                             {"half to", 2, 1, store_uint16_t},
                             {"word", 4, 1, load_uint32_t},
                             {"word to", 4, 1, store_uint32_t},
                             {"doubleword", 8, 1, load_uint64_t},
                             {"doubleword to", 8, 1, store_uint64_t},
                             {"double", 8, 4, load_double},
                             {"double to", 8, 4, store_double},
                             {"exchange", 4, EXCHANGE_ALIGNMENT, exchange_word},
                             OWN};

/// Half of the places are near an edge of the window.
static unsigned place(const kind* chosen) {
  const uint64_t made = next();
  unsigned at = (unsigned)(made >> 8) % (BYTES - 2 * MOST) + MOST;
  if (made % 4 == 0) at = AROUND - MOST + (unsigned)(made >> 8) % (2 * MOST);
  if (made % 4 == 1) at = AROUND + WINDOW - MOST + (unsigned)(made >> 8) % MOST;
  return at / chosen->alignment * chosen->alignment;
}

int main(int argc, char** argv) {
  const unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
  seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
  if (copier_watch(device + AROUND, WINDOW) != 0) {
    printf("no pages are watched\n");
    return 1;
  }
  for (unsigned i = 0; i < BYTES; ++i) device[i] = plain[i] = (uint8_t)next();
  for (unsigned long i = 0; i < count; ++i) {
    uint8_t there[MOST] __attribute__((aligned(32))), here[MOST] __attribute__((aligned(32)));
    const kind* const chosen = &kinds[next() % (sizeof kinds / sizeof kinds[0])];
    const unsigned at = place(chosen);
    for (unsigned n = 0; n < MOST; n += 8) {
      const uint64_t value = next();
      memcpy(there + n, &value, 8);
    }
    if (next() % 2 == 0) memcpy(there, plain + at, 16);  // what an exchange may compare with
    memcpy(here, there, MOST);
    chosen->access(device + at, there);
    chosen->access(plain + at, here);
    if (memcmp(there, here, MOST) != 0 || memcmp(device + at, plain + at, chosen->bytes) != 0) {
      printf("access %lu, %s of %u bytes at %d of the window: other bytes than in memory\n", i, chosen->name,
             chosen->bytes, (int)at - AROUND);
      return 1;
    }
  }
  for (unsigned i = 0; i < BYTES; ++i) {
    if (device[i] == plain[i]) continue;
    printf("byte %d of the window: %02x, and %02x in memory\n", (int)i - AROUND, device[i], plain[i]);
    return 1;
  }
  printf("%lu accesses\n", count);
  return 0;
}
