"""A program in a process of its own, its CPU time and memory limited and its CPU time measured.

CPU seconds, not those of the clock: on a shared machine the clock measures the neighbours. The
clock only ends what waits for ever.
"""

import os
import resource
import signal
import subprocess
import time
from collections.abc import Sequence
from typing import NamedTuple

from benches.harness.subprocess_runner import ROOT

MEMORY = 6 << 30
_SPARE = 60  # seconds between the limit that a child may choose to ignore and the last one


class Run(NamedTuple):
    """How a program ended, user and system seconds, and what it printed."""

    code: int
    seconds: float
    output: str

    @property
    def ending(self) -> str:
        """How it ended, in a few words; nothing where all went well."""
        if self.code == -signal.SIGXCPU:
            return "out of time"
        if self.code < 0:
            return signal.Signals(-self.code).name
        return f"exit code {self.code}" if self.code else ""


def run_limited(command: Sequence[str], seconds: float, *, memory: int = MEMORY) -> Run:
    """Run a program; a code below 0 is the signal that ended it, that of a limit included."""

    def limit() -> None:
        most = max(1, round(seconds + 0.5))
        resource.setrlimit(resource.RLIMIT_CPU, (most, most + _SPARE))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=ROOT,
        preexec_fn=limit,
        start_new_session=True,
    )
    try:
        output, code, used = _watched(process, time.monotonic() + 10 * seconds + 30)
    except BaseException:
        process.kill()
        process.wait()
        raise
    return Run(code, used.ru_utime + used.ru_stime, output)


def _watched(
    process: "subprocess.Popen[str]", deadline: float
) -> tuple[str, int, resource.struct_rusage]:
    """What it prints until it ends, how it ends, and what it has used."""
    assert process.stdout is not None
    os.set_blocking(process.stdout.fileno(), False)
    parts: list[bytes] = []
    while True:
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        while part := _available(process.stdout.fileno()):
            parts.append(part)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            process.stdout.close()
            return b"".join(parts).decode(errors="replace"), process.returncode, used
        if time.monotonic() > deadline:
            process.kill()
        time.sleep(0.002)


def _available(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1 << 16)
    except BlockingIOError:
        return b""
