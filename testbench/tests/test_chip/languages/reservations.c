// SPDX-License-Identifier: Apache-2.0
//
// When a reservation is lost: a thread reserves a word, lets another one store somewhere, and then tries its store.
// Then, how a thread waits for the loss of its reservation.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "testbench/tests/test_chip/driver.h"

enum { WORDS = 64 };

static volatile uint32_t words[WORDS] __attribute__((aligned(256)));
static volatile uint32_t asked, answered, place;
static uint32_t source[4] __attribute__((aligned(16))) = {7, 7, 7, 7};

static uint32_t reserve(volatile uint32_t* word) {
  uint32_t value;
  __asm__ volatile("lwarx %0,0,%1" : "=r"(value) : "r"(word) : "memory");
  return value;
}

static int store_conditionally(volatile uint32_t* word, uint32_t value) {
  uint64_t conditions;
  __asm__ volatile("stwcx. %1,0,%2; mfcr %0" : "=r"(conditions) : "r"(value), "r"(word) : "cr0", "memory");
  return (conditions & 0x20000000) != 0;
}

static void* store(void* unused) {
  for (uint32_t round = 1;; ++round) {
    while (asked != round) {
    }
    if (place == WORDS) return unused;
    words[place] += 1;
    answered = round;
  }
}

static uint64_t now(void) {
  return __builtin_ppc_get_timebase();
}

/// The first word is reserved, that of `number` written, by the other thread, by itself or by the copier.
static void try(const char* name, uint32_t number, char by) {
  static uint32_t round;
  (void)reserve(words);
  if (by == 't') {
    place = number;
    asked = ++round;
    while (answered != round) {
    }
  } else if (by == 'o') {
    words[number] += 1;
    const uint64_t begin = now();
    while (now() - begin < 5000) {
    }
  } else if (by == 'c') {
    const struct copier_copy copy = {(void*)(words + number), source, 16, NULL, 0, 0};
    const uint32_t copied = copier_put(&copy);
    copier_ring();
    copier_wait(copied);
  }
  printf("%s: %s\n", name, store_conditionally(words, words[0] + 1) ? "kept" : "lost");
}

static volatile uint32_t ready;

/// Stores a while later beside a word that another thread waits for.
static void* store_late(void* number) {
  while (!ready) {
  }
  for (volatile uint32_t turns = 5000; turns != 0; --turns) {
  }
  words[(uintptr_t)number] += 1;
  return NULL;
}

static void wait_for_loss(void) {
  pthread_t other;
  pthread_create(&other, NULL, store_late, (void*)(uintptr_t)3);
  const uint64_t begin = now();
  (void)reserve(words);
  ready = 1;
  __asm__ volatile(".long 0x7c20007c" : : : "memory");
  const int waited = now() - begin > 5000, kept = store_conditionally(words, 1);
  printf("waited: %s\n", waited ? "long" : "not");
  printf("then: %s\n", kept ? "kept" : "lost");
  __asm__ volatile(".long 0x7c20007c" : : : "memory");  // there is none
  pthread_join(other, NULL);
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, store, NULL);
  if (copier_start(4) != 0) return 1;
  try("nobody", 0, 'n');
  try("neighbour", 1, 't');
  try("end of the line", 15, 't');
  try("next line", 16, 't');
  try("line after", 32, 't');
  try("own store", 1, 'o');
  try("copier", 4, 'c');
  try("copier elsewhere", 36, 'c');
  place = WORDS;
  asked += 1;
  pthread_join(other, NULL);
  wait_for_loss();
  return 0;
}
