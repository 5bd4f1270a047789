// SPDX-License-Identifier: Apache-2.0
//
// Accesses to the toy device, and what they cost by the time base. The first argument selects.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define DEVICE 0xB1140000u
#define REPEAT4(x) x x x x
#define REPEAT16(x) REPEAT4(x) REPEAT4(x) REPEAT4(x) REPEAT4(x)

static uint8_t quad[16] __attribute__((aligned(16)));

// Cycles between two reads of the time base around `code`. The device's address is in %1.
#define TIMED(address, code)                           \
  ({                                                   \
    uint32_t begin, end;                               \
    __asm__ volatile("mftb %0\n" code "mftb %1\n"      \
                     : "=&r"(begin), "=&r"(end)        \
                     : "r"(address)                    \
                     : "r11", "r12", "fr0", "memory"); \
    end - begin;                                       \
  })

static void print_bytes(const char* name, const void* bytes, unsigned size) {
  printf("%s", name);
  for (unsigned i = 0; i < size; ++i) printf(" %02x", ((const uint8_t*)bytes)[i]);
  printf("\n");
}

static void load_quad(uint32_t from) {
  __asm__ volatile("lvx 0,0,%0\n stvx 0,0,%1" : : "r"(from), "r"(quad) : "memory");
}

static void store_quad(uint32_t to) {
  __asm__ volatile("lvx 0,0,%1\n stvx 0,0,%0" : : "r"(to), "r"(quad) : "memory");
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "timing") == 0) {
    printf("nothing %u\n", TIMED(DEVICE, ""));
    printf("one load %u\n", TIMED(DEVICE, "lwz 11,0(%2)\n"));
    printf("16 quad loads %u\n", TIMED(DEVICE + 0x100, REPEAT16("lvx 0,0,%2\n")));
    printf("5 quad loads %u\n", TIMED(DEVICE + 0x100, REPEAT4("lvx 0,0,%2\n") "lvx 0,0,%2\n"));
    printf("4 blocks of a load %u\n", TIMED(DEVICE, REPEAT4("lwz 11,0(%2)\n b 1f\n1:\n")));
    printf("16 quad stores %u\n", TIMED(DEVICE + 0x200, REPEAT16("stvx 0,0,%2\n")));
    printf("one slow load %u\n", TIMED(DEVICE + 0x400, "lwz 11,0(%2)\n"));
  } else if (strcmp(what, "read-broken") == 0) {
    printf("%u\n", *(volatile uint32_t*)(DEVICE + 0x600));
  } else if (strcmp(what, "write-broken") == 0) {
    *(volatile uint32_t*)(DEVICE + 0x600) = 1;
  } else if (strcmp(what, "sizes") == 0) {
    load_quad(DEVICE + 0x110);
    print_bytes("lvx", quad, 16);
    double wide;
    __asm__ volatile("lfd 0,0x128(%1)\n stfd 0,0(%0)" : : "r"(&wide), "r"(DEVICE) : "fr0", "memory");
    print_bytes("lfd", &wide, 8);
    printf("lwz %08x\n", *(volatile uint32_t*)(DEVICE + 0x130));
    printf("lhz %04x\n", *(volatile uint16_t*)(DEVICE + 0x136));
    printf("lbz %02x\n", *(volatile uint8_t*)(DEVICE + 0x13B));
    // One block: the loads before and behind read within the quad.
    uint32_t words[2];
    __asm__ volatile("lwz 11,4(%2)\n lvx 0,0,%2\n lwz 12,8(%2)\n lvx 1,0,%2\n stvx 1,0,%3\n stw 11,0(%1)\n stw 12,4(%1)"
                     : "=m"(words)
                     : "r"(words), "r"(DEVICE + 0x140), "r"(quad)
                     : "r11", "r12", "memory");
    printf("mixed %08x %08x\n", words[0], words[1]);
    print_bytes("mixed", quad, 16);
    // A load that replaces its own address register by a device address, then a quad there.
    uint32_t pointer = DEVICE + 0x150;
    __asm__ volatile("mr 11,%0\n lwz 11,0(11)\n lvx 0,0,11\n stvx 0,0,%1"
                     :
                     : "r"(&pointer), "r"(quad)
                     : "r11", "memory");
    print_bytes("chased", quad, 16);
    // An lfd and a word within the eight bytes it reads, in one block.
    __asm__ volatile("lfd 0,0x160(%1)\n lwz 11,0x164(%1)\n stw 11,0(%0)"
                     :
                     : "r"(words), "r"(DEVICE)
                     : "r11", "fr0", "memory");
    printf("behind lfd %08x\n", words[0]);
    for (unsigned i = 0; i < 16; ++i) quad[i] = (uint8_t)(0xA0 + i);
    store_quad(DEVICE + 0x210);
    // One block: words, then quads elsewhere, each address made anew in one register.
    __asm__ volatile(
        "lvx 0,0,%4\n"
        "lis 11,%0\n ori 11,11,%1\n lis 12,0x1234\n stw 12,0(11)\n"
        "lis 11,%0\n ori 11,11,%2\n stvx 0,0,11\n stvx 0,0,11\n"
        "lis 11,%0\n ori 11,11,%3\n lwz 12,0(11)\n"
        "lis 11,%0\n ori 11,11,%3+16\n lvx 0,0,11\n"
        :
        : "i"(DEVICE >> 16), "i"(0x250), "i"(0x260), "i"(0x180), "r"(quad)
        : "r11", "r12", "memory");
    const double value = 1.5;
    __asm__ volatile("lfd 0,0(%0)\n stfd 0,0x220(%1)" : : "r"(&value), "r"(DEVICE) : "fr0", "memory");
    *(volatile uint32_t*)(DEVICE + 0x230) = 0x12345678;
    *(volatile uint16_t*)(DEVICE + 0x236) = 0xABCD;
    *(volatile uint8_t*)(DEVICE + 0x23B) = 0xEF;
    uint32_t block[3] __attribute__((unused));
    __asm__ volatile("lmw 29,0x170(%1)\n stmw 29,0(%0)" : : "r"(block), "r"(DEVICE) : "r29", "r30", "r31", "memory");
  } else if (strcmp(what, "word-to-quad") == 0) {
    *(volatile uint32_t*)(DEVICE + 0x300) = 1;
  } else if (strcmp(what, "word-from-quad") == 0) {
    printf("%u\n", *(volatile uint32_t*)(DEVICE + 0x300));
  } else if (strcmp(what, "hole") == 0) {
    printf("%u\n", *(volatile uint32_t*)(DEVICE + 0x500));
  } else if (strcmp(what, "undecoded") == 0) {
    printf("%u\n", *(volatile uint32_t*)(DEVICE + 0x9000));
  } else if (strcmp(what, "misaligned") == 0) {
    uint32_t value;
    __asm__ volatile("lwz %0,0x102(%1)" : "=r"(value) : "b"(DEVICE));
    printf("%u\n", value);
  } else if (strcmp(what, "misaligned-double") == 0) {
    __asm__ volatile("lfd 0,0x104(%0)" : : "b"(DEVICE) : "fr0");
  } else {
    return 2;
  }
  return 0;
}
