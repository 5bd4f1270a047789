# SPDX-License-Identifier: Apache-2.0
import sys

from toroid import interrupts

interrupts.install()

# Compiling the command line anew takes longer than most runs: its bytecode is kept, whatever the environment says of
# other programs (PYTHONDONTWRITEBYTECODE).
sys.dont_write_bytecode = False

from toroid.cli import main  # noqa: E402  # takes a while, in which Ctrl-C shall do the right thing already

main()
