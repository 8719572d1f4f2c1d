"""Writes the page of charts from the tables in docs/results, so that no figure is copied by hand.

    charts.py ROOT OUTPUT
"""

import re
import sys
from html import escape
from pathlib import Path

WIDTH = 640
LABEL = 190
BAR = 22
GAP = 8


def table(root, file, heads):
    """The rows of the first table in docs/results/FILE that begins with these heads, as lists of texts."""
    lines = (root / "docs/results" / file).read_text().splitlines()
    for at, line in enumerate(lines):
        found = cells(line)
        if line.startswith("|") and found[: len(heads)] == heads:
            rows = []
            for row in lines[at + 2:]:
                if not row.startswith("|"):
                    return rows
                rows.append(cells(row))
            return rows
    sys.exit(f"{file} has no table that begins with {heads}")


def cells(line):
    return [re.sub(r"\*\*", "", cell).strip() for cell in line.strip().strip("|").split("|")]


def number(text):
    """The first number of a cell, or None if it has none."""
    found = re.match(r"[\d,]+(?:\.\d+)?", text)
    return float(found.group().replace(",", "")) if found else None


def bars(title, unit, rows):
    """A chart of horizontal bars: rows of (label, value, whether it is Tandem's)."""
    rows = [row for row in rows if row[1] is not None]
    if len(rows) < 2:
        sys.exit(f"{title}: only {len(rows)} rows")
    most = max(value for _, value, _ in rows)
    height = len(rows) * (BAR + GAP) + GAP
    parts = []
    for at, (label, value, ours) in enumerate(rows):
        y = GAP + at * (BAR + GAP)
        length = max(2, (WIDTH - LABEL - 90) * value / most)
        text = f"{value:,.0f}" if value >= 100 else f"{value:g}"
        parts.append(
            f'<text x="{LABEL - 8}" y="{y + 16}" text-anchor="end">{escape(label)}</text>'
            f'<rect class="{"ours" if ours else "other"}" x="{LABEL}" y="{y}" width="{length:.1f}" height="{BAR}" rx="3"/>'
            f'<text x="{LABEL + length + 6:.1f}" y="{y + 16}">{text}</text>')
    said = "; ".join(f"{label} {value:g}" for label, value, _ in rows)
    return (f'<figure class="chart"><figcaption>{escape(title)} <span>({escape(unit)})</span></figcaption>'
            f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}, {escape(unit)}: {escape(said)}">'
            + "".join(parts) + "</svg></figure>")


def is_ours(label):
    return label.lower().startswith(("tandem", "ours"))


def column(rows, at):
    return [(row[0], number(row[at]), is_ours(row[0])) for row in rows if len(row) > at]


def block(charts):
    return "\n\n".join(charts) + "\n"


def page(root):
    text = ["# Charts", "",
            "Each chart is drawn from the table of the file that it names, when this site is built. Figures of different"
            " charts do not compare: they are of different runs. [All results](index.md), the unfavourable ones too.", ""]

    def part(title, file, about, charts):
        text.extend([f"## {title}", "", f"{about} From [{file}]({file}).", "", block(charts)])

    file = "2026-11-21-peers.md"
    rows = table(root, file, ["CPU", "hello"])
    part("Processor time of a request", file,
         "Less is better. One processor for the server, `wrk` on the other; three rounds of 2 s. JVMs are not fully warm, and other"
         " jobs used the machine. nginx needs less for hello, and Helidon for a database row.",
         [bars("hello, kept connections", "CPU µs", column(rows, 1)),
          bars("hello, a connection for each request", "CPU µs", column(rows, 2)),
          bars("a file of 1 KiB", "CPU µs", column(rows, 3)),
          bars("a database row", "CPU µs", column(rows, 4))])

    file = "2026-11-22-sessions.md"
    rows = table(root, file, ["contender", "completed sessions/s"])
    four = [[row[0].removesuffix(" at times capacity 4")] + row[1:] for row in rows if row[0].endswith("capacity 4")]
    part("Sessions at four times the capacity", file,
         "Users ask for eight pages each with time to think; four times as many come as can be served.",
         [bars("completed sessions", "each second; more is better", column(four, 1)),
          bars("99th percentile of response times", "ms; less is better", column(four, 5))])

    file = "2026-11-22-overload.md"
    rows = table(root, file, ["contender", "goodput/s"])
    for kind, name in [("cpu", "handlers that compute"), ("block", "handlers that wait")]:
        mine = [[row[0].split(",")[0]] + row[1:] for row in rows if row[0].endswith(f"{kind} at times capacity 4")]
        part(f"Single requests at four times the capacity: {name}", file,
             "A connection for each request. " + (
                 "Virtual threads complete more of those that only wait, each after 3 to 4 s." if kind == "block" else
                 "Tomcat with 200 threads completes slightly more, after 2.5 to 4 s."),
             [bars("completed requests", "each second; more is better", column(mine, 1)),
              bars("99th percentile of response times", "ms; less is better", column(mine, 3))])

    file = "2026-11-22-tomcat.md"
    rows = table(root, file, ["CPU microseconds a request", "ours"])
    heads = ["Tandem's connector", "Tomcat", "Jetty", "Undertow"]
    part("Servlets", file, "The same servlets. Less is better.",
         [bars(row[0], "CPU µs", [(head, number(value), head.startswith("Tandem"))
                                  for head, value in zip(heads, row[1:])]) for row in rows])

    file = "2026-11-22-https.md"
    rows = table(root, file, ["", "Tandem", "nginx"])
    part("HTTPS", file, "TLS 1.3 with P-256. Less is better.",
         [bars(row[0].replace("`", ""), "CPU µs", [("Tandem", number(row[1]), True), ("nginx", number(row[2]), False)])
          for row in rows[:3]])

    file = "2026-11-25-websocket.md"
    rows = table(root, file, ["contender", "CPU µs/text", "received texts/s", "p50 ms"])
    part("WebSocket", file, "An echo of 64 bytes in 64 sessions. Less is better.",
         [bars("an echo", "CPU µs", column(rows, 1))])

    text += ["## From the laboratory", "", "Charts that its reports made:", ""]
    for picture in sorted((root / "docs/results").glob("*.svg"), reverse=True):
        name = picture.stem
        result = next((p for p in (f"{name}.md", re.sub(r"-[a-z]+$", ".md", name))
                       if (root / "docs/results" / p).exists()), None)
        about = f"[{name}]({result})" if result else name
        text += [f"- {about}", "", f"  ![{name}]({picture.name})", ""]
    return "\n".join(text)


def main():
    root, output = (Path(argument).resolve() for argument in sys.argv[1:])
    folder = output / "results"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "charts.md").write_text(page(root))
    home = (root / "site/pages/index.md").read_text()
    rows = table(root, "2026-11-21-peers.md", ["CPU", "hello"])
    chart = bars("a connection for each request", "CPU µs; less is better", column(rows, 2))
    if "CHART\n" not in home:
        sys.exit("site/pages/index.md has no place for the chart")
    (output / "index.md").write_text(home.replace("CHART\n", chart + "\n"))


main()
