# SPDX-License-Identifier: Apache-2.0
"""Toroid's command line: configures the simulator, runs it as a process, and reports the results."""
