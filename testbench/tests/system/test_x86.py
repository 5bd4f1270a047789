# SPDX-License-Identifier: Apache-2.0
"""Programs of the host's compiler on x86-64 cores."""

from __future__ import annotations

import platform
import subprocess
from pathlib import Path

import chips
import pytest
from helpers import Toroid, read_result

MACHINE = "test-x86_64"

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="the programs are compiled by the host's gcc")


@pytest.fixture
def toroid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Toroid:
    return chips.command_line(tmp_path, monkeypatch, capfd)


def build(source: str, suffix: str, *options: str) -> Path:
    file = Path(f"program{suffix}")
    file.write_text(source)
    compiler = {".c": "gcc", ".cpp": "g++", ".f90": "gfortran"}[suffix]
    command = [compiler, "-O2", "-g", "-march=amdfam10", "-static", "-no-pie", str(file), *options, "-o", "program"]
    subprocess.run(command, check=True, capture_output=True)
    return Path("program").resolve()


def run(toroid: Toroid, program: Path, *options: str) -> tuple[int, str, str]:
    return toroid("run", "--machine", MACHINE, "--shape", "1", "--results", "out", *options, program)


CPP = """
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
struct Guard { ~Guard() { std::cout << "destroyed\\n"; } };
static int descend(int depth) {
  Guard guard;
  if (depth == 0) throw std::runtime_error("thrown");
  return descend(depth - 1) + 1;
}
int main() {
  try { descend(1); } catch (const std::exception& error) { std::cout << error.what() << "\\n"; }
  std::map<std::string, int> words{{"b", 2}, {"a", 1}};
  for (const auto& [word, count] : words) std::cout << word << count << "\\n";
  std::vector<std::thread> threads;
  int sums[3] = {};
  for (int i = 0; i < 3; ++i) threads.emplace_back([&sums, i] { for (int j = 0; j < 100; ++j) sums[i] += i * j; });
  for (auto& thread : threads) thread.join();
  std::cout << sums[0] + sums[1] + sums[2] << "\\n";
}
"""

FORTRAN = """
program roots
  implicit none
  real(8) :: values(100)
  integer :: i
  do i = 1, 100
    values(i) = sqrt(real(i, 8))
  end do
  write(*, '(F12.6, F8.3)') sum(values), maxval(values)
end program
"""

OPENMP = """
#include <omp.h>
#include <stdio.h>
int main(void) {
  long sum = 0;
  int threads = 0;
#pragma omp parallel reduction(+ : sum)
  {
#pragma omp single
    threads = omp_get_num_threads();
#pragma omp for
    for (int i = 0; i < 10000; ++i) sum += i;
  }
  printf("%d %ld\\n", threads, sum);
}
"""

