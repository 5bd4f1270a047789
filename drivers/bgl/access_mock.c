// SPDX-License-Identifier: Apache-2.0
#include "drivers/bgl/access_mock.h"

#include <stdio.h>
#include <stdlib.h>

static bgl_mock_access_t accesses[BGL_MOCK_CAPACITY];
static size_t access_count;
static bgl_quad_t answers[BGL_MOCK_CAPACITY];
static size_t answer_count;
static size_t answers_given;
static uint32_t words[BGL_MOCK_CAPACITY];
static size_t word_count;
static size_t words_given;

static void fail(const char* what) {
  fprintf(stderr, "access_mock: %s\n", what);
  abort();
}

static bgl_mock_access_t* record(bgl_mock_kind_t kind, uintptr_t address) {
  if (access_count == BGL_MOCK_CAPACITY) fail("more accesses than it can record");
  accesses[access_count] = (bgl_mock_access_t){.kind = kind, .address = address};
  return &accesses[access_count++];
}

void bgl_mock_reset(void) {
  access_count = answer_count = answers_given = word_count = words_given = 0;
}

void bgl_mock_answer(const void* quad) {
  if (answer_count == BGL_MOCK_CAPACITY) fail("more answers than it can keep");
  memcpy(answers[answer_count++].byte, quad, sizeof(bgl_quad_t));
}

void bgl_mock_answer_word(uint32_t word) {
  if (word_count == BGL_MOCK_CAPACITY) fail("more answers than it can keep");
  words[word_count++] = word;
}

size_t bgl_mock_count(void) {
  return access_count;
}

const bgl_mock_access_t* bgl_mock_access(size_t number) {
  return &accesses[number];
}

bgl_quad_t bgl_access_read(uintptr_t address) {
  bgl_quad_t quad = {{0}};
  if (answers_given < answer_count) quad = answers[answers_given++];
  record(BGL_MOCK_READ, address)->quad = quad;
  return quad;
}

void bgl_access_write(uintptr_t address, bgl_quad_t quad) {
  record(BGL_MOCK_WRITE, address)->quad = quad;
}

uint32_t bgl_access_read_word(uintptr_t address) {
  const uint32_t word = words_given < word_count ? words[words_given++] : 0;
  record(BGL_MOCK_READ_WORD, address)->word = word;
  return word;
}

void bgl_access_write_word(uintptr_t address, uint32_t word) {
  record(BGL_MOCK_WRITE_WORD, address)->word = word;
}

void bgl_access_barrier(void) {
  record(BGL_MOCK_BARRIER, 0);
}

void bgl_access_flush_line(const void* memory) {
  record(BGL_MOCK_FLUSH_LINE, (uintptr_t)memory);
}

void bgl_access_store_line(const void* memory) {
  record(BGL_MOCK_STORE_LINE, (uintptr_t)memory);
}

void bgl_access_zero_line(void* memory) {
  record(BGL_MOCK_ZERO_LINE, (uintptr_t)memory);
  memset((void*)((uintptr_t)memory & ~(uintptr_t)31), 0, 32);
}

void bgl_access_touch_line(const void* memory) {
  record(BGL_MOCK_TOUCH_LINE, (uintptr_t)memory);
}

void bgl_access_flush_cache(void) {
  record(BGL_MOCK_FLUSH_CACHE, 0);
}

bgl_quad_t bgl_quad_load(const void* memory) {
  if ((uintptr_t)memory % sizeof(bgl_quad_t) != 0) fail("quad load from an address that is no multiple of 16");
  return bgl_quad_load_unaligned(memory);
}

void bgl_quad_store(void* memory, bgl_quad_t quad) {
  if ((uintptr_t)memory % sizeof quad != 0) fail("quad store to an address that is no multiple of 16");
  memcpy(memory, quad.byte, sizeof quad);
}
