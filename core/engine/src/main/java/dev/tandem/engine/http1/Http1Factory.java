package dev.tandem.engine.http1;

import dev.tandem.net.Connection;
import dev.tandem.net.Protocol;
import java.nio.charset.StandardCharsets;

/// Makes the connections of one loop.
///
/// @param loop state that they share
public record Http1Factory(Http1Loop loop) implements Protocol.Factory {
    private static final String TEXT = "503 Service Unavailable\ntoo many connections\n";

    /// Without a date, which a 5xx need not have (RFC 9110, section 6.6.1).
    private static final byte[] NO_ROOM =
            """
            HTTP/1.1 503 Service Unavailable
            Content-Type: text/plain; charset=utf-8
            Content-Length: LENGTH
            Retry-After: 1
            Connection: close

            """
                    .replace("LENGTH", Integer.toString(TEXT.length()))
                    .replace("\n", "\r\n")
                    .concat(TEXT)
                    .getBytes(StandardCharsets.US_ASCII);

    @Override
    public Protocol protocol(Connection connection) {
        return new Http1Connection(connection, loop);
    }

    @Override
    public byte[] overloadResponse() {
        return NO_ROOM;
    }
}
