// SPDX-License-Identifier: Apache-2.0
//
// What lies on the stack while a signal's handler runs: the way back through it, for exceptions, for a cancelled
// thread's destructors and for backtrace(), and the registers of what it has interrupted. Prints on each machine what
// it prints on the host. By its argument: "frames" or "threads".
#include <execinfo.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace {

using Word = std::uintptr_t;

// The registers of the interrupted code: where it stands, its stack pointer, a kept one, and one of a double.
#ifdef __x86_64__
using Slot = greg_t;
Slot& pc(ucontext_t* context) {
  return context->uc_mcontext.gregs[REG_RIP];
}
Slot& stack(ucontext_t* context) {
  return context->uc_mcontext.gregs[REG_RSP];
}
Slot& kept(ucontext_t* context) {
  return context->uc_mcontext.gregs[REG_RBX];
}
void* number(ucontext_t* context) {
  return &context->uc_mcontext.fpregs->_xmm[7];
}
#elif defined(__powerpc64__)
using Slot = unsigned long;
Slot& pc(ucontext_t* context) {
  return context->uc_mcontext.gp_regs[32];
}
Slot& stack(ucontext_t* context) {
  return context->uc_mcontext.gp_regs[1];
}
Slot& kept(ucontext_t* context) {
  return context->uc_mcontext.gp_regs[29];
}
void* number(ucontext_t* context) {
  return &context->uc_mcontext.fp_regs[7];
}
#else
using Slot = unsigned long;
Slot& pc(ucontext_t* context) {
  return context->uc_mcontext.uc_regs->gregs[32];
}
Slot& stack(ucontext_t* context) {
  return context->uc_mcontext.uc_regs->gregs[1];
}
Slot& kept(ucontext_t* context) {
  return context->uc_mcontext.uc_regs->gregs[29];
}
void* number(ucontext_t* context) {
  return &context->uc_mcontext.uc_regs->fpregs.fpregs[7];
}
#endif

void handle(int signal, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(signal, &action, nullptr);
}

struct Noisy {
  explicit Noisy(const char* name) : name_(name) {}
  ~Noisy() { printf("~%s\n", name_); }
  const char* name_;
};

// Exceptions. --------------------------------------------------------------------------------------------------------

volatile int* volatile nowhere = reinterpret_cast<int*>(16);

void throw_address(int, siginfo_t* information, void*) {
  const Noisy noisy("handler");
  char text[40];
  snprintf(text, sizeof text, "access of %p", information->si_addr);
  throw std::runtime_error(text);
}

[[gnu::noinline]] int read_nowhere(int depth) {
  const Noisy noisy("reader");
  volatile double values[4] = {1, 2, 3, 4};
  if (depth > 0) return read_nowhere(depth - 1) + static_cast<int>(values[depth]);
  return *nowhere + static_cast<int>(values[0]);
}

void exceptions() {
  handle(SIGSEGV, throw_address);
  double product = 1;  // in registers that the functions left keep for their callers
  long turns = 0;
  for (int i = 0; i < 3; ++i) {
    try {
      product *= 1.5;
      turns += 3;
      read_nowhere(i);
    } catch (const std::exception& error) {
      printf("caught %s, %ld %g\n", error.what(), turns, product);
    }
  }
}

// Where the program is. ----------------------------------------------------------------------------------------------

enum { kMost = 60 };
volatile int depth_outside, depth_inside;
volatile bool common;

int depth_of(void** addresses) {
  return backtrace(addresses, kMost);
}

void* outside[kMost];

void look_back(int, siginfo_t*, void*) {
  void* inside[kMost];
  depth_inside = depth_of(inside);
  // Who has called the interrupted function is in both.
  common = depth_outside > 3 && memcmp(&outside[depth_outside - 3], &inside[depth_inside - 3], 3 * sizeof(void*)) == 0;
}

[[gnu::noinline]] int interrupted(int depth) {
  if (depth > 0) return interrupted(depth - 1) + 1;
  depth_outside = depth_of(outside);
  raise(SIGUSR1);
  return 0;
}

void backtraces() {
  handle(SIGUSR1, look_back);
  interrupted(5);
  printf("deeper in the handler %d, the same callers %d\n", depth_inside > depth_outside, static_cast<int>(common));
}

// Registers. ---------------------------------------------------------------------------------------------------------

extern "C" const char faulting[], behind[];
bool known_place, known_stack;
Word address_of_local;

