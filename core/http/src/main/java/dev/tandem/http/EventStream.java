package dev.tandem.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A stream of server-sent events (HTML Standard, section 9.2). Each event is written and flushed
/// immediately. Confined to the thread that runs the handler.
///
/// All methods throw [IOException] if the client has disconnected, which is how such a stream
/// usually ends.
public final class EventStream implements AutoCloseable {
    private final OutputStream out;
    private @Nullable String id;

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
        if (id.indexOf(0) >= 0) {
            throw new IllegalArgumentException("an event's id must not contain NUL");
        }
        this.id = oneLine("id", id);
        return this;
    }

    /// Sends an event of type `message`.
    ///
    /// @param data any text; the browser receives line breaks of any kind as line feeds
    public void send(String data) throws IOException {
        write(new StringBuilder(), data);
    }

    /// Sends an event of the given type.
    ///
    /// @param data any text; the browser receives line breaks of any kind as line feeds
    /// @throws IllegalArgumentException if the type contains a line break, which would inject
    ///     fields
    public void send(String event, String data) throws IOException {
        write(new StringBuilder("event: ").append(oneLine("event", event)).append('\n'), data);
    }

    /// Sets the time that the browser waits before it reconnects, in whole milliseconds.
    ///
    /// @throws IllegalArgumentException if it is negative
    public void retry(Duration wait) throws IOException {
        if (wait.isNegative()) {
            throw new IllegalArgumentException("wait must not be negative, was " + wait);
        }
        flush("retry: " + wait.toMillis() + "\n\n");
    }

    /// Sends a comment, which browsers ignore. One about every 15 seconds keeps proxies from
    /// closing a quiet stream, and detects a client that has disconnected.
    public void comment(String text) throws IOException {
        var lines = new StringBuilder();
        addLines(lines, ": ", text);
        flush(lines.append('\n').toString());
    }

    /// Ends the stream. The browser reconnects unless that request gets the status 204.
    @Override
    public void close() throws IOException {
        out.close();
    }

    private void write(StringBuilder event, String data) throws IOException {
        if (id != null) {
            event.append("id: ").append(id).append('\n');
            id = null;
        }
        addLines(event, "data: ", data);
        flush(event.append('\n').toString());
    }

    private void flush(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /// Appends each line of `text` after `prefix`. Lines end with CRLF, LF or CR, as in the format
    /// itself.
    private static void addLines(StringBuilder to, String prefix, String text) {
        to.append(prefix);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\r' && c != '\n') {
                to.append(c);
                continue;
            }
            to.append('\n').append(prefix);
            boolean isPair = c == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n';
            i += isPair ? 1 : 0;
        }
        to.append('\n');
    }

    private static String oneLine(String what, String text) {
        if (text.indexOf('\r') >= 0 || text.indexOf('\n') >= 0) {
            throw new IllegalArgumentException(
                    "an event's "
                            + what
                            + " must be a single line, was "
                            + FieldSyntax.quoted(text));
        }
        return text;
    }
}
