#!/bin/sh
# Runs grpc-java's interoperability tests on Tandem's connector, in an embedded Tomcat and under Spring Boot,
# and in the same run on Tomcat's own connector and on grpc-java's Netty server; prints a table. Cases that fail
# are explained on standard error. Takes a minute; the module must be built: mvn -pl testing/grpc -am package -DskipTests
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/bin/grpc-classes.sh"
exec "$java" --enable-native-access=ALL-UNNAMED -cp "$class_path" dev.tandem.grpc.InteropReport
