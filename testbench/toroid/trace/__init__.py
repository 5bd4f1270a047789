# SPDX-License-Identifier: Apache-2.0
"""The simulator's trace file, and its conversion to files for other tools."""
