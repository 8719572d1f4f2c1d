package dev.tandem.cgi.posix;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.cgi.CgiOptions;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The environment of programs (RFC 3875, section 4), and which paths lead to a program.
class RequestsTest {
    /// Prints its environment, one variable on each line, as bytes.
    private static final String ENV =
            """
            #!/usr/bin/env -S sh -c "printf 'Content-Type: text/plain\\n\\n'; exec env"
            """;

    private static Map<String, String> variables(String text) {
        var all = new TreeMap<String, String>();
        for (String line : text.split("\n")) {
            int equals = line.indexOf('=');
            all.put(line.substring(0, equals), line.substring(equals + 1));
        }
        all.keySet().removeAll(List.of("_", "PWD", "SHLVL", "OLDPWD")); // the shell's own
        return all;
    }

    @ParameterizedTest
    @EnumSource
    void environmentHasTheVariablesOfTheRfcOnly(SpawnerKind kind) throws IOException {
        var options =
                CgiOptions.DEFAULT
                        .withInherited(List.of("PATH"))
                        .withVariables(Map.of("DATABASE", "jdbc:x", "HTTP_X_ROLE", "guest"))
                        .withDocumentRoot(Path.of("/srv/www"));
        try (var site = new Programs(kind, options).with("d/env", ENV)) {
            var client = site.client();
            client.send(
                    """
                    POST /cgi-bin/d/env/p%C3%A9/q%20r?a=1&b+c HTTP/1.1
                    Host: example.org:8080
                    Content-Type: text/x
                    Content-Length: 3
                    Proxy: http://evil
                    X-Original-URL: /admin
                    X-Rewrite-URL: /admin
                    X-Role: admin
                    Authorization: Basic c2VjcmV0
                    Accept: a/b
                    accept: c/d
                    Cookie: e=f
                    X_Forwarded_For: forged
                    Connection: keep-alive

                    abc\
                    """);
            var seen = variables(client.response().text());
            var expected = new TreeMap<String, String>();
            expected.put("CONTENT_LENGTH", "3");
            expected.put("CONTENT_TYPE", "text/x");
            expected.put("DATABASE", "jdbc:x");
            expected.put("GATEWAY_INTERFACE", "CGI/1.1");
            expected.put("HTTP_ACCEPT", "a/b, c/d");
            expected.put("HTTP_COOKIE", "e=f");
            expected.put("HTTP_HOST", "example.org:8080");
            expected.put("HTTP_X_ROLE", "guest");
            expected.put("PATH", System.getenv("PATH"));
            expected.put("PATH_INFO", "/pé/q r");
            expected.put("PATH_TRANSLATED", "/srv/www/pé/q r");
            expected.put("QUERY_STRING", "a=1&b+c");
            expected.put("REMOTE_ADDR", "127.0.0.1");
            expected.put("REMOTE_HOST", "127.0.0.1");
            expected.put("REMOTE_PORT", Integer.toString(client.localPort()));
            expected.put("REQUEST_METHOD", "POST");
            expected.put("REQUEST_URI", "/cgi-bin/d/env/p%C3%A9/q%20r?a=1&b+c");
            expected.put("SCRIPT_FILENAME", site.programs().resolve("d/env").toString());
            expected.put("SCRIPT_NAME", "/cgi-bin/d/env");
            expected.put("SERVER_NAME", "example.org");
            expected.put("SERVER_PORT", Integer.toString(site.port()));
            expected.put("SERVER_PROTOCOL", "HTTP/1.1");
            expected.put("SERVER_SOFTWARE", "Tandem");
            assertEquals(expected, seen);
        }
    }

    @ParameterizedTest
    @EnumSource
    void authorizationIsPassedIfConfigured(SpawnerKind kind) throws IOException {
        var options = CgiOptions.DEFAULT.withPassingAuthorization(true);
        try (var site = new Programs(kind, options).with("env", ENV)) {
            var response =
                    site.client()
                            .send("GET /cgi-bin/env HTTP/1.0\nAuthorization: Basic c2V\n\n")
                            .response();
            var seen = variables(response.text());
            assertEquals("Basic c2V", seen.get("HTTP_AUTHORIZATION"));
            assertEquals("127.0.0.1", seen.get("SERVER_NAME"));
            assertEquals("HTTP/1.0", seen.get("SERVER_PROTOCOL"));
            assertEquals("", seen.get("QUERY_STRING"));
            assertFalse(seen.containsKey("PATH_INFO"));
            assertFalse(seen.containsKey("PATH_TRANSLATED"));
            assertFalse(seen.containsKey("CONTENT_LENGTH"));
        }
    }