THREADS = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static _Thread_local int mine;
static atomic_long total;
static long locked;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* work(void* number) {
  mine = (int)(long)number;
  for (int i = 0; i < 1000; ++i) {
    atomic_fetch_add(&total, mine);
    pthread_mutex_lock(&mutex);
    ++locked;
    pthread_mutex_unlock(&mutex);
  }
  return (void*)(long)mine;
}
int main(void) {
  pthread_t threads[3];
  long sum = 0;
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, work, (void*)(i + 1));
  for (int i = 0; i < 3; ++i) {
    void* result;
    pthread_join(threads[i], &result);
    sum += (long)result;
  }
  printf("%ld %ld %ld\\n", sum, (long)total, locked);
}
"""


@pytest.mark.parametrize(
    ("suffix", "source", "options", "printed"),
    [
        (".cpp", CPP, ["-pthread"], "destroyed\ndestroyed\nthrown\na1\nb2\n14850\n"),
        (".f90", FORTRAN, [], "  671.462947  10.000\n"),
        (".c", OPENMP, ["-fopenmp"], "4 49995000\n"),
        (".c", THREADS, ["-pthread"], "6 6000 3000\n"),
    ],
    ids=["C++", "Fortran", "OpenMP", "threads"],
)
def test_languages_and_threads(toroid: Toroid, suffix: str, source: str, options: list[str], printed: str) -> None:
    status, out, err = run(toroid, build(source, suffix, *options))
    assert (status, out) == (0, printed), err


TIME = """
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>
static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000 + time.tv_nsec;
}
int main(void) {
  unsigned core = 9;
  const int64_t began = now();
  const uint64_t first = __rdtsc();
  for (volatile int i = 0; i < 1000000; ++i) {}
  const uint64_t second = __rdtscp(&core);
  const int64_t ended = now();
  printf("%lld %lld %u\\n", (long long)(second - first), (long long)(ended - began), core);
}
"""


def test_the_time_stamp_counter_is_simulated_time(toroid: Toroid) -> None:
    _, out, _ = run(toroid, build(TIME, ".c"))
    cycles, ns, core = map(int, out.split())
    assert core == 0
    assert cycles == pytest.approx(ns, rel=1e-2)
    first = out
    assert run(toroid, build(TIME, ".c"), "--set", "core.quantum=17")[1] == first


IDENTITY = """
#include <cpuid.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char** argv) {
  unsigned text[13] = {0}, a, b, c, d;
  for (unsigned i = 0; i < 3; ++i)
    __cpuid(0x80000002 + i, text[4 * i], text[4 * i + 1], text[4 * i + 2], text[4 * i + 3]);
  __cpuid(1, a, b, c, d);
  printf("%s %x sse3 %d ssse3 %d sse4 %d avx %d\\n", (char*)text, a, c & 1, c >> 9 & 1, c >> 19 & 3, c >> 28 & 1);
  fflush(stdout);
  if (argc > 1) __asm__ volatile("vxorps %ymm0, %ymm0, %ymm0");
  return 0;
}
"""


def test_it_is_a_processor_of_that_time(toroid: Toroid) -> None:
    program = build(IDENTITY, ".c")
    assert run(toroid, program)[1] == "AMD Opteron(tm) Processor 6172 100f91 sse3 1 ssse3 0 sse4 0 avx 0\n"
    out = run(toroid, program, "--set", f"core.processor_version={0x100F80}")[1]
    assert out.startswith("Six-Core AMD Opteron(tm) Processor 2435 100f80 ")
    command = ["run", "--machine", MACHINE, "--shape", "1", "--results", "out", program, "avx"]
    status, _, err = toroid(*command)
    assert status == 1
    assert "illegal instruction 0xc5fc57c0 at " in err


WRONG = """
#include <pthread.h>
#include <stdlib.h>
int* volatile nowhere;
volatile int zero;
static int deep(int n) { volatile char local[1000]; local[n & 511] = 1; return n > 0 ? deep(n + 1) + local[0] : 0; }
static void* deepest(void* unused) { deep(1); return unused; }
int main(int argc, char** argv) {
  (void)argc;
  switch (argv[1][0]) {
    case 'r': return *nowhere;
    case 'd': return 5 / zero;
    case 's': return deep(1);
    case 'o': { pthread_t thread; pthread_create(&thread, 0, deepest, 0); pthread_join(thread, 0); return 0; }
    case 'j': ((void (*)(void))nowhere)(); return 0;
    case 't': __builtin_trap();
    default: abort();
  }
}
"""


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("read", "read of 0x00000000 (NULL pointer), at "),
        ("divide", "integer division by zero, or whose result is too large, at "),
        ("stack", "stack overflow: write to "),
        ("overflow of a thread", "stack overflow: write to "),
        ("jump", "jump to 0x00000000 (NULL pointer), called from "),
        ("trap", "illegal instruction 0x0f0b at "),
        ("abort", "aborted"),
    ],
)
def test_faults_are_told(toroid: Toroid, what: str, says: str) -> None:
    status, _, err = toroid("run", "--machine", MACHINE, "--shape", "1", "--results", "out", build(WRONG, ".c"), what)
    assert status == 1
    assert says in err
    assert "main" in err or "stack overflow" in says
    assert what != "overflow of a thread" or "the thread's stack, which begins at 0x" in err


# These print the same on the host itself.

BEGINNING = """
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
static volatile long double one = 1, three = 3;
static void tell(const char* who) {
  unsigned short control, environment[14];
  unsigned mxcsr;
  __asm__ volatile("fnstcw %0; stmxcsr %1" : "=m"(control), "=m"(mxcsr));
  __asm__ volatile("fnstenv %0; fldcw %1" : "=m"(environment) : "m"(control));
  printf("%s: %#x %#x, tags %#x\\n", who, control, mxcsr & ~0x3f, environment[4]);
  printf("%.20Lg %.20Lg\\n", one / three, expl(one));
}
static void* thread(void* unused) { tell("thread"); return unused; }
static void handle(int number) { (void)number; tell("handler"); }
int main(void) {
  tell("main");
  pthread_t begun;
  pthread_create(&begun, NULL, thread, NULL);
  pthread_join(begun, NULL);
  const unsigned short narrow = 0x27f;
  __asm__ volatile("fldcw %0" ::"m"(narrow));
  signal(SIGUSR1, handle);
  raise(SIGUSR1);
  printf("%.20Lg\\n", one / three);
  pthread_create(&begun, NULL, thread, NULL);
  pthread_join(begun, NULL);
  return 0;
}
"""

# What the x87 has on its stack, beside a handler that fills it.
X87 = """
#include <signal.h>
#include <stdio.h>
static void spoil(int number) {
  (void)number;
  __asm__ volatile("fninit; fldpi; fldpi; fldpi; fldpi; fldpi; fldpi; fldpi; fldpi");
}
static volatile int nowhere_is_known;
static void leave(int number) { (void)number; nowhere_is_known += 1; spoil(number); }
int main(void) {
  signal(SIGUSR1, spoil);
  signal(SIGTRAP, leave);
  long double values[4];
  unsigned short status, control;
  __asm__ volatile("fldpi; fld1; fldl2e; fldz; fcom %%st(2); int3; fnstsw %1; fnstcw %2;"
                   "fstpt %0; fstpt 16+%0; fstpt 32+%0; fstpt 48+%0"
                   : "=m"(values), "=m"(status), "=m"(control) : : "memory");
  for (int i = 0; i < 4; ++i) printf("%.20Lg\\n", values[i]);
  printf("%#x %#x, handled %d\\n", status & 0x7800, control, nowhere_is_known);
  return 0;
}
"""

DIVISIONS = """
#define _GNU_SOURCE
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static sigjmp_buf back;
static void leave(int number, siginfo_t* information, void* context) {
  (void)context;
  const int code = number == SIGILL ? 0 : information->si_code & 0xff;  // which kind is not told apart
  siglongjmp(back, number << 8 | code);
}
#define TRY(what)                                                   \\
  do {                                                              \\
    const int how = sigsetjmp(back, 1);                             \\
    if (how == 0) {                                                 \\
      what;                                                         \\
      printf("%s: nothing\\n", #what);                             \\
    } else {                                                        \\
      printf("%s: signal %d, code %#x\\n", #what, how >> 8, how & 0xff); \\
    }                                                               \\
  } while (0)
int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = leave;
  action.sa_flags = SA_SIGINFO;
  for (int number = 1; number < 32; ++number) sigaction(number, &action, NULL);
  static char room[64] __attribute__((aligned(64)));
  static volatile int zero, minus = -1, least = INT_MIN;
  static volatile int64_t smallest = INT64_MIN;
  for (int i = 0; i < 3; ++i) TRY(least = least / zero);
  TRY(least = least / minus);
  TRY(smallest = smallest / minus);
  TRY(smallest = smallest % minus);
  TRY(__asm__ volatile("div %%rcx" ::"a"(0), "d"(5), "c"(3)));
  TRY(__asm__ volatile("divb %%cl" ::"a"(0x8000), "c"(1)));
  TRY(*(volatile int*)8 = 1);
  TRY(__asm__ volatile("ud2"));
  TRY(__asm__ volatile("hlt"));
  TRY(__asm__ volatile("lock cmpxchg16b 8(%0)" ::"r"(room), "a"(0), "b"(0), "c"(0), "d"(0) : "memory"));
  TRY(__asm__ volatile("movaps 8(%0), %%xmm0" ::"r"(room) : "xmm0"));
  TRY(__asm__ volatile("movapd 8(%0), %%xmm0" ::"r"(room) : "xmm0"));
  TRY(__asm__ volatile("movdqa 1(%0), %%xmm0" ::"r"(room) : "xmm0"));
  TRY(__asm__ volatile("movaps %%xmm0, 8(%0)" ::"r"(room) : "memory"));
  TRY(__asm__ volatile("movdqa %%xmm0, 15(%0)" ::"r"(room) : "memory"));
  TRY(__asm__ volatile("movntps %%xmm0, 8(%0)" ::"r"(room) : "memory"));
  TRY(__asm__ volatile("movntdq %%xmm0, 8(%0)" ::"r"(room) : "memory"));
  TRY(__asm__ volatile("movups 8(%0), %%xmm0; movdqu %%xmm0, 1(%0); movaps 16(%0), %%xmm0" ::"r"(room) : "memory"));
  TRY(least = least / zero);
  return 0;
}
"""

STEPS = """
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static volatile uintptr_t steps[16], count, codes;
static void step(int number, siginfo_t* information, void* context) {
  (void)number, (void)context;
  if (count < 16) steps[count] = (uintptr_t)information->si_addr;
  count += 1;
  codes |= (unsigned)information->si_code;
}
int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = step;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &action, NULL);
  __asm__ volatile("sub $128, %%rsp; pushfq; orl $0x100, (%%rsp); popfq; nop; xchg %%ax, %%ax; nopl (%%rax);"
                   "pushfq; andl $-0x101, (%%rsp); popfq; add $128, %%rsp" ::: "memory", "cc");
  printf("%d steps, code %d:", (int)count, (int)codes);
  for (unsigned i = 1; i < count; ++i) printf(" %d", (int)(steps[i] - steps[0]));
  printf("\\n");
  return 0;
}
"""


@pytest.mark.parametrize("engines", ["shared", "own"])
@pytest.mark.parametrize(
    "source", [BEGINNING, X87, DIVISIONS, STEPS], ids=["what code begins with", "x87", "divisions", "steps"]
)
def test_as_linux_has_it(toroid: Toroid, monkeypatch: pytest.MonkeyPatch, source: str, engines: str) -> None:
    monkeypatch.setenv("TOROID_ENGINES", engines)
    program = build(source, ".c", "-O1", "-pthread", "-lm")
    expected = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    status, out, err = run(toroid, program)
    assert (status, out) == (0, expected), err


# A function each, by the names.
PRIVILEGED = {
    "hlt": "0xf4", "cli": "0xfa", "sti": "0xfb", "in": "0xed", "out": "0xef", "rdmsr": "0x0f32", "wrmsr": "0x0f30",
    "lgdt": "0x0f0117", "lidt": "0x0f011f", "mov_cr0": "0x0f22c0", "mov_cr3": "0x0f22d8", "mov_dr7": "0x0f23f8",
    "clts": "0x0f06", "invlpg": "0x0f013f", "wbinvd": "0x0f09", "swapgs": "0x0f01f8",
    "sysret": "0x0f07", "sysretq": "0x480f07",
}  # fmt: skip


@pytest.fixture(scope="module")
def privileged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that executes the instruction it is told."""
    directory = tmp_path_factory.mktemp("privileged")
    cases = ""
    for name, encoding in PRIVILEGED.items():
        code = ", ".join(f"0x{byte:02x}" for byte in bytes.fromhex(encoding[2:]))
        cases += f'if (strcmp(what, "{name}") == 0) __asm__ volatile(".byte {code}" ::"D"(words), "c"(0), "a"(0));\n'
    source = directory / "privileged.c"
    source.write_text(
        "#include <string.h>\nstatic long words[2];\n"
        f"int main(int argc, char** argv) {{ const char* const what = argv[argc - 1];\n{cases}return 0; }}\n"
    )
    chips.compiled(MACHINE, source, directory / "privileged", ["-O1", "-g"])
    return directory / "privileged"


@pytest.mark.parametrize("name", PRIVILEGED)
def test_privileged_instructions_are_faults(toroid: Toroid, privileged: Path, name: str) -> None:
    status, _, err = toroid("run", "--machine", MACHINE, "--shape", "1", "--results", "out", privileged, name)
    assert status == 1
    assert f"privileged instruction {PRIVILEGED[name]} at " in err
    assert "(main+" in err
    assert read_result(Path("out"))["ended"] == "fault"
