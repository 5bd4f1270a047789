// SPDX-License-Identifier: Apache-2.0
//
// Every kind of access to memory that a program's instructions make, of each instruction set.
#ifndef TEST_CHIP_ACCESS_KINDS_H
#define TEST_CHIP_ACCESS_KINDS_H

#include <stdint.h>
#include <string.h>

enum { ACCESS_MOST = 64 };

/// Accesses with `value` at `at`: stores or exchanges, or loads into `value`, which has room for ACCESS_MOST bytes.
typedef struct {
  const char* name;
  unsigned bytes, alignment;
  void (*access)(uint8_t* at, uint8_t* value);
} access_kind;

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

static const access_kind access_kinds[] = {{"byte", 1, 1, load_uint8_t},
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
enum { ACCESS_KINDS = sizeof access_kinds / sizeof access_kinds[0] };

#endif
