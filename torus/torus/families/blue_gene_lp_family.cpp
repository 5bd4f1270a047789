// SPDX-License-Identifier: Apache-2.0
#include "torus/torus/families/blue_gene_lp_family.h"

#include "torus/torus/instantiate.h"

namespace toroid {

// A large machine is as fast as its routers are small: two virtual channels of a receiver are a cache line, as is a
// sender.
static_assert(sizeof(OutputPort<BlueGeneLpFamily>) == 64);
static_assert(sizeof(BasicRouter<BlueGeneLpFamily>) <= 1664);

}  // namespace toroid

TOROID_INSTANTIATE_ROUTERS(toroid::BlueGeneLpFamily);