void mend(int, siginfo_t*, void* context) {
  auto* const told = static_cast<ucontext_t*>(context);
  const auto place = static_cast<Word>(pc(told)), top = static_cast<Word>(stack(told));
  known_place = place == reinterpret_cast<Word>(faulting);
  known_stack = top - 4096 < address_of_local && address_of_local < top + 65536;
  pc(told) = static_cast<Slot>(reinterpret_cast<Word>(behind));
  kept(told) += 100;
  double value = 0;
  memcpy(&value, number(told), sizeof value);
  value *= 2;
  memcpy(number(told), &value, sizeof value);
  sigaddset(&told->uc_sigmask, SIGUSR2);
}

[[gnu::noinline]] void registers() {
  handle(SIGSEGV, mend);
  Word value = 0;
  static double one = 1.25;
  double doubled = 0;
  address_of_local = reinterpret_cast<Word>(&value);
#ifdef __x86_64__
  __asm__ volatile(
      "mov $7, %%ebx; movsd %2, %%xmm7; xor %%eax, %%eax; stc\n"
      ".globl faulting\nfaulting: movl (%%rax), %%ebx\nmov $1, %%ebx\n.globl behind\nbehind:\n"
      "adc $0, %%ebx; mov %%rbx, %0; movsd %%xmm7, %1"
      : "=m"(value), "=m"(doubled)
      : "m"(one)
      : "rax", "rbx", "xmm7", "memory", "cc");
#else
  __asm__ volatile(
      "li 29, 7; lfd 7, 0(%3); li 28, 0; subfic 31, 28, 0\n"  // which sets the carry
      ".globl faulting\nfaulting: lwz 29, 0(28)\nli 29, 1\n.globl behind\nbehind:\n"
      "addze %0, 29; stfd 7, 0(%2)"
      : "=&r"(value), "=m"(doubled)
      : "b"(&doubled), "b"(&one)
      : "r29", "r28", "r31", "fr7", "memory", "xer");
#endif
  sigset_t blocked;
  sigprocmask(SIG_BLOCK, nullptr, &blocked);
  printf("place %d, stack %d, registers %d %g, blocked %d\n", static_cast<int>(known_place),
         static_cast<int>(known_stack), static_cast<int>(value), doubled, sigismember(&blocked, SIGUSR2));
}

int levels;
void nest(int signal, siginfo_t*, void* context) {
  auto* const told = static_cast<ucontext_t*>(context);
  const Slot place = pc(told);
  if (++levels < 4) raise(signal);
  if (pc(told) != place) printf("another place\n");
}

sigjmp_buf back;
void jump(int, siginfo_t*, void*) {
  siglongjmp(back, 1);
}

void others() {
  handle(SIGUSR1, nest);
  raise(SIGUSR1);
  printf("nested %d\n", levels);
  handle(SIGUSR1, jump);
  volatile int jumps = 0;
  for (volatile int i = 0; i < 100; ++i) {
    if (sigsetjmp(back, 1) == 0) raise(SIGUSR1);
    jumps += 1;
  }
  printf("jumps %d\n", jumps);
}

// Threads. -----------------------------------------------------------------------------------------------------------

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
sem_t semaphore;
volatile bool begun;

[[gnu::noinline]] void sleep_for_ever() {
  const Noisy inner("inner");
  for (;;) usleep(50);
}
void* sleeps(void*) {
  const Noisy noisy("sleeper");
  begun = true;
  sleep_for_ever();
  return nullptr;
}
void release(void*) {
  pthread_mutex_unlock(&mutex);
}
void* waits(void*) {
  const Noisy noisy("waiter");
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(release, nullptr);
  begun = true;
  for (;;) pthread_cond_wait(&condition, &mutex);
  pthread_cleanup_pop(1);
  return nullptr;
}
void* takes(void*) {
  const Noisy noisy("taker");
  begun = true;
  sem_wait(&semaphore);
  return nullptr;
}
void* computes(void*) {
  const Noisy noisy("computer");
  begun = true;
  for (;;) pthread_testcancel();
  return nullptr;
}

int threads() {
  sem_init(&semaphore, 0, 0);
  for (auto* const begin : {sleeps, waits, takes, computes}) {
    begun = false;
    pthread_t thread;
    if (pthread_create(&thread, nullptr, begin, nullptr) != 0) return 3;
    while (!begun) usleep(50);
    usleep(500);
    pthread_cancel(thread);
    void* result = nullptr;
    pthread_join(thread, &result);
    printf("cancelled %d, mutex free %d\n", result == PTHREAD_CANCELED, pthread_mutex_trylock(&mutex) == 0);
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (strcmp(argv[argc - 1], "threads") == 0) return threads();
  exceptions();
  backtraces();
  registers();
  others();
  return 0;
}
