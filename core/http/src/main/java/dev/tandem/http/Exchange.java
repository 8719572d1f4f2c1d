package dev.tandem.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One request and its response. A connection carries many exchanges.
///
/// Confined to the thread that runs the handler, for the duration of the call. A handler first sets
/// the status and headers, then responds with one of the `send` methods, [#outputStream()] or
/// [#events()]. This commits the response: setting more throws [IllegalStateException].
public interface Exchange {

    /// The maximum number of times that one exchange is forwarded, which ends forwarding loops: 10,
    /// as in httpd.
    int FORWARDS_MAX = 10;

    /// Returns the id of this exchange in logs and error pages; unique in this server for years.
    String id();

    Request request();

    /// Returns the decoded value of a path parameter of the route's pattern.
    ///
    /// @throws IllegalArgumentException if the pattern has no parameter with that name
    String pathParam(String name);

    /// Returns the route's pattern, such as `/hello/{name}`. The number of patterns is bounded, so
    /// they are suitable as metric labels.
    String routePattern();

    /// Returns an attribute, by which filters pass values to subsequent handlers.
    @Nullable Object attribute(String name);

    Exchange attribute(String name, @Nullable Object value);

    /// Sets the status of the response; 200 by default.
    ///
    /// @throws IllegalArgumentException unless 200 to 599
    Exchange status(int status);

    /// Returns the status that is set or was sent.
    int status();

    /// Sets a response header and replaces any with that name.
    ///
    /// @throws IllegalArgumentException if the name is not a token, the value contains a control
    ///     character or one above U+00FF, or the header is reserved for the server (`Connection`,
    ///     `Transfer-Encoding`, `Date`, `Keep-Alive`, `Upgrade`)
    Exchange header(String name, String value);

    /// Adds a response header and keeps others with that name; rejects what [#header(String,
    /// String)] rejects.
    Exchange addHeader(String name, String value);

    /// Returns the first response header with that name, if set.
    @Nullable String responseHeader(String name);

    /// Adds a trailer field after the body, if the response is chunked and the client accepts
    /// trailers; otherwise it is dropped. May be called until the end of the body.
    Exchange trailer(String name, String value);

    /// Returns whether the response is committed: its head has been passed to the connection.
    boolean isCommitted();

    /// Sends the response. A response to HEAD, and any with status 204, 205 or 304, is sent
    /// without its body.
    ///
    /// @throws IOException if the client has disconnected or accepts no data for too long
    /// @throws FileChangedException if the file of a [Body.FileRegion] no longer matches its stamp;
    ///     nothing was sent
    /// @throws IllegalStateException if the response is already committed, or if a non-blocking
    ///     handler sends a file or a stream
    void send(Body body) throws IOException;

    /// Sends 103 Early Hints (RFC 8297) before the response: what the client can load meanwhile.
    /// May be called several times. Clients of HTTP/1.0 do not get it.
    ///
    /// @param links values of `Link` headers, such as `</style.css>; rel=preload; as=style`
    /// @throws IllegalStateException if the response was sent
    default void earlyHints(String... links) throws IOException {
        // An exchange without interim responses sends none: they are only advice.
    }

    /// Returns a stream for the response body: with the length of the `Content-Length` header if
    /// set, otherwise chunked. Writing blocks while the client does not accept data. Closing the
    /// stream completes the response.
    OutputStream outputStream() throws IOException;

    /// Responds as if the client had requested `target`, with HEAD if this is a HEAD request, else
    /// with GET, and without a body. Headers that are already set stay; filters run again.
    ///
    /// @param target in origin form: a path, percent-encoded, perhaps with a query
    /// @throws HttpException 500 if the target is malformed, or after [#FORWARDS_MAX] forwards
    /// @throws IllegalStateException if the response is already committed
    /// @throws UnsupportedOperationException if there are no routes
    void forward(String target) throws Exception;

