package dev.tandem.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// One request and its answer. Not a connection: one connection carries many exchanges.
///
/// Confined to the thread that runs the handler, from its call to its return. Status and header
/// fields are set first, then one of the `send` methods, [#outputStream()] or [#events()] answers;
/// after that the head is on its way, and setting more throws [IllegalStateException].
public interface Exchange {

    /// How often one exchange is forwarded at most, so that answers that point at each other end:
    /// 10, as in httpd.
    int FORWARDS_MAX = 10;

    /// Names this exchange in logs and error pages; unique in this server for years.
    String id();

    Request request();

    /// The value of a parameter of the route's pattern, decoded.
    ///
    /// @throws IllegalArgumentException if the pattern has no parameter of that name
    String pathParam(String name);

    /// The route's pattern, such as `/hello/{name}`; bounded in number, so fit for metrics.
    String routePattern();

    /// What filters tell handlers behind them.
    @Nullable Object attribute(String name);

    Exchange attribute(String name, @Nullable Object value);

    /// The answer's status, 200 unless set.
    ///
    /// @throws IllegalArgumentException unless 200 to 599
    Exchange status(int status);

    /// The status that is set or was sent.
    int status();

    /// Sets a header field, in place of any of that name.
    ///
    /// @throws IllegalArgumentException if the name is no token, the value has a control character
    ///     or one beyond U+00FF, or the field is the server's own (`Connection`,
    ///     `Transfer-Encoding`, `Date`, `Keep-Alive`, `Upgrade`)
    Exchange header(String name, String value);

    /// Adds a header field beside any of that name; refuses what [#header(String, String)] refuses.
    Exchange addHeader(String name, String value);

    /// The answer's first field of that name, if set.
    @Nullable String responseHeader(String name);

    /// Adds a field after the body, if the answer is chunked and the client takes trailers; else it
    /// is dropped. May be called until the body's end.
    Exchange trailer(String name, String value);

    /// Whether the answer's head is on its way.
    boolean isCommitted();

    /// Answers. An answer to HEAD, and any of status 204 or 304, goes without its body.
    ///
    /// @throws IOException if the client is gone or takes nothing for too long
    /// @throws FileChangedException if a [Body.FileRegion]'s file is no longer what its stamp says;
    ///     nothing was sent
    /// @throws IllegalStateException if it was answered already, or if a non-blocking handler sends
    ///     a file or a stream
    void send(Body body) throws IOException;

    /// Answers in a stream: of the length that `Content-Length` was set to, else in chunks. Writing
    /// blocks while the client does not take it. Close it to end the answer.
    OutputStream outputStream() throws IOException;

    /// Answers as the server would if `target` were asked for, by HEAD if this was asked for by
    /// HEAD, else by GET, and without a body. Header fields set before stay; filters run again.
    ///
    /// @param target in origin form: a path, percent-encoded, perhaps with a query
    /// @throws HttpException 500 if the target is malformed, or after [#FORWARDS_MAX] forwards
    /// @throws IllegalStateException if it was answered already
    /// @throws UnsupportedOperationException if there are no routes to find the answer by
    void forward(String target) throws Exception;

    /// Changes the connection's protocol (RFC 9110, section 7.8): answers 101 with the fields set
    /// before, and gives the connection's bytes to `talk`. Counts as an event stream does. The
    /// caller has seen that the client asks for it, by `Upgrade` and `Connection`.
    ///
    /// @param protocol the `Upgrade` field's value
    /// @throws IOException if the client is gone
    /// @throws HttpException 503 if too many connections live for long already
    /// @throws IllegalStateException if it was answered already, or the request has a body
    /// @throws UnsupportedOperationException if the connection cannot change
    void upgrade(String protocol, UpgradedConnection.UpgradeHandler talk) throws IOException;

    /// Whether the client is seen to have left: what is made for it is for nobody. Looks at the
    /// connection, which costs a system call, so a few times a second are enough; no answer can be
    /// sent after it was true.
    ///
    /// A client whose end is seen already by the first look may have closed only its own side,
    /// right behind its request: it still gets its answer, and counts as here. One whose end is
    /// seen later has left; so has one that reset the connection. Before the request's body is
    /// read to its end, nobody is seen to leave.
    ///
    /// Also by another thread, while that of the handler waits for something and touches nothing of
    /// the exchange.
    boolean isClientDisconnected();

    /// The media type of the answer: `header("Content-Type", type)`.
    default Exchange contentType(String type) {
        return header("Content-Type", type);
    }

    /// Answers with text in UTF-8; `text/plain` unless a type was set.
    default void send(String text) throws IOException {
        if (responseHeader("Content-Type") == null) {
            contentType("text/plain; charset=utf-8");
        }
        send(new Body.Bytes(text.getBytes(StandardCharsets.UTF_8)));
    }

    default void send(byte[] bytes) throws IOException {
        send(new Body.Bytes(bytes));
    }

    /// Answers without content.
    default void send() throws IOException {
        send(Body.empty());
    }

    /// Answers with a page of HTML in UTF-8.
    default void html(String html) throws IOException {
        contentType("text/html; charset=utf-8").send(html);
    }

    /// Answers with a document of JSON.
    default void json(String json) throws IOException {
        contentType("application/json").send(json);
    }

    /// Sends the client elsewhere with 303 See Other (RFC 9110, section 15.4.4), or with the status
    /// set before if that is one of 301, 302, 307, 308.
    default void redirect(String location) throws IOException {
        int status = status();
        boolean chosen = status == 301 || status == 302 || status == 307 || status == 308;
        status(chosen ? status : 303).header("Location", location).send();
    }

    /// Begins a stream of server-sent events. Such an exchange may live for hours.
    default EventStream events() throws IOException {
        contentType("text/event-stream").header("Cache-Control", "no-cache");
        return new EventStream(outputStream());
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

    /// The first query parameter of that name, if any.
    default @Nullable String queryParam(String name) {
        return request().query().first(name);
    }

    /// The request's header field of that name, if any.
    default @Nullable String header(String name) {
        return request().headers().first(name);
    }

    /// The request's cookie of that name, if any.
    default @Nullable String cookie(String name) {
        return request().cookies().first(name);
    }
}
