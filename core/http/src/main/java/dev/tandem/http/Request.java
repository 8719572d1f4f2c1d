package dev.tandem.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// What was asked. Confined to the thread that runs the handler.
public interface Request {

    /// The method's name, as sent: names are case-sensitive (RFC 9110, section 9.1).
    String method();

    RequestTarget target();

    /// 0 for HTTP/1.0, 1 for HTTP/1.1.
    int minorVersion();

    Headers headers();

    /// The query's parameters, decoded; empty if there is no query.
    Query query();

    /// The cookies sent; empty if there are none.
    Cookies cookies();

    /// The body's length in bytes: 0 where there is none, -1 where it is not known before the end.
    long contentLength();

    /// The body's bytes, read from the connection as they come: reading blocks. Always the same
    /// stream. What the handler does not read, the server reads and drops, or closes the
    /// connection.
    ///
    /// Its `read` throws [HttpException] 413 when the body outgrows the limit, 408 when it comes
    /// too slowly, 400 when it breaks the framing.
    InputStream body();

    /// Reads the body as a form (`application/x-www-form-urlencoded` or `multipart/form-data`).
    ///
    /// @throws HttpException 415 if it is neither, 400 if it is malformed, 413 if it is too large
    Form form() throws IOException;

    /// The fields after a chunked body; empty until the body was read to its end.
    Headers trailers();

    SocketAddress remoteAddress();

    SocketAddress localAddress();

    /// Whether it came over TLS.
    boolean isSecure();

    /// What was agreed on for the connection if [#isSecure()], else null.
    @Nullable TlsSessionInfo tlsSession();
}
