// SPDX-License-Identifier: Apache-2.0
#include "torus/torus/families/five_dimensional.h"

#include "torus/torus/instantiate.h"

TOROID_INSTANTIATE_ROUTERS(toroid::FiveDimensionalFamily);
