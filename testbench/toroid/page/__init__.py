# SPDX-License-Identifier: Apache-2.0
"""`--report DIR`: a run as one self-contained HTML page, generated from result and trace.

A module a section prepares its numbers; `template/` shows them. (`toroid.report` is something else: rows of tables.)
"""
