# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # java and class_path are for the sourcing script, which sets root
# For scripts: the programs of the module testing/grpc. Sets `java` and `class_path`; `root` is this folder's parent.
# shellcheck source=bin/find-jdk.sh
. "$root/bin/find-jdk.sh"
jdk_require "$(basename "$0" .sh)"
java=$JAVA_HOME/bin/java
others=$root/testing/grpc/target/class-path
[ -d "$root/testing/grpc/target/test-classes" ] || {
    echo "build first: mvn -pl testing/grpc -am package -DskipTests" >&2
    exit 1
}
[ -s "$others" ] || (cd "$root" && mvn -q -o ${MAVEN_REPOSITORY:+-Dmaven.repo.local=$MAVEN_REPOSITORY} \
    -pl testing/grpc -am compile dependency:build-classpath -Dmdep.outputFile="$others" -DincludeScope=test)
class_path=$root/testing/grpc/target/test-classes:$(cat "$others")
