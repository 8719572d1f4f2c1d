#!/usr/bin/env python3
"""Sends HTTP/2 requests through our proxy to other servers, and compares where they see requests.

    bin/h2-pairs.py TANDEM-COMMAND…

For example `bin/h2-pairs.py ./tandem`. Starts nginx, httpd, node and Python's server, as far as they
are installed, each behind a relay that records what the proxy sent, and `tandem serve` with a proxy to
each. Each request of the table, well-formed or not, is sent on a connection of its own, and a plain one
after it. Fails if a back saw a request that the client got no response to, if the plain request's
response is another one's, or if a malformed head reached a back. Prints a table of how the backs read
what was forwarded.
"""
import os, re, shutil, socket, struct, subprocess, sys, tempfile, threading, time

# name, headers (a list: pseudo ones first), content, and whether it may reach a back: yes, no or any
G = [(":method", "GET"), (":scheme", "http"), (":authority", "localhost"), (":path", "/a")]
P = [(":method", "POST"), (":scheme", "http"), (":authority", "localhost"), (":path", "/a")]


def get(name, value=None, **more):
    heads = [(n, more.get(n[1:], v)) for n, v in G]
    return heads + ([(name, value)] if name else [])


def post(*extra):
    return P + list(extra)


CASES = [
    ("plain", get(None), None, "yes"),
    ("content-length right", post(("content-length", "5")), b"12345", "yes"),
    ("content-length too short", post(("content-length", "3")), b"12345", "no"),
    ("content-length too long", post(("content-length", "9")), b"12345", "any"),
    ("no content-length", post(), b"12345", "yes"),
    ("content is a request", post(), b"GET /evil HTTP/1.1\r\nHost: evil\r\n\r\n", "yes"),
    ("content-length twice", post(("content-length", "5"), ("content-length", "5")), b"12345", "any"),
    ("content-length 5, 5", post(("content-length", "5, 5")), b"12345", "any"),
    ("content-length +5", post(("content-length", "+5")), b"12345", "no"),
    ("content-length with a space", post(("content-length", " 5")), b"12345", "no"),
    ("content-length empty", post(("content-length", "")), b"12345", "no"),
    ("content-length 0x5", post(("content-length", "0x5")), b"12345", "no"),
    ("content-length of 2^64+5", post(("content-length", "18446744073709551621")), b"12345", "no"),
    ("transfer-encoding chunked", post(("transfer-encoding", "chunked")), b"0\r\n\r\n", "no"),
    ("transfer-encoding identity", post(("transfer-encoding", "identity")), b"x", "no"),
    ("GET with content", G + [("content-length", "36")], b"GET /evil HTTP/1.1\r\nHost: evil12\r\n\r\n", "any"),
    ("GET with content, no length", G, b"GET /evil HTTP/1.1\r\nHost: evil\r\n\r\n", "any"),
    ("HEAD with content", [(":method", "HEAD")] + G[1:], b"abc", "any"),
    ("connection", get("connection", "close"), None, "no"),
    ("keep-alive", get("keep-alive", "timeout=5"), None, "no"),
    ("proxy-connection", get("proxy-connection", "close"), None, "no"),
    ("upgrade", get("upgrade", "websocket"), None, "no"),
    ("te gzip", get("te", "gzip"), None, "no"),
    ("te trailers", get("te", "trailers"), None, "yes"),
    ("upper-case name", get("X-Upper", "1"), None, "no"),
    ("name with a colon", get("a:b", "1"), None, "no"),
    ("name with a space", get("a b", "1"), None, "no"),
    ("name with CR LF", get("a\r\nx", "1"), None, "no"),
    ("name with NUL", get("a\0", "1"), None, "no"),
    ("empty name", G + [("", "1")], None, "no"),
    ("name of 0x80", get("a\x80", "1"), None, "no"),
    ("value with CR LF", get("x", "1\r\nhost: evil"), None, "no"),
    ("value with LF", get("x", "1\ny: 2"), None, "no"),
    ("value with CR", get("x", "1\ry: 2"), None, "no"),
    ("value with NUL", get("x", "1\0"), None, "no"),
    ("value with a folded line", get("x", "1\r\n 2"), None, "no"),
    ("value begins with a space", get("x", " 1"), None, "no"),
    ("value ends with a tab", get("x", "1\t"), None, "no"),
    ("value of 0x80", get("x", "\x80"), None, "any"),
    ("value with DEL", get("x", "a\x7f"), None, "any"),
    ("path with a space", get(None, path="/a b"), None, "no"),
    ("path with CR LF", get(None, path="/a HTTP/1.1\r\nhost: evil\r\n\r\nGET /evil"), None, "no"),
    ("path empty", get(None, path=""), None, "no"),
    ("path without a slash", get(None, path="a"), None, "no"),
    ("path absolute", get(None, path="http://evil/a"), None, "any"),
    ("path *", get(None, path="*"), None, "no"),
    ("OPTIONS *", [(":method", "OPTIONS")] + G[1:3] + [(":path", "*")], None, "any"),
    ("path //", get(None, path="//evil/a"), None, "yes"),
    ("path dot segments", get(None, path="/x/../a"), None, "yes"),
    ("path encoded dot segments", get(None, path="/x/%2e%2e/a"), None, "yes"),
    ("path above the root", get(None, path="/../a"), None, "no"),
    ("path %2f", get(None, path="/a%2fb"), None, "no"),
    ("path %5c", get(None, path="/a%5cb"), None, "no"),
    ("path \\", get(None, path="/a\\b"), None, "no"),
    ("path %00", get(None, path="/a%00"), None, "no"),
    ("path %0d%0a", get(None, path="/a%0d%0ax"), None, "no"),
    ("path %", get(None, path="/a%"), None, "no"),
    ("path %zz", get(None, path="/a%zz"), None, "no"),
    ("path %252f", get(None, path="/a%252fb"), None, "yes"),
    ("path ;x", get(None, path="/a;x=1/b"), None, "yes"),
    ("path /..;/", get(None, path="/x/..;/a"), None, "no"),
    ("path with a fragment", get(None, path="/a#b"), None, "no"),
    ("path of raw UTF-8", get(None, path="/\xc3\xa4"), None, "no"),
    ("path %c3%a4", get(None, path="/%c3%a4"), None, "yes"),
    ("path of overlong UTF-8", get(None, path="/%c0%af"), None, "no"),
    ("query ?", get(None, path="/a?b?c=d&e"), None, "yes"),
    ("query with %2f%0d", get(None, path="/a?b=%2f%0d%0a"), None, "yes"),
    ("query with a space", get(None, path="/a?b c"), None, "no"),
    ("authority empty", get(None, authority=""), None, "any"),
    ("authority with user", get(None, authority="a@localhost"), None, "no"),
    ("authority with a path", get(None, authority="localhost/b"), None, "no"),
    ("authority with a space", get(None, authority="local host"), None, "no"),
    ("authority with CR LF", get(None, authority="localhost\r\nx: 1"), None, "no"),
    ("authority with port", get(None, authority="localhost:8080"), None, "yes"),
    ("authority port 99999", get(None, authority="localhost:99999"), None, "any"),
    ("authority port x", get(None, authority="localhost:x"), None, "no"),
    ("authority [::1]", get(None, authority="[::1]"), None, "yes"),
    ("authority with a comma", get(None, authority="a,b"), None, "any"),
    ("host equal", get("host", "localhost"), None, "any"),
    ("host differs", get("host", "evil"), None, "no"),
    ("host twice", G + [("host", "localhost"), ("host", "evil")], None, "no"),
    ("no authority, host", G[:2] + G[3:] + [("host", "localhost")], None, "yes"),
    ("no authority, no host", G[:2] + G[3:], None, "any"),
    ("authority twice", G[:3] + [(":authority", "evil")] + G[3:], None, "no"),
    ("path twice", G + [(":path", "/evil")], None, "no"),
    ("method twice", G + [(":method", "POST")], None, "no"),
    ("no method", G[1:], None, "no"),
    ("no scheme", G[:1] + G[2:], None, "no"),
    ("no path", G[:3], None, "no"),
    ("unknown pseudo header", G + [(":evil", "1")], None, "no"),
    ("pseudo header last", G[:3] + [("x", "1"), G[3]], None, "no"),
    # Fronts that end TLS send it in clear text.
    ("scheme https", get(None, scheme="https"), None, "any"),
    ("scheme odd", get(None, scheme="http://evil/"), None, "no"),
    ("method with CR LF", [(":method", "GET /evil HTTP/1.1\r\nx: y\r\n\r\nGET")] + G[1:], None, "no"),
    ("method with a space", [(":method", "GET /evil")] + G[1:], None, "no"),
    ("method empty", [(":method", "")] + G[1:], None, "no"),
    ("method lower-case", [(":method", "get")] + G[1:], None, "any"),
    ("method of its own", [(":method", "PURGE")] + G[1:], None, "any"),
    ("CONNECT", [(":method", "CONNECT"), (":authority", "evil:443")], None, "no"),
    ("TRACE", [(":method", "TRACE")] + G[1:], None, "any"),
    ("extended CONNECT without protocol", [(":method", "CONNECT")] + G[1:], None, "no"),
    ("cookie crumbs", G + [("cookie", "a=b"), ("cookie", "c=d")], None, "yes"),
    ("expect 100-continue", post(("expect", "100-continue"), ("content-length", "5")), b"12345", "yes"),
    ("expect odd", post(("expect", "evil")), b"1", "any"),
    ("x-forwarded-for", get("x-forwarded-for", "6.6.6.6"), None, "yes"),
    ("x_forwarded_for", get("x_forwarded_for", "6.6.6.6"), None, "yes"),
    ("proxy", get("proxy", "http://evil"), None, "yes"),
    ("http2-settings", get("http2-settings", "AAMAAABk"), None, "any"),
    ("content-type twice", post(("content-type", "a/b"), ("content-type", "c/d")), b"1", "any"),
    ("range", get("range", "bytes=0-1,0-2"), None, "yes"),
]


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def integer(prefix_bits, first, value):
    most = (1 << prefix_bits) - 1
    if value < most:
        return bytes([first | value])
    out = bytes([first | most])
    value -= most
    while value >= 128:
        out += bytes([value % 128 + 128])
        value //= 128
    return out + bytes([value])


