"""Checks every link and anchor inside the built site. Links to other sites are not followed.

    links.py FOLDER
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

PAGES_MIN = 50


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or name == "name" and tag == "a":
                self.anchors.add(value)
            elif name in ("href", "src") and value and tag in ("a", "img", "link", "script"):
                self.links.append(value)


def main():
    root = Path(sys.argv[1]).resolve()
    pages = {file: Page(file.read_text()) for file in root.rglob("*.html")}
    if len(pages) < PAGES_MIN:
        sys.exit(f"only {len(pages)} pages in {root}")
    dead, count = [], 0
    for file, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if parts.scheme in ("http", "https") or parts.scheme == "data":
                    continue
            count += 1
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if target.is_dir():
                target = target / "index.html"
            name = file.relative_to(root)
            if not target.is_relative_to(root) or not target.exists():
                dead.append(f"{name}: {link}: there is no such file")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                dead.append(f"{name}: {link}: the page has no such anchor")
    if dead:
        sys.exit("\n".join(sorted(dead)))
    print(f"{len(pages)} pages, {count} links inside the site, none dead")


main()
