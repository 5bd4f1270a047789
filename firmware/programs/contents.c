// SPDX-License-Identifier: Apache-2.0
#include "firmware/programs/contents.h"

#include <string.h>

// The words are those of a xorshift generator, four of them from each of its states, and many bytes a turn: programs
// that check every byte should spend their time on messages.
enum { TURN = 16 };

static inline uint32_t next_state(uint32_t state) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^ state << 5;
}

typedef struct {
  uint32_t words[TURN / 4];
} turn_t;

static inline turn_t words_of(uint32_t state) {
  return (turn_t){{state, state * 0x9E3779B1u, state ^ 0x5BF03635u, ~state * 0x85EBCA6Bu}};
}

void program_fill(uint8_t* buffer, uint32_t length, uint32_t key) {
  uint32_t state = next_state(key | 1);
  for (; length >= TURN; length -= TURN, buffer += TURN, state = next_state(state)) {
    const turn_t turn = words_of(state);
    memcpy(buffer, &turn, TURN);
  }
  const turn_t turn = words_of(state);
  memcpy(buffer, &turn, length);
}

uint32_t program_check(const uint8_t* buffer, uint32_t length, uint32_t key) {
  uint32_t state = next_state(key | 1);
  uint32_t at = 0;
  turn_t wanted = words_of(state);
  for (; at + TURN <= length; at += TURN) {
    turn_t found;
    memcpy(&found, buffer + at, TURN);
    if (((found.words[0] ^ wanted.words[0]) | (found.words[1] ^ wanted.words[1]) | (found.words[2] ^ wanted.words[2]) |
         (found.words[3] ^ wanted.words[3])) != 0) {
      break;
    }
    state = next_state(state);
    wanted = words_of(state);
  }
  const uint8_t* bytes = (const uint8_t*)&wanted;
  const uint32_t start = at;
  while (at < length && at - start < TURN && buffer[at] == bytes[at - start]) ++at;
  return at;
}
