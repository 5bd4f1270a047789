# SPDX-License-Identifier: Apache-2.0
"""What the simulator costs the host: speed, memory, start-up."""
