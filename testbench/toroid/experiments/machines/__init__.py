# SPDX-License-Identifier: Apache-2.0
"""A module a machine, with its name, that lists its published figures: FIGURES, by name, in the order in which they are
shown."""
