#!/bin/sh
# Runs classes of Tomcat's own test suite over Tandem's connector; not part of ./check:
#
#   bin/tomcat-suite.sh SOURCES INSTALLATION JARS tandem|cached|stock CLASS...
#
# cached: Tandem's connector with pageCache="64m"; JARS has tandem-page-cache, zstd-jni and lz4-java,
# too.
#
# SOURCES and INSTALLATION are Tomcat's, of the version that Tandem is built with; the second is its
# unpacked archive. JARS is a folder with tandem-tomcat-*-installation.jar and what the tests need:
# JUnit 4.13, Hamcrest, EasyMock, Objenesis, Byte Buddy, Derby (derby, derbyshared, derbytools),
# UnboundID's LDAP SDK and bnd's annotations. CLASS is for example
# org.apache.catalina.nonblocking.TestNonBlockingAPI; each has at most ten minutes, and its output
# is in SOURCES/output/tandem, cached or stock.
set -eu

[ $# -ge 5 ] || {
    sed -n '2,15s/^# \{0,1\}//p' "$0" >&2
    exit 2
}
tomcat=$(cd "$1" && pwd) installation=$(cd "$2" && pwd) jars=$(cd "$3" && pwd) which=$4
shift 4
pages=''
case $which in
    tandem) protocol=dev.tandem.tomcat.TandemProtocol ;;
    cached) protocol=dev.tandem.tomcat.TandemProtocol pages=-Dtomcat.test.pageCache=64m ;;
    stock) protocol=org.apache.coyote.http11.Http11NioProtocol ;;
    *)
        echo "tomcat-suite: tandem, cached or stock, not $which" >&2
        exit 2
        ;;
esac
[ -d "$tomcat/test/org/apache/catalina" ] || {
    echo "tomcat-suite: no test/org/apache/catalina in $tomcat: name a folder of Tomcat's sources" >&2
    exit 1
}
[ -d "$installation/webapps/examples" ] || {
    echo "tomcat-suite: no webapps/examples in $installation: name a folder of Tomcat itself" >&2
    exit 1
}
cd "$tomcat"
class_path="$installation/webapps/examples/WEB-INF/classes:$jars/*:$installation/lib/*:$installation/bin/*"
mkdir -p "output/$which" output/classes

# All classes, since tests load classes by name; except those that need Ant or Bouncy Castle.
if [ ! -e output/classes/done ]; then
    find test/org test/jakarta test/util -name '*.java' 2>/dev/null |
        grep -v '/buildutil/\|/tribes/\|/http2/\|/openssl/\|/ocsp/\|/catalina/ant/\|/TestJspC' |
        xargs grep -L 'bouncycastle\|apache.tools.ant\|net.ocsp\|TesterKeystoreGenerator' >output/sources
    javac -nowarn -proc:none -encoding ISO-8859-1 -d output/classes -sourcepath test -cp "$class_path" @output/sources
    touch output/classes/done
fi

# The tests' own base class with the attribute for each connector.
if [ ! -e output/classes/cached ]; then
    base=org/apache/catalina/startup/TomcatBaseTest.java
    mkdir -p "output/changed/$(dirname $base)"
    sed 's|^\( *\)connector.setPort(0);|&\
\1if (System.getProperty("tomcat.test.pageCache") != null) {\
\1    Assert.assertTrue(connector.setProperty("pageCache", System.getProperty("tomcat.test.pageCache")));\
\1}|' "test/$base" >"output/changed/$base"
    grep -q tomcat.test.pageCache "output/changed/$base"
    javac -nowarn -proc:none -encoding ISO-8859-1 -d output/classes -cp "output/classes:$class_path" "output/changed/$base"
    touch output/classes/cached
fi

opens=''
for package in java.base/java.lang java.base/java.io java.base/java.util java.base/java.util.concurrent \
    java.rmi/sun.rmi.transport; do
    opens="$opens --add-opens $package=ALL-UNNAMED"
done
status=0
for class in "$@"; do
    temporary=$(mktemp -d)
    # shellcheck disable=SC2086 # words
    timeout 600 java $opens $pages --enable-native-access=ALL-UNNAMED "-Dtomcat.test.protocol=$protocol" \
        -Dtomcat.test.tomcatbuild="$installation" -Dtomcat.test.basedir=. -Dtomcat.test.temp="$temporary" \
        -Dtomcat.test.relaxTiming=true -Dfile.encoding=UTF-8 -cp "output/classes:test:$class_path" \
        org.junit.runner.JUnitCore "$class" >"output/$which/$class" 2>&1 || status=1
    rm -rf "$temporary"
    echo "$class: $(grep -aE '^(OK \(|Tests run:)' "output/$which/$class" || echo 'no end')"
done
exit $status
