// SPDX-License-Identifier: Apache-2.0
//
// Handlers of signals: called by a signal that the program sends itself, by its timer while it computes, sleeps and
// waits, on other threads, and left by siglongjmp().
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t called, last, inner;
static volatile double spoilt;
static sigjmp_buf back;
static sem_t semaphore;
static pthread_t handled_by;

static void count(int signal) {
  called += 1;
  last = signal;
  // Registers of all kinds are used: what the program keeps there must come back.
  double sum = 0;
  for (int i = 1; i < 20; ++i) sum += sqrt(i) * 1.5;
  spoilt = sum;
}

static void tell(int signal, siginfo_t* information, void* context) {
  (void)context;
  printf("told of %d %d, by itself %d\n", signal, information->si_signo, information->si_pid == getpid());
}

static void send_others(int signal) {
  raise(SIGUSR2);
  inner += 1;
  if (inner == 1) raise(signal);  // blocked until this one returns
  printf("in the handler %d %d\n", (int)called, (int)inner);
}

static void jump(int signal) {
  siglongjmp(back, signal);
}
static void post(int signal) {
  (void)signal;
  handled_by = pthread_self();
  sem_post(&semaphore);
}

static void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(signal, &action, NULL);
}

static void timer(long first, long interval) {
  const struct itimerval time = {{0, interval}, {0, first}};
  setitimer(ITIMER_REAL, &time, NULL);
}

static void* wait_for_post(void* unused) {
  while (sem_wait(&semaphore) != 0) {
  }
  return unused;
}

static void sent_to_itself(void) {
  handle(SIGUSR1, count, 0);
  printf("raise %d", raise(SIGUSR1));
  printf(" called %d with %d\n", (int)called, (int)last);
  signal(SIGUSR1, SIG_IGN);
  printf("ignored %d %d\n", raise(SIGUSR1), (int)called);
  printf("by default %d %d\n", raise(SIGCHLD), (int)called);
  struct sigaction action, before;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = tell;
  action.sa_flags = SA_SIGINFO | SA_RESETHAND;
  sigaction(SIGUSR1, &action, &before);
  printf("was ignored %d\n", before.sa_handler == SIG_IGN);
  raise(SIGUSR1);
  sigaction(SIGUSR1, NULL, &before);
  printf("is reset %d\n", before.sa_handler == SIG_DFL);
  handle(SIGUSR2, count, 0);
  called = 0;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  sigprocmask(SIG_BLOCK, &set, NULL);
  raise(SIGUSR2);
  printf("blocked %d", (int)called);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  printf(" unblocked %d\n", (int)called);
  sigaction(SIGKILL, NULL, &before);
  printf("kill %d", sigaction(SIGKILL, &before, NULL));
  printf(" %d\n", errno == EINVAL);
}

static void nested(void) {
  handle(SIGUSR2, count, 0);
  handle(SIGUSR1, send_others, 0);
  called = 0;
  raise(SIGUSR1);
  printf("nested %d %d\n", (int)called, (int)inner);
  called = 0;
  // All that is sent waits for sigsuspend().
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  raise(SIGUSR2);
  sigset_t wait;
  sigfillset(&wait);
  sigdelset(&wait, SIGUSR2);
  printf("sigsuspend %d", sigsuspend(&wait));
  printf(" %d, called %d\n", errno == EINTR, (int)called);
  sigset_t now;
  sigprocmask(SIG_SETMASK, NULL, &now);
  printf("blocked again %d\n", sigismember(&now, SIGUSR2));
  sigprocmask(SIG_UNBLOCK, &all, NULL);
}

