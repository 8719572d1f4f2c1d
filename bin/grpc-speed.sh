#!/bin/sh
# A unary call of gRPC (EmptyUnary of grpc-java's test service) under Spring Boot and in an embedded Tomcat,
# with Tandem's connector and Tomcat's own, on grpc-java's Netty server, and for comparison a handler of
# Tandem's at /hello, all over HTTP/2 without TLS: CPU per call. Needs h2load, taskset and two processors.
# Server on processor 0, load on processor 1; servers that are not measured are stopped meanwhile.
#
#   bin/grpc-speed.sh [REPETITIONS [SECONDS [SERVER...]]]      by default 5 repetitions of 4 s, all servers
#
# SERVER with -direct behind it runs services on its own threads, without an executor of gRPC's.
set -eu

repetitions=${1:-5}
seconds=${2:-4}
[ $# -lt 2 ] || shift
[ $# -lt 1 ] || shift
servers=${*:-spring-tandem spring-stock tandem tandem-direct stock stock-direct netty hello}
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/bin/grpc-classes.sh"
work=$(mktemp -d)
pids=''

end() {
    for pid in $pids; do
        kill -CONT "$pid" 2>/dev/null || :
        kill "$pid" 2>/dev/null || :
    done
    rm -rf "$work"
}
trap end EXIT
trap 'exit 1' INT TERM

printf '\000\000\000\000\000' >"$work/call" # a message of no bytes, not compressed

median() { sort -n "$1" | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }

ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }

# load NAME PORT SECONDS
load() {
    if [ "$1" = hello ]; then
        taskset -c 1 h2load -t1 -c8 -m16 -D "$3" "http://127.0.0.1:$2/hello"
    else
        taskset -c 1 h2load -t1 -c8 -m16 -D "$3" -d "$work/call" -H 'content-type: application/grpc' \
            -H 'te: trailers' "http://127.0.0.1:$2/grpc.testing.TestService/EmptyCall"
    fi >"$work/h2load"
}

# measure NAME PORT SECONDS: prints CPU microseconds per completed call.
measure() {
    pid=$(cat "$work/$1.pid")
    kill -CONT "$pid"
    before=$(ticks "$pid")
    load "$@"
    after=$(ticks "$pid")
    kill -STOP "$pid"
    awk -v name="$1" -v ticks=$((after - before)) -v hz="$(getconf CLK_TCK)" '
        /^requests:/ { succeeded = $8; failed = $10 + $12 + $14 }
        END {
            if (failed) print name ": " failed " failed of " succeeded + failed >"/dev/stderr"
            printf "%.2f\n", ticks * 1e6 / hz / succeeded
        }' "$work/h2load"
}

port=18530
for name in $servers; do
    port=$((port + 1))
    taskset -c 0 "$java" -Xms256m -Xmx256m --enable-native-access=ALL-UNNAMED -cp "$class_path" \
        dev.tandem.grpc.ServerProgram "$name" "$port" >"$work/$name.log" 2>&1 &
    pids="$pids $!"
    echo $! >"$work/$name.pid"
    echo "$port" >"$work/$name.port"
    tries=0
    until (load "$name" "$port" 1) && grep -q '[1-9][0-9]* succeeded' "$work/h2load"; do
        tries=$((tries + 1))
        [ "$tries" -lt 60 ] || {
            echo "no response from $name" >&2
            exit 1
        }
        sleep 0.5
    done
    measure "$name" "$port" $((seconds * 3)) >/dev/null # compiles
done

for _ in $(seq "$repetitions"); do
    for name in $servers; do
        measure "$name" "$(cat "$work/$name.port")" "$seconds" >>"$work/$name.figures"
    done
done
echo "| server | µs of CPU per call |"
echo "|---|---:|"
for name in $servers; do
    echo "| $name | $(median "$work/$name.figures") |"
done
