package dev.tandem.engine;

import dev.tandem.http.Cookies;
import dev.tandem.http.Form;
import dev.tandem.http.Headers;
import dev.tandem.http.HttpException;
import dev.tandem.http.HttpVersion;
import dev.tandem.http.Query;
import dev.tandem.http.Request;
import dev.tandem.http.RequestTarget;
import dev.tandem.http.TlsSessionInfo;
import java.io.InputStream;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A request as if sent for another target: with the headers of the first that do not describe its
/// body, and without that body. Confined to the thread that runs the handler.
final class ForwardedRequest implements Request {
    /// Headers that describe the body.
    private static final Set<String> OF_BODY =
            Set.of("content-length", "content-type", "expect", "transfer-encoding", "trailer");

    private final Request first;
    private final String method;
    private final RequestTarget target;
    private final Headers headers;

    ForwardedRequest(Request first, String method, RequestTarget target) {
        this.first = first;
        this.method = method;
        this.target = target;
        this.headers = withoutBody(first.headers());
    }

    private static Headers withoutBody(Headers all) {
        var kept = new ArrayList<String>();
        for (int i = 0; i < all.size(); i++) {
            if (!OF_BODY.contains(all.name(i).toLowerCase(Locale.ROOT))) {
                kept.add(all.name(i));
                kept.add(all.value(i));
            }
        }
        return Headers.of(kept.toArray(String[]::new));
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public RequestTarget target() {
        return target;
    }

    @Override
    public int minorVersion() {
        return first.minorVersion();
    }

    @Override
    public HttpVersion version() {
        return first.version();
    }

    @Override
    public Headers headers() {
        return headers;
    }

    @Override
    public Query query() {
        return Query.parse(target.query());
    }

    @Override
    public Cookies cookies() {
        return first.cookies();
    }

    @Override
    public long contentLength() {
        return 0;
    }

    @Override
    public InputStream body() {
        return InputStream.nullInputStream();
    }

    @Override
    public Form form() {
        throw new HttpException(415, "the request has no form");
    }

    @Override
    public Headers trailers() {
        return Headers.EMPTY;
    }

    @Override
    public SocketAddress remoteAddress() {
        return first.remoteAddress();
    }

    @Override
    public SocketAddress localAddress() {
        return first.localAddress();
    }

    @Override
    public boolean isSecure() {
        return first.isSecure();
    }

    @Override
    public @Nullable TlsSessionInfo tlsSession() {
        return first.tlsSession();
    }
}
