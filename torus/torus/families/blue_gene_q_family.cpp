// SPDX-License-Identifier: Apache-2.0
#include "torus/torus/families/blue_gene_q_family.h"

#include "torus/torus/instantiate.h"

TOROID_INSTANTIATE_ROUTERS(toroid::BlueGeneQFamily);
