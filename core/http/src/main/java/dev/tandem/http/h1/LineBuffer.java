package dev.tandem.http.h1;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// Gathers one line, byte by byte, from input that may end anywhere. Takes no byte after its LF.
final class LineBuffer {
    private static final int LENGTH_EXPECTED = 16;

    /// What a [#take] came to.
    enum Outcome {
        /// The line is incomplete.
        MORE,
        /// The line lies in [#bytes()], to [#length()].
        LINE,
        /// A control character: [#control()].
        CONTROL,
        /// The line is longer than it may be.
        TOO_LONG
    }

    private byte[] bytes = new byte[LENGTH_EXPECTED];
    private int length;
    private boolean hasCr;
    private byte control;

    /// Takes bytes up to the line's end. After a line, [#clear()] comes before the next call.
    ///
    /// @param lengthMax longest line, in bytes without its CRLF
    Outcome take(ByteBuffer in, int lengthMax) {
        while (in.hasRemaining()) {
            byte next = in.get();
            if (hasCr) {
                hasCr = false;
                return next == LineScan.LF ? Outcome.LINE : refused(LineScan.CR);
            }
            if (next == LineScan.CR) {
                hasCr = true;
            } else if (LineScan.isRefused(next)) {
                return refused(next);
            } else if (length >= lengthMax) {
                return Outcome.TOO_LONG;
            } else {
                append(next);
            }
        }
        return Outcome.MORE;
    }

    /// Begins another line.
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

    private Outcome refused(byte control) {
        this.control = control;
        return Outcome.CONTROL;
    }

    private void append(byte b) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * length);
        }
        bytes[length++] = b;
    }
}
