/* SPDX-License-Identifier: Apache-2.0 */
/* Memory and barriers of the node's tasks. */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_NODE_H
#define TOROID_FIRMWARE_BGQ_PAMI_NODE_H

#include "firmware/bgq/pami/job.h"

/* Maps the memory; the job is known. */
void pami_node_start(void);

#endif
