"""One run at a time: a lock that ends with the process that holds it, however that ends."""

import errno
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reasons.errors import InputError

_NO_LOCKS = (errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK)
"""What file systems without locks say. There two runs would write the same bytes twice."""


@contextmanager
def only_run(path: Path) -> Iterator[None]:
    """Hold the lock of a file, which is made and removed; `InputError` if another run has it."""
    handle = _locked(path)
    try:
        os.ftruncate(handle, 0)
        os.write(handle, f"process {os.getpid()} on {socket.gethostname()}".encode())
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(handle)


def _locked(path: Path) -> int:
    """A handle of the locked file: of the one that has the name, not one just removed."""
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
                f"another run is at work on {path.parent} ({holder}); wait for it, or choose "
                "another output"
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
