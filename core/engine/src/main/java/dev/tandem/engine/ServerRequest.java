package dev.tandem.engine;

import dev.tandem.http.Cookies;
import dev.tandem.http.Form;
import dev.tandem.http.FormLimits;
import dev.tandem.http.Headers;
import dev.tandem.http.HttpException;
import dev.tandem.http.HttpVersion;
import dev.tandem.http.Query;
import dev.tandem.http.Request;
import dev.tandem.http.RequestTarget;
import dev.tandem.http.TlsSessionInfo;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A request as handlers see it, whatever protocol carried it; parses its parts when they are asked
/// for. Confined to the thread that runs the exchange.
final class ServerRequest implements Request {
    private final ExchangeIo io;
    private final FormLimits formLimits;
    private @Nullable Query query;
    private @Nullable Cookies cookies;
    private @Nullable Form form;
    private @Nullable TlsSessionInfo security;

    ServerRequest(ExchangeIo io, FormLimits formLimits) {
        this.io = io;
        this.formLimits = formLimits;
    }

    @Override
    public String method() {
        return io.head().method();
    }

    @Override
    public RequestTarget target() {
        return io.head().target();
    }

    @Override
    public int minorVersion() {
        return io.head().minorVersion();
    }

    @Override
    public HttpVersion version() {
        return io.head().version();
    }

    @Override
    public Headers headers() {
        return io.head().headers();
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
        RequestBody body = io.body();
        return body == null ? 0 : body.length();
    }

    @Override
    public InputStream body() {
        RequestBody body = io.body();
        return body == null ? InputStream.nullInputStream() : body.stream();
    }

    @Override
    public Form form() throws IOException {
        Form read = form;
        if (read == null) {
            String type = headers().first("Content-Type");
            if (type == null) {
                throw new HttpException(415, "the request has no form");
            }
            read = Form.read(type, body(), formLimits);
            form = read;
        }
        return read;
    }

    @Override
    public Headers trailers() {
        RequestBody body = io.body();
        return body == null ? Headers.EMPTY : body.trailers();
    }

    @Override
    public SocketAddress remoteAddress() {
        return io.remote();
    }

    @Override
    public SocketAddress localAddress() {
        return io.local();
    }

    @Override
    public boolean isSecure() {
        return io.isSecure();
    }

    @Override
    public @Nullable TlsSessionInfo tlsSession() {
        TlsSessionInfo known = security;
        if (known == null) {
            known = io.security();
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
