/* SPDX-License-Identifier: Apache-2.0 */
/* Limits and addresses of the kernel that programs may name. */
#ifndef CONFIG_H_
#define CONFIG_H_

#define CONFIG_HWTHREADS_PER_CORE (4)
#define CONFIG_MAX_CORES (17)
#define CONFIG_MAX_HWTHREADS (CONFIG_MAX_CORES * CONFIG_HWTHREADS_PER_CORE)
#define CONFIG_MAX_APP_CORES (16)
#define CONFIG_MAX_APP_THREADS (CONFIG_MAX_APP_CORES * CONFIG_HWTHREADS_PER_CORE)
#define CONFIG_MAX_APP_PROCESSES (CONFIG_MAX_APP_CORES * CONFIG_HWTHREADS_PER_CORE)
#define CONFIG_MAX_APP_AGENTS (2)

#define CONFIG_SCHED_MIN_FIFO_PRIORITY (2)
#define CONFIG_SCHED_MAX_FIFO_PRIORITY (98)
#define CONFIG_SCHED_MIN_COMM_PRIORITY (1)
#define CONFIG_SCHED_MAX_COMM_PRIORITY (99)

#define CONFIG_GLOBAL_BASE 0x0000007000000000ul       /* all memory by its physical addresses, read-only */
#define CONFIG_APP_L2ATOMIC_BASE 0x0004000000000000ul /* operations of the L2: spi/include/l2/atomic.h */
#define CONFIG_FAST_L1P_BASE 0x0005000001500000ul     /* registers of the L1 prefetcher and the wake-up unit */
#define CONFIG_FAST_L2_BASE 0x0005000001600000ul

/* The wake-up unit's first comparator that programs may use: one for each thread of a core from there on. */
#define CNK_WAKEUP_SPI_FIRST_WAC (0)

#endif
