package dev.tandem.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.acme.AcmeCertificates;
import dev.tandem.files.Folder;
import dev.tandem.filters.BasicAuth;
import dev.tandem.filters.Rules;
import dev.tandem.filters.Users;
import dev.tandem.http.Filter;
import dev.tandem.http.Handler;
import dev.tandem.http.PreparedResponseHandler;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProofsExceptedTest {
    private final Path folder;
    private final Filter password;

    ProofsExceptedTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        Path users = Files.writeString(folder.resolve("users"), "# none\n");
        this.password = BasicAuth.of("here", Users.of(users));
    }

    @Test
    void passwordsAreNotHashedOnLoops() {
        Handler quick = Handler.nonBlocking(_ -> {});
        assertTrue(new ProofsExcepted(password).wrap(quick).isBlocking());
        assertFalse(new ProofsExcepted(Rules.of(List.of())).wrap(quick).isBlocking());
    }

    @Test
    void preparedResponsesOfFilesAreKept() {
        Handler files = Folder.of(folder);
        assertInstanceOf(
                PreparedResponseHandler.class,
                new ProofsExcepted(password)
                        .wrap(new ProofsExcepted(Rules.of(List.of())).wrap(files)));
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
