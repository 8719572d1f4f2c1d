#!/bin/sh
# Runs the Jakarta Servlet TCK on an embedded Tomcat with Tandem's connector or the stock one; not part of ./check:
#
#   bin/servlet-tck.sh FOLDER INSTALLATION tandem|stock [CLASS...]
#
# FOLDER has a checkout of each of these, under these names: servlet (jakartaee/servlet at 6.1.2-RELEASE-tck),
# tomcat-tck (apache/tomcat-tck) and container (arquillian/arquillian-container-tomcat). INSTALLATION is
# tandem-tomcat-*-installation.jar. Maven fetches the other jars at the first run. CLASS is a full name; without
# one, all classes are run, each in a JVM of its own, as many at a time as PARALLEL says (2).
# Output and JUnit's reports are in FOLDER/output/tandem or FOLDER/output/stock.
set -eu

[ $# -ge 3 ] || {
    sed -n '2,11s/^# \{0,1\}//p' "$0" >&2
    exit 2
}
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(cd "$1" && pwd) installation=$(cd "$(dirname "$2")" && pwd)/$(basename "$2") which=$3
shift 3
case $which in
    tandem) protocol=dev.tandem.tomcat.TandemProtocol ;;
    stock) protocol=org.apache.coyote.http11.Http11NioProtocol ;;
    *)
        echo "servlet-tck: tandem or stock, not $which" >&2
        exit 2
        ;;
esac
for needed in servlet/tck/tck-runtime tomcat-tck/servlet-tck container/tomcat-embedded-10; do
    [ -d "$folder/$needed" ] || {
        echo "servlet-tck: no $needed in $folder" >&2
        exit 1
    }
done
[ -f "$installation" ] || {
    echo "servlet-tck: no $installation: mvn -Ppublish -pl integrations/tomcat -am -Dmaven.test.skip=true package" >&2
    exit 1
}
# shellcheck source=bin/find-jdk.sh
. "$root/bin/find-jdk.sh"
jdk_require servlet-tck
java=$JAVA_HOME/bin/java
tomcat=$(sed -n 's|.*<tomcat.version>\(.*\)</tomcat.version>.*|\1|p' "$root/pom.xml")

dependency() {
    echo "<dependency><groupId>$1</groupId><artifactId>$2</artifactId><version>$3</version>${4-}</dependency>"
}

# The jars of the TCK's runtime and of the container, at the versions that their own builds name. The TCK puts
# slf4j-simple into each web application, and looks for its version in the pom.xml of the current folder.
pom() {
    imported='<type>pom</type><scope>import</scope>'
    echo '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
    echo '<groupId>tck</groupId><artifactId>tck</artifactId><version>1</version><packaging>pom</packaging>'
    echo '<dependencyManagement><dependencies>'
    dependency org.junit junit-bom 6.0.3 "$imported"
    dependency org.jboss.arquillian arquillian-bom 1.10.2.Final "$imported"
    echo '</dependencies></dependencyManagement><dependencies>'
    dependency org.junit.jupiter junit-jupiter 6.0.3
    dependency org.junit.platform junit-platform-console 6.0.3
    dependency org.jboss.arquillian.junit5 arquillian-junit5-container 1.10.2.Final
    dependency org.jboss.arquillian.testenricher arquillian-testenricher-initialcontext 1.10.2.Final
    dependency org.jboss.arquillian.protocol arquillian-protocol-servlet-jakarta 10.0.0.Final
    for artifact in api-maven spi-maven impl-maven; do
        dependency org.jboss.shrinkwrap.resolver shrinkwrap-resolver-$artifact 3.3.6
    done
    dependency org.jboss.shrinkwrap shrinkwrap-impl-base 1.2.6
    dependency jakarta.tck sigtest-maven-plugin 2.6
    dependency commons-io commons-io 2.21.0
    dependency org.slf4j slf4j-simple 2.0.17
    dependency org.apache.tomcat.embed tomcat-embed-jasper "$tomcat"
    echo '</dependencies></project>'
}

# Copies java files with the connector made of the property tck.protocol, where the original leaves Tomcat to choose.
select_connector() {
    made='new org.apache.catalina.connector.Connector(System.getProperty("tck.protocol"))'
    sed -e "s|^ *tomcat\.getConnector();\$|var made = $made; made.setPort(configuration.getBindHttpPort()); tomcat.setConnector(made);|" \
        -e "s|new Connector()|$made|" "$1" >"$2"
    grep -q tck.protocol "$2" || {
        echo "servlet-tck: $1 does not create its connector as expected" >&2
        exit 1
    }
}

