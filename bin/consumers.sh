#!/bin/sh
# Builds the projects of examples/ as their users would: by the published artifacts, from an empty
# local repository, by Maven and by Gradle, with their tests. What is not of Tandem comes from the local repository
# of this build, and only what that lacks from Maven Central.
#
#   bin/consumers.sh REPOSITORY [PROJECT...]
#
# REPOSITORY is a folder, made by mvn -Ppublish deploy (docs/releasing.md). PROJECT is a folder of examples/; by default
# those that ./check builds, without kotlin, whose compiler takes longer.
# MAVEN_REPOSITORY names another local repository than ~/.m2/repository. Results: target/consumers.
set -eu

if [ $# = 0 ] || [ ! -d "$1/dev/tandem" ]; then
    echo "usage: bin/consumers.sh REPOSITORY [PROJECT...] (a folder with published artifacts)" >&2
    exit 2
fi
published=$(cd "$1" && pwd)
shift
root=$(cd "$(dirname "$0")/.." && pwd)
known=${MAVEN_REPOSITORY:-$HOME/.m2/repository}
work=$root/target/consumers
projects=${*:-shop spring staged tomcat}

fail() {
    echo "consumers: $*" >&2
    exit 1
}

# shellcheck source=bin/find-jdk.sh
. "$root/bin/find-jdk.sh"
jdk_find || fail "$(jdk_missing)"
# shellcheck disable=SC2154 # jdk comes from bin/find-jdk.sh
export JAVA_HOME="$jdk"

rm -rf "$work"
mkdir -p "$work"
for project in $projects; do
    cp -R "$root/examples/$project" "$work/"
    rm -rf "$work/$project/target"
done

repositories() {
    for place in "published file://$published" "known file://$known"; do
        snapshots=false
        case $place in published*) snapshots=true ;; esac
        echo "<$1><id>${place% *}</id><url>${place#* }</url>"
        echo "<snapshots><enabled>$snapshots</enabled></snapshots></$1>"
    done
}
cat >"$work/settings.xml" <<END
<settings>
  <!-- Asked before Maven's own entry, which has what these lack. -->
  <profiles>
    <profile>
      <id>published</id>
      <repositories>$(repositories repository)</repositories>
      <pluginRepositories>$(repositories pluginRepository)</pluginRepositories>
    </profile>
  </profiles>
  <activeProfiles><activeProfile>published</activeProfile></activeProfiles>
</settings>
END
{
    echo '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
    echo '<groupId>consumers</groupId><artifactId>consumers</artifactId><version>1</version>'
    echo '<packaging>pom</packaging><modules>'
    for project in $projects; do
        echo "<module>$project</module>"
    done
    echo '</modules></project>'
} >"$work/pom.xml"

# The launching JVM's own options are not ours to have.
MAVEN_OPTS='-XX:+UseSerialGC -XX:TieredStopAtLevel=1' \
    mvn -B -ntp -C -s "$work/settings.xml" -Dmaven.repo.local="$work/repository" -T 2 \
    -f "$work/pom.xml" package >"$work/maven.log" 2>&1 </dev/null || {
    grep -E 'ERROR|FAIL' "$work/maven.log" | head -n 20
    fail "Maven failed; all of it is in $work/maven.log"
}
echo "Maven: $projects"
case " $projects " in
    *' shop '*) ;;
    *) exit 0 ;;
esac

# start LABEL ARGUMENTS: runs the shop as it is shipped: one request, and no warning.
start() {
    start_label=$1
    shift
    : >"$work/run.log"
    "$jdk/bin/java" "$@" 0 >"$work/run.log" 2>&1 &
    pid=$!
    start_tries=0
    until grep -q '^http:' "$work/run.log"; do
        start_tries=$((start_tries + 1))
        { [ "$start_tries" -le 100 ] && kill -0 "$pid"; } || {
            cat "$work/run.log"
            fail "$start_label: it does not start"
        }
        sleep 0.1
    done
    curl -sf -m 10 -o /dev/null "$(grep '^http:' "$work/run.log")" ||
        fail "$start_label: it does not respond"
    kill "$pid"
    wait "$pid" || :
    pid=''
    [ "$(wc -l <"$work/run.log")" = 1 ] || {
        cat "$work/run.log"
        fail "$start_label: it warns"
    }
    echo "$start_label: the shop responds"
}
pid=''
trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null || :' EXIT
trap 'exit 1' INT TERM
start "java -jar" -jar "$work/shop/target/shop-1.jar"

# Gradle before version 9 runs on an older JDK; it compiles with the new one.
command -v gradle >/dev/null 2>&1 || {
    echo "Gradle: skipped: needs gradle"
    exit 0
}
gradle_jdk=$jdk
for folder in /usr/lib/jvm/java-17-openjdk-*; do
    case $(readlink -f "$(command -v gradle)") in
        /usr/share/gradle/*) [ ! -x "$folder/bin/java" ] || gradle_jdk=$folder ;;
    esac
done
version=$(sed -n 's|.*<tandem.version>\(.*\)</tandem.version>.*|\1|p' "$work/shop/pom.xml")
JAVA_HOME=$gradle_jdk gradle --no-daemon -q -g "$work/gradle" -p "$work/shop" \
    -Pjdk="$jdk" -Ptandem="$version" -Ppublished="file://$published" -Pknown="file://$known" libs \
    >"$work/gradle.log" 2>&1 </dev/null || {
    tail -n 20 "$work/gradle.log"
    fail "Gradle failed; all of it is in $work/gradle.log"
}
start "Gradle" --enable-native-access=ALL-UNNAMED -cp "$work/shop/build/lib/*" shop.Shop
