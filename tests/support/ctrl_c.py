"""Programs that are stopped by Ctrl-C while they work."""

import signal
import subprocess
import sys
import time
from typing import Any

from tests.support.folders import ROOT


def require_ctrl_c_ends(program: str, *arguments: str, after: float = 0.3) -> None:
    """Run a program that prints `ready` before work of hours; Ctrl-C must end it soon."""
    pipe: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": ROOT}
    command = [sys.executable, "-c", program, *arguments]
    with subprocess.Popen(command, **pipe) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"ready\n", process.stderr.read().decode()[-2000:]
        time.sleep(after)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=60)
        finally:
            process.kill()
        took = time.monotonic() - start
        assert b"KeyboardInterrupt" in process.stderr.read()
        assert took < 30
