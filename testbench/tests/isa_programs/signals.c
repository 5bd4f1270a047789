// SPDX-License-Identifier: Apache-2.0
//
// Blocked signals: those that have been sent, and who waits for them.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static sigset_t set_of(int first, int second) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, first);
  if (second != 0) sigaddset(&set, second);
  return set;
}

static void* wait_for_one(void* set) {
  int signal = 0;
  const int error = sigwait(set, &signal);
  printf("a thread takes %d, error %d\n", signal, error);
  return NULL;
}

int main(void) {
  const struct timespec soon = {0, 1000}, never = {0, -1};
  sigset_t both = set_of(SIGUSR1, SIGRTMAX), high = set_of(SIGRTMAX, 0), low = set_of(SIGUSR1, 0), now;
  siginfo_t information;
  int signal = 0;
  printf("block %d\n", sigprocmask(SIG_BLOCK, &both, NULL));
  printf("sent %d %d\n", raise(SIGRTMAX), kill(getpid(), SIGUSR1));
  sigpending(&now);
  printf("pending %d %d %d\n", sigismember(&now, SIGUSR1), sigismember(&now, SIGUSR2), sigismember(&now, SIGRTMAX));
  printf("sigwait %d", sigwait(&high, &signal));
  printf(" of %d\n", signal);
  printf("sigtimedwait %d", sigtimedwait(&high, NULL, &soon));
  printf(" %d\n", errno == EAGAIN);
  printf("no time %d", sigtimedwait(&high, NULL, &never));
  printf(" %d\n", errno == EINVAL);
  printf("sigwaitinfo %d", sigwaitinfo(&both, &information));
  printf(" of %d by itself %d\n", information.si_signo, information.si_pid == getpid());
  sigpending(&now);
  printf("pending %d %d\n", sigismember(&now, SIGUSR1), sigismember(&now, SIGRTMAX));
  sigprocmask(SIG_UNBLOCK, &high, &now);
  printf("were blocked %d %d\n", sigismember(&now, SIGUSR1), sigismember(&now, SIGRTMAX));
  sigprocmask(SIG_SETMASK, NULL, &now);
  printf("are blocked %d %d\n", sigismember(&now, SIGUSR1), sigismember(&now, SIGRTMAX));

  pthread_t thread;
  if (pthread_create(&thread, NULL, wait_for_one, &low) != 0) return 1;
  printf("to the thread %d\n", pthread_kill(thread, SIGUSR1));
  fflush(stdout);
  pthread_join(thread, NULL);
  if (pthread_create(&thread, NULL, wait_for_one, &low) != 0) return 1;
  nanosleep(&soon, NULL);
  kill(getpid(), SIGUSR1);
  pthread_join(thread, NULL);
  return 0;
}
