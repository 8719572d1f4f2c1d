package dev.tandem.engine.http1;

import static dev.tandem.engine.http1.WireCases.HELLO;
import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.Options;
import dev.tandem.engine.MemoryServer;
import dev.tandem.http.Body;
import dev.tandem.http.Exchange;
import dev.tandem.http.FileChangedException;
import dev.tandem.http.FileStamp;
import dev.tandem.http.Router;
import dev.tandem.testkit.MemoryPipe;
import dev.tandem.testkit.WireText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Responses from a file, to clients that read them at once and byte by byte.
class FileResponseTest {
    private static final String TEXT = "abcdefghij".repeat(20);
    private static final String WHOLE = "HTTP/1.1 200 OK\nDate: *\nContent-Length: 200\n\n" + TEXT;

    private Path file;
    private FileStamp stamp;
    private MemoryServer server;

    @BeforeEach
    void serve(@TempDir Path folder) throws IOException {
        file = Files.writeString(folder.resolve("a"), TEXT);
        stamp = FileStamp.of(file);
        Router routes =
                Router.builder()
                        .add("GET", "/file", x -> x.send(region(0, 200)))
                        .add("GET", "/part", x -> x.status(206).send(region(7, 5)))
                        .add("GET", "/none", x -> x.send(region(200, 0)))
                        .add("GET", "/wide", this::sendWithWideHead)
                        .add("GET", "/stale", this::sendOrSayThatItChanged)
                        .add("GET", "/hello", x -> x.send("Hello, World!"))
                        .build();
        server = new MemoryServer(Options.DEFAULT.withThreads(t -> t.withWorkersMax(1)), routes);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Body.FileRegion region(long offset, long length) {
        return new Body.FileRegion(file, offset, length, stamp);
    }

    private void sendWithWideHead(Exchange x) throws IOException {
        x.header("X-Wide", "w".repeat(40_000)).send(region(0, 200));
    }

    private void sendOrSayThatItChanged(Exchange x) throws IOException {
        try {
            x.send(region(0, 200));
        } catch (FileChangedException e) {
            x.status(409).send("changed");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 50, 199, 250, 1000})
    void fileIsCompleteOverEverySplit(int window) throws IOException {
        MemoryPipe pipe = server.connect(window);
        assertEquals(WHOLE, server.ask(pipe, get("/file"), WHOLE));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 50, 199, 250, 1000})
    void nextRequestIsServedAfterTheFile(int window) throws IOException {
        MemoryPipe pipe = server.connect(window);
        server.ask(pipe, get("/file"), WHOLE);
        assertEquals(HELLO, server.ask(pipe, get("/hello"), HELLO));
        assertEquals(WHOLE, server.ask(pipe, get("/file"), WHOLE));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 60, 1000})
    void fileKeepsItsPositionInAPipeline(int window) throws IOException {
        MemoryPipe pipe = server.connect(window);
        String three = get("/hello") + get("/file") + get("/hello");
        assertEquals(HELLO + WHOLE + HELLO, server.ask(pipe, three, HELLO + WHOLE + HELLO));
    }

    @Test
    void partOfAFileIsSent() throws IOException {
        String part = "HTTP/1.1 206 Partial Content\nDate: *\nContent-Length: 5\n\nhijab";
        assertEquals(part, server.ask(server.connect(), get("/part"), part));
    }

    @Test
    void emptyPartOfAFileIsSent() throws IOException {
        String none = "HTTP/1.1 200 OK\nDate: *\nContent-Length: 0\n\n";
        MemoryPipe pipe = server.connect();
        assertEquals(none + HELLO, server.ask(pipe, get("/none") + get("/hello"), none + HELLO));
    }

    @Test
    void responseToHeadHasNoBody() throws IOException {
        String head = "HTTP/1.1 200 OK\nDate: *\nContent-Length: 200\n\n";
        MemoryPipe pipe = server.connect();
        String both = get("/file").replace("GET", "HEAD") + get("/hello");
        assertEquals(head + HELLO, server.ask(pipe, both, head + HELLO));
    }

    @Test
    void fileFollowsAHeadThatFillsTheBuffer() throws IOException {
        String wide = WHOLE.replace("\nContent", "\nX-Wide: " + "w".repeat(40_000) + "\nContent");
        MemoryPipe pipe = server.connect(5000);
        assertEquals(wide, server.ask(pipe, get("/wide"), wide));
    }

    @Test
    void changedFileIsNotSent() throws IOException {
        Files.writeString(file, TEXT + "more");
        String changed = WireCases.response("409 Conflict", "", "changed");
        assertEquals(changed, server.ask(server.connect(), get("/stale"), changed));
    }

    @Test
    void responseIsTruncatedIfTheFileShrinks() throws IOException {
        MemoryPipe pipe = server.connect(100);
        byte[] bytes = WireText.bytes(get("/file") + get("/hello"));
        pipe.toServer().offer(bytes, 0, bytes.length);
        server.iterateUntil("the first part came", () -> pipe.toClient().size() == 100);
        Files.writeString(file, "abc");
        String cut = server.readToEnd(pipe);
        assertEquals(WHOLE.substring(0, cut.length()), cut);
        assertEquals(HELLO, server.ask(server.connect(), get("/hello"), HELLO));
    }
}
