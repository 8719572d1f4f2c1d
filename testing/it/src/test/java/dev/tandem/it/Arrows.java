package dev.tandem.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Who may import whom: the table of ARCHITECTURE.md, checked against the module files. The
/// JDK's
/// own modules and the annotations of `org.jspecify` are open to all.
final class Arrows {
    private static final Map<String, Set<String>> MAY_REQUIRE =
            Map.ofEntries(
                    room("http"),
                    room("net"),
                    room("admission"),
                    room("testkit"),
                    room("trace"),
                    room("net.epoll", "dev.tandem.net"),
                    room(
                            "server",
                            "dev.tandem.admission",
                            "dev.tandem.http",
                            "dev.tandem.net",
                            "dev.tandem.tls"),
                    room("filters", "dev.tandem.http", "password4j"),
                    room("upstream"),
                    room("proxy", "dev.tandem.http", "dev.tandem.upstream"),
                    room("fastcgi", "dev.tandem.cgi", "dev.tandem.http", "dev.tandem.upstream"),
                    room(
                            "observe",
                            "dev.tandem.engine",
                            "io.opentelemetry.api",
                            "io.opentelemetry.context",
                            "micrometer.core"),
                    room("cache", "dev.tandem.files", "com.github.luben.zstd_jni", "org.lz4.java"),
                    room("files", "dev.tandem.http"),
                    room(
                            "testkit.server",
                            "dev.tandem.engine",
                            "dev.tandem.testkit",
                            "org.junit.jupiter.api"),
                    room("cgi", "dev.tandem.http"),
                    room("cgi.posix", "dev.tandem.cgi"),
                    room("logs", "dev.tandem.engine"),
                    room(
                            "config",
                            "dev.tandem.engine",
                            "dev.tandem.cache",
                            "dev.tandem.files",
                            "dev.tandem.cgi",
                            "dev.tandem.fastcgi",
                            "dev.tandem.filters",
                            "dev.tandem.proxy",
                            "dev.tandem.upstream",
                            "dev.tandem.logs",
                            "org.tomlj"),
                    room("workloads", "org.apache.commons.numbers.gamma"),
                    room("tls"),
                    room(
                            "tls.boringssl",
                            "dev.tandem.tls",
                            "io.netty.buffer",
                            "io.netty.handler",
                            "io.netty.tcnative.classes.openssl"),
                    room("auction", "com.zaxxer.hikari", "gg.jte.runtime", "jakarta.servlet"),
                    room("specweb", "dev.tandem.workloads", "jakarta.servlet"),
                    room(
                            "staged",
                            "dev.tandem.admission",
                            "dev.tandem.http",
                            "dev.tandem.engine",
                            "com.zaxxer.hikari",
                            "freemarker",
                            "gg.jte.runtime",
                            "thymeleaf"),
                    room(
                            "bookstore",
                            "dev.tandem.http",
                            "dev.tandem.staged",
                            "com.zaxxer.hikari",
                            "gg.jte.runtime"),
                    room("load", "dev.tandem.net", "HdrHistogram"),
                    room(
                            "lab",
                            "dev.tandem.bookstore",
                            "dev.tandem.cache",
                            "dev.tandem.engine",
                            "dev.tandem.files",
                            "dev.tandem.cgi",
                            "dev.tandem.load",
                            "dev.tandem.trace",
                            "dev.tandem.workloads",
                            "dev.tandem.tomcat",
                            "org.apache.tomcat.embed.websocket",
                            "com.github.luben.zstd_jni",
                            "com.zaxxer.hikari",
                            "io.netty.buffer",
                            "io.netty.handler"),
                    room("tomcat", "dev.tandem.engine", "org.apache.tomcat.embed.core"),
                    room(
                            "spring",
                            "dev.tandem.tomcat",
                            "dev.tandem.staged",
                            "dev.tandem.observe",
                            "micrometer.core",
                            "spring.aop",
                            "spring.beans",
                            "spring.boot",
                            "spring.boot.autoconfigure",
                            "spring.boot.health",
                            "spring.boot.jdbc",
                            "spring.jdbc",
                            "spring.boot.micrometer.metrics",
                            "spring.boot.tomcat",
                            "spring.boot.web.server",
                            "spring.boot.webmvc",
                            "spring.context",
                            "spring.core",
                            "spring.web",
                            "spring.webmvc"),
                    room(
                            "lab.commands",
                            "dev.tandem.bookstore",
                            "dev.tandem.cli",
                            "dev.tandem.lab",
                            "dev.tandem.load",
                            "dev.tandem.engine",
                            "dev.tandem.tomcat"),
                    room(
                            "cli",
                            "dev.tandem.cache",
                            "dev.tandem.engine",
                            "dev.tandem.files",
                            "dev.tandem.cgi",
                            "dev.tandem.config",
                            "dev.tandem.logs",
                            "dev.tandem.tomcat",
                            "dev.tandem.trace"));

    private static final Pattern COMMENT = Pattern.compile("//.*|/\\*(?s:.*?)\\*/");
    private static final Pattern MODULE = Pattern.compile("\\bmodule\\s+([\\w.]+)");
    private static final Pattern REQUIRES =
            Pattern.compile("\\brequires\\s+(?:static\\s+|transitive\\s+)*([\\w.]+)\\s*;");

    private Arrows() {}

    private static Map.Entry<String, Set<String>> room(String name, String... mayRequire) {
        return Map.entry("dev.tandem." + name, Set.of(mayRequire));
    }

    /// @param source of a `module-info.java`
    static List<String> complaints(String source) {
        String code = COMMENT.matcher(source).replaceAll("");
        var module = MODULE.matcher(code);
        if (!module.find()) {
            return List.of("no module is declared");
        }
        String name = module.group(1);
        Set<String> allowed = MAY_REQUIRE.get(name);
        if (allowed == null) {
            return List.of(name + " has no row in the table of arrows");
        }
        var complaints = new ArrayList<String>();
        var requires = REQUIRES.matcher(code);
        while (requires.find()) {
            String other = requires.group(1);
            if (!isOpenToAll(other) && !allowed.contains(other)) {
                complaints.add(name + " may not require " + other);
            }
        }
        return complaints;
    }

    private static boolean isOpenToAll(String module) {
        return module.startsWith("java.")
                || module.startsWith("jdk.")
                || module.equals("org.jspecify");
    }
}
