package dev.tandem.tls;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads the first message of a connection, the ClientHello, without responding. The message may
/// span several records (RFC 8446, section 5.1), and the input may be split anywhere. Keeps the
/// bytes for the engine that processes the handshake.
///
/// Never throws an exception, whatever the client sends. Confined to one thread at a time.
///
/// ```
///   record:  type=22  3 x  length(2)  | handshake: type=1  length(3)  body...
///   record:  type=22  3 x  length(2)  | ...body
/// ```
public final class ClientHelloReader {
    /// The maximum length of a ClientHello in bytes, with its record headers: 64 KiB. Real ones
    /// have 200 to 2,000 bytes.
    public static final int SIZE_MAX = 65_536;

    private static final int RECORD_HEADER = 5;
    private static final int MESSAGE_HEADER = 4;
    private static final int RECORD_MAX = 16_384;
    private static final int HANDSHAKE = 22;
    private static final int CLIENT_HELLO = 1;

    /// The maximum length of a method by which plain HTTP is recognized: longer than any registered
    /// method.
    private static final int METHOD_MAX = 18;

    private static final int FIRST_SIZE = 512;

    private static final byte[] NOTHING = {};

    /// The state of reading.
    public enum Status {
        /// The bytes are the start of a ClientHello; more are needed.
        INCOMPLETE,
        /// The message is complete; see [#hello()].
        COMPLETE,
        /// The bytes are not a ClientHello; see [#failure()].
        INVALID
    }

    private byte[] bytes = new byte[FIRST_SIZE];
    private int size;

    /// The start of the current, incomplete record.
    private int record;

    /// The message without record headers; empty while the first record is incomplete.
    private byte[] message = NOTHING;

    private int messageSize;

    private Status status = Status.INCOMPLETE;
    private @Nullable ClientHello hello;
    private FailureReason failure = FailureReason.NOT_TLS;
    private Alert alert = Alert.DECODE_ERROR;

    /// Creates a reader for the start of a connection.
    public ClientHelloReader() {}

    /// Reads bytes from `from` until the message is complete; bytes after its last record are not
    /// consumed.
    ///
    /// @return the state, which no longer changes once it is not `INCOMPLETE`
    public Status read(ByteBuffer from) {
        while (status == Status.INCOMPLETE && from.hasRemaining()) {
            boolean isRecord = size > 0 ? bytes[0] == HANDSHAKE : from.get(from.position()) == 22;
            if (isRecord) {
                readRecord(from);
            } else {
                readText(from);
            }
        }
        return status;
    }

    /// Returns the ClientHello.
    ///
    /// @throws IllegalStateException unless the status is `COMPLETE`
    public ClientHello hello() {
        if (hello == null) {
            throw new IllegalStateException("no hello: " + status);
        }
        return hello;
    }

    /// Returns why the status is `INVALID`: `PLAIN_HTTP`, `NOT_TLS`, `BAD_HELLO` or
    /// `HELLO_TOO_LONG`.
    public FailureReason failure() {
        return failure;
    }

    /// Returns a copy of all consumed bytes; of a complete message that came in more records than
    /// it needs, the same message in as few as possible, since an engine takes one after another.
    public byte[] bytes() {
        return Arrays.copyOf(bytes, size);
    }

    /// Returns the memory that it uses, in bytes.
    int memory() {
        return bytes.length + message.length;
    }

    /// Frees the memory. The bytes are no longer known afterwards.
    void release() {
        bytes = NOTHING;
        size = 0;
    }

    /// Returns the alert for the client if the status is `INVALID`.
    Alert alert() {
        return alert;
    }

    private void readText(ByteBuffer from) {
        take(from, 1);
        byte last = bytes[size - 1];
        boolean isOfMethod = last >= 'A' && last <= 'Z' || last == '-';
        if (last == ' ' && size > 1) {
            reject(FailureReason.PLAIN_HTTP, Alert.UNEXPECTED_MESSAGE);
        } else if (!isOfMethod || size > METHOD_MAX) {
            reject(FailureReason.NOT_TLS, Alert.UNEXPECTED_MESSAGE);
        }
    }

    private void readRecord(ByteBuffer from) {
        take(from, Math.min(missing(), from.remaining()));
        checkHeader();
        if (status == Status.INCOMPLETE && size - record > RECORD_HEADER && missing() == 0) {
            endRecord();
        }
    }

