package dev.tandem.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A request. Confined to the thread that runs the handler.
public interface Request {

    /// Returns the name of the method, as sent: methods are case-sensitive (RFC 9110, section 9.1).
    String method();

    RequestTarget target();

    /// Returns 0 for HTTP/1.0, 1 for HTTP/1.1 and later versions.
    int minorVersion();

    /// Returns the version of the request.
    default HttpVersion version() {
        return HttpVersion.ofMinor(minorVersion());
    }

    Headers headers();

    /// Returns the decoded query parameters; empty if there is no query.
    Query query();

    /// Returns the cookies; empty if there are none.
    Cookies cookies();

    /// Returns the length of the body in bytes: 0 if there is none, -1 if it is unknown in advance.
    long contentLength();

    /// Returns the body as a stream that reads from the connection: reading blocks. Always the same
    /// stream. Content that the handler does not read is read and discarded by the server, or the
    /// connection is closed.
    ///
    /// Its `read` throws [HttpException] 413 if the body exceeds the limit, 408 if it arrives too
    /// slowly, 400 if its framing is malformed.
    InputStream body();

    /// Parses the body as a form (`application/x-www-form-urlencoded` or `multipart/form-data`).
    ///
    /// @throws HttpException 415 if it has neither type, 400 if it is malformed, 413 if it is too
    ///     large
    Form form() throws IOException;

    /// Returns the trailer fields after a chunked body; empty until the body is completely read.
    Headers trailers();

    SocketAddress remoteAddress();

    SocketAddress localAddress();

    /// Returns whether the connection uses TLS.
    boolean isSecure();

    /// Returns the TLS session of the connection if [#isSecure()], else null.
    @Nullable TlsSessionInfo tlsSession();
}
