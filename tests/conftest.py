"""What every test process needs."""

import signal
from contextlib import suppress

# A build started in the background ignores Ctrl-C, and so would the programs that the tests
# start to be interrupted: a handler of our own is reset to the default in them.
with suppress(ValueError):
    signal.signal(signal.SIGINT, signal.default_int_handler)
