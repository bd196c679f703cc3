"""Work that leaves traces: where it was unpickled, and who did which batch."""

import os
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any


class Watched:
    """Does the work of another; can be slow."""

    def __init__(self, work: Any, folder: str, seconds: float = 0) -> None:
        self.work, self.folder, self.seconds = work, folder, seconds

    @property
    def one_at_a_time(self) -> bool:
        return bool(self.work.one_at_a_time)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_unpickled, (self.work, self.folder, self.seconds))

    def __call__(self, number: int, batch: Any, stopped: Callable[[], bool]) -> Any:
        _trace(self.folder, f"did {number}")
        time.sleep(self.seconds)
        return self.work(number, batch, stopped)


def _unpickled(work: Any, folder: str, seconds: float) -> Watched:
    _trace(folder, "made")
    return Watched(work, folder, seconds)


def _trace(folder: str, what: str) -> None:
    Path(folder, f"{what} by {os.getpid()} {uuid.uuid4().hex}").touch()


def traces(folder: Path, what: str) -> list[int]:
    """The processes that did something, as often as they did it."""
    found = (path.name for path in folder.iterdir())
    return sorted(int(x.split(" by ")[1].split()[0]) for x in found if x.startswith(what))
