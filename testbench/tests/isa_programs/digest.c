// SPDX-License-Identifier: Apache-2.0
//
// MD5, whose words are little-endian on every machine, and CRC-32.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t state[4], sines[64];

static uint32_t rotated(uint32_t word, unsigned by) {
  return word << by | word >> (32 - by);
}

static void block(const unsigned char* bytes) {
  static const unsigned shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  uint32_t words[16], a = state[0], b = state[1], c = state[2], d = state[3];
  for (unsigned i = 0; i < 16; ++i)
    words[i] = bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 | (uint32_t)bytes[4 * i + 2] << 16 |
               (uint32_t)bytes[4 * i + 3] << 24;
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned round = i / 16;
    const uint32_t mixed = round == 0   ? (b & c) | (~b & d)
                           : round == 1 ? (d & b) | (~d & c)
                           : round == 2 ? b ^ c ^ d
                                        : c ^ (b | ~d);
    const unsigned word = round == 0 ? i : round == 1 ? 5 * i + 1 : round == 2 ? 3 * i + 5 : 7 * i;
    const uint32_t next = b + rotated(a + mixed + sines[i] + words[word % 16], shifts[round][i % 4]);
    a = d;
    d = c;
    c = b;
    b = next;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

static void digest(const unsigned char* bytes, uint64_t length) {
  static const uint32_t start[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  memcpy(state, start, sizeof state);
  uint64_t left = length;
  for (; left >= 64; left -= 64, bytes += 64) block(bytes);
  unsigned char last[128] = {0};
  memcpy(last, bytes, left);
  last[left] = 0x80;
  const unsigned size = left < 56 ? 64 : 128;
  for (unsigned i = 0; i < 8; ++i) last[size - 8 + i] = (unsigned char)(length * 8 >> 8 * i);
  for (unsigned at = 0; at < size; at += 64) block(last + at);
  for (unsigned i = 0; i < 16; ++i) printf("%02x", (unsigned)(state[i / 4] >> i % 4 * 8 & 0xff));
  printf("\n");
}

static uint32_t crc(const unsigned char* bytes, unsigned length) {
  uint32_t value = ~(uint32_t)0;
  for (unsigned i = 0; i < length; ++i) {
    value ^= bytes[i];
    for (unsigned bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value & 1 ? 0xedb88320 : 0);
  }
  return ~value;
}

int main(void) {
  for (unsigned i = 0; i < 64; ++i) sines[i] = (uint32_t)floor(fabs(sin(i + 1)) * 4294967296.0);
  static unsigned char bytes[5000];
  for (unsigned i = 0; i < sizeof bytes; ++i) bytes[i] = (unsigned char)(i * 7 + i / 256);
  digest(bytes, 0);
  digest((const unsigned char*)"abc", 3);
  digest(bytes, 57);
  digest(bytes, sizeof bytes);
  printf("%08x %08x\n", (unsigned)crc((const unsigned char*)"123456789", 9), (unsigned)crc(bytes, sizeof bytes));
  return 0;
}
