// SPDX-License-Identifier: Apache-2.0
//
// Loops that poll the toy device. The first argument selects; what is printed tells when each loop ended.
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define DEVICE 0xB1140000u
#define FIRST (*(volatile uint32_t*)(DEVICE + 0x00))
#define SECOND (*(volatile uint32_t*)(DEVICE + 0x10))
#define SLOW (*(volatile uint32_t*)(DEVICE + 0x400))
#define FIFO (*(volatile uint32_t*)(DEVICE + 0x100))

static inline uint32_t now(void) {
  uint32_t value;
  __asm__ volatile("mftb %0" : "=r"(value));
  return value;
}

struct queue {
  uint32_t (*poll)(struct queue*);
  volatile uint32_t* status;
  uint32_t last;
  volatile uint32_t polls;
};

__attribute__((noinline)) static uint32_t read_status(uint32_t offset) {
  return *(volatile uint32_t*)(DEVICE + offset);
}

// Stores through a pointer loaded from memory, the same values every turn.
__attribute__((noinline)) static uint32_t poll_queue(struct queue* queue) {
  queue->last = *queue->status;
  return queue->last;
}

// Lines of one set of L1, which has 64 ways, replaced in turn: one more than those, and each of them misses.
enum { WAYS = 64, SET_STRIDE = 512 };
__attribute__((noinline)) static void touch_lines(unsigned lines) {
  static volatile uint32_t memory[(WAYS + 1) * SET_STRIDE / 4];
  for (unsigned i = 0; i < lines; ++i) (void)memory[i * SET_STRIDE / 4];
}

static uint32_t quad_status(void) {
  static uint32_t words[4] __attribute__((aligned(16)));
  __asm__ volatile("lvx 0,0,%0\n stvx 0,0,%1" : : "r"(DEVICE + 0x20), "r"(words) : "memory");
  return words[0];
}

// Two levels above the read: where it was called from is in memory and in no register.
__attribute__((noinline)) static uint32_t below_status(void) {
  return read_status(0) != 0;
}
__attribute__((noinline)) static uint32_t first_status(void) {
  return below_status() != 0;
}

// Stores of several sizes to the same place, as functions do whose frames lie on top of each other.
static uint32_t place[4] __attribute__((aligned(16)));
__attribute__((noinline)) static void store_quad(void) {
  __asm__ volatile("lvx 0,0,%0\n stvx 0,0,%1" : : "r"(DEVICE + 0x20), "r"(place) : "memory");
}
__attribute__((noinline)) static void store_word(void) {
  *(volatile uint32_t*)place = 7;
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  static struct queue queue = {poll_queue, (volatile uint32_t*)DEVICE, 0, 0};
  uint32_t polls = 0;
  const uint32_t begin = now();
  if (strcmp(what, "direct") == 0) {
    while (FIRST == 0) {
    }
  } else if (strcmp(what, "calls") == 0) {
    while (read_status(0) == 0) {
    }
  } else if (strcmp(what, "pointers") == 0) {
    struct queue* volatile hidden = &queue;
    while (hidden->poll(hidden) == 0) {
    }
  } else if (strcmp(what, "two") == 0) {
    while (FIRST == 0 || SECOND == 0) {
    }
  } else if (strcmp(what, "two-always") == 0) {
    while (((FIRST != 0) & (SECOND != 0)) == 0) {
    }
  } else if (strcmp(what, "two-calls") == 0) {
    uint32_t a, b;
    do {
      a = read_status(0);
      b = read_status(0x10);
    } while (a == 0 || b == 0);
  } else if (strcmp(what, "two-callers") == 0) {
    while (first_status() == 0) {
      __asm__ volatile("nop");  // or the compiler makes one call of the two
      if (first_status() != 0) break;
    }
  } else if (strcmp(what, "overwritten") == 0) {
    while (FIRST == 0) {
      store_quad();
      store_word();
    }
  } else if (strcmp(what, "five-changes") == 0) {
    for (uint32_t seen = 0; seen < 5;) {
      const uint32_t value = FIRST;
      if (value != seen) printf("%u at %u\n", value, now() - begin);
      seen = value;
    }
  } else if (strcmp(what, "quad") == 0) {
    while (quad_status() == 0) {
    }
  } else if (strcmp(what, "slow") == 0) {
    while (SLOW == 0) {
    }
  } else if (strcmp(what, "memory") == 0) {
    while (FIRST == 0) touch_lines(WAYS);
  } else if (strcmp(what, "misses") == 0) {
    while (FIRST == 0) touch_lines(WAYS + 1);
  } else if (strcmp(what, "flushes") == 0) {
    while (FIRST == 0) {
      (void)*(volatile uint32_t*)&queue.polls;
      __asm__ volatile("dcbf 0,%0" : : "b"(&queue.polls) : "memory");
    }
  } else if (strcmp(what, "counter") == 0) {
    while (FIRST == 0) ++polls;
  } else if (strcmp(what, "counter-in-memory") == 0) {
    while (FIRST == 0) queue.polls = queue.polls + 1;
    polls = queue.polls;
  } else if (strcmp(what, "counter-behind-pointer") == 0) {
    struct queue* volatile hidden = &queue;
    while (FIRST == 0) hidden->polls = hidden->polls + 1;
    polls = queue.polls;
  } else if (strcmp(what, "hidden-counter") == 0) {
    // Registers are the same every turn; only memory tells the turns apart.
    while (FIRST == 0)
      __asm__ volatile("lwz 11,0(%0)\n addi 11,11,1\n stw 11,0(%0)\n li 11,0" : : "b"(&queue.polls) : "r11", "memory");
    polls = queue.polls;
  } else if (strcmp(what, "counter-behind-arithmetic") == 0) {
    // The same behind an address that is worked out in a way the detector does not follow.
    while (FIRST == 0)
      __asm__ volatile("xori 12,%0,0\n lwz 11,0(12)\n addi 11,11,1\n stw 11,0(12)\n li 11,0\n li 12,0"
                       :
                       : "b"(&queue.polls)
                       : "r11", "r12", "memory");
    polls = queue.polls;
  } else if (strcmp(what, "yield") == 0) {
    while (FIRST == 0) sched_yield();
  } else if (strcmp(what, "floating-counter") == 0) {
    double count = 0;
    while (FIRST == 0) count += 1;
    polls = (uint32_t)count;
  } else if (strcmp(what, "vector-clear") == 0) {
    while (FIRST == 0) __asm__ volatile("vxor 0,0,0\n vspltisw 1,3" : : : "v0", "v1");
  } else if (strcmp(what, "vector-counter") == 0) {
    uint32_t counts[4] __attribute__((aligned(16)));
    __asm__ volatile("vxor 0,0,0\n vspltisw 1,1" : : : "v0", "v1");
    while (FIRST == 0) __asm__ volatile("vadduwm 0,0,1" : : : "v0");
    __asm__ volatile("stvx 0,0,%0" : : "r"(counts) : "memory");
    polls = counts[0];
  } else if (strcmp(what, "time-base") == 0) {
    while (FIRST == 0 && now() - begin < 100000) {
    }
  } else if (strcmp(what, "fifo") == 0) {
    while (FIRST == 0) polls += FIFO;
  } else if (strcmp(what, "for-ever") == 0) {
    while (read_status(0) == 0) {
    }
  } else if (strcmp(what, "busy") == 0) {
    for (volatile uint32_t i = 0;; ++i) {
    }
  } else {
    return 2;
  }
  printf("%s: %u polls, left at %u\n", what, polls, now() - begin);
  return 0;
}