def block(headers):
    out = b""
    for name, value in headers:
        name, value = name.encode("latin-1"), value.encode("latin-1")
        out += b"\x10" + integer(7, 0, len(name)) + name + integer(7, 0, len(value)) + value
    return out


def request(stream, headers, content):
    out = frame(1, 4 if content is not None else 5, stream, block(headers))
    if content is not None:
        out += frame(0, 1, stream, content)
    return out


def responses(sock, wanted, seconds=4.0):
    """Returns the content of each wanted stream, or how it ended."""
    data, found, bodies, end = b"", {}, {}, time.time() + seconds
    while len(found) < len(wanted) and time.time() < end:
        sock.settimeout(max(0.01, end - time.time()))
        try:
            more = sock.recv(65536)
        except TimeoutError:
            break
        except OSError:
            more = b""
        if not more:
            for stream in wanted:
                found.setdefault(stream, "closed")
            break
        data += more
        while len(data) >= 9:
            length = struct.unpack(">I", b"\0" + data[:3])[0]
            if len(data) < 9 + length:
                break
            kind, flags = data[3], data[4]
            stream = struct.unpack(">I", data[5:9])[0]
            payload = data[9 : 9 + length]
            data = data[9 + length :]
            if kind == 4 and not flags & 1:
                sock.sendall(frame(4, 1, 0))
            elif kind == 0:
                bodies[stream] = bodies.get(stream, b"") + payload
            elif kind == 3 and stream in wanted:
                found.setdefault(stream, "reset %d" % struct.unpack(">I", payload)[0])
            elif kind == 7:
                for one in wanted:
                    found.setdefault(one, "goaway %d" % struct.unpack(">I", payload[4:8])[0])
            if kind in (0, 1) and flags & 1 and stream in wanted:
                found.setdefault(stream, bodies.get(stream, b"").decode("latin-1"))
    return [found.get(stream, "nothing") for stream in wanted]


