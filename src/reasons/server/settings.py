"""How much one server does at most."""

import os
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Limits:
    """Bounds on requests, work and answers.

    `body` is in bytes, `audit_body` for audits; a request works for `seconds`, an audit for
    `audit_seconds`, after it has waited for others for at most `patience` seconds; `rows` are
    kept of the user's data, `page` sent at once; `reasons` listed of a set; `workers` work at once
    and `waiting` requests wait for them; `audits` are kept, while their verdicts have no more than
    `audits_bytes` together; `nodes` and `bytes` are for one question that can explode.
    """

    body: int = 1 << 20
    audit_body: int = 8 << 20
    seconds: float = 10.0
    audit_seconds: float = 60.0
    patience: float = 60.0
    rows: int = 100_000
    page: int = 200
    reasons: int = 200
    workers: int = field(default_factory=lambda: max(2, os.cpu_count() or 1))
    waiting: int = 4_096
    audits: int = 16
    audits_bytes: int = 1 << 28
    nodes: int = 20_000_000
    bytes: int = 1 << 30
