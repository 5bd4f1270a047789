// SPDX-License-Identifier: Apache-2.0
// Progress by interrupts: a packet that arrives, or data that has, has a communication thread advance: on another core
// of the process; if there is none, on that of its thread, which then goes on where it was.
//
// The function that is interrupted into never waits for the lock. If somebody else holds it, the interrupts stay
// disabled and whoever lets the lock go enables them: what raised them is still there then, if nobody has served it.
// A process of one core disables them before, because they cost it more than the calls that do.
#include <pthread.h>

#include "firmware/bgp/dcmf/state.h"

enum {
  RECEPTION_GROUP = 2,  // of the interrupt controller, and the first line: thresholds of reception FIFOs
  RECEPTION_LINE = 28,
  COUNTER_GROUP = _BGP_IC_DMA_NFT_G3_HIER_POS,
  COUNTER_LINE = 4,
  FIRST_LOCK = 200,
  LOCKS = 1024,
};

static LockBox_Counter_t class_of_interrupts;
static volatile int begun_on = -1;
static int core = -1;  // that takes interrupts
static int home;       // the core of who has turned them on first
static bool rests;     // interrupts stay disabled up to the next call of the program

static void* begin(void* nothing) {
  begun_on = Kernel_PhysicalProcessorID();
  pthread_poof_np();
  return nothing;
}

// Communication threads go to the first core that has none: make them until one is on another core than this, or there
// are no more.
static bool make_thread(void) {
  home = Kernel_PhysicalProcessorID();
  while (core < 0 || core == home) {
    pthread_t thread;
    begun_on = -1;
    if (pthread_create_CommThread_np(&thread, NULL, begin, NULL) != 0) break;
    while (begun_on < 0) {
    }
    core = begun_on;
  }
  return core >= 0;
}

static bool make_class(void) {
  for (unsigned id = FIRST_LOCK; id < LOCKS; ++id) {
    if (LockBox_AllocateCounter(id, &class_of_interrupts, (uint32_t)Kernel_PhysicalProcessorID(), 1, 0) == 0)
      return true;
  }
  return false;
}

static void clear(void) {
  DMA_RecFifoSetClearThresholdCrossedById(dcmf_instance->reception, DCMF_RECEPTION_FIFO);
  // The counter that stands for memory hits zero now and then, which means nothing.
  DMA_CounterGroupClearHitZero(&dcmf_instance->reception_counters, 1, ~DCMF_COUNTERS_ALL);
}

void dcmf_mask_interrupts(void) {
  dcmf_instance->interrupts_masked = 1;
  // What the kernel has noted since they were disabled is not to be lost.
  if (!rests) LockBox_Write(class_of_interrupts, 1);
  rests = false;
}

// The kernel has masked the lines of the class if an interrupt came meanwhile.
void dcmf_unmask_interrupts(void) {
  enum { MASKED = 2 };
  dcmf_instance->interrupts_masked = 0;
  if (LockBox_FetchAndClear(class_of_interrupts) == MASKED) (void)Kernel_FlushInterruptState();
}

// Not for ever: others that access this process again and again would keep its threads from the lock, or from their
// only core. What has arrived since clear() interrupts again. Returns whether nothing was left.
static bool serve(void) {
  enum { TURNS = 8 };
  const dcmf_state_t* state = dcmf_instance;
  for (unsigned turns = 0; turns < TURNS || state->completed || state->waiting; ++turns) {
    clear();
    if (DCMF_Messager_advance() == 0) return true;
  }
  return false;
}

// The next interrupt comes before the only core of a process has executed anything of its program, if as much arrives
// as is served. After so many of them in a row the program goes on, up to its next call at least.
static void leave_time(bool nothing_left) {
  enum { PATIENCE = 32 };
  static unsigned in_a_row;
  in_a_row = nothing_left ? 0 : in_a_row + 1;
  if (in_a_row < PATIENCE || !dcmf_instance->interrupts_here) return;
  rests = true;
  dcmf_instance->interrupts_masked = 0;
}

// The class has been disabled on entry.
static void interrupted(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  (void)a, (void)b, (void)c, (void)d;
  __atomic_store_n(&dcmf_instance->interrupts_masked, 1, __ATOMIC_SEQ_CST);
  if (dcmf_try_enter()) {
    leave_time(serve());
    DCMF_CriticalSection_exit_func(0);
  }
  pthread_poof_np();
}

static bool route(int group, int line, bool on) {
  const int opcode = on ? (COMMTHRD_OPCODE_CORE0 + core) | COMMTHRD_OPCODE_CALLFUNC | COMMTHRD_OPCODE_DISABLEINTONENTRY
                        : COMMTHRD_OPCODE_DISABLE;
  return Kernel_SetCommThreadConfig(Kernel_MkInterruptID(group, line + (int)dcmf_instance->group), opcode,
                                    class_of_interrupts, (Kernel_CommThreadHandler)interrupted, 0, 0, 0, 0) == 0;
}

bool dcmf_set_interrupts(bool on) {
  if (core < 0) {
    if (!on) return true;
    if (!make_thread() || !make_class()) return false;
  }
  if (on) {
    rests = false;
    LockBox_Write(class_of_interrupts, 0);
    clear();
  }
  dcmf_instance->interrupts_here = on && core == home;
  return route(RECEPTION_GROUP, RECEPTION_LINE, on) && route(COUNTER_GROUP, COUNTER_LINE, on);
}