def free():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Relay:
    """Records what the proxy sends to a back."""

    def __init__(self, back):
        self.back, self.sent, self.lock = back, b"", threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            a, _ = self.listener.accept()
            try:
                b = socket.create_connection(("127.0.0.1", self.back))
            except OSError:
                a.close()
                continue
            threading.Thread(target=self.copy, args=(a, b, True), daemon=True).start()
            threading.Thread(target=self.copy, args=(b, a, False), daemon=True).start()

    def copy(self, a, b, is_request):
        try:
            while data := a.recv(65536):
                if is_request:
                    with self.lock:
                        self.sent += data
                b.sendall(data)
        except OSError:
            pass
        for s in (a, b):
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def take(self):
        with self.lock:
            data, self.sent = self.sent, b""
            return data


NGINX = """daemon off; pid {d}/nginx.pid; error_log {d}/nginx.log; events {{}}
http {{ access_log off; client_body_temp_path {d}/b; proxy_temp_path {d}/p; fastcgi_temp_path {d}/f;
uwsgi_temp_path {d}/u; scgi_temp_path {d}/s; merge_slashes off; underscores_in_headers on;
server {{ listen 127.0.0.1:{p}; location / {{ return 200 "saw $request_method $request_uri host=$http_host\\n"; }} }} }}"""

