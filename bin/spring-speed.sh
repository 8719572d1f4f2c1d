#!/bin/sh
# The sample of the room `spring` on Tandem's connector and on Tomcat's own, in turns: CPU per
# request, and how long a start takes. Needs wrk, curl, taskset and two processors; the room must be
# built (./check, or mvn -pl integrations/spring -am test-compile). Server on processor 0, load on processor 1;
# who is not measured is stopped meanwhile.
#
#   bin/spring-speed.sh [ROUNDS [SECONDS [STARTS]]]      by default 5 rounds of 4 s, 7 starts; 0 leaves one of the two out
set -eu

rounds=${1:-5}
seconds=${2:-4}
starts=${3:-7}
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
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
# What Maven says it needs, the sample's own dependencies among it.
[ -s "$others" ] || (cd "$root" && mvn -q -o ${MAVEN_REPOSITORY:+-Dmaven.repo.local=$MAVEN_REPOSITORY} \
    -pl integrations/spring dependency:build-classpath -Dmdep.outputFile="$others")
# The starter is a jar behind the others, as where it was added last: a folder, or what comes before the
# sample's own classes, would be asked for each of 15,000 classes.
"${java%java}jar" --create --file "$work/starter.jar" -C "$root/integrations/spring/target/classes" .
# Redis is another test's.
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

# answers PORT: waits for the first answer, for a minute at most.
answers() {
    tries=0
    until taskset -c 1 curl -sf -m 2 -o /dev/null "http://127.0.0.1:$1/hello/x"; do
        tries=$((tries + 1))
        [ "$tries" -lt 6000 ] || {
            echo "no answer from port $1" >&2
            exit 1
        }
        sleep 0.01
    done
}

median() { sort -n "$1" | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }

ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }

# take PID PORT PATH SECONDS: CPU microseconds a request that was answered; who is refused, as on a
# busy machine or before a server is warm, is told of: such figures count for nothing.
take() {
    kill -CONT "$1"
    before=$(ticks "$1")
    taskset -c 1 wrk -t1 -c32 -d"$4"s "http://127.0.0.1:$2$3" >"$work/wrk"
    after=$(ticks "$1")
    kill -STOP "$1"
    awk -v ticks=$((after - before)) -v hz="$(getconf CLK_TCK)" '
        / requests in / { requests = $1 }
        /Non-2xx/ { refused = $NF }
        END {
            if (refused) print "refused: " refused " of " requests >"/dev/stderr"
            printf "%.1f\n", ticks * 1e6 / hz / (requests - refused)
        }' "$work/wrk"
}

run stock 18431
stock_pid=$pid
run tandem 18432
tandem_pid=$pid
answers 18431
answers 18432
kill -STOP "$stock_pid" "$tandem_pid"

echo "| test | stock, µs of CPU | Tandem, µs | stock / Tandem |"
echo "|---|---:|---:|---:|"
# One processor needs half a minute to compile what all requests go through, and as long for templates.
warming=$((seconds * 8))
paths='/hello/x /db/7 /page /authors/7'
[ "$rounds" -gt 0 ] || paths=''
for path in $paths; do
    name=$(echo "$path" | tr -d /)
    take "$stock_pid" 18431 "$path" $warming >/dev/null
    take "$tandem_pid" 18432 "$path" $warming >/dev/null
    for _ in $(seq "$rounds"); do
        take "$stock_pid" 18431 "$path" "$seconds" >>"$work/stock-$name"
        take "$tandem_pid" 18432 "$path" "$seconds" >>"$work/tandem-$name"
    done
    stock=$(median "$work/stock-$name")
    tandem=$(median "$work/tandem-$name")
    awk -v p="$path" -v s="$stock" -v t="$tandem" \
        'BEGIN { printf "| %s | %.1f | %.1f | %.2f |\n", p, s, t, s / t }'
done

# Milliseconds from the process's start to its first answer.
start() {
    began=$(date +%s%N)
    run "$1" 18433
    start_pid=$pid
    answers 18433
    echo $((($(date +%s%N) - began) / 1000000)) >>"$work/start-$1"
    kill "$start_pid"
    wait "$start_pid" 2>/dev/null || :
    start_pid=''
}

if [ "$starts" -gt 0 ]; then
    start stock && start tandem && rm "$work/start-stock" "$work/start-tandem" # the page cache
    for turn in $(seq "$starts"); do
        # In turns, so that what gets slower or faster meanwhile does so for both.
        if [ $((turn % 2)) -eq 1 ]; then start stock && start tandem; else start tandem && start stock; fi
    done
    stock=$(median "$work/start-stock")
    tandem=$(median "$work/start-tandem")
    awk -v s="$stock" -v t="$tandem" \
        'BEGIN { printf "| start to first answer, ms | %d | %d | %.2f |\n", s, t, s / t }'
fi
