package dev.tandem.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// A stream of server-sent events for one client (HTML Standard, section 9.2). The handler sends
/// them as it makes them, and so has a thread until the stream ends. Where many clients get the
/// same events, or they are rare, an [EventChannel] needs none.
///
/// Each event is written and flushed immediately. Confined to the thread that runs the handler. All
/// methods throw [IOException] if the client has disconnected, which is how such a stream usually
/// ends.
public final class EventStream implements AutoCloseable {
    private final OutputStream out;
    private String id = "";

    /// @param out the response body, of type `text/event-stream`; closed with this stream
    public EventStream(OutputStream out) {
        this.out = out;
    }

    /// Sets the id of the next event. A browser that lost the connection sends it back as
    /// `Last-Event-ID`.
    ///
    /// @throws IllegalArgumentException if it contains a line break, which would inject fields, or
    ///     a NUL, which makes browsers ignore the id
    public EventStream id(String id) {
        EventText.checkId(id);
        this.id = id;
        return this;
    }

    /// Sends an event of type `message`.
    ///
    /// @param data any text; the browser receives line breaks of any kind as line feeds
    public void send(String data) throws IOException {
        send("", data);
    }

    /// Sends an event of the given type.
    ///
    /// @param data any text; the browser receives line breaks of any kind as line feeds
    /// @throws IllegalArgumentException if the type contains a line break, which would inject
    ///     fields
    public void send(String event, String data) throws IOException {
        var next = new Event(event, id, data);
        id = "";
        send(next);
    }

    public void send(Event event) throws IOException {
        flush(event.encoded());
    }

    /// Sets the time that the browser waits before it reconnects, in whole milliseconds.
    ///
    /// @throws IllegalArgumentException if it is negative
    public void retry(Duration wait) throws IOException {
        var text = new StringBuilder();
        EventText.addRetry(text, wait);
        flush(text.append('\n'));
    }

    /// Sends a comment, which browsers ignore. One about every 15 seconds keeps proxies from
    /// closing a quiet stream, and detects a client that has disconnected.
    public void comment(String text) throws IOException {
        var lines = new StringBuilder();
        EventText.addLines(lines, ": ", text);
        flush(lines.append('\n'));
    }

    /// Ends the stream. The browser reconnects unless that request gets the status 204.
    @Override
    public void close() throws IOException {
        out.close();
    }

    private void flush(StringBuilder text) throws IOException {
        flush(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    private void flush(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }
}