HTTPD = """ServerRoot {d}
PidFile {d}/httpd.pid
ServerName localhost
Listen 127.0.0.1:{p}
ErrorLog {d}/httpd.log
LoadModule mpm_event_module {m}/mod_mpm_event.so
LoadModule authz_core_module {m}/mod_authz_core.so
LoadModule cgid_module {m}/mod_cgid.so
LoadModule alias_module {m}/mod_alias.so
ScriptSock {d}/cgid
AllowEncodedSlashes NoDecode
ScriptAliasMatch "^/.*" "{d}/echo.sh"
<Directory "{d}">
Require all granted
</Directory>
"""
if os.geteuid() == 0:
    HTTPD += "User daemon\nGroup daemon\n"

NODE = """require('http').createServer((q,s)=>{{let n=0;q.on('data',d=>n+=d.length);
q.on('end',()=>s.end('saw '+q.method+' '+q.url+' host='+q.headers.host+'\\n'))}}).listen({p},'127.0.0.1')"""

PYTHON = """
from http.server import *
class H(BaseHTTPRequestHandler):
    protocol_version='HTTP/1.1'
    def handle_one(self):
        n=int(self.headers.get('content-length') or 0)
        if self.headers.get('transfer-encoding')=='chunked':
            while True:
                k=int(self.rfile.readline().split(b';')[0],16); self.rfile.read(k); self.rfile.readline()
                if k==0: break
        else: self.rfile.read(n)
        t=('saw %s %s host=%s\\n'%(self.command,self.path,self.headers.get('host'))).encode()
        self.send_response(200); self.send_header('content-length',str(len(t))); self.end_headers()
        if self.command!='HEAD': self.wfile.write(t)
    def log_message(self,*a): pass
    def __getattr__(self,n):
        if n.startswith('do_'): return self.handle_one
        raise AttributeError(n)
ThreadingHTTPServer(('127.0.0.1',{p}),H).serve_forever()
"""


def backs(d):
    started = {}
    find = lambda *names: next((f for n in names for f in [shutil.which(n, path=os.environ["PATH"] + ":/usr/sbin")] if f), None)

    def start(name, words):
        log = open(f"{d}/{name}.out", "wb")
        return subprocess.Popen(words, stdout=log, stderr=log)

    def write(name, text):
        with open(f"{d}/{name}", "w") as f:
            f.write(text)
        return f"{d}/{name}"

    if find("nginx"):
        p = free()
        started["nginx"] = (p, start("nginx", [find("nginx"), "-p", d, "-c", write("nginx.conf", NGINX.format(d=d, p=p))]))
    modules = next((m for m in ("/usr/lib/apache2/modules", "/usr/lib64/httpd/modules") if os.path.isdir(m)), None)
    if find("apache2", "httpd") and modules:
        p = free()
        script = write("echo.sh", "#!/bin/sh\ncat >/dev/null\nprintf 'Content-Type: text/plain\\n\\nsaw %s %s host=%s\\n' \"$REQUEST_METHOD\" \"$REQUEST_URI\" \"$HTTP_HOST\"\n")
        os.chmod(script, 0o755)
        os.chmod(d, 0o755)
        started["httpd"] = (p, start("httpd", [find("apache2", "httpd"), "-DFOREGROUND", "-f", write("httpd.conf", HTTPD.format(d=d, p=p, m=modules))]))
    if find("node"):
        p = free()
        started["node"] = (p, start("node", [find("node"), "-e", NODE.format(p=p)]))
    p = free()
    started["python"] = (p, start("python", [sys.executable, "-c", PYTHON.format(p=p)]))
    return started


