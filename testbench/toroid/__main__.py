# SPDX-License-Identifier: Apache-2.0
from toroid import interrupts

interrupts.install()

from toroid.cli import main  # noqa: E402  # takes a while, in which Ctrl-C shall do the right thing already

main()
