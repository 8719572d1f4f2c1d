#!/bin/sh
# Compares the public types of the published modules with those of a release, by japicmp: lists
# what changed, and fails if an incompatible change is not one that the version allows
# (docs/compatibility.md). Both are built from git.
#
#   bin/compare-api.sh [TAG]             by default the last tag v*
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
tag=${1:-$(git -C "$root" describe --tags --abbrev=0 --match 'v*' 2>/dev/null || :)}
[ -n "$tag" ] || {
    echo "compare-api: there is no release yet, so nothing to compare with: the first tag is the baseline"
    exit 0
}
work=$(mktemp -d)
trap 'git -C "$root" worktree remove --force "$work/old" 2>/dev/null || :; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# shellcheck source=bin/find-jdk.sh
. "$root/bin/find-jdk.sh"
jdk_find || {
    jdk_missing >&2
    exit 1
}
# shellcheck disable=SC2154 # jdk comes from bin/find-jdk.sh
export JAVA_HOME="$jdk"

maven() {
    mvn -q -B -ntp "$@" >"$work/log" 2>&1 </dev/null || {
        grep -E 'ERROR' "$work/log" | head -n 20 >&2
        exit 1
    }
}

git -C "$root" worktree add -q --detach "$work/old" "$tag"
for folder in "$work/old" "$root"; do
    maven -f "$folder/pom.xml" -Ppublish -Dmaven.test.skip=true package
done
maven dependency:copy -Dmdep.useBaseVersion=true -DoutputDirectory="$work" \
    -Dartifact=com.github.siom79.japicmp:japicmp:0.23.1:jar:jar-with-dependencies

# 0.x may change with each minor version, and 1.x not before 2.0.
allowed=true
old_minor=$(echo "${tag#v}" | cut -d. -f1-2)
new_version=$(sed -n 's|.*<version>\(.*\)</version>.*|\1|p' "$root/pom.xml" | head -n 1)
case $new_version in
    "$old_minor".*) allowed=false ;;
    0.*) ;;
    "${old_minor%.*}".*) allowed=false ;;
esac

incompatible=''
for new in "$root"/*/*/target/tandem-*-"$new_version".jar; do
    module=${new#"$root"/}
    module=${module%/target/*}
    old=$(find "$work/old/$module/target" -name 'tandem-*.jar' ! -name '*-installation.jar' 2>/dev/null |
        head -n 1)
    if [ ! -e "$root/$module/target/published-pom.xml" ] || [ -z "$old" ]; then
        continue
    fi
    "$jdk/bin/java" -jar "$work"/japicmp-*.jar -o "$old" -n "$new" --only-modified \
        --ignore-missing-classes --error-on-binary-incompatibility >"$work/changes" 2>&1 ||
        incompatible="$incompatible $module"
    [ "$(wc -l <"$work/changes")" -le 2 ] || sed "s|^|$module: |" "$work/changes"
done
[ -n "$incompatible" ] || {
    echo "compatible with $tag"
    exit 0
}
echo "incompatible with $tag:$incompatible"
[ "$allowed" = true ]
