#!/usr/bin/env python3
"""Sends ambiguous requests of HTTP/1.1 to servers, and through proxies to servers, and compares them.

    bin/h1-pairs.py [--backs NAMES] [--fronts NAMES] [--only REQUESTS] [--requests FILE]
                    [--silence SECONDS] [--json FILE] [TANDEM-COMMAND]

For example `bin/h1-pairs.py ./tandem`. The requests are those of testing/it's FrontAndBackTest; a plain
one follows each on its connection. Backs: our server (`ours`), it with Tomcat's container (`run`), the
servers of testing/pairs (jdk, jetty, undertow, tomcat, netty, helidon), whose jars Maven fetches if its
repository lacks them, and node. Fronts: our proxy (`ours`), nginx, haproxy and httpd. What is not
installed is named and left out. NAMES and REQUESTS are separated by commas. A relay between front and
back records the bytes.

Each back prints each request that it has read, and says so in its response. A pair is wrong if the back
read a request that the client of the front got no response to, if the client got a response to another's
request, or if the back read other requests than those that the front sent (by a strict reading of the
recorded bytes); fails if ours is in such a pair. Then prints where fronts differ, and backs. Some three
minutes, mostly waiting; a progress line per back goes to standard error.
"""
import argparse, concurrent.futures, json, os, re, shutil, socket, subprocess, sys, tempfile, threading, time, zlib

HERE = os.path.dirname(os.path.abspath(__file__))
STREAMS = os.path.join(HERE, "../testing/it/src/test/resources/dev/tandem/it/request-streams.txt")
JAVA = os.path.join(os.path.dirname(HERE), "testing", "pairs")
DEPENDENCIES = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath"

# The class of each Java back, and the artifact that it needs.
PEERS = {
    "jdk": ("JdkBack", None),
    "jetty": ("JettyBack", "org.eclipse.jetty:jetty-server:12.1.14"),
    "undertow": ("UndertowBack", "io.undertow:undertow-core:2.3.26.Final"),
    "tomcat": ("TomcatBack", "org.apache.tomcat.embed:tomcat-embed-core:11.0.25"),
    "netty": ("NettyBack", "io.netty:netty-codec-http:4.2.18.Final"),
    "helidon": ("HelidonBack", "io.helidon.webserver:helidon-webserver:4.4.0"),
}
BACKS = ["ours", "run", *PEERS, "node"]
FRONTS = ["ours", "nginx", "haproxy", "httpd"]

NGINX = """daemon off; pid {d}/nginx.pid; error_log {d}/nginx.log; worker_processes 1; events {{}}
http {{ access_log off; client_body_temp_path {d}/b; proxy_temp_path {d}/p; fastcgi_temp_path {d}/f;
uwsgi_temp_path {d}/u; scgi_temp_path {d}/s; upstream back {{ server 127.0.0.1:{b}; keepalive 4; }}
server {{ listen 127.0.0.1:{p}; location / {{ proxy_pass http://back; proxy_http_version 1.1;
proxy_set_header Connection ""; proxy_set_header Host $http_host; }} }} }}
"""

HAPROXY = """defaults
    mode http
    timeout connect 5s
    timeout client 20s
    timeout server 20s
    http-reuse always
listen front
    bind 127.0.0.1:{p}
    server back 127.0.0.1:{b}
"""

HTTPD = """ServerRoot {d}
PidFile {d}/httpd.pid
ServerName localhost
Listen 127.0.0.1:{p}
ErrorLog {d}/httpd.log
LoadModule mpm_event_module {m}/mod_mpm_event.so
LoadModule authz_core_module {m}/mod_authz_core.so
LoadModule proxy_module {m}/mod_proxy.so
LoadModule proxy_http_module {m}/mod_proxy_http.so
StartServers 1
ServerLimit 1
ThreadsPerChild 8
MaxRequestWorkers 8
MinSpareThreads 1
MaxSpareThreads 8
ProxyPreserveHost On
ProxyPass / http://127.0.0.1:{b}/ retry=0
"""
if os.geteuid() == 0:
    HTTPD += "User daemon\nGroup daemon\n"

