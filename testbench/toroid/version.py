# SPDX-License-Identifier: Apache-2.0
"""The option --version, of the command line and of `run`, as scripts ask mpirun for its version."""

import click

from toroid import paths

version_option = click.version_option(paths.version(), message="toroid %(version)s")