build() {
    pom >pom.xml
    mvn -q -B dependency:copy-dependencies -DoutputDirectory=jars
    rm -rf classes sources
    mkdir -p classes/tck classes/container sources
    for part in util runtime; do
        (cd "servlet/tck/tck-$part/src/main/java" && find . -type f ! -name '*.java' -exec cp --parents {} "$folder/classes/tck" \;)
        [ ! -d "servlet/tck/tck-$part/src/main/resources" ] || cp -R "servlet/tck/tck-$part/src/main/resources/." classes/tck
    done
    find servlet/tck/tck-util/src/main/java servlet/tck/tck-runtime/src/main/java -name '*.java' >classes/list
    "${java}c" -nowarn -Xlint:-removal -proc:none -parameters -encoding UTF-8 -d classes/tck -cp 'jars/*' @classes/list

    container=container/tomcat-embedded-10/src/main
    adapter='tomcat-tck/servlet-tck/src/test'
    find container/tomcat-common/src/main container/tomcat-embedded-common/src/main $container $adapter -name '*.java' \
        ! -name Tomcat10EmbeddedContainer.java ! -name TomcatServletTckConfiguration.java >classes/list
    for file in "$container/java/org/jboss/arquillian/container/tomcat/embedded/Tomcat10EmbeddedContainer.java" \
        "$adapter/java/org/apache/tomcat/tck/servlet/TomcatServletTckConfiguration.java"; do
        select_connector "$file" "sources/$(basename "$file")"
        echo "sources/$(basename "$file")" >>classes/list
    done
    "${java}c" -nowarn -Xlint:-removal -proc:none -encoding UTF-8 -d classes/container -cp 'classes/tck:jars/*' @classes/list
    cp -R $adapter/resources/. classes/container
    extensions='META-INF/services/org.jboss.arquillian.core.spi.LoadableExtension'
    awk 1 $container/resources/$extensions $adapter/resources/$extensions >classes/container/$extensions
    touch classes/done
}

cd "$folder"
[ -e classes/done ] || build
output=$folder/output/$which
rm -rf "$output"
mkdir -p "$output/target"
cp pom.xml "$output"
class_path="$folder/classes/container:$folder/classes/tck:$folder/jars/*"
[ "$which" = stock ] || class_path="$class_path:$installation"
# shellcheck disable=SC2046 # words
[ $# -gt 0 ] || set -- $(cd classes/tck && find servlet -name '*Test.class' -o -name '*Tests.class' |
    grep -v '/AbstractTckTest\|/BaseTckTest\|/SigTest\.' | sed 's/\.class$//; s|/|.|g' | sort)

# Client certificates need TLS, all else is HTTP.
cat >"$output/run" <<END
class=\$1 launch=http
case \$class in
    *ClientCert*) launch=https ;;
esac
cd '$output'
timeout 900 '$java' --enable-native-access=ALL-UNNAMED -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \\
    -Dtck.protocol=$protocol -Darquillian.launch=\$launch -Dorg.apache.maven.offline=true -Dws_wait=5 \\
    -Dservlet.tck.support.http2Push=false -Djimage.dir='$output/target/jimage' \\
    -DsigTestClasspath='$folder/jars/tomcat-embed-core-$tomcat.jar:$output/target/jimage/java.base' \\
    -cp '$class_path' org.junit.platform.console.ConsoleLauncher execute --disable-banner --disable-ansi-colors \\
    --details=tree --reports-dir="reports/\$class" -c "\$class" >"\$class" 2>&1 || true
echo "\$class: \$(sed -n 's/^\[ *\([0-9]* tests \(found\|successful\)\) *\]/\1/p' "\$class" | paste -sd,)"
END
printf '%s\n' "$@" | xargs -n 1 -P "${PARALLEL:-2}" sh "$output/run"

# What was skipped or aborted is off by the TCK or by the property above.
cat "$output"/servlet.* | awk '/^\[ *[0-9]+ tests (found|successful|skipped|aborted|failed)/ { count[$4] += $2 }
    END {
        off = count["skipped"] + count["aborted"]
        print count["found"] " tests, " count["successful"] " successful, " count["failed"] + 0 " failed, " off " off"
        exit count["found"] != count["successful"] + off
    }'
