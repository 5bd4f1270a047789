// SPDX-License-Identifier: Apache-2.0
#include <a1.h>
#include <stdlib.h>

#include "firmware/ospri/dcmf/device.h"
#include "firmware/ospri/dcmf/fatal.h"
#include "firmware/ospri/dcmf/helper.h"
#include "firmware/ospri/dcmf/lock.h"
#include "firmware/ospri/dcmf/pools.h"
#include "firmware/ospri/dcmf/receive.h"
#include "hw/kernel/kernel_abi.h"

#ifdef OSPRI_SEVERAL_PROCESSES
ospri_state_t* ospri_instance;
#else
// Before the start every rank and one handle seem right: what is then done with them ends the process.
ospri_state_t ospri = {.size = UINT32_MAX, .settings.handles = 1};
#endif

#if UINTPTR_MAX == UINT32_MAX
/// For the machine's report of that end.
const struct toroid_library toroid_library_ospri = {
    .functions = (uint32_t)(uintptr_t) "A1_",
    .ready = (uint32_t)(uintptr_t)&ospri.targets,
    .misuse = (uint32_t)(uintptr_t) "is called before A1_Initialize() or after A1_Finalize()",
};
#endif

static void find_node(void) {
  DCMF_Hardware_t hardware;
  DCMF_Hardware(&hardware);
  ospri.node = (hardware.zCoord * hardware.ySize + hardware.yCoord) * hardware.xSize + hardware.xCoord;
  ospri.nodes = hardware.xSize * hardware.ySize * hardware.zSize;
}

/// Chooses the lock, and asks DCMF for what it takes. DCMF may give less.
static void configure(int thread_level) {
  ospri_settings_t* const settings = &ospri.settings;
  const bool threads = settings->helper || settings->interrupts || thread_level == A1_THREAD_MULTIPLE;
  ospri.several_callers = thread_level == A1_THREAD_MULTIPLE;
  // Interrupts take DCMF's lock.
  const bool dcmf = settings->mpi_active || settings->interrupts;
  ospri.lock_kind = !threads ? OSPRI_LOCK_NONE : dcmf ? OSPRI_LOCK_DCMF : OSPRI_LOCK_ATOMIC;
  static const DCMF_Thread kLevels[] = {
      [OSPRI_LOCK_NONE] = DCMF_THREAD_SINGLE,
      [OSPRI_LOCK_DCMF] = DCMF_THREAD_MULTIPLE,
      [OSPRI_LOCK_ATOMIC] = DCMF_THREAD_SERIALIZED,
  };
  DCMF_Configure_t now;
  DCMF_Messager_configure(NULL, &now);
  if (now.thread_level < kLevels[ospri.lock_kind]) now.thread_level = kLevels[ospri.lock_kind];
  now.interrupts = settings->interrupts ? DCMF_INTERRUPTS_ON : DCMF_INTERRUPTS_OFF;
  DCMF_Messager_configure(&now, &now);
  settings->interrupts = now.interrupts == DCMF_INTERRUPTS_ON;
  if (ospri.lock_kind == OSPRI_LOCK_DCMF && now.thread_level < DCMF_THREAD_MULTIPLE) settings->helper = false;
}

static void register_collectives(void) {
  DCMF_GlobalBarrier_Configuration_t barrier = {DCMF_DEFAULT_GLOBALBARRIER_PROTOCOL};
  DCMF_GlobalBcast_Configuration_t broadcast = {DCMF_DEFAULT_GLOBALBCAST_PROTOCOL};
  DCMF_GlobalAllreduce_Configuration_t allreduce = {DCMF_DEFAULT_GLOBALALLREDUCE_PROTOCOL};
  if (DCMF_GlobalBarrier_register(&ospri.barrier, &barrier) != DCMF_SUCCESS ||
      DCMF_GlobalBcast_register(&ospri.broadcast, &broadcast) != DCMF_SUCCESS ||
      DCMF_GlobalAllreduce_register(&ospri.allreduce, &allreduce) != DCMF_SUCCESS) {
    ospri_fatal("DCMF does not offer its global collectives");
  }
}

/// Everybody learns everybody's memory region.
static void exchange_regions(void) {
  size_t bytes;
  ospri.regions = ospri_allocate(ospri.size * sizeof *ospri.regions);
  ospri.shared = ospri_allocate(ospri.size * OSPRI_VALUE_BYTES);
  if (DCMF_Memregion_create(&ospri.region, &bytes, (size_t)-1, NULL, 0) != DCMF_SUCCESS) {
    ospri_fatal("DCMF makes no region of all memory");
  }
  ospri_share(&ospri.region, sizeof ospri.region, ospri.regions);
}

void ospri_start(int thread_level) {
  ospri.owns_dcmf = DCMF_Messager_initialize() == 1;
  ospri.rank = (unsigned)DCMF_Messager_rank();
  ospri.size = (unsigned)DCMF_Messager_size();
  ospri_read_settings(&ospri.settings);
  configure(thread_level);
  ospri.consistency = ospri.settings.order == OSPRI_ORDER_NONE ? DCMF_RELAXED_CONSISTENCY : DCMF_SEQUENTIAL_CONSISTENCY;
  find_node();
  ospri_enter();  // the helper stays out until all is there
  ospri_register_protocols();
  register_collectives();
  if (ospri.settings.helper) ospri.settings.helper = ospri_start_helper();
  ospri_settle_settings(&ospri.settings);
  ospri.targets = ospri_allocate(ospri.size * sizeof *ospri.targets);
  ospri.handles = ospri_allocate(ospri.settings.handles * sizeof *ospri.handles);
  ospri_make_pools();
  exchange_regions();
  ospri_exit();
}

void ospri_stop(void) {
  ospri_enter();
  ospri_flush_all();
  ospri_barrier();
  ospri_exit();
  if (ospri.settings.helper) ospri_stop_helper();
  if (ospri.settings.interrupts) {
    DCMF_Configure_t now;
    DCMF_Messager_configure(NULL, &now);
    now.interrupts = DCMF_INTERRUPTS_OFF;
    DCMF_Messager_configure(&now, &now);
  }
  // Whoever is here has nothing under way, and nobody has anything under way to it.
  DCMF_Memregion_destroy(&ospri.region);
  if (ospri.owns_dcmf) DCMF_Messager_finalize();
  ospri_free_receives();
  ospri_free_pools();
  free(ospri.regions);
  free(ospri.shared);
  free(ospri.targets);
  free(ospri.handles);
  ospri = (ospri_state_t){.rank = ospri.rank, .size = ospri.size, .settings.handles = 1};
}
