package dev.tandem.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A stream of server-sent events (HTML Standard, section 9.2). Every event is written and flushed
/// at once. Confined to the thread that runs the handler.
///
/// All methods throw [IOException] if the client is gone: that is how such a stream usually ends.
public final class EventStream implements AutoCloseable {
    private final OutputStream out;
    private @Nullable String id;

    /// @param out the answer's body, of type `text/event-stream`; closed with this stream
    public EventStream(OutputStream out) {
        this.out = out;
    }

    /// Gives the next event an id, which a browser that lost the connection sends back as
    /// `Last-Event-ID`.
    ///
    /// @throws IllegalArgumentException if it has a line's end, which would write fields of its
    ///     own, or a NUL, which browsers ignore such an id for
    public EventStream id(String id) {
        if (id.indexOf(0) >= 0) {
            throw new IllegalArgumentException("an event's id has no NUL");
        }
        this.id = oneLine("id", id);
        return this;
    }

    /// Sends an event of the type `message`.
    ///
    /// @param data any text; line ends of any kind arrive as line feeds
    public void send(String data) throws IOException {
        write(new StringBuilder(), data);
    }

    /// Sends an event of that type.
    ///
    /// @param data any text; line ends of any kind arrive as line feeds
    /// @throws IllegalArgumentException if the type has a line's end, which would write fields of
    ///     its own
    public void send(String event, String data) throws IOException {
        write(new StringBuilder("event: ").append(oneLine("event", event)).append('\n'), data);
    }

    /// Tells the browser how long to wait before it connects again, in whole milliseconds.
    ///
    /// @throws IllegalArgumentException if it is negative
    public void retry(Duration wait) throws IOException {
        if (wait.isNegative()) {
            throw new IllegalArgumentException("wait must not be negative, was " + wait);
        }
        flush("retry: " + wait.toMillis() + "\n\n");
    }

    /// Sends what browsers pass over. One every 15 seconds or so keeps proxies from cutting a quiet
    /// stream, and shows this side whether the client is still there.
    public void comment(String text) throws IOException {
        var lines = new StringBuilder();
        addLines(lines, ": ", text);
        flush(lines.append('\n').toString());
    }

    /// Ends the stream. The browser will connect again, unless it is answered 204 then.
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

    /// Each line of `text` behind `prefix`; lines end in CRLF, LF or CR, as the format itself has
    /// it.
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
                    "an event's " + what + " is one line, was " + FieldSyntax.quoted(text));
        }
        return text;
    }
}