def listens(port, seconds=20):
    end = time.time() + seconds
    while time.time() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return True
        except OSError:
            time.sleep(0.05)
    return False


def ask(port, headers, content):
    with socket.create_connection(("127.0.0.1", port)) as s:
        s.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0) + request(1, headers, content))
        first = responses(s, [1])[0]
        if first.startswith(("goaway", "closed")):
            s2 = socket.create_connection(("127.0.0.1", port))
            s2.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0))
        else:
            s2 = s
        s2.sendall(request(3 if s2 is s else 1, get(None, path="/after"), None))
        after = responses(s2, [3 if s2 is s else 1])[0]
        if s2 is not s:
            s2.close()
        return first, after


def main():
    command = sys.argv[1:] or ["./tandem"]
    wrong, rows, names = 0, [], []
    with tempfile.TemporaryDirectory(prefix="h2-pairs-") as d:
        servers, processes = {}, []
        try:
            for name, (port, process) in backs(d).items():
                processes.append(process)
                if not listens(port):
                    print(f"left out: {name} does not listen")
                    continue
                relay, front = Relay(port), free()
                with open(f"{d}/{name}.toml", "w") as f:
                    f.write(f'[[listen]]\naddress = "127.0.0.1:{front}"\n\n[[site]]\nproxy = {{ to = ["127.0.0.1:{relay.port}"] }}\n')
                log = open(f"{d}/front-{name}.out", "wb")
                processes.append(subprocess.Popen(command + ["serve", "--config", f"{d}/{name}.toml"], stdout=log, stderr=log))
                if not listens(front, 60):
                    print(f"left out: no front for {name}: " + open(f"{d}/front-{name}.out").read()[-400:])
                    continue
                servers[name] = (relay, front)
            names = list(servers)
            for case, headers, content, may in CASES:
                seen = []
                for name, (relay, front) in servers.items():
                    relay.take()
                    first, after = ask(front, headers, content)
                    sent = relay.take()
                    heads = re.findall(rb"(?m)^([A-Za-z]+) (\S+) HTTP/1\.1\r$", sent)
                    lines = [b"%s %s" % h for h in heads if h[1] != b"/after"]
                    problems = []
                    if not after.startswith("saw GET /after host=localhost"):
                        problems.append(f"the next response was {after!r}")
                    if may == "no" and lines:
                        problems.append(f"it reached the back: {lines}")
                    if may == "yes" and not first.startswith("saw"):
                        problems.append(f"no response: {first!r}")
                    if b"evil" in sent and may == "no":
                        problems.append(f"forwarded: {sent[:200]!r}")
                    if problems:
                        wrong += 1
                        print(f"WRONG {case}, {name}: " + "; ".join(problems))
                    short = first.strip().replace("\n", " ")[:60]
                    seen.append(("back: " if lines else "front: ") + (short or "no content"))
                rows.append((case, seen))
        finally:
            for process in processes:
                process.terminate()
            for process in processes:
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
    print(f"{len(CASES)} requests, backs: {', '.join(names)}, {wrong} wrong")
    print("| request | " + " | ".join(names) + " |\n|---|" + "---|" * len(names))
    for case, seen in rows:
        same = len({re.sub(" host=.*", "", s) for s in seen}) == 1
        cells = seen if not same else [seen[0]] + ["the same"] * (len(seen) - 1)
        print(f"| {case} | " + " | ".join(c.replace("|", "\\|") for c in cells) + " |")
    sys.exit(1 if wrong else 0)


main()
