// SPDX-License-Identifier: Apache-2.0
#include "firmware/bgl/msglayer/activity.h"

struct toroid_activity toroid_activity;
