#!/bin/sh
# The sample of the module `spring` on Tandem's connector and on Tomcat's own, alternately: CPU per
# request, and how long a start takes. Needs wrk, curl, taskset and two processors; the module must be
# built (./check, or mvn -pl integrations/spring -am test-compile). Server on processor 0, load on
# processor 1; the server that is not measured is stopped meanwhile.
#
#   bin/spring-speed.sh [REPETITIONS [SECONDS [STARTS]]]      by default 5 repetitions of 4 s, 7 starts; 0 omits one of the two
set -eu

repetitions=${1:-5}
seconds=${2:-4}
starts=${3:-7}
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
# shellcheck source=bin/find-jdk.sh
. "$root/bin/find-jdk.sh"
jdk_require spring-speed
java=$JAVA_HOME/bin/java
others=$root/integrations/spring/target/class-path
tandem_pid='' stock_pid='' start_pid=''

end() {
    for pid in $tandem_pid $stock_pid $start_pid; do
        kill -CONT "$pid" 2>/dev/null || :
        kill "$pid" 2>/dev/null || :
    done
    rm -rf "$work"
}
trap end EXIT
trap 'exit 1' INT TERM

[ -d "$root/integrations/spring/target/test-classes" ] || {
    echo "build first: mvn -pl integrations/spring -am test-compile" >&2
    exit 1
}
# The dependencies by Maven, the sample's own included.
[ -s "$others" ] || (cd "$root" && mvn -q -o ${MAVEN_REPOSITORY:+-Dmaven.repo.local=$MAVEN_REPOSITORY} \
    -pl integrations/spring dependency:build-classpath -Dmdep.outputFile="$others")
# The starter is the last jar, as if it was added last: a folder, or an entry before the sample's own
# classes, would be searched for each of 15,000 classes.
"${java%java}jar" --create --file "$work/starter.jar" -C "$root/integrations/spring/target/classes" .
# Only another test needs Redis.
redis='redis\|/lettuce/\|/projectreactor/\|/spring-data-\|-data-commons\|-boot-netty\|-dns-\|-oxm-\|-context-support-'
parts() { tr ':' '\n' <"$others" | grep -v "$redis" | grep "$1" '/dev/tandem/\|/io/netty/' | paste -sd: -; }
stock_path=$root/integrations/spring/target/test-classes:$(parts -v)
tandem_path=$stock_path:$work/starter.jar:$(parts -e)

# run NAME PORT: leaves its process in `pid`.
run() {
    case $1 in
        stock) class_path=$stock_path ;;
        *) class_path=$tandem_path ;;
    esac
    taskset -c 0 "$java" -Xms256m -Xmx256m --enable-native-access=ALL-UNNAMED -cp "$class_path" \
        dev.tandem.spring.sample.Sample --server.address=127.0.0.1 --server.port="$2" \
        --spring.main.banner-mode=off --logging.level.root=warn \
        --spring.datasource.url="jdbc:h2:mem:speed;DB_CLOSE_DELAY=-1" >"$work/$1.log" 2>&1 &
    pid=$!
}

# await PORT: waits for the first response, for a minute at most.
await() {
    tries=0
    until taskset -c 1 curl -sf -m 2 -o /dev/null "http://127.0.0.1:$1/hello/x"; do
        tries=$((tries + 1))
        [ "$tries" -lt 6000 ] || {
            echo "no response from port $1" >&2
            exit 1
        }
        sleep 0.01
    done
}

median() { sort -n "$1" | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }

ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }

# measure PID PORT PATH SECONDS: prints CPU microseconds per completed request. Rejected requests, as on
# a busy machine or before a server is warm, are reported: such figures are invalid.
measure() {
    kill -CONT "$1"
    before=$(ticks "$1")
    taskset -c 1 wrk -t1 -c32 -d"$4"s "http://127.0.0.1:$2$3" >"$work/wrk"
    after=$(ticks "$1")
    kill -STOP "$1"
    awk -v ticks=$((after - before)) -v hz="$(getconf CLK_TCK)" '
        / requests in / { requests = $1 }
        /Non-2xx/ { rejected = $NF }
        END {
            if (rejected) print "rejected: " rejected " of " requests >"/dev/stderr"
            printf "%.1f\n", ticks * 1e6 / hz / (requests - rejected)
        }' "$work/wrk"
}

run stock 18431
stock_pid=$pid
run tandem 18432
tandem_pid=$pid
await 18431
await 18432
kill -STOP "$stock_pid" "$tandem_pid"

echo "| test | stock, µs of CPU | Tandem, µs | stock / Tandem |"
echo "|---|---:|---:|---:|"
# One processor needs half a minute to compile the code that all requests use, and as long for templates.
warming=$((seconds * 8))
paths='/hello/x /db/7 /page /authors/7'
[ "$repetitions" -gt 0 ] || paths=''
for path in $paths; do
    name=$(echo "$path" | tr -d /)
    measure "$stock_pid" 18431 "$path" $warming >/dev/null
    measure "$tandem_pid" 18432 "$path" $warming >/dev/null
    for _ in $(seq "$repetitions"); do
        measure "$stock_pid" 18431 "$path" "$seconds" >>"$work/stock-$name"
        measure "$tandem_pid" 18432 "$path" "$seconds" >>"$work/tandem-$name"
    done
    stock=$(median "$work/stock-$name")
    tandem=$(median "$work/tandem-$name")
    awk -v p="$path" -v s="$stock" -v t="$tandem" \
        'BEGIN { printf "| %s | %.1f | %.1f | %.2f |\n", p, s, t, s / t }'
done

# Milliseconds from the process's start to its first response.
start() {
    began=$(date +%s%N)
    run "$1" 18433
    start_pid=$pid
    await 18433
    echo $((($(date +%s%N) - began) / 1000000)) >>"$work/start-$1"
    kill "$start_pid"
    wait "$start_pid" 2>/dev/null || :
    start_pid=''
}

if [ "$starts" -gt 0 ]; then
    start stock && start tandem && rm "$work/start-stock" "$work/start-tandem" # the page cache
    for repetition in $(seq "$starts"); do
        # Alternately, so that a change of the machine's speed affects both.
        if [ $((repetition % 2)) -eq 1 ]; then start stock && start tandem; else start tandem && start stock; fi
    done
    stock=$(median "$work/start-stock")
    tandem=$(median "$work/start-tandem")
    awk -v s="$stock" -v t="$tandem" \
        'BEGIN { printf "| start to first response, ms | %d | %d | %.2f |\n", s, t, s / t }'
fi
