# SPDX-License-Identifier: Apache-2.0
"""`--report DIR`: what happened in a run as one HTML page that needs nothing else, made of result and trace.

A module a section prepares its numbers; `template/` shows them. (`toroid.report` is something else: rows of tables.)
"""