    /// RFC 9112, section 3.2.2.
    @ParameterizedTest
    @EnumSource
    void hostOfTargetReplacesHostHeader(SpawnerKind kind) throws IOException {
        try (var site = new Programs(kind).with("env", ENV)) {
            var response =
                    site.client()
                            .send(
                                    "GET http://a.example:8080/cgi-bin/env HTTP/1.1\n"
                                            + "Host: b.example\n\n")
                            .response();
            var seen = variables(response.text());
            assertEquals("a.example:8080", seen.get("HTTP_HOST"));
            assertEquals("a.example", seen.get("SERVER_NAME"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void clientOfAUnixDomainSocketIsNotThisMachine(SpawnerKind kind) throws IOException {
        try (var site = new Programs(kind).with("env", ENV)) {
            var address = UnixDomainSocketAddress.of(site.folder().resolve("socket"));
            Server server =
                    Tandem.listen(address).route("*", "/cgi-bin/{path...}", site.cgi()).start();
            try (var channel = SocketChannel.open(address)) {
                byte[] request = "GET /cgi-bin/env HTTP/1.0\r\n\r\n".getBytes(UTF_8);
                channel.write(ByteBuffer.wrap(request));
                byte[] response = Channels.newInputStream(channel).readAllBytes();
                var seen = variables(new String(response, UTF_8).split("\r\n\r\n")[1]);
                assertEquals("192.0.0.8", seen.get("REMOTE_ADDR"));
                assertEquals("192.0.0.8", seen.get("REMOTE_HOST"));
                assertEquals("127.0.0.1", seen.get("SERVER_NAME"));
            } finally {
                server.stop(Duration.ZERO);
            }
        }
    }

    /// Section 4.4 would turn an indexed query into arguments.
    @ParameterizedTest
    @EnumSource
    void queryBecomesNoArguments(SpawnerKind kind) throws IOException {
        try (var site =
                new Programs(kind)
                        .withShell("a", "printf 'Content-Type: a/b\\n\\n'\necho $# $0; pwd\n")) {
            Path file = site.programs().resolve("a");
            assertEquals(
                    "0 " + file + "\n" + site.programs() + "\n", site.get("a?-s+--help").text());
        }
    }

    @ParameterizedTest
    @EnumSource
    void otherFilesAreNotExecuted(SpawnerKind kind) throws IOException {
        try (var site =
                new Programs(kind)
                        .withShell("d/a", "printf 'Content-Type: a/b\\n\\n'\necho $PATH_INFO\n")
                        .withShell(".hidden", "echo\n")
                        .withShell("nph-a", "echo HTTP/1.0 200 OK\n")
                        .with("noline", "printf 'Content-Type: a/b\\n\\n'; echo ran > $DIR/ran\n")
                        .withShell("../outside", "echo x > $DIR/ran\n")) {
            Path programs = site.programs();
            Files.writeString(programs.resolve("text"), "#!/bin/sh\n");
            Files.createSymbolicLink(programs.resolve("out"), programs.resolve("../outside"));
            Files.createSymbolicLink(programs.resolve("in"), programs.resolve("d/a"));
            Files.createSymbolicLink(programs.resolve("circle"), programs.resolve("circle"));
            assertEquals("/\n", site.get("d/a/").text());
            assertEquals("/x/y\n", site.get("d/a/x/y").text());
            assertEquals("\n", site.get("in").text());
            assertEquals(404, site.get("").status());
            assertEquals(404, site.get("d").status());
            assertEquals(404, site.get("d/").status());
            assertEquals(404, site.get("none/a").status());
            assertEquals(404, site.get(".hidden").status());
            assertEquals(404, site.get("out").status());
            assertEquals(404, site.get("circle").status());
            assertEquals(404, site.get("%2e%2e/outside").status());
            assertEquals(400, site.get("..%2foutside").status());
            assertEquals(400, site.get("d%00/a").status());
            assertEquals(404, site.get("x".repeat(300)).status());
            assertEquals(403, site.get("text").status());
            assertEquals(501, site.get("nph-a").status());
            assertEquals(500, site.get("noline").status());
            assertFalse(Files.exists(site.folder().resolve("ran")), "no shell had part in it");
            site.awaitLogged("cannot be started");
        }
    }

    @ParameterizedTest
    @EnumSource
    void linksAreRejectedIfNotFollowed(SpawnerKind kind) throws IOException {
        var options = CgiOptions.DEFAULT.withFollowingLinks(false);
        try (var site =
                new Programs(kind, options).withShell("a", "printf 'Status: 204\\n\\n'\n")) {
            Files.createSymbolicLink(site.programs().resolve("b"), site.programs().resolve("a"));
            assertEquals(204, site.get("a").status());
            assertEquals(404, site.get("b").status());
        }
    }
}
