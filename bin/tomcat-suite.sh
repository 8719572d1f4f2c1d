#!/bin/sh
# Runs classes of Tomcat's own test suite over our connector, and is no part of ./check:
#
#   bin/tomcat-suite.sh TOMCAT CLASSPATH ours|stock CLASS...
#
# TOMCAT is a folder with Tomcat's sources of the version that we build with (test/, webapps/, conf/).
# CLASSPATH has our rooms, .tandem/lib/* and .tandem/apps/*, JUnit 4.13, Hamcrest 1.3 and EasyMock.
# CLASS is such as org.apache.catalina.nonblocking.TestNonBlockingAPI. Each has at most ten minutes.
set -eu

[ $# -ge 4 ] || {
    sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
    exit 2
}
tomcat=$1 class_path=$2 which=$3
shift 3
case $which in
    ours) protocol=dev.tandem.tomcat.TandemProtocol ;;
    stock) protocol=org.apache.coyote.http11.Http11NioProtocol ;;
    *)
        echo "tomcat-suite: ours or stock, not $which" >&2
        exit 2
        ;;
esac
[ -d "$tomcat/test/org/apache/catalina" ] || {
    echo "tomcat-suite: no test/org/apache/catalina in $tomcat: name a folder of Tomcat's sources" >&2
    exit 1
}
cd "$tomcat"
mkdir -p output/suite output/build
for class in "$@"; do
    javac -nowarn -proc:none -d output/suite -sourcepath test -cp "$class_path" \
        "test/$(echo "$class" | tr . /).java"
done
opens=''
for package in java.lang java.io java.util java.util.concurrent; do
    opens="$opens --add-opens java.base/$package=ALL-UNNAMED"
done
status=0
for class in "$@"; do
    # shellcheck disable=SC2086 # words
    timeout 600 java $opens --enable-native-access=ALL-UNNAMED "-Dtomcat.test.protocol=$protocol" \
        -Dtomcat.test.tomcatbuild=output/build -cp "output/suite:test:$class_path" \
        org.junit.runner.JUnitCore "$class" || status=1
done
exit $status