NODE = """let n=0;const z=require('zlib'),p=t=>t===undefined?'none':t===''?'empty':
[...Buffer.from(t,'latin1')].map(b=>b>32&&b<127?String.fromCharCode(b):'%'+b.toString(16).padStart(2,'0')).join('');
function crc(b){let c=~0;for(const x of b){c^=x;for(let i=0;i<8;i++)c=c>>>1^(c&1?0xedb88320:0)}return(~c>>>0).toString(16).padStart(8,'0')}
require('http').createServer((q,s)=>{const a=[],port=q.socket.remotePort;let done=false;q.on('data',d=>a.push(d));
const broken=()=>{if(!done){done=true;console.log('broken '+port+' 0 '+q.method+' '+p(q.url))}};q.on('error',broken);q.on('aborted',broken);
q.on('end',()=>{done=true;const c=Buffer.concat(a),v=[++n,q.method,p(q.url),p(q.headers.host),'-',c.length,crc(c)].join(' ');
console.log('saw '+port+' '+v);s.setHeader('X-Saw',v);s.end('seen\\n')})}).listen(+process.argv[1],'127.0.0.1')"""


def find(*names):
    path = os.environ["PATH"] + ":/usr/sbin"
    return next((f for n in names for f in [shutil.which(n, path=path)] if f), None)


def free():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def listens(port, process, seconds=60):
    end = time.time() + seconds
    while time.time() < end and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return True
        except OSError:
            time.sleep(0.1)
    return False


def progress(text):
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def streams(file, only):
    """Returns names and bytes, as FrontAndBackTest reads them."""
    found = {}
    codes = {"r": "\r", "n": "\n", "t": "\t", "\\": "\\"}

    def byte(m):
        return chr(int(m[1][1:], 16)) if len(m[1]) == 3 else codes[m[1]]

    with open(file, encoding="ascii") as f:
        for line in f.read().splitlines():
            if not line.startswith("#"):
                name, text = line.split("\t", 1)
                found[name] = re.sub(r"\\(x[0-9a-fA-F]{2}|.)", byte, text).encode("latin-1")
    return {n: b for n, b in found.items() if not only or n in only}


class Back:
    """A server that prints what it reads, by the port of its client."""

    def __init__(self, name, port, process):
        self.name, self.port, self.process = name, port, process
        self.seen, self.lock = {}, threading.Lock()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            words = line.decode("latin-1").split()
            if len(words) > 3 and words[0] in ("saw", "broken"):
                with self.lock:
                    self.seen.setdefault(int(words[1]), []).append([words[0]] + words[2:])

    def take(self, ports, got):
        """Returns and forgets what came on these connections: lists of kind, number, method, target, …

        Waits for the lines of what the client has got responses to, at most a second.
        """
        found, wanted, end = [], {saw[0] for _, saw in responses(got) if saw}, time.time() + 1
        while True:
            with self.lock:
                found += [e for p in ports for e in self.seen.pop(p, [])]
            if wanted <= {e[1] for e in found} or time.time() > end:
                return found
            time.sleep(0.01)


class Relay:
    """Records what a front sends to a back, which can be changed."""

    def __init__(self):
        self.back, self.records, self.lock, self.open = None, [], threading.Lock(), set()
        self.ports = set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            a, _ = self.listener.accept()
            try:
                b = socket.create_connection(("127.0.0.1", self.back))
            except (OSError, TypeError):
                a.close()
                continue
            for s in (a, b):
                s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            port = b.getsockname()[1]
            with self.lock:
                self.open.update((a, b))
                self.ports.add(port)
            threading.Thread(target=self.copy, args=(a, b, port, True), daemon=True).start()
            threading.Thread(target=self.copy, args=(b, a, port, False), daemon=True).start()

    def copy(self, a, b, port, is_request):
        try:
            while data := a.recv(65536):
                with self.lock:
                    self.records.append((port, is_request, data))
                b.sendall(data)
        except OSError:
            pass
        for s in (a, b):
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            with self.lock:
                self.open.discard(s)

    def change(self, back):
        self.back = back
        with self.lock:
            for s in self.open:
                try:
                    s.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
            self.records, self.ports = [], set()

    def take(self):
        """Returns what was sent since the last call, by connection: bytes to the back, bytes from it."""
        with self.lock:
            records, self.records = self.records, []
        sent = {}
        for port, is_request, data in records:
            pair = sent.setdefault(port, [b"", b""])
            pair[not is_request] += data
        return sent


