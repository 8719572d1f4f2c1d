#!/usr/bin/env python3
"""Starts an installed Tandem under the restrictions of app/packaging/tandem.service, and has it serve.

    sudo bin/try-unit.py FOLDER    # with tandem and its .tandem, as /usr/lib/tandem

Where systemd does not run, its unit cannot be started. This reads the unit and applies what decides whether a server
works: the system calls and address families of its filter, the user without capabilities but the unit's, file systems
that cannot be written, a /tmp of its own, no new privileges. The server listens at port 80 of a network namespace of
its own. It must serve a file, run a CGI program, be reloaded by its control socket and end by SIGTERM with status 0; a
program that mounts, and one that opens a packet socket, must fail under the same restrictions.
"""
import ctypes
import errno
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
UNIT = os.path.join(HERE, "../app/packaging/tandem.service")
HEADER = "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"
LIBC = ctypes.CDLL(None, use_errno=True)
NEW_NAMESPACES = 0x00020000 | 0x40000000  # mounts, network
FAMILIES = {"AF_UNIX": 1, "AF_INET": 2, "AF_INET6": 10}
AUDIT_ARCH = 0xC000003E  # x86-64
ALLOW, FAIL = 0x7FFF0000, 0x00050000
NOBODY = 65534


def check(result, what):
    if result != 0:
        raise OSError(ctypes.get_errno(), what)


def unit():
    values = {}
    with open(UNIT) as lines:
        for line in lines:
            if "=" in line and not line.startswith("#"):
                name, value = line.strip().split("=", 1)
                values.setdefault(name, []).append(value)
    return values


def expanded(words):
    names = set()
    for word in words:
        if word.startswith("@"):
            text = subprocess.check_output(["systemd-analyze", "--no-pager", "syscall-filter", word], text=True)
            lines = [line.strip() for line in text.splitlines()[1:]]
            names |= expanded([line for line in lines if line and not line.startswith("#")])
        else:
            names.add(word)
    return names


def filter_of(values):
    allowed = set()
    for value in values["SystemCallFilter"]:
        named = expanded(value.lstrip("~").split())
        allowed = allowed - named if value.startswith("~") else allowed | named
    with open(HEADER) as header:
        numbers = dict(re.findall(r"#define __NR_(\w+) (\d+)", header.read()))
    calls = sorted(int(numbers[name]) for name in allowed if name in numbers)
    families = [FAMILIES[name] for name in values["RestrictAddressFamilies"][0].split()]
    socket = int(numbers["socket"])
    code = [(0x20, 0, 0, 4), (0x15, 1, 0, AUDIT_ARCH), (0x06, 0, 0, 0), (0x20, 0, 0, 0)]
    code += [(0x15, 0, len(families) + 2, socket), (0x20, 0, 0, 16)]
    code += [(0x15, len(families) - i, 0, family) for i, family in enumerate(families)]
    code += [(0x06, 0, 0, FAIL | errno.EAFNOSUPPORT)]
    code += [(0x20, 0, 0, 0)]
    if values.get("RestrictNamespaces") == ["yes"]:
        calls = [n for n in calls if n not in (int(numbers["unshare"]), int(numbers["setns"]))]
        # As systemd: the arguments of clone3 cannot be filtered, and callers use clone without it.
        code += [(0x15, 0, 1, int(numbers["clone3"])), (0x06, 0, 0, FAIL | errno.ENOSYS)]
    for number in calls:
        code += [(0x15, 0, 1, number), (0x06, 0, 0, ALLOW)]
    code += [(0x06, 0, 0, FAIL | errno.EPERM)]
    return b"".join(struct.pack("HBBI", *instruction) for instruction in code), len(calls)


def restrict(program):
    """Called in the child, as the last step before it runs the program."""
    check(LIBC.prctl(38, 1, 0, 0, 0), "no new privileges")
    buffer = ctypes.create_string_buffer(program, len(program))
    pointer = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(buffer))
    check(LIBC.prctl(22, 2, ctypes.create_string_buffer(pointer, len(pointer)), 0, 0), "filter")