    /// Returns the number of bytes missing from the record header, or from the record if its header
    /// is complete.
    private int missing() {
        int has = size - record;
        return has < RECORD_HEADER ? RECORD_HEADER - has : RECORD_HEADER + recordLength() - has;
    }

    private int recordLength() {
        return (bytes[record + 3] & 0xff) << 8 | bytes[record + 4] & 0xff;
    }

    private void take(ByteBuffer from, int count) {
        bytes = withCapacity(bytes, size + count);
        from.get(bytes, size, count);
        size += count;
    }

    private static byte[] withCapacity(byte[] bytes, int wanted) {
        return wanted <= bytes.length
                ? bytes
                : Arrays.copyOf(bytes, Math.max(wanted, 2 * bytes.length));
    }

    /// Rejects invalid bytes as early as possible, so that the result does not depend on how the
    /// input is split.
    private void checkHeader() {
        int has = size - record;
        if (record + RECORD_HEADER > SIZE_MAX) {
            reject(FailureReason.HELLO_TOO_LONG, Alert.ILLEGAL_PARAMETER);
        } else if (bytes[record] != HANDSHAKE) {
            reject(FailureReason.BAD_HELLO, Alert.UNEXPECTED_MESSAGE);
        } else if (has > 1 && bytes[record + 1] != 3) {
            reject(FailureReason.NOT_TLS, Alert.PROTOCOL_VERSION);
        } else if (has >= RECORD_HEADER) {
            checkLength(recordLength());
        }
    }

    private void checkLength(int length) {
        if (length == 0) {
            reject(FailureReason.BAD_HELLO, Alert.UNEXPECTED_MESSAGE);
        } else if (length > RECORD_MAX) {
            reject(FailureReason.BAD_HELLO, Alert.RECORD_OVERFLOW);
        } else if (record + RECORD_HEADER + length > SIZE_MAX) {
            reject(FailureReason.HELLO_TOO_LONG, Alert.ILLEGAL_PARAMETER);
        }
    }

    private void endRecord() {
        int from = record + RECORD_HEADER;
        int length = size - from;
        message = withCapacity(message, messageSize + length);
        System.arraycopy(bytes, from, message, messageSize, length);
        messageSize += length;
        record = size;
        if (message[0] != CLIENT_HELLO) {
            reject(FailureReason.BAD_HELLO, Alert.UNEXPECTED_MESSAGE);
        } else if (messageSize >= MESSAGE_HEADER) {
            endMessage();
        }
    }

    private void endMessage() {
        int length = (message[1] & 0xff) << 16 | (message[2] & 0xff) << 8 | message[3] & 0xff;
        int has = messageSize - MESSAGE_HEADER;
        if (length > SIZE_MAX) {
            reject(FailureReason.HELLO_TOO_LONG, Alert.ILLEGAL_PARAMETER);
        } else if (has > length) {
            // Keys change after the ClientHello, so nothing may follow in its record (section 5.1).
            reject(FailureReason.BAD_HELLO, Alert.UNEXPECTED_MESSAGE);
        } else if (has == length) {
            var parser = new ClientHelloParser(ByteBuffer.wrap(message, MESSAGE_HEADER, length));
            hello = parser.parse();
            status = Status.COMPLETE;
            if (hello == null) {
                reject(FailureReason.BAD_HELLO, parser.alert());
            }
            joinRecords();
            message = NOTHING;
        }
    }

    private void joinRecords() {
        int records = (messageSize + RECORD_MAX - 1) / RECORD_MAX;
        if (size == messageSize + records * RECORD_HEADER) {
            return;
        }
        var joined = new byte[messageSize + records * RECORD_HEADER];
        int to = 0;
        for (int from = 0; from < messageSize; from += RECORD_MAX) {
            int length = Math.min(RECORD_MAX, messageSize - from);
            System.arraycopy(bytes, 0, joined, to, RECORD_HEADER - 2);
            joined[to + 3] = (byte) (length >> 8);
            joined[to + 4] = (byte) length;
            System.arraycopy(message, from, joined, to + RECORD_HEADER, length);
            to += RECORD_HEADER + length;
        }
        bytes = joined;
        size = joined.length;
    }

    private void reject(FailureReason reason, Alert alert) {
        status = Status.INVALID;
        failure = reason;
        this.alert = alert;
    }
}
