#!/bin/sh
# Runs the Autobahn test suite against the WebSocket echo of `tandem lab target`; not part of ./check:
#
#   bin/autobahn.sh PYTHON SUITE OUT [CASES]
#
# PYTHON is a Python 2.7 that finds what the suite needs (autobahn 0.10.9, Twisted 19.10, Werkzeug 1.0,
# klein 17.10, Jinja2 2.11, unittest2), SUITE the unpacked source of autobahntestsuite 25.10 from PyPI.
# CASES are the numbers of cases, by default all for servers: "1.*,2.*,3.*,4.*,5.*,6.*,7.*,9.*,10.*,12.*,13.*";
# those of compression, 12 and 13, take half an hour, or a tenth of it if PYTHON finds wsaccel, too. OUT
# gets index.html and index.json. Fails if a case does. TARGET is the command that serves, by default
# ./tandem lab target. ROUTE=/ws-stream tests the route that reads messages while they are received.
set -eu

[ $# -ge 3 ] || {
    sed -n '2,12s/^# \{0,1\}//p' "$0" >&2
    exit 2
}
python=$1 suite=$(cd "$2" && pwd) out=$3 cases=${4:-1.*,2.*,3.*,4.*,5.*,6.*,7.*,9.*,10.*,12.*,13.*}
root=$(cd "$(dirname "$0")/.." && pwd)
port=${PORT:-19801}
mkdir -p "$out"
out=$(cd "$out" && pwd)
quoted=$(printf '%s' "$cases" | sed 's/,/","/g')
cat >"$out/spec.json" <<END
{"outdir": "$out", "servers": [{"agent": "Tandem", "url": "ws://127.0.0.1:$port${ROUTE:-/ws}"}],
 "cases": ["$quoted"], "exclude-cases": [], "exclude-agent-cases": {}}
END

# shellcheck disable=SC2086 # words
${TARGET:-$root/tandem lab target} --listen "127.0.0.1:$port" >"$out/target.log" 2>&1 &
target=$!
trap 'kill "$target" 2>/dev/null' EXIT
until curl -s -o /dev/null "http://127.0.0.1:$port/hello"; do
    kill -0 "$target" 2>/dev/null || {
        cat "$out/target.log" >&2
        exit 1
    }
    sleep 0.2
done

PYTHONPATH="$suite:$suite/autobahntestsuite${PYTHONPATH:+:$PYTHONPATH}" \
    "$python" -m autobahntestsuite.wstest -m fuzzingclient -s "$out/spec.json" >"$out/suite.log" 2>&1

# A case is passed, or strict in a way that the protocol leaves open, or for information only.
"$python" - "$out/index.json" <<'END'
from __future__ import print_function
import json, sys
cases = json.load(open(sys.argv[1]))["Tandem"]
good = ("OK", "NON-STRICT", "INFORMATIONAL", "UNIMPLEMENTED")
counts = {}
failed = []
for name, case in sorted(cases.items()):
    counts[case["behavior"]] = counts.get(case["behavior"], 0) + 1
    if case["behavior"] not in good or case["behaviorClose"] not in good:
        failed.append("%s: %s, closed %s" % (name, case["behavior"], case["behaviorClose"]))
print(len(cases), "cases:", ", ".join("%d %s" % (n, b) for b, n in sorted(counts.items())))
print("\n".join(failed))
sys.exit(1 if failed else 0)
END