def isolate(folder):
    check(LIBC.unshare(NEW_NAMESPACES), "namespaces")
    subprocess.check_call(["ip", "link", "set", "lo", "up"])
    subprocess.check_call(["mount", "--make-rprivate", "/"])
    subprocess.check_call(["mount", "--bind", folder, "/mnt"])
    subprocess.check_call(["mount", "-t", "tmpfs", "tmpfs", "/tmp"])
    os.makedirs(folder, exist_ok=True)
    subprocess.check_call(["mount", "--bind", "/mnt", folder])
    for mount in ("/", folder):
        subprocess.check_call(["mount", "-o", "remount,bind,ro", mount])


def prepare():
    work = tempfile.mkdtemp(prefix="state-")
    os.makedirs(work + "/www")
    os.makedirs(work + "/programs")
    with open(work + "/www/index.html", "w") as page:
        page.write("served")
    with open(work + "/programs/hello", "w") as program:
        program.write("#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'; id -u\n")
    os.chmod(work + "/programs/hello", 0o755)
    with open(work + "/tandem.toml", "w") as file:
        file.write(f'''[process]
control = "{work}/control.sock"
[[listen]]
address = "127.0.0.1:80"
[access_log]
file = "{work}/access.log"
[[site]]
files = {{ root = "{work}/www" }}
[[site.at]]
path = "/run"
cgi = {{ root = "{work}/programs" }}
''')
    for path, _, names in os.walk(work):
        for name in [path] + [os.path.join(path, name) for name in names]:
            os.chown(name, NOBODY, NOBODY)
    return work


def launch(command, values, program, **more):
    capabilities = ",".join("+" + name[4:].lower() for name in values["AmbientCapabilities"][0].split())
    dropped = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--inh-caps=" + "-all," + capabilities,
               "--ambient-caps=" + "-all," + capabilities, "--bounding-set=-all," + capabilities]
    # The filter comes first: setpriv needs calls that it forbids, so the program applies it behind setpriv.
    inner = [sys.executable, os.path.abspath(__file__), "--restricted", program.hex()]
    return subprocess.Popen(dropped + inner + command, **more)


def get(path):
    return urllib.request.urlopen("http://127.0.0.1" + path, timeout=5).read().decode()


def main():
    if sys.argv[1] == "--restricted":
        os.umask(0o027)
        restrict(bytes.fromhex(sys.argv[2]))
        os.execvp(sys.argv[3], sys.argv[3:])
    folder = os.path.abspath(sys.argv[1])
    values = unit()
    program, calls = filter_of(values)
    print(f"{calls} system calls allowed, {len(program) // 8} instructions")
    isolate(folder)
    work = prepare()
    env = dict(os.environ, HOME=work)
    tandem = folder + "/tandem"
    server = launch([tandem, "serve", "--config", work + "/tandem.toml"], values, program, env=env)
    try:
        for attempt in range(200):
            try:
                page = get("/index.html")
                break
            except OSError:
                if server.poll() is not None or attempt == 199:
                    raise
                time.sleep(0.1)
        assert page == "served", page
        print("serves a file at port 80 as user", NOBODY)
        user = get("/run/hello").strip()
        assert user == str(NOBODY), user
        print("runs a CGI program")
        reload = launch([tandem, "reload", "--config", work + "/tandem.toml"], values, program, env=env)
        assert reload.wait(60) == 0
        print("reloads")
        with open(f"/proc/{server.pid}/status") as status:
            print(*[line.strip() for line in status if line.startswith(("Seccomp:", "CapEff", "NoNewPrivs"))], sep="; ")
        for attack in ("mount -t tmpfs x /mnt", "unshare -r true", "touch /usr/lib/x"):
            failed = launch(["sh", "-c", attack], values, program, stderr=subprocess.DEVNULL).wait(10)
            assert failed != 0, attack
        packet = "import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW)"
        assert launch([sys.executable, "-c", packet], values, program, stderr=subprocess.DEVNULL).wait(10) != 0
        print("mounts, namespaces, writes and packet sockets fail")
    finally:
        server.send_signal(signal.SIGTERM)
        status = server.wait(30)
    assert os.path.getsize(work + "/access.log") > 0
    assert status == 0, status
    print("ends by SIGTERM with status", status)
    shutil.rmtree(work)


if __name__ == "__main__":
    main()
