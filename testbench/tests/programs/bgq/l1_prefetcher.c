// SPDX-License-Identifier: Apache-2.0
//
// The L1 prefetcher by the SPI: what it tells of streams before and after each change, how long it takes to read memory
// with each setting, and a loop with a list.
#include <spi/include/l1p/pprefetch.h>
#include <spi/include/l1p/sprefetch.h>
#include <stdio.h>

enum { kBytes = 1 << 16, kLine = 128, kRuns = 5 };

static volatile uint8_t memory[kRuns][kBytes] __attribute__((aligned(128)));

static void say(const char* what, long value) {
  printf("%s %ld\n", what, value);
}

// A word of each line of memory that nobody has read before, one after the other.
static unsigned read_all(unsigned run) {
  const uint64_t begin = GetTimeBase();
  unsigned sum = 0;
  for (unsigned i = 0; i < kBytes; i += kLine) sum += memory[run][i] + sum / 3;
  return sum == 0 ? (unsigned)(GetTimeBase() - begin) : 0;
}

static void tell(const char* what, unsigned run) {
  L1P_StreamPolicy_t policy;
  uint32_t depth, total;
  int adaptive;
  L1P_GetStreamPolicy(&policy);
  L1P_GetStreamDepth(&depth);
  L1P_GetStreamTotalDepth(&total);
  L1P_GetStreamAdaptiveMode(&adaptive);
  printf("%s: policy %d, depth %u of %u, adaptive %d, cycles %u\n", what, (int)policy, depth, total, adaptive,
         read_all(run));
}

static void streams(void) {
  tell("start", 0);
  say("depth 9:", L1P_SetStreamDepth(9));
  say("depth 0:", L1P_SetStreamDepth(0));
  say("total depth 17:", L1P_SetStreamTotalDepth(17));
  say("policy 5:", L1P_SetStreamPolicy((L1P_StreamPolicy_t)5));
  say("disable:", L1P_SetStreamPolicy(L1P_stream_disable));
  tell("off", 1);
  L1P_SetStreamPolicy(L1P_stream_confirmed);
  L1P_SetStreamDepth(1);
  L1P_SetStreamTotalDepth(16);
  L1P_SetStreamAdaptiveMode(0);
  tell("short", 2);
  L1P_SetStreamDepth(8);
  tell("long", 3);
  L1P_SetStreamPolicy(L1P_stream_optimistic);
  tell("optimistic", 4);
}

static void lists(void) {
  L1P_Status_t status;
  L1P_Pattern_t *kept, *second;
  uint64_t read = 9, written = 9, threshold = 0;
  int enabled = 9;
  say("start before:", L1P_PatternStart(1));
  say("unconfigure before:", L1P_PatternUnconfigure());
  say("configure:", L1P_PatternConfigure(1000));
  say("configure inner:", L1P_PatternConfigure(500));
  say("unconfigure inner:", L1P_PatternUnconfigure());
  L1P_PatternSetAbandonThreshold(100);
  L1P_PatternGetAbandonThreshold(&threshold);
  say("threshold:", (long)threshold);
  L1P_PatternSetEnable(1);
  L1P_PatternGetEnable(&enabled);
  say("enabled:", enabled);
  for (unsigned i = 0; i < 2; ++i) {
    say("start:", L1P_PatternStart(i == 0));
    L1P_PatternStatus(&status);
    say("finished:", status.s.finished);
    say("pause:", L1P_PatternPause());
    say("resume:", L1P_PatternResume());
    say("stop:", L1P_PatternStop());
    L1P_PatternStatus(&status);
    say("finished:", status.s.finished);
  }
  say("depth:", L1P_PatternGetCurrentDepth(&read, &written));
  say("read:", (long)read);
  say("written:", (long)written);
  say("get:", L1P_GetPattern(&kept));
  say("allocate:", L1P_AllocatePattern(100, &second));
  say("set:", L1P_SetPattern(second));
  say("deallocate the thread's own:", L1P_DeallocatePattern(second));
  say("deallocate another:", L1P_DeallocatePattern(kept));
  say("set a new one:", L1P_SetPattern(NULL));
  say("deallocate:", L1P_DeallocatePattern(second));
  say("unconfigure:", L1P_PatternUnconfigure());
  say("too few bytes:", (long)Kernel_L1pSetPatternAddress((void*)memory, (void*)memory, 100));
  say("not the process's:", (long)Kernel_L1pSetPatternAddress((void*)8, (void*)memory, 256));
}

int main(int argc, char** argv) {
  (void)argv;
  if (argc > 1) {
    streams();
  } else {
    lists();
  }
  return 0;
}
