// SPDX-License-Identifier: Apache-2.0
// Blue Gene/L's torus under the names that its devices and its machine use.
#pragma once

#include "torus/torus/families/bgl_family.h"
#include "torus/torus/link_recovery.h"
#include "torus/torus/network.h"
#include "torus/torus/router.h"
#include "torus/torus/router_stand_in.h"
#include "torus/torus/stuck_report.h"
#include "torus/torus/tlm_local_port.h"
#include "torus/torus/torus_link.h"

namespace toroid {

using Router = BasicRouter<BglFamily>;
using RouterStandIn = BasicRouterStandIn<BglFamily>;
using TorusLink = BasicTorusLink<BglFamily>;
using LinkRecovery = BasicLinkRecovery<BglFamily>;
using TorusNetwork = BasicTorusNetwork<BglFamily>;
using TlmLocalPort = BasicTlmLocalPort<BglFamily>;
using LinkSocketPort = BasicLinkSocketPort<BglFamily>;

inline constexpr const RouterFamily& kBglRouters = kRouterFamily<BglFamily>;

}  // namespace toroid
