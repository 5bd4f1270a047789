# SPDX-License-Identifier: Apache-2.0
"""One module a published figure. Each runs programs on the machine and returns rows: published, measured."""
