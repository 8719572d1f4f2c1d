"""Writes the reference pages of the documentation site from what the product itself prints.

    reference.py ROOT OUTPUT

- commands: `tandem --help` and the `--help` of each command
- keys of the configuration file: docs/tandem.schema.json, which a test compares with the product's own
- metrics: `/metrics` of a running server that has served each kind of request
- options: the Javadoc of the options' records
"""

import json
import re
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

START_MAX = 60  # seconds
RECORDS = {
    "Options of the server": ["core/engine/src/main/java/dev/tandem/Options.java",
                              "core/http/src/main/java/dev/tandem/http/HeadLimits.java",
                              "core/http/src/main/java/dev/tandem/http/FormLimits.java",
                              "core/http/src/main/java/dev/tandem/http/h1/ChunkLimits.java"],
    "WebSocket and events": ["core/http/src/main/java/dev/tandem/http/WebSocketOptions.java",
                             "core/http/src/main/java/dev/tandem/http/EventOptions.java"],
    "Files and page cache": ["handlers/files/src/main/java/dev/tandem/files/FolderOptions.java",
                             "handlers/page-cache/src/main/java/dev/tandem/pagecache/CacheOptions.java"],
    "Proxy, FastCGI and CGI": ["handlers/proxy/src/main/java/dev/tandem/proxy/ProxyOptions.java",
                               "handlers/upstream/src/main/java/dev/tandem/upstream/UpstreamOptions.java",
                               "handlers/fastcgi/src/main/java/dev/tandem/fastcgi/FastCgiOptions.java",
                               "handlers/cgi/src/main/java/dev/tandem/cgi/CgiOptions.java"],
    "Fleet": ["integrations/fleet/src/main/java/dev/tandem/fleet/FleetOptions.java"],
}


def cell(text):
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def table(heads, rows):
    if not rows:
        return ""
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


# Commands


def commands(root):
    tandem = str(root / "tandem")

    def output(*arguments):
        return subprocess.run([tandem, *arguments, "--help"], capture_output=True, text=True, check=True).stdout

    overview = output()
    # Those with an asterisk belong to the laboratory, which has pages of its own.
    names = re.findall(r"^  ([a-z]+)(?: (?:\[[A-Z]+\]|[A-Z]+))? {2,}", overview, re.MULTILINE)
    if "serve" not in names or len(names) < 8:
        sys.exit(f"tandem --help lists {names}")
    text = ["# Commands", "", "What `tandem --help` prints; [the laboratory's](../lab.md) and [the load generator's](../load.md) have"
            " pages of their own.", "", "```text", overview.rstrip(), "```", ""]
    for name in names:
        text += [f"## tandem {name}", "", "```text", output(name).rstrip(), "```", ""]
    return "\n".join(text)


# Keys of the configuration file


def type_of(key):
    if "enum" in key:
        return " or ".join(f"`{value}`" for value in key["enum"])
    kind = key.get("type", "")
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind == "array":
        return "array of " + key.get("items", {}).get("type", "values") + "s"
    return kind


def key_rows(properties, prefix=""):
    rows, tables = [], []
    for name, key in properties.items():
        items = key.get("items", {})
        if key.get("type") == "array" and "properties" in items:
            tables.append((prefix + name, key, items, True))
        elif "properties" in key:
            tables.append((prefix + name, key, key, False))
        else:
            rows.append([f"`{name}`", type_of(key), cell(key.get("description", ""))])
    return rows, tables


def key_sections(name, key, node, is_array):
    title = f"[[{name}]]" if is_array else f"[{name}]"
    text = [f"## `{title}`", "", key.get("description", ""), ""]
    if name == "site.at":
        return text + ["`path`, and one of the services of [`[[site]]`](#site): `files`, `cgi`, `proxy`, `fastcgi`,"
                       " `redirect` or `respond`, with the same keys.", ""]
    rows, tables = key_rows(node["properties"], name + ".")
    required = node.get("required", [])
    rows = [[row[0] + (" (required)" if row[0].strip("`") in required else "")] + row[1:] for row in rows]
    text += [table(["key", "type", "meaning"], rows), ""]
    for below in tables:
        text += key_sections(*below)
    return text


def keys(root):
    schema = json.loads((root / "docs/tandem.schema.json").read_text())
    text = ["# Keys of tandem.toml", "",
            "From the [JSON Schema](../source/docs/tandem.schema.json.md) that `tandem config --schema` prints."
            " [Configuration](../configuration.md) explains and shows them, [Sites](../sites.md) has recipes.", ""]
    rows, tables = key_rows(schema["properties"])
    if rows or len(tables) < 8:
        sys.exit("the schema is not what this script expects")
    for below in tables:
        text += key_sections(*below)
    return "\n".join(text)


