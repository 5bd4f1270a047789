# SPDX-License-Identifier: Apache-2.0
"""What happened in a run: the simulator's trace file, and what is made of it for other tools to open."""
