"""The report of an audit: one page that needs nothing else, and a JSON file of the same."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reasons.audit.outputs.paths import output_path, require_no_overwrite
from reasons.audit.summary.cases import telling_cases
from reasons.audit.summary.findings import alone, subject
from reasons.errors import InputError
from reasons.features.values import number_text
from reasons.formats.rows.source import FrameSource
from reasons.fs import write_atomically
from reasons.text import legible, percent
from reasons.views.audit import report_view
from reasons.views.values import Object

if TYPE_CHECKING:
    from reasons.audit.audit import Audit

_LONGEST = 1_000  # characters of a user's text on the page; the JSON has all of it


def write_report(audit: "Audit", path: str | os.PathLike[str]) -> list[Path]:
    """Write the page and, beside it, the JSON; the files that were written."""
    page, beside = report_files(path)
    require_no_overwrite([audit.path, page, beside], audit.source)
    report = report_of(audit)
    html = page_of(report)
    write_atomically(beside, json.dumps(report, indent=1, allow_nan=False).encode())
    write_atomically(page, html.encode("utf-8", "replace"))
    return [page, beside]


def report_files(path: str | os.PathLike[str]) -> tuple[Path, Path]:
    """The page and the JSON file that are written for a name."""
    page = output_path(path)
    if page.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"cannot write {page}: a report is a page, so name it .html")
    return page, page.with_suffix(".json")


def report_of(audit: "Audit") -> Object:
    """Everything that the report says: the summary, its findings, and the most telling cases."""
    data = None if isinstance(audit.source, FrameSource) else audit.source.name
    return report_view(audit, data, *telling_cases(audit))


def page_of(report: Object) -> str:
    """The page. Every text in it is escaped: nothing a user wrote becomes markup."""
    try:
        import jinja2
    except ImportError:
        raise InputError("to write a report, install Jinja2: pip install jinja2") from None
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_legible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"percent": percent, "number": _number, "shown": _shown}
    environment.filters |= {"subject": subject, "alone": alone}
    return environment.get_template("audit.html").render(report)


def _legible(value: Any) -> Any:
    """A text without characters that no page can hold, and not too long for one."""
    if not isinstance(value, str) or hasattr(value, "__html__"):
        return value
    return legible(value if len(value) <= _LONGEST else f"{value[:_LONGEST]}... (cut)")


def _shown(value: Any) -> Any:
    """A value of an instance: whole numbers without an idle `.0`."""
    return "missing" if value is None else number_text(value) if type(value) is float else value


def _number(value: int | str | None) -> str:
    """A count; in JSON, one beyond 2^53 is a text."""
    return "not known" if value is None else f"{int(value):,}"
