package dev.tandem.engine;

import dev.tandem.engine.site.RouteTiming;
import dev.tandem.http.Exchange;
import dev.tandem.http.Headers;
import dev.tandem.http.HttpException;
import dev.tandem.http.HttpVersion;
import dev.tandem.http.Request;
import dev.tandem.http.WebSocketHandler;
import dev.tandem.http.WebSocketOptions;
import dev.tandem.http.websocket.DeflateTerms;
import dev.tandem.http.websocket.Handshake;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a client and a handler have agreed on for a WebSocket session.
///
/// @param exchange the request that begins it
/// @param handshake of the client
/// @param protocol the chosen subprotocol; empty if there is none
/// @param deflate null if messages are not compressed
/// @param timing of the route, whose messages are timed as its requests are
public record SessionTerms(
        Exchange exchange,
        WebSocketHandler handler,
        WebSocketOptions options,
        Handshake handshake,
        String protocol,
        @Nullable DeflateTerms deflate,
        RouteTiming timing) {
    /// What proxies say of a request over TLS that begins a session.
    private static final Set<String> SECURE = Set.of("https", "wss");

    private static final String FOR_CLIENTS = "this is for WebSocket clients";

    /// @throws HttpException 426, 400 or 403 if no session can begin
    static SessionTerms of(
            ServerExchange x, ExchangeIo io, WebSocketHandler handler, WebSocketOptions options) {
        Request request = x.request();
        Headers headers = request.headers();
        boolean isStream = x.version() == HttpVersion.HTTP_2;
        Handshake handshake = isStream ? extended(x, headers) : upgrade(x, headers);
        if (isStream == (io.body() == null)) {
            throw new HttpException(
                    400,
                    isStream ? "the stream has ended" : "a session does not begin with content");
        }
        checkOrigin(request, options);
        String protocol =
                handshake.protocols().stream()
                        .filter(options.protocols()::contains)
                        .findFirst()
                        .orElse("");
        DeflateTerms deflate =
                options.isCompressed() ? DeflateTerms.of(handshake.extensions()) : null;
        return new SessionTerms(x, handler, options, handshake, protocol, deflate, x.timing());
    }

    /// Reads the handshake of an HTTP/1.1 request. One that is refused with 426 gets what is asked
    /// for (RFC 6455, section 4.2.2; RFC 9110, section 15.5.22).
    private static Handshake upgrade(ServerExchange x, Headers headers) {
        try {
            boolean mayUpgrade = x.method().equals("GET") && x.version() == HttpVersion.HTTP_1_1;
            if (!mayUpgrade || !Handshake.isRequested(headers)) {
                throw new HttpException(426, FOR_CLIENTS);
            }
            return Handshake.of(headers);
        } catch (HttpException e) {
            if (e.status() == 426) {
                x.responseHeaders().addOwn("Upgrade", "websocket");
                x.responseHeaders().addOwn("Sec-WebSocket-Version", "13");
            }
            throw e;
        }
    }

    /// Reads the handshake of an extended CONNECT request (RFC 8441, section 5). HTTP/2 has no
    /// `Upgrade`, and so no 426.
    private static Handshake extended(ServerExchange x, Headers headers) {
        if (!x.method().equals("CONNECT")) {
            throw new HttpException(400, FOR_CLIENTS);
        }
        try {
            return Handshake.ofConnect(headers);
        } catch (HttpException e) {
            x.responseHeaders().addOwn("Sec-WebSocket-Version", "13");
            throw e;
        }
    }

    private static void checkOrigin(Request request, WebSocketOptions options) {
        Headers headers = request.headers();
        String origin = headers.joined("origin");
        List<String> allowed = options.origins();
        boolean isAllowed =
                allowed.isEmpty()
                        ? Handshake.isSameOrigin(origin, headers.joined("host"), isOverTls(request))
                        : origin.isEmpty() || allowed.contains("*") || allowed.contains(origin);
        if (!isAllowed) {
            throw new HttpException(403, "pages of " + origin + " may not begin a session");
        }
    }

    /// Whether the client is known to have sent the request over TLS: by the connection, or by the
    /// proxy before it. That a proxy says so may be believed here, as no page can set the header.
    private static boolean isOverTls(Request request) {
        String forwarded = request.headers().joined("x-forwarded-proto");
        String first = forwarded.split(",", 2)[0].strip();
        return first.isEmpty()
                ? request.isSecure()
                : SECURE.contains(first.toLowerCase(Locale.ROOT));
    }

    /// Adds what the response says of it.
    void addTo(ResponseHeaders headers) {
        if (!handshake.accept().isEmpty()) {
            headers.set("Sec-WebSocket-Accept", handshake.accept());
        }
        if (!protocol.isEmpty()) {
            headers.set("Sec-WebSocket-Protocol", protocol);
        }
        if (deflate != null) {
            headers.set("Sec-WebSocket-Extensions", deflate.response());
        }
    }
}
