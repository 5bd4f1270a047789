# SPDX-License-Identifier: Apache-2.0
from toroid.cli import main

main()
