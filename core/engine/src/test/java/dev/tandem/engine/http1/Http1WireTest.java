package dev.tandem.engine.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.Options;
import dev.tandem.engine.MemoryServer;
import dev.tandem.engine.MemoryServer.Conversation;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.MemoryPipe;
import dev.tandem.testkit.WireText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every case of [WireCases], for every split of its bytes.
class Http1WireTest {
    private static final Options OPTIONS =
            Options.DEFAULT
                    .withLimits(l -> l.withBodyMax(1 << 20))
                    .withThreads(t -> t.withWorkersMax(4));

    private final LogCapture log = LogCapture.of("dev.tandem.engine");
    private MemoryServer server;

    @BeforeEach
    void serve() {
        server = new MemoryServer(OPTIONS, WireSite.routes());
    }

    @AfterEach
    void stop() {
        server.close();
        log.close();
    }

    static Stream<WireCase> cases() {
        return WireCases.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void responseIsAsWritten(WireCase c) throws IOException {
        check(c, server.connect(), List.of(c.requestBytes()), "in one piece");
    }

    @ParameterizedTest
    @MethodSource("cases")
    void responseIsTheSameForEverySplitOfTheRequest(WireCase c) throws IOException {
        byte[] request = c.requestBytes();
        for (int at = 1; at < request.length; at++) {
            var parts =
                    List.of(
                            Arrays.copyOf(request, at),
                            Arrays.copyOfRange(request, at, request.length));
            check(c, server.connect(), parts, "split at " + at);
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void responseIsTheSameForSingleBytes(WireCase c) throws IOException {
        var parts = new ArrayList<byte[]>();
        for (byte b : c.requestBytes()) {
            parts.add(new byte[] {b});
        }
        check(c, server.connect(), parts, "byte by byte");
    }

    @ParameterizedTest
    @MethodSource("cases")
    void responseIsTheSameForEverySplitOfTheOutput(WireCase c) throws IOException {
        List<byte[]> request = List.of(c.requestBytes());
        for (int capacity = 1; capacity <= c.responseLength(); capacity++) {
            check(c, server.connect(capacity), request, "a window of " + capacity);
        }
    }

    private void check(WireCase c, MemoryPipe pipe, List<byte[]> parts, String how)
            throws IOException {
        Conversation received = server.converse(pipe, parts, c);
        assertEquals(c.response(), WireText.block(received.response()), how);
        assertEquals(c.isLast(), received.isEndedByServer(), how);
    }
}
