"""Does what docs/start says, line by line as a new user would, with a stopwatch.

    quick_starts.py ROOT WORK [PAGE…]

Each command must be in its page, and each file is copied from it: a page that changes makes this fail. WORK
is an empty folder. Ports 8000, 8080, 8090 and 8443 must be free; php.md needs root and php-fpm, tomcat.md
CATALINA_HOME with a Tomcat 11 that may be changed. TANDEM_MAVEN_REPOSITORY names a local Maven
repository in which the artifacts are installed, in place of the user's own. Prints a table in Markdown.
"""

import os
import re
import signal
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

START_MAX = 180  # seconds
PAGE_MAX = 60  # seconds: what "a minute" allows

SPRING = "mvn spring-boot:run -Dspring-boot.run.jvmArguments=--enable-native-access=ALL-UNNAMED"
JAVA = "MAVEN_OPTS=--enable-native-access=ALL-UNNAMED mvn -q compile exec:java -Dexec.mainClass=app.App"
LOCAL = "http://127.0.0.1:8080"

# A page's commands: (command,), or for one that serves (command, URL to ask, text in its response).
PAGES = {
    "files.md": [
        ("mkdir site",),
        ("echo '<h1>Hello</h1>' >site/index.html",),
        ("tandem serve site", f"{LOCAL}/", "<h1>Hello</h1>"),
        ("tandem serve site --listen 0.0.0.0:8000", "http://127.0.0.1:8000/", "<h1>Hello</h1>"),
        ("tandem serve site --tls 127.0.0.1:8443", "https://localhost:8443/", "<h1>Hello</h1>"),
        ("tandem serve site --manage 127.0.0.1:8090", "http://127.0.0.1:8090/ready", "ready"),
        ("tandem check tandem.toml",),
        ("tandem serve", f"{LOCAL}/missing", "<h1>Hello</h1>"),
    ],
    "java.md": [(JAVA, f"{LOCAL}/hello/you", "Hello, you")],
    "spring.md": [(SPRING, f"{LOCAL}/hello/you", "Hello, you")],
    "tomcat.md": [
        ("mkdir app",),
        ("echo '<p>Hello, ${param.name}: ${1 + 2}</p>' >app/index.jsp",),
        ("tandem run app", f"{LOCAL}/?name=Anna", "Hello, Anna: 3"),
        ("sed -i 's/port=\"8080\" protocol=\"HTTP\\/1.1\"/port=\"8080\" protocol=\"dev.tandem.tomcat.TandemProtocol\"/'"
         " $CATALINA_HOME/conf/server.xml",),
        ("$CATALINA_HOME/bin/catalina.sh run", f"{LOCAL}/", "Apache Tomcat"),
    ],
    "php.md": [
        ("mkdir /srv/php",),
        ("echo '<?php echo \"Hello, \", htmlspecialchars($_GET[\"name\"] ?? \"you\"), \"\\n\";' >/srv/php/index.php",),
        ("tandem serve", f"{LOCAL}/?name=Anna", "Hello, Anna"),
    ],
}
FILE = re.compile(r"^`([^`\n]+)`\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def ask(url):
    context = ssl._create_unverified_context()  # the certificate is one of this server for localhost
    request = urllib.request.Request(url, headers={"Accept": "text/html"})  # as browsers do
    try:
        with urllib.request.urlopen(request, timeout=5, context=context) as response:
            return response.read().decode()
    except urllib.error.HTTPError as error:
        return error.read().decode()
    except OSError:
        return ""


def serve(command, url, text, folder, environment):
    """Seconds from the command to the right response; then ends the server as Ctrl-C would."""
    log = folder / "log"
    with log.open("w") as output:
        started = time.monotonic()
        process = subprocess.Popen(["sh", "-c", command], cwd=folder, env=environment, stdout=output, stderr=output,
                                   start_new_session=True)
        try:
            while text not in ask(url):
                if process.poll() is not None or time.monotonic() - started > START_MAX:
                    sys.exit(f"{command}: {url} does not respond with {text!r}\n{log.read_text()}")
                time.sleep(0.02)
            return time.monotonic() - started
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)
            process.wait(30)


def main():
    root, work = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    programs = work / "programs"
    programs.mkdir(parents=True)
    (programs / "tandem").symlink_to(root / "tandem")
    repository = os.environ.get("TANDEM_MAVEN_REPOSITORY")
    if repository:
        maven = programs / "mvn"
        maven.write_text(f'#!/bin/sh\nexec {which("mvn")} -Dmaven.repo.local={repository} "$@"\n')
        maven.chmod(0o755)
    environment = dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}")
    slow = []
    print("| page | command | seconds |\n|---|---|---:|")
    for name in sys.argv[3:] or PAGES:
        page = (root / "docs/start" / name).read_text()
        folder = work / name.removesuffix(".md")
        folder.mkdir()
        for file, text in FILE.findall(page):
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text)
        total = 0.0
        for command, *check in PAGES[name]:
            if not re.search(rf"^{re.escape(command)}( +#.*)?$", page, re.MULTILINE):
                sys.exit(f"{name} does not say: {command}")
            if check:
                seconds = serve(command, *check, folder, environment)
            else:
                started = time.monotonic()
                subprocess.run(["sh", "-c", command], cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
                seconds = time.monotonic() - started
            total += seconds
            said = command.replace("|", "\\|")
            print(f"| {name} | `{said}`" + (f", until `{check[0]}` responds" if check else "") + f" | {seconds:.2f} |")
        print(f"| {name} | **all of it** | **{total:.2f}** |", flush=True)
        if total > PAGE_MAX:
            slow.append(name)
    if slow:
        sys.exit(f"more than {PAGE_MAX} s: {', '.join(slow)}")


def which(program):
    return subprocess.run(["which", program], check=True, capture_output=True, text=True).stdout.strip()


main()
