#!/usr/bin/env python3
"""Measures how soon an application of Spring Boot responds after its start, and how many responses it sends in each of the
first seconds: with Tomcat's own connector and with Tandem's, without an AOT cache and with one.

  bin/measure-spring.py APP.jar PATH [--rounds N] [--seconds N] [--folder DIR] [-- OPTION...]

APP.jar has the starter. Tandem's cache is made by bin/spring-cache.sh with PATH; Tomcat's as Spring Boot documents it
(-Dspring.context.exit=onRefresh). The server runs on processor 0, wrk on processor 1. Each round starts all four, in
another order. OPTIONs are the application's. Needs wrk and taskset. JAVA_HOME names the JDK.
"""
import argparse
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

FLAGS = ["--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-Xmx1g"]


def fail(text):
    sys.exit(f"measure-spring: {text}")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def status(port, path):
    """The status of the response, None without one."""
    try:
        with socket.create_connection(("127.0.0.1", port), 2) as s:
            s.settimeout(10)
            s.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            head = s.recv(1000)
            return int(head.split()[1]) if head.startswith(b"HTTP/1.1 ") else None
    except OSError:
        return None


def measure(command, path, seconds):
    """Milliseconds to the first response of status 200, and the responses of each second after it."""
    port = free_port()
    begun = time.monotonic()
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(["taskset", "-c", "0", *command, f"--server.port={port}"], stdout=log, stderr=log)
        try:
            while status(port, path) != 200:
                if process.poll() is not None or time.monotonic() - begun > 60:
                    log.seek(0)
                    fail(f"no response: {' '.join(command)}\n{log.read()[-2000:].decode()}")
                time.sleep(0.002)
            start = (time.monotonic() - begun) * 1000
            counts = []
            for _ in range(seconds):
                out = subprocess.run(
                    ["taskset", "-c", "1", "wrk", "-t1", "-c64", "-d1s", f"http://127.0.0.1:{port}{path}"],
                    capture_output=True, text=True, timeout=30).stdout
                bad = re.search(r"Non-2xx.*: (\d+)|Socket errors: (.*)", out)
                if bad:
                    print("errors:", bad.group(0), file=sys.stderr)
                counts.append(int(re.search(r"(\d+) requests in", out).group(1)))
            return start, counts
        finally:
            process.terminate()
            process.wait(30)


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("jar")
    options.add_argument("path")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--seconds", type=int, default=4)
    options.add_argument("--folder", default=None)
    arguments = sys.argv[1:]
    split = arguments.index("--") if "--" in arguments else len(arguments)
    chosen = options.parse_args(arguments[:split])
    chosen.more = arguments[split + 1:]
    for tool in ("wrk", "taskset"):
        if not shutil.which(tool):
            fail(f"needs {tool}")
    here = os.path.dirname(os.path.abspath(__file__))
    java = os.path.join(os.environ["JAVA_HOME"], "bin", "java") if "JAVA_HOME" in os.environ else "java"
    folder = chosen.folder or tempfile.mkdtemp(prefix="tandem-spring-")
    app = os.path.join(folder, "app")
    jar = os.path.join(app, os.path.basename(chosen.jar))
    if not os.path.exists(os.path.join(app, "app.aot")):
        subprocess.run([os.path.join(here, "spring-cache.sh"), chosen.jar, app, chosen.path, "--", *chosen.more],
                       check=True,
                       env={**os.environ, "JAVA_OPTS": " ".join(FLAGS[1:])})
    tomcat_cache = os.path.join(app, "tomcat.aot")
    stock = ["--tandem.enabled=false", *chosen.more]
    if not os.path.exists(tomcat_cache):
        subprocess.run([java, f"-XX:AOTCacheOutput={tomcat_cache}", "-Dspring.context.exit=onRefresh", *FLAGS, "-jar",
                        jar, *stock], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def command(cache, more):
        return [java, *([f"-XX:AOTCache={cache}"] if cache else []), *FLAGS, "-jar", jar, *more]

    contenders = {
        "Tomcat": command(None, stock),
        "Tandem": command(None, chosen.more),
        "Tomcat, AOT cache": command(tomcat_cache, stock),
        "Tandem, AOT cache": command(os.path.join(app, "app.aot"), chosen.more),
    }
    results = {name: [] for name in contenders}
    for round_number in range(chosen.rounds):
        names = list(contenders) if round_number % 2 == 0 else list(reversed(contenders))
        for name in names:
            result = measure(contenders[name], chosen.path, chosen.seconds)
            results[name].append(result)
            print(f"{round_number + 1} of {chosen.rounds}  {name:18}  {result[0]:5.0f} ms  {result[1]}", flush=True)
    seconds = range(chosen.seconds)
    print("\n| | start, ms |" + "".join(f" {i + 1}. second |" for i in seconds) + "\n|---|---:|" + "---:|" * chosen.seconds)
    for name, of in results.items():
        starts = [start for start, _ in of]
        row = [f"{statistics.median(starts):,.0f} ({min(starts):,.0f}–{max(starts):,.0f})"]
        row += [f"{statistics.median(counts[i] for _, counts in of):,.0f}" for i in seconds]
        print(f"| {name} | " + " | ".join(row) + " |")


main()
