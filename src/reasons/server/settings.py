"""The limits of one server."""

import os
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Limits:
    """Limits on requests, work and responses.

    `body` and `audit_body` are bytes of a request. A request may run for `seconds`, an audit for
    `audit_seconds`, after waiting for at most `patience` seconds. `rows` of the user's data are
    kept, `page` rows are sent at once, `reasons` terms of a set are listed. `workers` requests run
    at once and `waiting` more are queued. The latest `audits` are kept, with at most
    `audits_bytes` of verdicts. `nodes` and `bytes` limit a single query.
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
