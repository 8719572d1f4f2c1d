package dev.tandem.engine;

import dev.tandem.http.Exchange;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.PreparedResponseHandler;
import dev.tandem.http.RequestHead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Responds with the text `ready`, prepared once.
public final class ReadyHandler implements PreparedResponseHandler {
    private final PreparedResponse response =
            new PreparedResponse(
                    200,
                    "Content-Type: text/plain\r\nContent-Length: 5\r\n",
                    ByteBuffer.allocateDirect(5)
                            .put("ready".getBytes(StandardCharsets.US_ASCII))
                            .flip());

    @Override
    public @Nullable PreparedResponse preparedResponse(RequestHead head, String path) {
        return response;
    }

    @Override
    public void handle(Exchange x) throws IOException {
        x.contentType("text/plain").send("ready");
    }
}
