package dev.tandem.engine.http1;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tandem.Options;
import dev.tandem.engine.MemoryServer;
import dev.tandem.http.Exchange;
import dev.tandem.http.Router;
import dev.tandem.testkit.MemoryPipe;
import dev.tandem.testkit.WireText;
import java.io.IOException;
import java.io.OutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Handlers that catch an error while their response is sent, such as a lack of memory: it is
/// unknown what of it was sent, so the next response must not follow.
@Timeout(60)
class CutResponseTest {
    private final MemoryServer server =
            new MemoryServer(
                    Options.DEFAULT,
                    Router.builder()
                            .add("GET", "/whole", this::sendWhole)
                            .add("GET", "/stream", this::sendStream)
                            .build());

    @AfterEach
    void stop() {
        server.close();
    }

    private void sendWhole(Exchange x) {
        server.failNextWrite(new OutOfMemoryError("at the moment"));
        assertThrows(OutOfMemoryError.class, () -> x.send("whole"));
    }

    private void sendStream(Exchange x) throws IOException {
        OutputStream out = x.outputStream();
        out.write(new byte[10]);
        server.failNextWrite(new OutOfMemoryError("at the moment"));
        assertThrows(OutOfMemoryError.class, out::flush);
    }

    private void assertLast(String path) throws IOException {
        MemoryPipe pipe = server.connect();
        byte[] requests = WireText.bytes(get(path) + get(path));
        assertEquals(requests.length, pipe.toServer().offer(requests, 0, requests.length));
        assertEquals("", server.readToEnd(pipe));
    }

    @Test
    void wholeResponseIsTheLast() throws IOException {
        assertLast("/whole");
    }

    @Test
    void streamIsTheLast() throws IOException {
        assertLast("/stream");
    }
}
