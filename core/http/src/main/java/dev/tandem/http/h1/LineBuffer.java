package dev.tandem.http.h1;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// Collects one line from input that may be split anywhere. Consumes no byte after its LF.
final class LineBuffer {
    private static final int LENGTH_EXPECTED = 16;

    /// The result of [#read].
    enum Outcome {
        /// The line is incomplete.
        INCOMPLETE,
        /// The line is in [#bytes()], up to [#length()].
        COMPLETE,
        /// The line contains a control character, [#control()].
        CONTROL_CHARACTER,
        /// The line exceeds the maximum length.
        TOO_LONG
    }

    private byte[] bytes = new byte[LENGTH_EXPECTED];
    private int length;
    private boolean hasCr;
    private byte control;

    /// Reads bytes up to the end of the line. After a line, call [#clear()] before the next call.
    ///
    /// @param lengthMax the maximum length of the line, in bytes without its CRLF
    Outcome read(ByteBuffer in, int lengthMax) {
        while (in.hasRemaining()) {
            byte next = in.get();
            if (hasCr) {
                hasCr = false;
                return next == LineScanner.LF ? Outcome.COMPLETE : rejected(LineScanner.CR);
            }
            if (next == LineScanner.CR) {
                hasCr = true;
            } else if (LineScanner.isForbidden(next)) {
                return rejected(next);
            } else if (length >= lengthMax) {
                return Outcome.TOO_LONG;
            } else {
                append(next);
            }
        }
        return Outcome.INCOMPLETE;
    }

    /// Starts another line.
    void clear() {
        length = 0;
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    byte control() {
        return control;
    }

    private Outcome rejected(byte control) {
        this.control = control;
        return Outcome.CONTROL_CHARACTER;
    }

    private void append(byte b) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * length);
        }
        bytes[length++] = b;
    }
}