static void timed(void) {
  handle(SIGALRM, count, SA_RESTART);
  called = 0;
  timer(20, 30);
  double sums[4] = {1, 2, 3, 4};
  long turns = 0;
  while (called < 3) {
    for (int i = 0; i < 4; ++i) sums[i] = sums[i] * 0.5 + i;
    turns += 1;
  }
  timer(0, 0);
  for (; turns < 100000; ++turns) {
    for (int i = 0; i < 4; ++i) sums[i] = sums[i] * 0.5 + i;
  }
  printf("computed %g %g %g %g\n", sums[0], sums[1], sums[2], sums[3]);

  struct itimerval now;
  alarm(5);
  getitimer(ITIMER_REAL, &now);
  printf("alarm %d %d", now.it_value.tv_sec == 4 && now.it_value.tv_usec > 900000, (int)now.it_interval.tv_sec);
  printf(" %u", alarm(0));
  printf(" %u\n", alarm(0));

  called = 0;
  timer(1000, 0);
  struct timespec time = {1, 0}, left = {7, 7};
  printf("nanosleep %d", nanosleep(&time, &left));
  printf(" %d, left %d, called %d\n", errno == EINTR, left.tv_sec == 0 && left.tv_nsec > 900000000, (int)called);
  timer(1000, 0);
  printf("pause %d", pause());
  printf(" %d\n", errno == EINTR);

  sigset_t set, old;
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  sigprocmask(SIG_BLOCK, &set, &old);
  timer(1000, 0);
  int signal = 0;
  printf("sigwait %d", sigwait(&set, &signal));
  printf(" of %d\n", signal);
  sigprocmask(SIG_SETMASK, &old, NULL);

  int jumps = 0;
  handle(SIGALRM, jump, 0);
  for (volatile int i = 0; i < 50; ++i) {
    if (sigsetjmp(back, 1) == 0) {
      timer(10, 0);
      for (;;) {
      }
    }
    jumps += 1;
  }
  printf("jumps %d\n", jumps);
}

static void* turn(void* unused) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  for (;;) {
  }
  return unused;
}

static void* wait_in_vain(void* unused) {
  static sem_t never;
  sem_init(&never, 0, 0);
  for (;;) sem_wait(&never);
  return unused;
}

static void cancel(void* (*begin)(void*), const char* what) {
  pthread_t thread;
  void* result = NULL;
  if (pthread_create(&thread, NULL, begin, NULL) != 0) return;
  const struct timespec soon = {0, 3000000};
  nanosleep(&soon, NULL);
  printf("cancel one that %s %d", what, pthread_cancel(thread));
  pthread_join(thread, &result);
  printf(" %d\n", result == PTHREAD_CANCELED);
}

static void on_threads(void) {
  sem_init(&semaphore, 0, 0);
  handle(SIGALRM, post, SA_RESTART);
  timer(500, 0);
  printf("sem_wait %d\n", sem_wait(&semaphore));
  pthread_t thread;
  handle(SIGUSR1, post, 0);
  if (pthread_create(&thread, NULL, wait_for_post, NULL) != 0) return;
  const struct timespec soon = {0, 3000000};
  nanosleep(&soon, NULL);
  pthread_kill(thread, SIGUSR1);  // its handler ends its wait
  pthread_join(thread, NULL);
  printf("a thread's handler %d\n", pthread_equal(handled_by, thread) != 0);
  if (pthread_create(&thread, NULL, wait_for_post, NULL) != 0) return;
  timer(1000, 0);
  pthread_join(thread, NULL);
  printf("the first thread's %d\n", pthread_equal(handled_by, pthread_self()) != 0);
  cancel(turn, "computes");
  cancel(wait_in_vain, "waits");
}

int main(void) {
  setvbuf(stdout, NULL, _IOFBF, 1 << 16);
  sent_to_itself();
  nested();
  timed();
  on_threads();
  const int file = open("synchronised", O_CREAT | O_RDWR, 0600);
  printf("fsync %d %d", fsync(file), fdatasync(file));
  close(file);
  unlink("synchronised");
  printf(" %d", fsync(file));
  printf(" %d\n", errno == EBADF);
  return 0;
}
