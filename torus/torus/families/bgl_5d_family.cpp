// SPDX-License-Identifier: Apache-2.0
#include "torus/torus/families/bgl_family.h"
#include "torus/torus/instantiate.h"

TOROID_INSTANTIATE_ROUTERS(toroid::Bgl5dFamily);
