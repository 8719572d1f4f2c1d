package dev.tandem.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.acme.AcmeCertificates;
import dev.tandem.filters.BasicAuth;
import dev.tandem.filters.Rule;
import dev.tandem.filters.Rules;
import dev.tandem.filters.Users;
import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.PreparedResponseHandler;
import dev.tandem.http.RequestHead;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProofsExceptedTest {
    private final BasicAuth password;

    ProofsExceptedTest(@TempDir Path folder) throws IOException {
        Path users = Files.writeString(folder.resolve("users"), "# none\n");
        this.password = BasicAuth.of("here", Users.of(users));
    }

    @Test
    void passwordsAreNotHashedOnLoops() {
        Handler quick = Handler.nonBlocking(_ -> {});
        assertTrue(new ProofsExcepted(password).wrap(quick).isBlocking());
        assertFalse(new ProofsExcepted(Rules.of(List.of())).wrap(quick).isBlocking());
    }

    /// Shows which of its responses was sent.
    private static final class Prepared implements PreparedResponseHandler {
        private final PreparedResponse response =
                new PreparedResponse(
                        200, "Content-Length: 0\r\nX-By: ready\r\n", ByteBuffer.allocateDirect(0));

        @Override
        public PreparedResponse preparedResponse(RequestHead head, String path) {
            return response;
        }

        @Override
        public void handle(Exchange x) {
            x.header("X-By", "handler");
        }
    }

    @ParameterizedTest
    @CsvSource({"/a, ready", "/old/a, handler", "/private/a, null", "/private;x/a, null"})
    void preparedResponsesAreUsedWhereTheFiltersAllow(String target, String by) throws IOException {
        Rules rules = Rules.of(List.of(new Rule.Rewrite("/old/*", "/new/{rest}")));
        Tandem tandem =
                Tandem.listen("127.0.0.1", 0)
                        .filter(new ProofsExcepted(password.under(List.of("/private"))))
                        .filter(new ProofsExcepted(rules))
                        .get("/{path...}", new Prepared());
        try (Server server = tandem.start();
                RawClient client = RawClient.connect(server.address())) {
            var response = client.send("GET " + target + " HTTP/1.1\nHost: a\n\n").response();
            assertEquals(by, "" + response.field("X-By"));
        }
    }

    /// A proof is that of its route: other routes and methods have a password at the same path.
    @ParameterizedTest
    @CsvSource({
        "GET, /.well-known/acme-challenge/a, 200 tandem-loop",
        "GET, //.well-known/./acme-challenge/%61, 200 tandem-loop",
        "POST, /.well-known/acme-challenge/a, 401 null",
        "GET, /.well-known/acme-challenge/a/b, 401 null",
        "GET, /.well-known/acme-challenge/a/../../b, 401 null",
        "GET, /.well-known/acme-challenge/a/%2e%2e/%2e%2e/b, 401 null",
        "GET, /.well-known/ACME-challenge/a, 401 null",
        "GET, /.well-known/acme-challenge;x/a, 401 null",
        "GET, /other, 401 null"
    })
    void onlyTheRouteOfProofsIsOpen(String method, String target, String expected)
            throws IOException {
        Handler quick = Handler.nonBlocking(ProofsExceptedTest::sayThread);
        Tandem tandem =
                Tandem.listen("127.0.0.1", 0)
                        .filter(new ProofsExcepted(password))
                        .get(AcmeCertificates.PATTERN, quick)
                        .route("*", "/{path...}", quick);
        try (Server server = tandem.start();
                RawClient client = RawClient.connect(server.address())) {
            client.send(method + " " + target + " HTTP/1.1\nHost: a\n\n");
            var response = client.response();
            assertEquals(expected, response.status() + " " + response.field("X-Thread"));
        }
    }

    private static void sayThread(Exchange x) throws IOException {
        String name = Thread.currentThread().getName();
        x.header("X-Thread", name.substring(0, name.lastIndexOf('-'))).send("");
    }

    @Test
    void proofRequiresNoPassword() throws IOException {
        Tandem tandem =
                Tandem.listen("127.0.0.1", 0)
                        .filter(new ProofsExcepted(password))
                        .get(AcmeCertificates.PATTERN, x -> x.send("proof"))
                        .get("/{path...}", x -> x.send("other"));
        try (Server server = tandem.start();
                RawClient client = RawClient.connect(server.address())) {
            String proof = "GET /.well-known/acme-challenge/a HTTP/1.1\nHost: a\n\n";
            assertEquals("proof", client.send(proof).response().text());
            assertEquals(401, client.send("GET / HTTP/1.1\nHost: a\n\n").response().status());
        }
    }
}
