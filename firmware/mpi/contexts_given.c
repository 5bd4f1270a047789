// SPDX-License-Identifier: Apache-2.0
// Apart, so that it is in programs alone whose processes give contexts.
#include "firmware/mpi/agree.h"

uint32_t mpii_contexts_given;