    /// Switches the connection to another protocol (RFC 9110, section 7.8): responds with 101 and
    /// the headers set before, and passes the connection's bytes to `handler`. Counts as
    /// long-lived, like an event stream. The caller has checked that the client requests it by
    /// `Upgrade` and `Connection`.
    ///
    /// @param protocol the value of the `Upgrade` header
    /// @throws IOException if the client has disconnected
    /// @throws HttpException 400 if the request has a body, 501 if it came by a version of HTTP
    ///     that has no such switch, 503 if there are too many long-lived connections
    /// @throws IllegalStateException if the response is already committed
    /// @throws UnsupportedOperationException if there is no connection
    void upgrade(String protocol, UpgradedConnection.UpgradeHandler handler) throws IOException;

    /// Begins a WebSocket session (RFC 6455): responds with 101, over HTTP/2 with 200 to an
    /// extended CONNECT (RFC 8441); or with an error, if the request asks for none (426, over
    /// HTTP/2 400), its key is invalid (400), or its page may not (403). When the route's handler
    /// has returned, no thread is held.
    ///
    /// @param handler called before this method returns
    /// @throws HttpException as above; 501 if the request's version of HTTP has no sessions
    /// @throws IOException if the client has disconnected
    /// @throws IllegalStateException if the response is already committed
    /// @throws UnsupportedOperationException if the exchange has no connection
    default void webSocket(WebSocketHandler handler, WebSocketOptions options) throws IOException {
        throw new UnsupportedOperationException("no connection");
    }

    /// Begins a WebSocket session with the default options.
    default void webSocket(WebSocketHandler handler) throws IOException {
        webSocket(handler, WebSocketOptions.DEFAULT);
    }

    /// Returns whether the client is known to have disconnected, which makes further work on the
    /// response useless. Checks the connection, which costs a system call, so a few times a second
    /// are enough; no response can be sent after it returned true.
    ///
    /// A client that has closed its side of the connection by the first check may have done so
    /// directly after its request: it still receives its response, and counts as connected. A
    /// client that closes its side later has disconnected; so has one that reset the connection.
    /// Before the request body is completely read, no disconnect is detected.
    ///
    /// May also be called by another thread while the handler's thread waits and does not use the
    /// exchange.
    boolean isClientDisconnected();

    /// Sets the media type of the response: `header("Content-Type", type)`.
    default Exchange contentType(String type) {
        return header("Content-Type", type);
    }

    /// Responds with text in UTF-8; `text/plain` unless a type is set.
    default void send(String text) throws IOException {
        if (responseHeader("Content-Type") == null) {
            contentType("text/plain; charset=utf-8");
        }
        send(new Body.Bytes(text.getBytes(StandardCharsets.UTF_8)));
    }

    default void send(byte[] bytes) throws IOException {
        send(new Body.Bytes(bytes));
    }

    /// Responds without content.
    default void send() throws IOException {
        send(Body.empty());
    }

    /// Responds with an HTML page in UTF-8.
    default void html(String html) throws IOException {
        contentType("text/html; charset=utf-8").send(html);
    }

    /// Responds with a JSON document.
    default void json(String json) throws IOException {
        contentType("application/json").send(json);
    }

    /// Redirects the client with 303 See Other (RFC 9110, section 15.4.4), or with the status set
    /// before if that is 301, 302, 307 or 308.
    default void redirect(String location) throws IOException {
        int status = status();
        boolean chosen = status == 301 || status == 302 || status == 307 || status == 308;
        status(chosen ? status : 303).header("Location", location).send();
    }

    /// Starts a stream of server-sent events. Such an exchange may last for hours.
    default EventStream events() throws IOException {
        contentType("text/event-stream").header("Cache-Control", "no-cache");
        return new EventStream(outputStream());
    }

    /// Returns the mapper of objects: the one that was set for the server, else one that
    /// [java.util.ServiceLoader] finds.
    ///
    /// @throws IllegalStateException if there is none
    default BodyMapper mapper() {
        return FoundMapper.required();
    }

