"""Follow every link of a built site, and see that no page asks another machine for anything.

`python tools/site_links.py out/site` prints what is wrong and ends with 1 if anything is. Links
to other sites are not followed: they may be down, and the site must build without a network.
"""

import re
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data"}
LOADING = {"stylesheet", "icon", "preload", "modulepreload", "preconnect", "dns-prefetch"}
IN_STYLES = re.compile(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^"')\s]+)""")


@dataclass
class Page(HTMLParser):
    """The anchors, links and loaded files of one page."""

    anchors: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag names, links to and loads."""
        own = {name: value or "" for name, value in attrs}
        self.anchors |= {own[name] for name in ("id", "name") if name in own}
        if tag == "a" and "href" in own:
            self.links.append(own["href"])
        if tag in LOADED and LOADED[tag] in own:
            self.loaded.append(own[LOADED[tag]])
        if tag == "link" and LOADING & set(own.get("rel", "").split()):
            self.loaded.append(own.get("href", ""))


def wrong(site: Path) -> list[str]:
    """What is wrong with the site, a sentence each."""
    pages = {path: _read(path) for path in sorted(site.rglob("*.html"))}
    if not pages:
        return [f"{site}: there are no pages"]
    found = []
    for path, page in pages.items():
        if path.name == "404.html":  # its links are meant for the root of a server
            continue
        for link in page.links + page.loaded:
            found += [f"{path.relative_to(site)}: {link}: {w}" for w in _broken(link, path, pages)]
        for link in page.loaded:
            if urlsplit(link).netloc:
                found.append(f"{path.relative_to(site)}: {link}: asks another machine")
    for path in sorted(site.rglob("*.css")):
        for link in IN_STYLES.findall(path.read_text(encoding="utf-8")):
            found.append(f"{path.relative_to(site)}: {link}: asks another machine")
    return found


def _read(path: Path) -> Page:
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def _broken(link: str, path: Path, pages: dict[Path, Page]) -> list[str]:
    """Why a link leads nowhere, if it does; links to other sites are taken on trust."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return []
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path.resolve()
    if target.is_dir():
        target /= "index.html"
    if not target.exists():
        return ["there is no such file"]
    anchor = unquote(parts.fragment)
    page = next((p for own, p in pages.items() if own.resolve() == target), None)
    if anchor and page is not None and anchor not in page.anchors:
        return ["there is no such anchor"]
    return []


def main(folder: str) -> int:
    """Print what is wrong; 1 if anything is."""
    found = wrong(Path(folder))
    for line in found:
        print(line)
    print(f"{folder}: {len(found)} links are wrong" if found else f"{folder}: every link leads on")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
