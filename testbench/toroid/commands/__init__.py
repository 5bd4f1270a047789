# SPDX-License-Identifier: Apache-2.0
"""One module a command, each with a click command named `command`."""
