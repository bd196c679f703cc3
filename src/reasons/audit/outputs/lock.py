"""A lock file: one run at a time. The lock ends with the process that holds it."""

import errno
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reasons.errors import InputError

_NO_LOCKS = (errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK)
"""Errors of file systems without locks. Two runs there would write the same bytes twice."""


@contextmanager
def only_run(path: Path) -> Iterator[None]:
    """Hold a lock file, created and removed here; `InputError` if another run holds it."""
    handle = _locked(path)
    try:
        os.ftruncate(handle, 0)
        os.write(handle, f"process {os.getpid()} on {socket.gethostname()}".encode())
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(handle)


def _locked(path: Path) -> int:
    """A handle of the locked file, which still has this name."""
    import fcntl

    while True:
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise InputError(f"cannot write {path}: {error.strerror}") from None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(handle, 200).decode(errors="replace")
            os.close(handle)
            raise InputError(
                f"another run uses {path.parent} ({holder}); wait for it, or choose another output"
            ) from None
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                os.close(handle)
                raise InputError(f"cannot lock {path}: {error.strerror}") from None
        if _has_name(handle, path):
            return handle
        os.close(handle)


def _has_name(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False
