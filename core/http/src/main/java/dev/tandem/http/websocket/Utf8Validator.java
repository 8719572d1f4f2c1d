package dev.tandem.http.websocket;

import java.nio.ByteBuffer;

/// Checks that the pieces of a text are UTF-8 (RFC 3629), wherever they are cut: neither
/// over-long forms, nor surrogates, nor more than U+10FFFF.
final class Utf8Validator {
    /// The first bits of eight bytes, all 0 in ASCII.
    private static final long NOT_ASCII = 0x8080_8080_8080_8080L;

    /// How many bytes of the current character are missing.
    private int missing;

    /// The least and the greatest next byte, if some are missing.
    private int least;

    private int most;

    /// Forgets an incomplete character.
    void reset() {
        missing = 0;
    }

    /// Returns whether the text may end here.
    boolean isComplete() {
        return missing == 0;
    }

    /// Checks a piece, and consumes nothing.
    ///
    /// @return whether it may follow the pieces before
    boolean accept(ByteBuffer piece) {
        int end = piece.limit();
        for (int at = piece.position(); at < end; at++) {
            while (missing == 0 && at <= end - 8 && (piece.getLong(at) & NOT_ASCII) == 0) {
                at += 8;
            }
            if (at == end) {
                return true;
            }
            int b = piece.get(at) & 0xFF;
            if (missing > 0) {
                if (b < least || b > most) {
                    return false;
                }
                missing--;
                expect(missing, 0x80, 0xBF);
            } else if (b >= 0x80 && !begin(b)) {
                return false;
            }
        }
        return true;
    }

    private boolean begin(int b) {
        switch (b) {
            case 0xE0 -> expect(2, 0xA0, 0xBF);
            case 0xED -> expect(2, 0x80, 0x9F);
            case 0xF0 -> expect(3, 0x90, 0xBF);
            case 0xF4 -> expect(3, 0x80, 0x8F);
            default -> {
                if (b < 0xC2 || b > 0xF4) {
                    return false;
                }
                expect(b < 0xE0 ? 1 : b < 0xF0 ? 2 : 3, 0x80, 0xBF);
            }
        }
        return true;
    }

    private void expect(int bytes, int least, int most) {
        this.missing = bytes;
        this.least = least;
        this.most = most;
    }
}
