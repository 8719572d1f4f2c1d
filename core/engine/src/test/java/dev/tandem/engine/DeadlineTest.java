package dev.tandem.engine;

import static dev.tandem.engine.http1.WireCases.NOW;
import static dev.tandem.engine.http1.WireCases.get;
import static dev.tandem.engine.http1.WireCases.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.http1.WireCase;
import dev.tandem.engine.http1.WireSite;
import dev.tandem.testkit.MemoryPipe;
import dev.tandem.testkit.WireText;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The deadlines that the loop keeps, by a clock that stands still until it is moved.
class DeadlineTest {
    private static final Duration HEAD = Duration.ofSeconds(10);
    private static final Duration STALL = Duration.ofSeconds(30);
    private static final Duration TICK = Duration.ofMillis(16);
    private static final Options OPTIONS =
            Options.DEFAULT.withTimeouts(t -> t.withHead(HEAD).withWriteStall(STALL));
    private static final String TOO_SLOW =
            response(
                    "408 Request Timeout",
                    "close",
                    "408 Request Timeout<0a>the head took too long<0a>");

    private MemoryServer server;

    @BeforeEach
    void serve() {
        server = new MemoryServer(OPTIONS, WireSite.routes());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void idleConnectionHasNoDeadline() throws IOException {
        MemoryPipe pipe = server.connect();
        server.iterate();
        pass(Duration.ofDays(30));
        assertEquals(NOW, server.ask(pipe, get("/now"), NOW));
        pass(Duration.ofDays(30));
        assertEquals(NOW, server.ask(pipe, get("/now"), NOW));
    }

    @Test
    void headThatIsNotCompleteInTimeGets408() throws IOException {
        MemoryPipe pipe = server.connect();
        say(pipe, "GET /now HTTP/1.1\nHo");
        pass(HEAD.plus(TICK));
        assertEquals(TOO_SLOW, server.readToEnd(pipe));
    }

    @Test
    void moreInputDoesNotExtendTheHeadDeadline() throws IOException {
        MemoryPipe pipe = server.connect();
        for (int i = 0; i < 9; i++) {
            say(pipe, "G");
            pass(Duration.ofSeconds(1));
        }
        assertFalse(pipe.toClient().isReadable());
        pass(Duration.ofSeconds(1).plus(TICK));
        assertEquals(TOO_SLOW, server.readToEnd(pipe));
    }

    @Test
    void completeHeadHasNoDeadline() throws IOException {
        MemoryPipe pipe = server.connect();
        say(pipe, "GET /now HTTP/1.1\n");
        pass(HEAD.minus(TICK));
        assertEquals(NOW, server.ask(pipe, "Host: a\n\n", NOW));
        pass(Duration.ofDays(1));
        assertEquals(NOW, server.ask(pipe, get("/now"), NOW));
    }

    @Test
    void secondHeadHasItsOwnDeadline() throws IOException {
        MemoryPipe pipe = server.connect();
        say(pipe, "GET /now HTTP/1.1\n");
        pass(HEAD.minus(TICK));
        assertEquals(NOW, server.ask(pipe, "Host: a\n\nGET /", NOW));
        pass(HEAD.minus(TICK));
        assertFalse(pipe.toClient().isReadable());
        pass(TICK.multipliedBy(2));
        assertEquals(TOO_SLOW, server.readToEnd(pipe));
    }

    @Test
    void emptyLinesDoNotBeginAHead() throws IOException {
        MemoryPipe pipe = server.connect();
        say(pipe, "\n");
        pass(Duration.ofDays(1));
        assertEquals(NOW, server.ask(pipe, get("/now"), NOW));
    }

    @Test
    void clientThatReadsNothingIsDisconnected() throws IOException {
        MemoryPipe pipe = server.connect(10);
        say(pipe, get("/now"));
        pass(STALL.plus(TICK));
        server.iterateUntil("the connection is closed", () -> server.connections() == 0);
        assertTrue(pipe.toClient().isEnded());
    }

    @Test
    void clientThatReadsSlowlyIsNotDisconnected() throws IOException {
        MemoryPipe pipe = server.connect(10);
        say(pipe, get("/now"));
        var taken = new byte[1];
        int length = WireCase.kept("", "", NOW).responseLength();
        for (int i = 0; i < length; i++) {
            server.iterateUntil("a byte", () -> pipe.toClient().size() > 0);
            assertEquals(1, pipe.toClient().take(taken, 0, 1));
            pass(STALL.minus(TICK.multipliedBy(2)));
        }
        assertEquals(NOW, server.ask(pipe, get("/now"), NOW));
    }

    @Test
    void clientThatStaysAfterItsLastResponseIsDisconnected() throws IOException {
        MemoryPipe pipe = server.connect();
        say(pipe, "GET\n\n");
        server.readToEnd(pipe);
        assertEquals(1, server.connections());
        pass(Duration.ofSeconds(2).plus(TICK));
        server.iterateUntil("the connection is closed", () -> server.connections() == 0);
    }

    private void say(MemoryPipe pipe, String text) throws IOException {
        byte[] bytes = WireText.bytes(text);
        pipe.toServer().offer(bytes, 0, bytes.length);
        server.iterateUntil("input is taken", () -> pipe.toServer().size() == 0);
    }

    private void pass(Duration time) throws IOException {
        server.clock().advance(time);
        server.iterate();
    }
}
