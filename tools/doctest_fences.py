"""Examples in docstrings become fenced code, for the documentation site.

Markdown takes the `>>>` of a doctest for a quotation; mkdocstrings' own styles know examples only
under a heading `Examples:`, which our docstrings do not need.
"""

from typing import Any

import griffe


class DoctestFences(griffe.Extension):
    """What mkdocs.yml names as an extension of griffe."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Fence the examples of one docstring."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """The text with a fence around each run of lines from a prompt to the next blank line."""
    lines: list[str] = []
    inside = False
    for line in text.splitlines():
        if not inside and line.lstrip().startswith(">>>"):
            lines.append("```python")
            inside = True
        elif inside and not line.strip():
            lines.append("```")
            inside = False
        lines.append(line)
    return "\n".join([*lines, "```"] if inside else lines)
