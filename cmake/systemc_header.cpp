// SPDX-License-Identifier: Apache-2.0
// Nothing: what counts is the header that is compiled for it (precompiled.cmake).