def programs():
    """Returns the versions of what is installed."""
    found = []
    for words in (["nginx", "-v"], ["haproxy", "-v"], ["apache2", "-v"], ["httpd", "-v"], ["node", "-v"]):
        if program := find(words[0]):
            ran = subprocess.run([program, words[1]], capture_output=True, text=True, timeout=20)
            version = re.search(r"[0-9]+\.[0-9.]*[0-9]", ran.stdout + ran.stderr)
            found.append(f"{words[0]} {version[0] if version else 'of an unknown version'}")
    return ", ".join(found)


def java_home():
    shell = f'. "{HERE}/find-jdk.sh"; jdk_find && printf %s "$jdk"'
    return subprocess.run(["sh", "-c", shell], capture_output=True, text=True).stdout or None


def release(java):
    with open(f"{java}/release") as f:
        return re.search(r'JAVA_VERSION="([^"]*)"', f.read())[1]


def class_path(artifact, d):
    group, name, version = artifact.split(":")
    folder = f"{d}/pom-{name}"
    os.makedirs(folder)
    with open(f"{folder}/pom.xml", "w") as f:
        f.write(
            "<project><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version>"
            f"<dependencies><dependency><groupId>{group}</groupId><artifactId>{name}</artifactId>"
            f"<version>{version}</version></dependency></dependencies></project>"
        )
    words = ["mvn", "-q", "-B", "-f", folder, DEPENDENCIES, f"-Dmdep.outputFile={folder}/path"]
    subprocess.run(words, check=True, capture_output=True, timeout=300)
    with open(f"{folder}/path") as f:
        return f.read().strip()


