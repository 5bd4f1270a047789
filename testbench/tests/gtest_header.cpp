// SPDX-License-Identifier: Apache-2.0
// A target needs a source; this one is here for its precompiled header.
