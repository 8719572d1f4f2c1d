package dev.tandem.fastcgi;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Parses an application's records: bytes in, data of its streams out. Does no I/O; confined to one
/// thread.
///
/// ```
/// HEADER --8 bytes--> CONTENT --> PADDING --> HEADER
///    | END_REQUEST, complete --> COMPLETE      each: malformed --> ERROR
/// ```
final class RecordReader {
    private static final int END_BODY = 8;

    /// Receives the data of the streams.
    interface Streams {
        void output(byte[] bytes, int from, int to) throws IOException;

        void errors(byte[] bytes, int from, int to);
    }

    private final int requestId;
    private final byte[] header = new byte[RecordWriter.HEADER];
    private final byte[] end = new byte[END_BODY];
    private int headerLength;
    private int endLength;
    private int contentLeft;
    private int paddingLeft;
    private boolean isInRecord;
    private boolean isComplete;
    private @Nullable String error;

    /// @param requestId the only id that records may have
    RecordReader(int requestId) {
        this.requestId = requestId;
    }

    /// Parses input, up to the end of the request.
    void read(ByteBuffer in, Streams streams) throws IOException {
        while (in.hasRemaining() && !isComplete && error == null) {
            if (!isInRecord) {
                readHeader(in);
            } else if (contentLeft > 0) {
                readContent(in, streams);
            } else {
                int count = Math.min(paddingLeft, in.remaining());
                in.position(in.position() + count);
                paddingLeft -= count;
            }
            endRecord();
        }
    }

    /// Returns whether the application has ended the request.
    boolean isComplete() {
        return isComplete;
    }

    /// Returns what is wrong, or null.
    @Nullable String error() {
        return error;
    }

    /// Returns the `protocolStatus` (section 5.5): 0 for a completed request, 2 for one that was
    /// rejected because the application is overloaded.
    int protocolStatus() {
        return end[4] & 0xff;
    }

    private void readHeader(ByteBuffer in) {
        int count = Math.min(RecordWriter.HEADER - headerLength, in.remaining());
        in.get(header, headerLength, count);
        headerLength += count;
        if (headerLength < RecordWriter.HEADER) {
            return;
        }
        headerLength = 0;
        isInRecord = true;
        contentLeft = (header[4] & 0xff) << 8 | header[5] & 0xff;
        paddingLeft = header[6] & 0xff;
        error = headerError();
    }

    private @Nullable String headerError() {
        int id = (header[2] & 0xff) << 8 | header[3] & 0xff;
        if (header[0] != RecordWriter.VERSION) {
            return "it does not use FastCGI 1";
        }
        return switch (header[1]) {
            case RecordWriter.STDOUT, RecordWriter.STDERR ->
                    id == requestId ? null : "a record of another request";
            case RecordWriter.END_REQUEST ->
                    id != requestId
                            ? "the end of another request"
                            : contentLeft == END_BODY ? null : "an end of another length";
            // Management records, which belong to no request.
            case RecordWriter.GET_VALUES_RESULT, RecordWriter.UNKNOWN_TYPE -> null;
            case RecordWriter.BEGIN_REQUEST,
                    RecordWriter.ABORT_REQUEST,
                    RecordWriter.PARAMS,
                    RecordWriter.STDIN,
                    RecordWriter.DATA,
                    RecordWriter.GET_VALUES ->
                    "a record that only a web server sends";
            default -> "a record of an unknown kind";
        };
    }

    private void readContent(ByteBuffer in, Streams streams) throws IOException {
        int count = Math.min(contentLeft, in.remaining());
        int from = in.arrayOffset() + in.position();
        in.position(in.position() + count);
        contentLeft -= count;
        switch (header[1]) {
            case RecordWriter.STDOUT -> streams.output(in.array(), from, from + count);
            case RecordWriter.STDERR -> streams.errors(in.array(), from, from + count);
            case RecordWriter.END_REQUEST -> {
                System.arraycopy(in.array(), from, end, endLength, count);
                endLength += count;
            }
            default -> {
                // Ignored.
            }
        }
    }

    private void endRecord() {
        if (isInRecord && contentLeft == 0 && paddingLeft == 0) {
            isInRecord = false;
            isComplete = header[1] == RecordWriter.END_REQUEST;
        }
    }
}
