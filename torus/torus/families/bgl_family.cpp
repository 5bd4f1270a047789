// SPDX-License-Identifier: Apache-2.0
#include "torus/torus/families/bgl_family.h"

#include "torus/torus/instantiate.h"

namespace toroid {

// A large machine is as fast as its routers are small: two virtual channels of a receiver are a cache line, as is a
// sender.
static_assert(sizeof(OutputPort<BglFamily>) == 64);
static_assert(sizeof(BasicRouter<BglFamily>) <= 1664);

}  // namespace toroid

TOROID_INSTANTIATE_ROUTERS(toroid::BglFamily);
