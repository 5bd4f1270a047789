// SPDX-License-Identifier: Apache-2.0
// All that a family of routers is made of. Only families/*.cpp (and tests with families of their own) include it, once
// a family, so that the rest of the simulator compiles declarations alone.
#pragma once

#include "torus/torus/implementation/link_recovery.h"
#include "torus/torus/implementation/network.h"
#include "torus/torus/implementation/router.h"
#include "torus/torus/implementation/router_stand_in.h"
#include "torus/torus/implementation/stuck_report.h"
#include "torus/torus/implementation/tlm_local_port.h"
#include "torus/torus/implementation/torus_link.h"
#include "torus/torus/stages/collective.h"
#include "torus/torus/stages/credit_return.h"
#include "torus/torus/stages/ejection.h"
#include "torus/torus/stages/injection.h"
#include "torus/torus/stages/input_queue.h"
#include "torus/torus/stages/link_traversal.h"
#include "torus/torus/stages/route_computation.h"
#include "torus/torus/stages/switch_allocation.h"
#include "torus/torus/stages/switch_traversal.h"
#include "torus/torus/stages/vc_allocation.h"

#define TOROID_INSTANTIATE_ROUTERS(F)            \
  template class toroid::BasicRouter<F>;         \
  template class toroid::BasicRouterStandIn<F>;  \
  template class toroid::BasicTorusLink<F>;      \
  template class toroid::BasicTorusWire<F>;      \
  template class toroid::BasicLinkRecovery<F>;   \
  template class toroid::BasicTorusNetwork<F>;   \
  template class toroid::BasicTlmLocalPort<F>;   \
  template class toroid::BasicLinkSocketPort<F>; \
  template toroid::StuckReport toroid::stuck_report(const toroid::BasicTorusNetwork<F>&)
