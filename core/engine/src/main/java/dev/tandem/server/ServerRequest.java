package dev.tandem.server;

import dev.tandem.http.Cookies;
import dev.tandem.http.Form;
import dev.tandem.http.Headers;
import dev.tandem.http.HttpException;
import dev.tandem.http.Query;
import dev.tandem.http.Request;
import dev.tandem.http.RequestTarget;
import dev.tandem.http.TlsSessionInfo;
import dev.tandem.http.h1.Http1RequestHead;
import dev.tandem.tls.TlsSession;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A request over HTTP/1.1; takes its parts apart when they are asked for.
final class ServerRequest implements Request {
    private final Http1Connection http;
    private final Http1RequestHead head;
    private final @Nullable Http1Body body;
    private @Nullable Query query;
    private @Nullable Cookies cookies;
    private @Nullable Form form;
    private @Nullable TlsSessionInfo security;

    ServerRequest(Http1Connection http, Http1RequestHead head, @Nullable Http1Body body) {
        this.http = http;
        this.head = head;
        this.body = body;
    }

    @Override
    public String method() {
        return head.method();
    }

    @Override
    public RequestTarget target() {
        return head.target();
    }

    @Override
    public int minorVersion() {
        return head.minorVersion();
    }

    @Override
    public Headers headers() {
        return head.headers();
    }

    @Override
    public Query query() {
        Query parsed = query;
        if (parsed == null) {
            parsed = Query.parse(target().query());
            query = parsed;
        }
        return parsed;
    }

    @Override
    public Cookies cookies() {
        Cookies parsed = cookies;
        if (parsed == null) {
            parsed = Cookies.parse(headers());
            cookies = parsed;
        }
        return parsed;
    }

    @Override
    public long contentLength() {
        if (body == null) {
            return 0;
        }
        return head.isChunked() ? -1 : head.contentLength();
    }

    @Override
    public InputStream body() {
        return body == null ? InputStream.nullInputStream() : body;
    }

    @Override
    public Form form() throws IOException {
        Form read = form;
        if (read == null) {
            String type = headers().first("Content-Type");
            if (type == null) {
                throw new HttpException(415, "the request has no form");
            }
            read = Form.read(type, body(), http.engine().options().form());
            form = read;
        }
        return read;
    }

    @Override
    public Headers trailers() {
        return body == null ? Headers.EMPTY : body.trailers();
    }

    @Override
    public SocketAddress remoteAddress() {
        return http.connection().socket().remoteAddress();
    }

    @Override
    public SocketAddress localAddress() {
        return http.connection().socket().localAddress();
    }

    @Override
    public boolean isSecure() {
        return TlsSocket.isOf(http.connection());
    }

    @Override
    public @Nullable TlsSessionInfo tlsSession() {
        TlsSessionInfo known = security;
        if (known == null && http.connection().socket() instanceof TlsSocket socket) {
            TlsSession session = socket.session();
            known =
                    new TlsSessionInfo(
                            session.version(),
                            session.cipher(),
                            session.id(),
                            session.isResumed(),
                            session.serverName(),
                            session.clientCertificates());
            security = known;
        }
        return known;
    }

    /// Deletes what a form put on disk.
    void close() {
        Form read = form;
        if (read != null) {
            try {
                read.close();
            } catch (IOException e) {
                Log.LOG.log(System.Logger.Level.WARNING, "a form's file was not deleted", e);
            }
        }
    }
}
