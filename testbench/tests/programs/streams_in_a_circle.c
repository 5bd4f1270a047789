// SPDX-License-Identifier: Apache-2.0
//
// Leaves the C library's list of streams as a circle of two that share a buffer, as stray stores may, and faults.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern FILE* _IO_list_all;

static char buffer[4096];

// The first words of a stream: flags, then pointers into buffers; the next stream; a descriptor.
enum { FLAGS, WRITE_BASE = 4, WRITE_POINTER, BUFFER_BASE = 7, BUFFER_END, CHAIN = 13, DESCRIPTOR, WORDS = 64 };

static void make(uint32_t* stream, uint32_t* next) {
  stream[FLAGS] = 0xFBAD0000;
  stream[WRITE_BASE] = stream[BUFFER_BASE] = (uint32_t)buffer;
  stream[WRITE_POINTER] = stream[BUFFER_END] = (uint32_t)(buffer + sizeof buffer);
  stream[CHAIN] = (uint32_t)next;
  stream[DESCRIPTOR] = 1;
}

int main(void) {
  static uint32_t first[WORDS], second[WORDS];
  memset(buffer, 'x', sizeof buffer);
  make(first, second);
  make(second, first);
  _IO_list_all = (FILE*)first;
  *(volatile int*)0 = 1;
}
