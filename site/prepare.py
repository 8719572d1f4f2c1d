"""Collects the pages of the documentation site: docs/, the documents at the top, examples/, and what is generated.

    prepare.py ROOT OUTPUT GENERATED

Links that a reader of the repository can follow become links of the site: to a page, or to a page that
shows the source. A link to nothing is an error.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

TOP = {
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
LANGUAGES = {
    ".java": "java", ".toml": "toml", ".xml": "xml", ".json": "json", ".gradle": "groovy", ".sh": "sh",
    ".yaml": "yaml", ".php": "php", ".cfg": "text", ".conf": "nginx", ".py": "python", ".md": "markdown",
}
SOURCE_MAX = 200_000  # bytes; a page of more is of use to no reader
LINK = re.compile(r"(?<!\\)(\]\()([^)\s]+)(\))")
FENCE = re.compile(r"^\s*(```|~~~)")


class Site:
    def __init__(self, root, output):
        self.root, self.output = root, output
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=root, check=True,
                                capture_output=True, text=True).stdout.splitlines()
        self.files = {name for name in listed if (root / name).is_file()}
        self.pages = {name: self.page_of(name) for name in self.files}
        self.pages = {name: page for name, page in self.pages.items() if page}
        self.pages["README.md"] = "index.md"
        self.sources = set()
        self.problems = []

    def page_of(self, name):
        """The page of a document, or None if it is not one."""
        if not name.endswith(".md"):
            return None
        if name in TOP:
            return TOP[name]
        if name.startswith("docs/"):
            page = name.removeprefix("docs/")
        elif name.startswith("examples/"):
            page = name
        else:
            return None
        return page.removesuffix("README.md") + "index.md" if page.endswith("README.md") else page

    def build(self):
        for name, page in sorted(self.pages.items()):
            if name == "README.md":
                continue
            text = (self.root / name).read_text()
            self.write(page, self.converted(text, name, page))
        for name in self.files:
            if name.startswith("docs/") and name.endswith((".svg", ".png")):
                target = self.output / name.removeprefix("docs/")
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(self.root / name, target)
        self.append_contents("decisions/index.md", "decisions")
        self.append_contents("results/index.md", "results")
        self.append_contents("examples/index.md", "examples")
        done = set()
        while self.sources - done:
            for name in sorted(self.sources - done):
                done.add(name)
                self.write_source(name)

    def write(self, page, text):
        target = self.output / page
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def append_contents(self, page, folder):
        """A hidden list of the folder's pages, which navigation follows."""
        pages = sorted(p.removeprefix(folder + "/").removesuffix(".md") for p in self.pages.values()
                       if p.startswith(folder + "/") and p != page)
        if folder == "results":
            pages.reverse()
        text = (self.output / page).read_text()
        contents = "\n".join(pages)
        self.write(page, f"{text}\n```{{toctree}}\n:hidden:\n:maxdepth: 1\n\n{contents}\n```\n")

    def converted(self, text, name, page):
        lines, fence = [], None
        for line in text.split("\n"):
            mark = FENCE.match(line)
            if mark and fence is None:
                fence = mark.group(1)
            elif mark and line.strip() == fence:
                fence = None
            elif fence is None and not line.startswith("    "):
                line = LINK.sub(lambda found: found.group(1) + self.link(found.group(2), name, page)
                                + found.group(3), line)
            lines.append(line)
        return "\n".join(lines)

    def link(self, target, name, page):
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return target
        path, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(name), path))
        linked = self.pages.get(path) or self.pages.get(path + "/README.md")
        if linked is None and path.startswith("docs/") and path.endswith((".svg", ".png")):
            return target
        if linked is None and (path in self.files or any(f.startswith(path + "/") for f in self.files)):
            self.sources.add(path)
            linked = f"source/{path}.md"
        if linked is None:
            self.problems.append(f"{name}: {target} is nothing")
            return target
        relative = os.path.relpath(linked, os.path.dirname(page) or ".")
        return relative + ("#" + anchor if anchor else "")

    def write_source(self, name):
        page = f"source/{name}.md"
        if name in self.files:
            text = (self.root / name).read_text()
            if len(text) > SOURCE_MAX:
                self.problems.append(f"{name} is too long for a page")
            language = LANGUAGES.get(Path(name).suffix, "text")
            fence = "`" * 6
            self.write(page, f"---\norphan: true\n---\n# {name}\n\n{fence}{language}\n{text}\n{fence}\n")
            return
        entries = sorted({f.removeprefix(name + "/") for f in self.files if f.startswith(name + "/")})
        self.sources.update(f"{name}/{entry}" for entry in entries)
        base = os.path.basename(name)
        listed = "\n".join(f"- [{entry}]({base}/{entry}.md)" for entry in entries)
        self.write(page, f"---\norphan: true\n---\n# {name}\n\n{listed}\n")


def main():
    root, output, generated = (Path(argument).resolve() for argument in sys.argv[1:])
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    site = Site(root, output)
    site.build()
    shutil.copytree(generated, output, dirs_exist_ok=True)
    if site.problems:
        sys.exit("\n".join(site.problems))


main()
