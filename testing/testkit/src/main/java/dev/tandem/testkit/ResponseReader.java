package dev.tandem.testkit;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads responses of HTTP/1.1 one by one and accepts only what RFC 9112 allows. Independent of the
/// product's code, so that the two cannot have the same faults.
final class ResponseReader {
    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.1 ([1-5]\\d\\d) ([ -~]*)");
    private static final Pattern FIELD =
            Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\\x00-\\x1f\\x7f]*)");
    private static final Pattern CHUNK = Pattern.compile("([0-9a-fA-F]{1,8})");
    private static final int LINE_MAX = 65_536;

    private final InputStream in;

    ResponseReader(InputStream in) {
        this.in = in;
    }

    /// @param isToHead whether it responds to HEAD, so that no content follows
    /// @throws EOFException if the stream ends before the response does
    RawResponse read(boolean isToHead) throws IOException {
        Matcher first = match(STATUS_LINE, line());
        int status = Integer.parseInt(first.group(1));
        var head = new RawResponse(status, first.group(2), lines(), new byte[0], List.of());
        boolean hasContent = !isToHead && status >= 200 && status != 204 && status != 304;
        return hasContent ? withContent(head) : head;
    }

    private RawResponse withContent(RawResponse head) throws IOException {
        String coding = head.field("Transfer-Encoding");
        String length = head.field("Content-Length");
        if (coding != null && length != null) {
            throw new IOException("both lengths: " + head.fieldLines());
        }
        if (coding != null) {
            return chunked(head, coding);
        }
        byte[] body = length == null ? in.readAllBytes() : exactly(Integer.parseInt(length));
        return with(head, body, List.of());
    }

    private RawResponse chunked(RawResponse head, String coding) throws IOException {
        if (!coding.equals("chunked")) {
            throw new IOException("unknown transfer coding " + coding);
        }
        var body = new ByteArrayOutputStream();
        for (int size = chunkSize(); size > 0; size = chunkSize()) {
            body.write(exactly(size));
            if (!line().isEmpty()) {
                throw new IOException("no CRLF after a chunk");
            }
        }
        return with(head, body.toByteArray(), lines());
    }

    private int chunkSize() throws IOException {
        return Integer.parseInt(match(CHUNK, line()).group(1), 16);
    }

    private static RawResponse with(RawResponse head, byte[] body, List<String> trailers) {
        return new RawResponse(head.status(), head.reason(), head.fieldLines(), body, trailers);
    }

    private byte[] exactly(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("content ended after " + bytes.length + " of " + length);
        }
        return bytes;
    }

    private List<String> lines() throws IOException {
        var lines = new ArrayList<String>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            match(FIELD, line);
            lines.add(line);
        }
        return lines;
    }

    private static Matcher match(Pattern pattern, String line) throws IOException {
        Matcher matcher = pattern.matcher(line);
        if (!matcher.matches()) {
            throw new IOException("not " + pattern + ": " + line);
        }
        return matcher;
    }

    private String line() throws IOException {
        var line = new ByteArrayOutputStream();
        for (int c = next(null); c != '\r'; c = next(line)) {
            if (c == '\n' || line.size() == LINE_MAX) {
                throw new IOException("bare LF, or an endless line: " + line);
            }
            line.write(c);
        }
        if (next(line) != '\n') {
            throw new IOException("bare CR after: " + line);
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    private int next(@Nullable ByteArrayOutputStream soFar) throws IOException {
        int c = in.read();
        if (c < 0) {
            throw new EOFException("ended within a line: " + (soFar == null ? "" : soFar));
        }
        return c;
    }
}
