#!/bin/bash
# Looks for inputs on which a decoder breaks a rule, guided by the coverage of its code; not part of ./check,
# which replays the inputs that are kept.
#
#   bin/fuzz.sh [--hours N | --minutes N] [--jobs N] [--list] [TARGET…]
#
#   --hours N, --minutes N   time for each target; default 5 minutes
#   --jobs N                 targets at a time; default 1
#   --list                   lists the targets
#
# A TARGET is the name of a class with the method fuzzerTestOneInput, such as RequestHeadTarget; default all.
# Inputs that reach new code are kept: the smallest set of them replaces src/test/resources/…/TARGET.corpus.
# An input that breaks a rule is written to target/fuzz/TARGET/found, and printed in Base64; add it to the
# corpus as a line when the defect is fixed. Lines of code that were reached: target/fuzz/TARGET/coverage.txt.
set -euo pipefail

jazzer=0.30.0
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
seconds=300 jobs=1 is_list=false targets=()

fail() {
    echo "fuzz: $*; see bin/fuzz.sh --help" >&2
    exit 2
}

number() {
    [[ ${2:-} =~ ^[1-9][0-9]{0,4}$ ]] || fail "$1 needs a number from 1 on, not '${2:-}'"
}

while [ $# -gt 0 ]; do
    case $1 in
        --help | -h)
            sed -n '2,15s/^# \{0,1\}//p' "$0"
            exit 0
            ;;
        --hours) number "$@" && seconds=$((3600 * $2)) && shift ;;
        --minutes) number "$@" && seconds=$((60 * $2)) && shift ;;
        --jobs) number "$@" && jobs=$2 && shift ;;
        --list) is_list=true ;;
        -*) fail "unknown option '$1'" ;;
        *) targets+=("$1") ;;
    esac
    shift
done

declare -A sources
while read -r source; do
    sources[$(basename "$source" .java)]=$source
done < <(grep -rl --include='*Target.java' 'void fuzzerTestOneInput(' -- */*/src/test/java)
if [ "$is_list" = true ]; then
    printf '%s\n' "${!sources[@]}" | sort
    exit 0
fi
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(printf '%s\n' "${!sources[@]}" | sort)
for target in "${targets[@]}"; do
    [ -n "${sources[$target]:-}" ] || fail "no target '$target'; --list lists them"
done

# shellcheck source=bin/find-jdk.sh
. bin/find-jdk.sh
jdk_find || {
    jdk_missing >&2
    exit 1
}
export JAVA_HOME=$jdk
work=$root/target/fuzz
mkdir -p "$work/jars"
if [ ! -f "$work/jars/jazzer-$jazzer.jar" ]; then
    echo "fuzz: fetching Jazzer $jazzer"
    for artifact in jazzer jazzer-api; do
        mvn -B -q -ntp org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy \
            "-Dartifact=com.code-intelligence:$artifact:$jazzer" "-DoutputDirectory=$work/jars"
    done
fi

modules=$(for target in "${targets[@]}"; do echo "${sources[$target]%%/src/*}"; done | sort -u)
echo "fuzz: compiling"
mvn -B -q -ntp -f all.pom.xml -pl "$(echo "$modules" | paste -sd,)" -am test-compile \
    dependency:build-classpath "-Dmdep.outputFile=target/fuzz.class-path" -DincludeScope=test

# run TARGET: until it finds something, or its time is over.
run() {
    local source=${sources[$1]} module folder class corpus class_path
    module=${source%%/src/*}
    class=${source#*/src/test/java/}
    class=${class%.java}
    corpus=$module/src/test/resources/$class.corpus
    folder=$work/$1
    class_path=$module/target/test-classes:$module/target/classes:$(cat "$module/target/fuzz.class-path")
    class_path=$work/jars/jazzer-$jazzer.jar:$work/jars/jazzer-api-$jazzer.jar:$class_path
    rm -rf "$folder"
    mkdir -p "$folder"/{inputs,kept,found}
    "$JAVA_HOME/bin/java" -cp "$class_path" dev.tandem.testkit.FuzzCorpus unpack "$corpus" "$folder/inputs"
    # An interrupted run leaves a corpus as it was.
    fuzz() {
        "$JAVA_HOME/bin/java" -Xmx1g -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -cp "$class_path" \
            com.code_intelligence.jazzer.Jazzer "--target_class=${class//\//.}" \
            '--instrumentation_includes=dev.tandem.**' '--custom_hook_includes=dev.tandem.**' \
            "--reproducer_path=$folder" -artifact_prefix="$folder/found/" -max_len=1500 -timeout=10 "$@"
    }
    if ! fuzz "--coverage_report=$folder/coverage.txt" -max_total_time="$seconds" -print_final_stats=1 \
        "$folder/inputs" >"$folder/log" 2>&1; then
        echo "FOUND by $1: $(tr -d '\000' <"$folder/log" | sed -n 's/^== Java Exception: //p' | head -1)"
        for input in "$folder"/found/*; do
            [ ! -f "$input" ] || echo "  $(base64 -w 0 "$input")"
        done
        echo "  log: $folder/log"
        return 1
    fi
    # Of this target alone, since each runs in a shell of its own.
    times >"$folder/times"
    fuzz -merge=1 "$folder/kept" "$folder/inputs" >"$folder/merge.log" 2>&1
    "$JAVA_HOME/bin/java" -cp "$class_path" dev.tandem.testkit.FuzzCorpus pack "$folder/kept" "$corpus"
    echo "ok $1: $(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/log") inputs," \
        "$(wc -l <"$corpus") kept, $(grep -o 'cov: [0-9]*' "$folder/log" | tail -1)," \
        "processor time $(tail -1 "$folder/times") (user, system)"
}

status=0
echo "fuzz: ${#targets[@]} targets, $((seconds / 60)) min each, $jobs at a time"
for target in "${targets[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do
        wait -n || status=1
    done
    run "$target" &
done
while [ -n "$(jobs -p)" ]; do
    wait -n || status=1
    jobs >/dev/null
done
exit "$status"
