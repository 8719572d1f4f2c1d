package dev.tandem.tls;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads the first message of a connection without answering it: the ClientHello, in one record or
/// in many (RFC 8446, section 5.1), from bytes that come in any pieces. It keeps the bytes, for the
/// engine that will answer.
///
/// It never throws on what a client sends. Confined to one thread at a time.
///
/// ```
///   record:  type=22  3 x  length(2)  | handshake: type=1  length(3)  body...
///   record:  type=22  3 x  length(2)  | ...body
/// ```
public final class ClientHelloReader {
    /// The longest hello in bytes, with the heads of its records: 64 KiB. Real ones have 200 to
    /// 2,000 bytes.
    public static final int SIZE_MAX = 65_536;

    private static final int RECORD_HEAD = 5;
    private static final int MESSAGE_HEAD = 4;
    private static final int RECORD_MAX = 16_384;
    private static final int HANDSHAKE = 22;
    private static final int CLIENT_HELLO = 1;

    /// The longest method whose request is known as HTTP: longer than any that is registered.
    private static final int METHOD_MAX = 18;

    private static final int FIRST_SIZE = 512;

    /// What became of the bytes so far.
    public enum Status {
        /// They are the beginning of a hello; more have to come.
        INCOMPLETE,
        /// There is a [#hello()].
        COMPLETE,
        /// They are no hello: see [#failure()].
        INVALID
    }

    private byte[] bytes = new byte[FIRST_SIZE];
    private int size;

    /// Where the record begins that is not yet complete.
    private int record;

    /// The message without the heads of records; empty while the first record is not complete.
    private byte[] message = new byte[0];

    private int messageSize;

    private Status status = Status.INCOMPLETE;
    private @Nullable ClientHello hello;
    private FailureReason failure = FailureReason.NOT_TLS;
    private Alert alert = Alert.DECODE_ERROR;

    /// At the beginning of a connection.
    public ClientHelloReader() {}

    /// Takes all bytes of `from`, unless the hello is complete before; what stands behind the
    /// hello's last record stays there.
    ///
    /// @return the same as before once it is not `MORE`
    public Status read(ByteBuffer from) {
        while (status == Status.INCOMPLETE && from.hasRemaining()) {
            boolean isRecord = size > 0 ? bytes[0] == HANDSHAKE : from.get(from.position()) == 22;
            if (isRecord) {
                takeOfRecord(from);
            } else {
                takeOfText(from);
            }
        }
        return status;
    }

    /// The hello.
    ///
    /// @throws IllegalStateException unless the status is `HELLO`
    public ClientHello hello() {
        if (hello == null) {
            throw new IllegalStateException("no hello: " + status);
        }
        return hello;
    }

    /// Why the status is `BAD`: `PLAIN_HTTP`, `NOT_TLS`, `BAD_HELLO` or `HELLO_TOO_LONG`.
    public FailureReason failure() {
        return failure;
    }

    /// A copy of all bytes that were taken.
    public byte[] bytes() {
        return Arrays.copyOf(bytes, size);
    }

    /// What to tell the client if the status is `BAD`.
    Alert alert() {
        return alert;
    }

    private void takeOfText(ByteBuffer from) {
        take(from, 1);
        byte last = bytes[size - 1];
        boolean isOfMethod = last >= 'A' && last <= 'Z' || last == '-';
        if (last == ' ' && size > 1) {
            refuse(FailureReason.PLAIN_HTTP, Alert.UNEXPECTED_MESSAGE);
        } else if (!isOfMethod || size > METHOD_MAX) {
            refuse(FailureReason.NOT_TLS, Alert.UNEXPECTED_MESSAGE);
        }
    }

    private void takeOfRecord(ByteBuffer from) {
        take(from, Math.min(missing(), from.remaining()));
        checkHead();
        if (status == Status.INCOMPLETE && size - record > RECORD_HEAD && missing() == 0) {
            endRecord();
        }
    }

    /// How many bytes until the record's head is complete, or else the record.
    private int missing() {
        int has = size - record;
        return has < RECORD_HEAD ? RECORD_HEAD - has : RECORD_HEAD + recordLength() - has;
    }

    private int recordLength() {
        return (bytes[record + 3] & 0xff) << 8 | bytes[record + 4] & 0xff;
    }

    private void take(ByteBuffer from, int count) {
        bytes = withRoom(bytes, size + count);
        from.get(bytes, size, count);
        size += count;
    }

    private static byte[] withRoom(byte[] bytes, int wanted) {
        return wanted <= bytes.length
                ? bytes
                : Arrays.copyOf(bytes, Math.max(wanted, 2 * bytes.length));
    }

    /// Refuses as early as it can be told, so that the pieces do not matter.
    private void checkHead() {
        int has = size - record;
        if (record + RECORD_HEAD > SIZE_MAX) {
            refuse(FailureReason.HELLO_TOO_LONG, Alert.ILLEGAL_PARAMETER);
        } else if (bytes[record] != HANDSHAKE) {
            refuse(FailureReason.BAD_HELLO, Alert.UNEXPECTED_MESSAGE);
        } else if (has > 1 && bytes[record + 1] != 3) {
            refuse(FailureReason.NOT_TLS, Alert.PROTOCOL_VERSION);
        } else if (has >= RECORD_HEAD) {
            checkLength(recordLength());
        }
    }

    private void checkLength(int length) {
        if (length == 0) {
            refuse(FailureReason.BAD_HELLO, Alert.UNEXPECTED_MESSAGE);
        } else if (length > RECORD_MAX) {
            refuse(FailureReason.BAD_HELLO, Alert.RECORD_OVERFLOW);
        } else if (record + RECORD_HEAD + length > SIZE_MAX) {
            refuse(FailureReason.HELLO_TOO_LONG, Alert.ILLEGAL_PARAMETER);
        }
    }

    private void endRecord() {
        int from = record + RECORD_HEAD;
        int length = size - from;
        message = withRoom(message, messageSize + length);
        System.arraycopy(bytes, from, message, messageSize, length);
        messageSize += length;
        record = size;
        if (message[0] != CLIENT_HELLO) {
            refuse(FailureReason.BAD_HELLO, Alert.UNEXPECTED_MESSAGE);
        } else if (messageSize >= MESSAGE_HEAD) {
            endMessage();
        }
    }

    private void endMessage() {
        int length = (message[1] & 0xff) << 16 | (message[2] & 0xff) << 8 | message[3] & 0xff;
        int has = messageSize - MESSAGE_HEAD;
        if (length > SIZE_MAX) {
            refuse(FailureReason.HELLO_TOO_LONG, Alert.ILLEGAL_PARAMETER);
        } else if (has > length) {
            // Keys change behind the hello, so nothing may follow in its record (section 5.1).
            refuse(FailureReason.BAD_HELLO, Alert.UNEXPECTED_MESSAGE);
        } else if (has == length) {
            var parser = new ClientHelloParser(ByteBuffer.wrap(message, MESSAGE_HEAD, length));
            hello = parser.parse();
            status = Status.COMPLETE;
            if (hello == null) {
                refuse(FailureReason.BAD_HELLO, parser.alert());
            }
            message = new byte[0];
        }
    }

    private void refuse(FailureReason reason, Alert alert) {
        status = Status.INVALID;
        failure = reason;
        this.alert = alert;
    }
}