    /// Responds with an object as JSON, or as whatever the mapper writes.
    ///
    /// @throws IllegalStateException if there is no mapper
    default void json(@Nullable Object value) throws IOException {
        BodyMapper mapper = mapper();
        var bytes = new ByteArrayOutputStream();
        mapper.write(value, bytes);
        contentType(mapper.mediaType()).send(bytes.toByteArray());
    }

    /// Reads the whole body: up to the limit of the server, `bodyMax`, which is 16 MiB by default.
    ///
    /// @throws HttpException 413 if it is larger
    default byte[] bodyBytes() throws IOException {
        return request().body().readAllBytes();
    }

    /// Reads the whole body as text, in the charset of its media type, else in UTF-8.
    ///
    /// @throws HttpException 413 if it is larger than `bodyMax`, 415 if the charset is unknown, 400
    ///     if the body is not encoded with it
    default String bodyText() throws IOException {
        return MessageBody.text(request());
    }

    /// Reads the whole body as an object, by the mapper.
    ///
    /// @throws HttpException 415 if the mapper does not read bodies of its type, or the charset is
    ///     not UTF-8; 400 if it is missing or does not map, which says where and why; 413 if it is
    ///     larger than `bodyMax`
    /// @throws IllegalStateException if there is no mapper
    default <T> T body(Class<T> type) throws IOException {
        return type.cast(MessageBody.object(request(), mapper(), type));
    }

    /// Returns a path parameter, converted: `x.pathParam("id", UUID::fromString)`.
    ///
    /// @param conversion throws any unchecked exception if the text has another form
    /// @throws HttpException 400 if it does, with the name of the parameter
    default <T> T pathParam(String name, Function<String, T> conversion) {
        return ParameterConversion.of("path parameter", name, pathParam(name), conversion);
    }

    /// Returns a path parameter as a number.
    ///
    /// @throws HttpException 400 if it is not one of 32 bits
    default int pathInt(String name) {
        return pathParam(name, Integer::parseInt);
    }

    /// Returns a path parameter as a number.
    ///
    /// @throws HttpException 400 if it is not one of 64 bits
    default long pathLong(String name) {
        return pathParam(name, Long::parseLong);
    }

    /// Returns the first query parameter with that name, converted.
    ///
    /// @param conversion throws any unchecked exception if the text has another form
    /// @throws HttpException 400 if it does, or if the parameter is missing
    default <T> T queryParam(String name, Function<String, T> conversion) {
        String text = queryParam(name);
        if (text == null) {
            throw new HttpException(400, "query parameter " + name + " is missing");
        }
        return ParameterConversion.of("query parameter", name, text, conversion);
    }

    /// Returns the first query parameter with that name as a number, or `absent` if there is none.
    ///
    /// @throws HttpException 400 if it is not a number of 32 bits
    default int queryInt(String name, int absent) {
        return queryParam(name) == null ? absent : queryParam(name, Integer::parseInt);
    }

    /// Returns the value of a type that a filter has set for this request, such as the user who has
    /// signed in.
    ///
    /// @throws IllegalStateException if there is none
    default <T> T value(Class<T> type) {
        Object value = attribute(type.getName());
        if (value == null) {
            throw new IllegalStateException("no filter has set a " + type.getName());
        }
        return type.cast(value);
    }

    /// Sets the value of a type for this request: for [#value(Class)].
    default <T> Exchange value(Class<T> type, T value) {
        return attribute(type.getName(), value);
    }

    /// Sets a cookie.
    default Exchange cookie(SetCookie cookie) {
        return addHeader("Set-Cookie", cookie.toString());
    }

    default String method() {
        return request().method();
    }

    default String path() {
        return request().target().path();
    }

    /// Returns the first query parameter with that name, if any.
    default @Nullable String queryParam(String name) {
        return request().query().first(name);
    }

    /// Returns the first request header with that name, if any.
    default @Nullable String header(String name) {
        return request().headers().first(name);
    }

    /// Returns the first request cookie with that name, if any.
    default @Nullable String cookie(String name) {
        return request().cookies().first(name);
    }
}
