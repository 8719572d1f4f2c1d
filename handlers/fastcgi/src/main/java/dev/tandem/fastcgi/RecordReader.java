package dev.tandem.fastcgi;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Takes an application's records apart: bytes in, pieces of its streams out. Pure; confined to
/// one thread.
///
/// ```
/// HEADER --8 bytes--> CONTENT --> PADDING --> HEADER
///    | END_REQUEST, whole --> DONE       each: wrong --> BAD
/// ```
final class RecordReader {
    private static final int END_BODY = 8;

    /// Takes the pieces.
    interface Streams {
        void output(byte[] bytes, int from, int to) throws IOException;

        void errors(byte[] bytes, int from, int to);
    }

    private final byte[] header = new byte[Records.HEADER];
    private final byte[] end = new byte[END_BODY];
    private int headerLength;
    private int endLength;
    private int contentLeft;
    private int paddingLeft;
    private boolean isInRecord;
    private boolean isDone;
    private @Nullable String bad;

    /// Takes what came, up to the request's end.
    void take(ByteBuffer in, Streams streams) throws IOException {
        while (in.hasRemaining() && !isDone && bad == null) {
            if (!isInRecord) {
                takeHeader(in);
            } else if (contentLeft > 0) {
                takeContent(in, streams);
            } else {
                int count = Math.min(paddingLeft, in.remaining());
                in.position(in.position() + count);
                paddingLeft -= count;
            }
            endRecord();
        }
    }

    /// Whether the application has ended the request.
    boolean isDone() {
        return isDone;
    }

    /// What is wrong, or null.
    @Nullable String bad() {
        return bad;
    }

    /// The end's `protocolStatus` (section 5.5): 0 for a request that was served, 2 for one that
    /// was refused since the application is overloaded.
    int protocolStatus() {
        return end[4] & 0xff;
    }

    private void takeHeader(ByteBuffer in) {
        int count = Math.min(Records.HEADER - headerLength, in.remaining());
        in.get(header, headerLength, count);
        headerLength += count;
        if (headerLength < Records.HEADER) {
            return;
        }
        headerLength = 0;
        isInRecord = true;
        contentLeft = (header[4] & 0xff) << 8 | header[5] & 0xff;
        paddingLeft = header[6] & 0xff;
        bad = wrongHeader();
    }

    private @Nullable String wrongHeader() {
        int id = (header[2] & 0xff) << 8 | header[3] & 0xff;
        if (header[0] != Records.VERSION) {
            return "it does not speak FastCGI 1";
        }
        return switch (header[1]) {
            case Records.STDOUT, Records.STDERR ->
                    id == Records.REQUEST_ID ? null : "a record of another request";
            case Records.END_REQUEST ->
                    id != Records.REQUEST_ID
                            ? "the end of another request"
                            : contentLeft == END_BODY ? null : "an end of another length";
            // Of management, and none of a request's.
            case Records.GET_VALUES_RESULT, Records.UNKNOWN_TYPE -> null;
            case Records.BEGIN_REQUEST,
                    Records.ABORT_REQUEST,
                    Records.PARAMS,
                    Records.STDIN,
                    Records.DATA,
                    Records.GET_VALUES ->
                    "a record that only a web server sends";
            default -> "a record of an unknown kind";
        };
    }

    private void takeContent(ByteBuffer in, Streams streams) throws IOException {
        int count = Math.min(contentLeft, in.remaining());
        int from = in.arrayOffset() + in.position();
        in.position(in.position() + count);
        contentLeft -= count;
        switch (header[1]) {
            case Records.STDOUT -> streams.output(in.array(), from, from + count);
            case Records.STDERR -> streams.errors(in.array(), from, from + count);
            case Records.END_REQUEST -> {
                System.arraycopy(in.array(), from, end, endLength, count);
                endLength += count;
            }
            default -> {
                // Nobody asked.
            }
        }
    }

    private void endRecord() {
        if (isInRecord && contentLeft == 0 && paddingLeft == 0) {
            isInRecord = false;
            isDone = header[1] == Records.END_REQUEST;
        }
    }
}
