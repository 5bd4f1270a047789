// SPDX-License-Identifier: Apache-2.0
#include "torus/torus/families/twin_links.h"

#include "torus/torus/instantiate.h"

TOROID_INSTANTIATE_ROUTERS(toroid::TwinLinksFamily);