class Starter:
    def __init__(self, d, tandem):
        self.d, self.tandem, self.processes, self.missing, self.versions = d, tandem, [], [], {}
        self.java = java_home()

    def start(self, name, words, port, is_back=False):
        with open(f"{self.d}/{name}.err", "wb") as log:
            process = subprocess.Popen(words, stdout=subprocess.PIPE if is_back else log, stderr=log)
        self.processes.append(process)
        back = Back(name, port, process) if is_back else None
        if listens(port, process):
            return back or process
        self.missing.append(f"{name}: does not listen")
        return None

    def compile(self, name, sources, path):
        out = f"{self.d}/{name}-classes"
        words = [f"{self.java}/bin/javac", "-d", out, "-cp", path]
        subprocess.run(words + [f"{JAVA}/{s}.java" for s in sources], check=True, timeout=120)
        return out

    def back(self, name):
        try:
            return self.back_or_error(name)
        except (OSError, subprocess.SubprocessError) as e:
            self.missing.append(f"{name}: {e}")
            return None

    def back_or_error(self, name):
        port = free()
        if name == "node":
            if not find("node"):
                self.missing.append("node: not installed")
                return None
            return self.start(name, [find("node"), "-e", NODE, str(port)], port, True)
        if not self.java:
            self.missing.append(f"{name}: no JDK")
            return None
        libraries = os.path.join(os.path.dirname(os.path.abspath(self.tandem)), ".tandem/lib")
        if name in ("ours", "run") and not os.path.isdir(libraries):
            self.missing.append(f"{name}: no .tandem/lib next to {self.tandem}; run {self.tandem} --version")
            return None
        if name == "run":
            subprocess.run([self.tandem, "run", "--help"], check=True, capture_output=True, timeout=600)
            out = self.compile(name, ["Saw", "PairServlet"], f"{libraries}/servlets/*")
            os.makedirs(f"{self.d}/war/WEB-INF")
            os.rename(out, f"{self.d}/war/WEB-INF/classes")
            words = [self.tandem, "run", f"{self.d}/war", "--listen", f"127.0.0.1:{port}"]
            return self.start(name, words, port, True)
        if name == "ours":
            main, path = "OursBack", f"{libraries}/*"
        else:
            main, artifact = PEERS[name]
            path = class_path(artifact, self.d) if artifact else "."
            self.versions[name] = artifact.rsplit(":", 1)[1] if artifact else release(self.java)
        sources = ["Saw", main] + (["PairServlet"] if name == "tomcat" else [])
        out = self.compile(name, sources, path)
        flags = ["-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
        flags += [f"-Djava.io.tmpdir={self.d}", "--enable-native-access=ALL-UNNAMED"]
        words = [f"{self.java}/bin/java", *flags, "-cp", f"{out}:{path}", main, str(port)]
        return self.start(name, words, port, True)

    def front(self, name, relay):
        """Returns the front's port."""
        port, d = free(), f"{self.d}/front-{name}"
        os.makedirs(d)
        modules = next((m for m in ("/usr/lib/apache2/modules", "/usr/lib64/httpd/modules") if os.path.isdir(m)), None)

        def write(text):
            with open(f"{d}/conf", "w") as f:
                f.write(text.format(d=d, p=port, b=relay.port, m=modules))
            return f"{d}/conf"

        programs = {"ours": (self.tandem,), "nginx": ("nginx",), "haproxy": ("haproxy",), "httpd": ("apache2", "httpd")}
        program = find(*programs[name])
        if not program or name == "httpd" and not modules:
            self.missing.append(f"front {name}: not installed")
            return None
        if name == "ours":
            with open(f"{d}/conf.toml", "w") as f:
                f.write(f'[[listen]]\naddress = "127.0.0.1:{port}"\n\n[[site]]\nproxy = {{ to = ["127.0.0.1:{relay.port}"] }}\n')
            words = [program, "serve", "--config", f"{d}/conf.toml"]
        elif name == "nginx":
            words = [program, "-p", d, "-c", write(NGINX)]
        elif name == "haproxy":
            words = [program, "-db", "-f", write(HAPROXY)]
        else:
            words = [program, "-DFOREGROUND", "-f", write(HTTPD)]
        return port if self.start(f"front-{name}", words, port) else None

    def stop(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


RESPONSE = re.compile(rb"HTTP/1\.[01] (\d\d\d)[^\n]*\n((?:[^\r\n]+\r?\n)*)\r?\n")
SAW = re.compile(rb"(?im)^x-saw: ([^\r\n]*)")


def responses(data):
    """Returns status and X-Saw, as a list or None, of each final response."""
    found = []
    for m in RESPONSE.finditer(data):
        saw = SAW.search(m[2])
        if m[1][:1] != b"1":
            found.append((int(m[1]), saw[1].decode("latin-1").split() if saw else None))
    return found


def ask(port, data, last, silence):
    """Returns what came, how it ended, and the client's port."""
    got, end = b"", "silence"
    with socket.create_connection(("127.0.0.1", port)) as s:
        mine, limit = s.getsockname()[1], time.time() + silence
        try:
            s.sendall(data)
            while time.time() < limit:
                s.settimeout(max(0.01, limit - time.time()))
                more = s.recv(65536)
                if not more:
                    end = "closed"
                    break
                got += more
                if any(saw and saw[2].startswith(last) for _, saw in responses(got)):
                    end = "kept"
                    break
        except TimeoutError:
            pass
        except OSError:
            end = "closed"
    return got, end, mine


def chunked(data, at):
    """Returns content and where it ends, or None if it has no end by a strict reading."""
    content = b""
    while size := re.compile(rb"([0-9a-fA-F]{1,16})(;[^\r\n]*)?\r\n").match(data, at):
        length = int(size[1], 16)
        at = size.end() + length + 2
        if length == 0:
            end = re.compile(rb"(?:[^\r\n]+\r\n)*\r\n").match(data, size.end())
            return (content, end.end()) if end else None
        content += data[size.end() : at - 2]
        if data[at - 2 : at] != b"\r\n":
            return None
    return None


def forwarded(data):
    """Reads requests strictly: (method, target, length, hash, host, framing) of each; the last is None if the rest is none."""
    found, at = [], 0
    while at < len(data):
        end = data.find(b"\r\n\r\n", at)
        lines = data[at:end].split(b"\r\n") if end >= 0 else [b""]
        first = re.fullmatch(rb"([!-~]+) ([!-~\x80-\xff]+) HTTP/1\.[01]", lines[0])
        heads = [re.fullmatch(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\0]*?)[ \t]*", h, re.S) for h in lines[1:]]
        if not first or not all(heads):
            return found + [None]
        values = lambda name: [h[2].decode("latin-1") for h in heads if h[1].lower() == name]
        lengths, codings = values(b"content-length"), values(b"transfer-encoding")
        # Empty elements of a list are ignored: RFC 9110, section 5.6.1.2.
        names = [w.strip().lower() for value in codings for w in value.split(",") if w.strip()]
        at = end + 4
        if names == ["chunked"] and not lengths:
            body = chunked(data, at)
        elif codings or len(lengths) > 1 or lengths and not re.fullmatch(r"[0-9]{1,19}", lengths[0]):
            body = None
        else:
            length = int(lengths[0]) if lengths else 0
            body = (data[at : at + length], at + length) if at + length <= len(data) else None
        if not body:
            return found + [None]
        at = body[1]
        how = ",".join(codings) if codings else "length " + lengths[0] if lengths else "no length"
        crc = "%08x" % zlib.crc32(body[0])
        host = "|".join(values(b"host")) or ("empty" if values(b"host") else "none")
        found.append((first[1].decode(), first[2].decode("latin-1"), len(body[0]), crc, host, how))
    return found


def kind(target):
    """The part of the request that a back read as one: its own ids are replaced."""
    text = re.sub(r"/f\d{4}\b", "/first", re.sub(r"/smug\d{4}", "/smuggled", target))
    return re.sub(r"/second\d{4}", "/second", text)


def shown(data):
    return kind(repr(data[:400])[1:])


def exchange(port, data, number, silence):
    # In place, so that lengths remain right.
    data = data.replace(b"/first", b"/f%04d" % number).replace(b"/smuggled", b"/smug%04d" % number)
    last = "/second%04d" % number
    plain = f"GET {last} HTTP/1.1\r\nHost: second\r\n\r\n".encode()
    return ask(port, data + plain, last, silence)


def direct(back, data, number, silence):
    got, end, mine = exchange(back.port, data, number, silence)
    time.sleep(0.01 if end == "kept" else 0.05)
    seen = back.take([mine], got)
    return {
        "end": end,
        "statuses": [s for s, _ in responses(got)],
        "saw": [[e[0], e[2], kind(e[3])] + e[4:] for e in seen],
    }


def through(port, relay, back, data, number, silence):
    got, end, _ = exchange(port, data, number, silence)
    time.sleep(0.02 if end == "kept" else 0.1)
    sent = relay.take()
    with relay.lock:
        ports = set(relay.ports)
    seen = back.take(ports, got)
    received = responses(got)
    numbers = [saw[0] for _, saw in received if saw]
    problems = []
    for e in seen:
        if e[0] == "saw" and e[1] not in numbers:
            problems.append(f"the back read {e[2]} {kind(e[3])} ({e[6]}), whose response the client did not get")
    have = {e[1] for e in seen}
    for _, saw in received:
        if saw and saw[0] not in have:
            problems.append(f"the client got the response to another's request: {saw[1]} {kind(saw[2])}")
    asked, unclear = [], False
    for to_back, from_back in sent.values():
        theirs = forwarded(to_back)
        unclear = unclear or None in theirs
        count = len(responses(from_back))
        if None not in theirs and count > len(theirs):
            problems.append(f"{count} responses to {len(theirs)} requests: {shown(to_back)}")
        asked += [(r[0].upper(), r[2], r[3]) for r in filter(None, theirs)]
    for e in seen:
        one = (e[2].upper(), int(e[6]), e[7]) if e[0] == "saw" else None
        if one in asked:
            asked.remove(one)
        elif one:
            what = "what is no request by a strict reading" if unclear else "other requests"
            sent_bytes = " ".join(shown(s[0]) for s in sent.values())
            problems.append(f"the back read {e[2]} {kind(e[3])} ({e[6]}), the front sent {what}: {sent_bytes}")
    return {
        "end": end,
        "statuses": [s for s, _ in received],
        "saw": [[e[0], e[2], kind(e[3])] + e[4:] for e in seen],
        "sent": [s[0].decode("latin-1") for s in sent.values()],
        "requests": [r and [r[0], kind(r[1]), *r[2:]] for s in sent.values() for r in forwarded(s[0])],
        "problems": problems,
    }


def framing(result):
    """Where a back saw the ends of requests, in words."""
    names = []
    for e in result["saw"]:
        what = "second" if "/second" in e[2] else "smuggled" if "smuggled" in e[2] else "first"
        length = e[5] if e[0] == "saw" else "broken"
        names.append(what if length == "0" and what != "first" else f"{what}({length})")
    errors = [str(s) for s in result["statuses"] if s != 200]
    names += errors
    if result["end"] == "silence":
        names.append("waits")
    return " ".join(names) or "closed"


def details(result):
    return [tuple(e[1:5]) for e in result["saw"] if e[0] == "saw" and "/second" not in e[2]]


def cell(text):
    return "".join(c if " " <= c < "\x7f" else "\\x%02x" % ord(c) for c in text).replace("|", "\\|")


def table(head, rows):
    print(f"\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(cell(r) for r in row)} |")


def accepts(words):
    return words.startswith(("first(", "smuggled")) and "(broken)" not in words.split()[0]


def compare(found, names):
    """Prints where ours and the others differ, sent directly."""
    ours = [b for b in ("ours", "run") if b in found]
    groups = {}
    for name in names:
        words = {b: framing(r[name]) for b, r in found.items()}
        if len(set(words.values())) > 1:
            others = {}
            for b, w in words.items():
                others.setdefault(w, []).append(b)
            mine = [words[b] for b in ours]
            if all(w in mine for b, w in words.items() if b not in ours):
                what = "ours differ from each other"
            elif not any(accepts(w) for w in mine):
                what = "rejected by ours, accepted by others" if any(accepts(w) for w in others) else "rejected by all"
            elif all(accepts(w) for w in words.values()):
                what = "accepted by all, differently"
            else:
                what = "accepted by ours"
            text = "; ".join(f"{w}: {', '.join(b)}" for w, b in others.items())
            groups.setdefault(what, {}).setdefault(text, []).append(name)
    for what, rows in groups.items():
        print(f"\n### {what}: {sum(map(len, rows.values()))}")
        table(["requests", "read as"], [(", ".join(n), text) for text, n in rows.items()])
    rows = []
    for name in names:
        read = {b: details(r[name]) for b, r in found.items()}
        groups = {}
        for b, d in read.items():
            if d:
                text = " + ".join(f"{m} {t} host={h} name={n}" for m, t, h, n in (e[:4] for e in d))
                groups.setdefault(text, []).append(b)
        plain = {re.sub(r" name=\S+", "", g) for g in groups}
        if len(plain) > 1 and any(b in ours for g in groups.values() for b in g):
            rows.append((name, "; ".join(f"{g}: {', '.join(b)}" for g, b in groups.items())))
    print(f"\n### other methods, targets or hosts: {len(rows)}")
    table(["request", "read as"], rows)


def head(result):
    """What a front made of a request, in words: what it sent, without the plain request, or its status."""
    words = [f"{r[0]} {r[1]} host={r[4]}, {r[5]}" if r else "unfinished" for r in result["requests"]]
    words = [w for w in words if " /second" not in w]
    errors = [str(s) for s in result["statuses"] if s != 200]
    return ", ".join(words + errors) or result["end"]


def compare_fronts(found, names):
    """Prints where fronts differ, if the first of them is ours."""
    rows = {}
    for name in names:
        groups = {}
        for f, results in found.items():
            groups.setdefault(head(results[name]), []).append(f)
        if len(groups) > 1:
            rows.setdefault("; ".join(f"{g}: {', '.join(f)}" for g, f in groups.items()), []).append(name)
    table(["requests", "sent on, or status"], [(", ".join(n), text) for text, n in rows.items()])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--backs", default=",".join(BACKS))
    parser.add_argument("--fronts", default=",".join(FRONTS))
    parser.add_argument("--only", default="")
    parser.add_argument("--requests", default=STREAMS, metavar="FILE", help="others, in the form of request-streams.txt")
    parser.add_argument("--silence", type=float, default=2.0, help="how long no response may come, in seconds; 2")
    parser.add_argument("--json", help="writes all that was recorded there")
    parser.add_argument("tandem", nargs="?", default="./tandem")
    options = parser.parse_args()
    wanted = [n for n in options.only.split(",") if n]
    requests = streams(options.requests, wanted)
    backs, fronts = ([n for n in text.split(",") if n] for text in (options.backs, options.fronts))
    unknown = [n for n in backs if n not in BACKS] + [n for n in fronts if n not in FRONTS] + [n for n in wanted if n not in requests]
    if unknown:
        parser.error("unknown: " + ", ".join(unknown))
    with tempfile.TemporaryDirectory(prefix="h1-pairs-") as d:
        os.chmod(d, 0o755)
        starter = Starter(d, options.tandem)
        try:
            run(starter, requests, backs, fronts, options)
        finally:
            starter.stop()


def run(starter, requests, backs, fronts, options):
    servers = {}
    for name in backs:
        if back := starter.back(name):
            servers[name] = back
            progress(f"back {name} listens")
    relays = {}
    for name in fronts:
        relay = Relay()
        if port := starter.front(name, relay):
            relays[name] = (port, relay)
            progress(f"front {name} listens")
    found, pairs = {}, {}

    def all_direct():
        for i, (name, back) in enumerate(servers.items()):
            found[name] = {
                n: direct(back, data, i * len(requests) + j, options.silence) for j, (n, data) in enumerate(requests.items())
            }
            progress(f"{name}: done")

    def all_through(front):
        port, relay = relays[front]
        for i, (name, back) in enumerate(servers.items()):
            relay.change(back.port)
            time.sleep(0.5)
            pairs[front, name] = {
                n: through(port, relay, back, data, i * len(requests) + j, options.silence)
                for j, (n, data) in enumerate(requests.items())
            }
            wrong = sum(1 for r in pairs[front, name].values() if r["problems"])
            progress(f"{front} before {name}: done, {wrong} wrong")

    with concurrent.futures.ThreadPoolExecutor() as pool:
        jobs = [pool.submit(all_direct)] + [pool.submit(all_through, front) for front in relays]
        for job in jobs:
            job.result()
    if options.json:
        with open(options.json, "w") as f:
            json.dump({"direct": found, "pairs": {f"{a}>{b}": r for (a, b), r in pairs.items()}}, f, indent=1)
    if report(found, pairs, list(requests), list(relays), starter):
        sys.exit(1)


def report(found, pairs, names, fronts, starter):
    print(f"{len(names)} requests, backs: {', '.join(found)}; fronts: {', '.join(fronts)}")
    for text in starter.missing:
        print(f"left out: {text}")
    print("versions: " + ", ".join(f"{n} {v}" for n, v in starter.versions.items()) + ", " + programs())
    wrong, ours = 0, 0
    for (front, back), results in sorted(pairs.items()):
        groups = {}
        for name, r in results.items():
            for p in r["problems"]:
                groups.setdefault(p, []).append(name)
        for p, n in groups.items():
            print(f"WRONG {front} before {back}: {', '.join(n)}: {p}")
        count = sum(1 for r in results.values() if r["problems"])
        wrong += count
        ours += count if front == "ours" or back in ("ours", "run") else 0
    print(f"\n## Pairs: requests that reached the back, and wrong ones ({wrong} in all, {ours} with ours)")
    rows = []
    for front in fronts:
        row = [front]
        for back in found:
            results = pairs[front, back].values()
            reached = sum(1 for r in results if any("/second" not in e[2] for e in r["saw"]))
            row.append(f"{reached}, {sum(1 for r in results if r['problems'])}")
        rows.append(row)
    if fronts:
        table(["front", *found], rows)
    if fronts and found:
        print(f"\n## Fronts, before {next(iter(found))}")
        compare_fronts({f: pairs[f, next(iter(found))] for f in fronts}, names)
    print("\n## Backs, directly")
    compare(found, names)
    return ours


main()
