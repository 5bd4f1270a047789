// SPDX-License-Identifier: Apache-2.0
/// Random numbers and random bytes that sender and receiver can compute independently.
#ifndef TOROID_FIRMWARE_PROGRAMS_CONTENTS_H
#define TOROID_FIRMWARE_PROGRAMS_CONTENTS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A good hash of 32 bits.
static inline uint32_t program_hash(uint32_t a, uint32_t b) {
  uint32_t h = a * 0x9E3779B1u ^ b;
  h ^= h >> 16;
  h *= 0x85EBCA6Bu;
  h ^= h >> 13;
  h *= 0xC2B2AE35u;
  return h ^ h >> 16;
}

/// Fill or check the bytes of a message that is known by `key`. program_check returns the first wrong byte's offset, or
/// `length` when all are right.
void program_fill(uint8_t* buffer, uint32_t length, uint32_t key);
uint32_t program_check(const uint8_t* buffer, uint32_t length, uint32_t key);

#ifdef __cplusplus
}
#endif

#endif
