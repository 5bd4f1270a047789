// SPDX-License-Identifier: Apache-2.0
// Serving passive targets while their program is outside MPI: the torus interrupts, and the handler lets the message
// layer advance.
//
// Inside MPI there are no interrupts, so that the handler finds the library and the message layer at rest. While there
// are windows, mpii_phase says that interrupts may come: the check with which every function begins leads here, where
// they are stopped. They are enabled again on the return to the program: in the oldest of the
// library's stack frames the return address is replaced by that of mpii_leave_entry. So programs without windows pay
// nothing.
#include "drivers/bgl/interrupt.h"
#include "firmware/bgl/msglayer/msglayer.h"
#include "firmware/mpi/error.h"
#include "firmware/mpi/interrupted.h"
#include "firmware/mpi/transport/bgl/bgl.h"

enum {
  STACK_BYTES = 1 << 15,
  TURNS = 8,                 ///< of the message layer, in one interrupt
  IDLE_TURNS = 1000,         ///< in which nothing could be sent, before the handler leaves it to the next call of MPI
  ENTRY_CYCLES = 1000,       ///< that an interrupt takes beside its handler
  THROTTLE_CYCLES = 20000,   ///< of interrupts, from which on the program is to have at least
  PROGRAM_SHARE = 8,         ///< one cycle in so many
  WATERMARK_HALF_FULL = 16,  ///< chunks of a FIFO
  WATERMARK_OFF = 31
};

static uint32_t users;  ///< calls of mpit_serve_begin() without their mpit_serve_end()
static uint8_t stack[STACK_BYTES] __attribute__((aligned(16)));

static void set_watermarks(unsigned chunks) {
  const uint32_t groups = bglml_reception_groups();
  for (unsigned group = 0; groups >> group != 0; ++group) {
    if ((groups >> group & 1u) != 0) bgl_torus_reception_watermark(group, chunks);
  }
}

// Since the program left MPI: when that was, and what interrupts have taken of the time.
static uint64_t left_at, taken;
static bool throttled;  ///< too much: they come for FIFOs that are half full only, until it has called MPI again

/// Without a limit, processes that access this one continuously would stop its program: a line that is up when the
/// handler returns interrupts before the program's next instruction. Where many keep FIFOs half full, none come.
static void count_time(uint64_t began) {
  const uint64_t now = bgl_timebase();
  taken += now - began + ENTRY_CYCLES;
  if (taken < THROTTLE_CYCLES || (now - left_at) / PROGRAM_SHARE * (PROGRAM_SHARE - 1) > taken) return;
  if (throttled) bgl_interrupt_stop();
  throttled = true;
  set_watermarks(WATERMARK_HALF_FULL);
  left_at = now;
  taken = 0;
}

static void handler(uint32_t groups) {
  (void)groups;
  const uint64_t began = bgl_timebase();
  const char* running = mpii_running;
  mpii_running = "an access by another process";
  mpii_interrupted = true;
  for (uint32_t turns = 0, idle = 0; turns < TURNS || bglml_sending(); ++turns) {
    // Others that access this process again and again always leave something to be sent.
    if (turns < TURNS ? bglml_advance() : bglml_advance_sending()) continue;
    if (!bglml_sending() || ++idle == IDLE_TURNS) break;
  }
  mpii_interrupted = false;
  mpii_running = running;
  count_time(began);
}

// ---------------------------------------------------------------------------------------------------------------
// In and out

static uint32_t return_address;  ///< of the library's oldest frame

/// The library's code is in a section of its own (firmware/CMakeLists.txt), whose ends the linker names.
static bool is_library(uint32_t address) {
  extern const char __start_mpii_text[], __stop_mpii_text[];
  return address >= (uint32_t)(uintptr_t)__start_mpii_text && address < (uint32_t)(uintptr_t)__stop_mpii_text;
}

// Reports of where a process is name the function around the instruction before the one returned to: not another's.
void mpii_leave_entry(void);
__asm__(
    "\t.text\n"
    "\t.align 2\n"
    "\t.type mpii_program,@function\n"
    "mpii_program:\n"
    "\tnop\n"
    "\t.size mpii_program,.-mpii_program\n"
    "\t.globl mpii_leave_entry\n"
    "\t.type mpii_leave_entry,@function\n"
    "mpii_leave_entry:\n"
    "\tstwu 1,-32(1)\n"
    "\tstw 3,8(1)\n"  // results
    "\tstw 4,12(1)\n"
    "\tbl mpii_leave\n"
    "\tmtlr 3\n"
    "\tlwz 3,8(1)\n"
    "\tlwz 4,12(1)\n"
    "\taddi 1,1,32\n"
    "\tblr\n"
    "\t.size mpii_leave_entry,.-mpii_leave_entry\n");

/// The program goes on at the address that is returned.
__attribute__((used)) uint32_t mpii_leave(void) {
  if (users != 0 && mpii_phase == MPII_BETWEEN) {
    mpii_phase = MPII_SERVED;
    if (throttled) set_watermarks(0);
    throttled = false;
    taken = 0;
    left_at = bgl_timebase();
    bgl_interrupt_start(handler, TOROID_INTERRUPT_TORUS, stack, sizeof stack);
  }
  return return_address;
}

/// Arrange that mpii_leave() is called when the library returns to the program. A frame begins with the address of
/// its caller's, whose second word is where the function returns to.
static __attribute__((noinline)) void watch_return(void) {
  // This function calls no other and need not save where it returns to: that is in the library anyway.
  uint32_t* frame = (uint32_t*)(uintptr_t) * (uint32_t*)__builtin_frame_address(0);
  do {
    frame = (uint32_t*)(uintptr_t)frame[0];
    if (frame == NULL) return;
  } while (is_library(frame[1]));
  return_address = frame[1];
  frame[1] = (uint32_t)(uintptr_t)mpii_leave_entry;
}

/// A function of MPI begins.
static void enter(void) {
  bgl_interrupt_stop();
  mpii_phase = MPII_BETWEEN;
  mpii_do_later();
  watch_return();
}

bool mpit_serve_begin(void) {
  users += 1;
  if (users != 1) return true;
  mpii_served = enter;
  set_watermarks(0);
  watch_return();
  return true;
}

void mpit_serve_end(void) {
  users -= 1;
  if (users == 0) set_watermarks(WATERMARK_OFF);
}