# Metrics


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def fetch(url):
    trusting = ssl._create_unverified_context()  # the certificate is the server's own, of this minute
    with urllib.request.urlopen(url, timeout=10, context=trusting) as response:
        return response.read().decode()


def metrics(root):
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "index.html").write_text("hello\n")
        (Path(folder) / "run").mkdir()
        program = Path(folder) / "run" / "hello"
        program.write_text("#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\nhello\\n'\n")
        program.chmod(0o755)
        plain, tls, manage = free_port(), free_port(), free_port()
        server = subprocess.Popen(
            [str(root / "tandem"), "serve", folder, "--listen", f"127.0.0.1:{plain}", "--tls", f"127.0.0.1:{tls}",
             "--manage", f"127.0.0.1:{manage}", "--cgi", f"/run={folder}/run", "--access-log", f"{folder}/.log",
             "--page-cache", "16m"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            until = time.monotonic() + START_MAX
            while True:
                try:
                    fetch(f"http://127.0.0.1:{manage}/ready")
                    break
                except OSError:
                    if time.monotonic() > until or server.poll() is not None:
                        sys.exit("the server did not start")
                    time.sleep(0.1)
            fetch(f"http://127.0.0.1:{plain}/")
            fetch(f"http://127.0.0.1:{plain}/run/hello")
            fetch(f"https://127.0.0.1:{tls}/")
            subprocess.run(["curl", "-sk", "--http2-prior-knowledge", f"http://127.0.0.1:{plain}/"], check=True,
                           capture_output=True)
            listed = fetch(f"http://127.0.0.1:{manage}/metrics")
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()
    helps = dict(re.findall(r"^# HELP (\S+) (.*)$", listed, re.MULTILINE))
    types = dict(re.findall(r"^# TYPE (\S+) (.*)$", listed, re.MULTILINE))
    labels = {}
    for name, found in re.findall(r"^([a-z0-9_]+)\{(.*)\} ", listed, re.MULTILINE):
        base = name if name in types else re.sub(r"_(bucket|sum|count)$", "", name)
        labels.setdefault(base, set()).update(re.findall(r'(\w+)="', found))
    if len(types) < 30:
        sys.exit(f"only {len(types)} metrics")
    rows = [[f"`{name}`", types[name], ", ".join(f"`{label}`" for label in sorted(labels.get(name, set()) - {"le"})),
             cell(helps.get(name, ""))] for name in sorted(types)]
    return "\n".join([
        "# Metrics", "",
        "What `/metrics` of a server lists that has served files, a program, TLS and HTTP/2, has an access log and a page"
        " cache. Names appear once there is something to count: databases and fleets add their own."
        " [Operations](../operations.md#metrics) says which of them to watch, and why.", "",
        table(["name", "type", "labels", "meaning"], rows)])


# Options

COMMENT = re.compile(r"((?:^ *///.*\n)+)(?: *@\w+.*\n)* *public record (\w+)\s*\(", re.MULTILINE)


def markdown(text):
    """Javadoc's links are names in code."""
    text = re.sub(r"\[#(\w+)[^\]]*\]", r"`\1`", text)
    return re.sub(r"\[([A-Z]\w*(?:[#.]\w+)*)(?:\([^)]*\))?\]", lambda m: "`" + m.group(1).replace("#", ".") + "`", text)


def options(root):
    text = ["# Options", "", "From the Javadoc of the records. Each begins with `DEFAULT`; `with…` returns a changed copy"
            " ([configuration in a program](../configuration.md#in-a-program)).", ""]
    count = 0
    for title, files in RECORDS.items():
        text += [f"## {title}", ""]
        for file in files:
            for comment, name in COMMENT.findall((root / file).read_text()):
                lines = [line.strip().removeprefix("///").removeprefix(" ") for line in comment.splitlines()]
                parts = re.split(r"^@(?=param|see|throws)", "\n".join(lines), flags=re.MULTILINE)
                rows = []
                for part in parts[1:]:
                    found = re.match(r"param (\w+)\s+(.*)", part, re.DOTALL)
                    if found:
                        rows.append([f"`{found.group(1)}`", cell(markdown(found.group(2)))])
                if not rows:
                    continue
                count += len(rows)
                about = " ".join(parts[0].split("```")[0].split())
                text += [f"### {name}", "", markdown(about), "", table(["value", "meaning"], rows), ""]
    if count < 60:
        sys.exit(f"only {count} options were found")
    return "\n".join(text)


def main():
    root, output = (Path(argument).resolve() for argument in sys.argv[1:])
    folder = output / "reference"
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in {"commands": commands, "keys": keys, "metrics": metrics, "options": options}.items():
        (folder / f"{name}.md").write_text(make(root))


main()
