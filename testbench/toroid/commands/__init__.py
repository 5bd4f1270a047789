# SPDX-License-Identifier: Apache-2.0
"""One module for each command; each defines a click command named `command`."""
