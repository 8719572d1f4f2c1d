#!/bin/sh
# Makes an AOT cache for an application of Spring Boot with the starter: unpacks its jar, as the JVM caches
# no class of a jar in a jar, starts it once, sends it requests for some of its pages under load, and keeps what the
# JVM has learned. Later starts take half of the time, and have more than twice the responses from the fourth second on.
#
#   bin/spring-cache.sh APP.jar FOLDER PATH... [-- OPTION...]
#
# FOLDER gets the application (created; must not exist). PATHs are pages that are often asked for, such as / /orders.
# OPTIONs are those of the application in this one start, such as --spring.profiles.active=test: it uses its database. The
# last line is the command for all later starts. It holds for the same JDK, and for the folder where it is.
# JAVA_OPTS are options of the JVM for this start and all later ones, such as -XX:+UseSerialGC.
set -eu

usage() {
    sed -n '2,/^set -eu/s/^# \{0,1\}//p' "$0" | sed '$d'
}

case ${1:-} in
    --help | -h)
        usage
        exit 0
        ;;
esac
if [ $# -lt 3 ]; then
    usage >&2
    exit 2
fi
fail() {
    echo "spring-cache: $*" >&2
    exit 1
}

jar=$1
folder=$2
shift 2
paths=''
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    case $1 in
        /*) paths=$paths,$1 ;;
        *) fail "'$1' is no path: it must begin with /" ;;
    esac
    shift
done
[ $# = 0 ] || shift
[ -n "$paths" ] || fail "no path to request"
[ -f "$jar" ] || fail "there is no file $jar"
[ ! -e "$folder" ] || fail "$folder exists: choose another folder, or remove it"

java=${JAVA_HOME:+$JAVA_HOME/bin/}java
version=$("$java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.specification.version = //p')
[ "${version:-0}" -ge 25 ] || fail "$java is of version ${version:-unknown}; needs JDK 25 or newer: set JAVA_HOME"

"$java" -Djarmode=tools -jar "$jar" extract --destination "$folder" >/dev/null ||
    fail "$jar is no jar of Spring Boot 3.3 or newer"
folder=$(cd "$folder" && pwd)
main=$folder/$(basename "$jar")
flags="--enable-native-access=ALL-UNNAMED ${JAVA_OPTS:-}"

echo "spring-cache: training with ${paths#,}; this takes up to a minute"
# shellcheck disable=SC2086
"$java" "-XX:AOTCacheOutput=$folder/app.aot" $flags -jar "$main" --server.port=0 --server.address=127.0.0.1 \
    "--tandem.training-paths=${paths#,}" "$@" >"$folder/training.log" 2>&1 || {
    tail -n 20 "$folder/training.log" >&2
    fail "the training run failed; all of its output is in $folder/training.log"
}
[ -s "$folder/app.aot" ] || fail "the JVM wrote no cache; see $folder/training.log"
grep -o 'training: .*' "$folder/training.log" || fail "the application has no starter of Tandem; see $folder/training.log"
echo "$java -XX:AOTCache=$folder/app.aot $flags -jar $main"
