#!/bin/sh
# Builds an application outside of this repository that uses the starter as users do:
# spring-boot-starter-parent, the dependency, a repackaged jar, java -jar. Checks that it starts, that
# the connector is Tandem's, and that no library is there in two versions. Installs the starter; Maven
# downloads what is missing.
#
#   bin/spring-app.sh [SPRING_BOOT_VERSION]      by default 4.1.0
# MAVEN_REPOSITORY names another local repository than Maven's default; KEEP a folder that gets the application's jar,
# for bin/spring-cache.sh and bin/measure-spring.py.
set -eu

version=${1:-4.1.0}
root=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=bin/find-jdk.sh
. "$root/bin/find-jdk.sh"
jdk_require spring-app
work=$(mktemp -d)
java=$JAVA_HOME/bin/java
pid=''

end() {
    [ -z "$pid" ] || kill "$pid" 2>/dev/null || :
    rm -rf "$work"
}
trap end EXIT
trap 'exit 1' INT TERM

fail() {
    echo "spring-app: $*" >&2
    exit 1
}

maven() {
    mvn -q -ntp ${MAVEN_REPOSITORY:+-Dmaven.repo.local=$MAVEN_REPOSITORY} "$@" >"$work/maven.log" 2>&1 || {
        cat "$work/maven.log" >&2
        fail "mvn $* failed"
    }
}

echo "installing the starter"
maven -f "$root/pom.xml" -Ppublish -pl integrations/spring -am install -Dmaven.test.skip=true

starters() {
    for name in webmvc jdbc thymeleaf security actuator session-jdbc validation; do
        echo "<dependency><groupId>org.springframework.boot</groupId>"
        echo "<artifactId>spring-boot-starter-$name</artifactId></dependency>"
    done
}
mkdir -p "$work/src/main/java/app"
cat >"$work/pom.xml" <<END
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent>
    <groupId>org.springframework.boot</groupId>
    <artifactId>spring-boot-starter-parent</artifactId>
    <version>$version</version>
  </parent>
  <groupId>app</groupId>
  <artifactId>app</artifactId>
  <version>1</version>
  <properties><java.version>25</java.version></properties>
  <dependencies>
    <dependency>
      <groupId>dev.tandem</groupId>
      <artifactId>tandem-spring-boot-starter</artifactId>
      <version>0.2.0-SNAPSHOT</version>
    </dependency>
    $(starters)
    <dependency>
      <groupId>com.h2database</groupId>
      <artifactId>h2</artifactId>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <groupId>org.springframework.boot</groupId>
        <artifactId>spring-boot-maven-plugin</artifactId>
      </plugin>
    </plugins>
  </build>
</project>
END
cat >"$work/src/main/java/app/App.java" <<'END'
package app;

import jakarta.servlet.http.HttpSession;
import javax.sql.DataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.*;

@SpringBootApplication
@RestController
public class App {
    private final DataSource database;

    App(DataSource database) {
        this.database = database;
    }

    public static void main(String[] arguments) {
        SpringApplication.run(App.class, arguments);
    }

    /// A page without a login, for training runs and measurements.
    @Bean
    SecurityFilterChain logins(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(
                        paths -> paths.requestMatchers("/row").permitAll().anyRequest().authenticated())
                .httpBasic(Customizer.withDefaults())
                .build();
    }

    @GetMapping("/row")
    java.util.Map<String, Object> row() throws java.sql.SQLException {
        try (var connection = database.getConnection();
                var rows = connection.createStatement().executeQuery("SELECT 42")) {
            rows.next();
            return java.util.Map.of("id", rows.getInt(1), "text", "a row");
        }
    }

    @GetMapping("/hello")
    String hello(HttpSession session) throws java.sql.SQLException {
        session.setAttribute("seen", true);
        try (var connection = database.getConnection()) {
            return Thread.currentThread().getName() + " " + connection.isValid(1);
        }
    }
}
END

echo "building the application"
maven -f "$work/pom.xml" package

jar=$work/target/app-1.jar
libraries=$("${java%java}jar" --list --file "$jar" | sed -n 's|BOOT-INF/lib/||p')
for name in tomcat-embed-core netty-tcnative-classes HikariCP micrometer-core; do
    count=$(echo "$libraries" | grep -c "^$name-[0-9]") || :
    [ "$count" = 1 ] || fail "$name is in the jar $count times"
done
! echo "$libraries" | grep -i 'junit\|testkit\|errorprone\|nullaway\|tomcat-annotations' ||
    fail "these have no place in an application"

[ -z "${KEEP:-}" ] || { mkdir -p "$KEEP" && cp "$jar" "$KEEP/app.jar"; }

# Port 0: the log has the port.
"$java" --enable-native-access=ALL-UNNAMED -jar "$jar" --server.port=0 --server.address=127.0.0.1 \
    --spring.session.jdbc.initialize-schema=always --spring.security.user.password=secret \
    --spring.thymeleaf.check-template-location=false \
    >"$work/log" 2>&1 &
pid=$!
port=''
tries=0
until [ -n "$port" ]; do
    tries=$((tries + 1))
    if [ "$tries" -gt 240 ] || ! kill -0 "$pid" 2>/dev/null; then
        cat "$work/log" >&2
        fail "it did not start"
    fi
    sleep 0.25
    port=$(sed -n 's/.*Tomcat started on port \([0-9]*\).*/\1/p' "$work/log")
done

response=$(curl -sf -m 20 -u user:secret "http://127.0.0.1:$port/hello") || fail "it does not respond"
case $response in
    tandem-*' true') ;;
    *) fail "not by Tandem's connector: $response" ;;
esac
curl -sf -m 20 -o /dev/null "http://127.0.0.1:$port/actuator/health" -u user:secret || fail "it is not healthy"
! grep ' WARN \|ERROR' "$work/log" || fail "it warns"
kill "$pid"
wait "$pid" || [ $? = 143 ] || fail "it did not exit normally"
pid=''
echo "Spring Boot $version, $(echo "$libraries" | grep '^tomcat-embed-core'): works"
