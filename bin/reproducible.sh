#!/bin/sh
# Builds what is published twice, in two folders with different names, and compares every jar, POM and
# bill of materials byte by byte. Takes some minutes.
#
#   bin/reproducible.sh [MODULE…]        such as core/engine: with what it needs; by default all
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# shellcheck source=bin/find-jdk.sh
. "$root/bin/find-jdk.sh"
jdk_find || {
    jdk_missing >&2
    exit 1
}
# shellcheck disable=SC2154 # jdk comes from bin/find-jdk.sh
export JAVA_HOME="$jdk"

# build FOLDER MODULE…: of the files as they are now, those that git does not know left out.
build() {
    folder=$1
    shift
    mkdir -p "$folder"
    (cd "$root" && git ls-files -z --cached --others --exclude-standard |
        xargs -0 cp --parents -t "$folder")
    if [ $# -gt 0 ]; then
        set -- -pl "$(echo "$*" | tr ' ' ',')" -am
    fi
    mvn -q -B -ntp -f "$folder/pom.xml" -Ppublish,release -Dgpg.skip -Dmaven.test.skip=true \
        "$@" package >"$work/log" 2>&1 </dev/null || {
        grep -E 'ERROR|error:' "$work/log" | head -n 20 >&2
        exit 1
    }
}

results() {
    (cd "$1" && find . -path '*/target/*' \( -name 'tandem-*.jar' -o -name 'bom.json' \
        -o -name 'published-pom.xml' -o -name '*-cyclonedx.json' \) | sort)
}

echo "the first build"
build "$work/first" "$@"
echo "the second build"
build "$work/second-with-another-name" "$@"
results "$work/first" >"$work/names"
results "$work/second-with-another-name" | cmp - "$work/names" || {
    echo "reproducible: the builds have different files" >&2
    exit 1
}
different=0
while read -r name; do
    cmp "$work/first/$name" "$work/second-with-another-name/$name" || different=$((different + 1))
done <"$work/names"
grep -q -- '-javadoc.jar' "$work/names" || {
    echo "reproducible: nothing was built" >&2
    exit 1
}
echo "$(wc -l <"$work/names") files, $different different"
[ "$different" = 0 ]
