package dev.tandem.http;

import dev.tandem.http.ParsedTarget.Invalid;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Decodes a path in one pass: percent codes, runs of slashes, dot segments. Dot segments are
/// recognized after decoding, so that `%2e%2e` is treated (and rejected) like `..`.
final class PathDecoder {
    private static final Invalid BAD_PERCENT = error("malformed percent code in path");
    private static final Invalid AMBIGUOUS =
            error("encoded slash, backslash or control character in path");
    private static final Invalid NO_UTF8 = error("path is not UTF-8");
    private static final Invalid ABOVE_ROOT = error("path is above the root");

    private final byte[] bytes;
    private final int from;
    private final int to;
    private final boolean allowsAmbiguous;

    /// The decoded path; ends with the current segment, which begins at `segment`, after a slash.
    private final byte[] out;

    private int length = 1;
    private int segment = 1;
    private Invalid error = BAD_PERCENT;

    /// @param bytes contains in `[from..to)` a path of allowed characters that begins with a slash,
    ///     or nothing
    /// @param takesAmbiguous whether to keep encoded characters that programs interpret
    ///     differently, instead of rejecting them
    PathDecoder(byte[] bytes, int from, int to, boolean takesAmbiguous) {
        this.bytes = bytes;
        this.from = from;
        this.to = to;
        this.allowsAmbiguous = takesAmbiguous;
        this.out = new byte[to - from + 1];
        out[0] = '/';
    }

    /// Returns the decoded path, or null if it is invalid, for the reason in [#error()].
    @Nullable String decode() {
        for (int i = from; i < to; i++) {
            byte c = bytes[i];
            if (c == '/') {
                if (!endSegment(false)) {
                    return null;
                }
                continue;
            }
            if (c == '%') {
                int decoded = PercentEncoding.decode(bytes, i, to);
                if (isAmbiguous(decoded) && allowsAmbiguous) {
                    out[length++] = c; // its digits are copied unchanged
                    continue;
                }
                if (!isAllowed(decoded)) {
                    return null;
                }
                c = (byte) decoded;
                i += 2;
            }
            out[length++] = c;
        }
        return endSegment(true) ? text() : null;
    }

    /// Returns why [#decode()] returned null.
    Invalid error() {
        return error;
    }

    private boolean isAllowed(int decoded) {
        if (decoded < 0) {
            return fail(BAD_PERCENT);
        }
        // Checked here too, because a dot segment may remove the segment before the text is
        // checked.
        return !isAmbiguous(decoded) || fail(AMBIGUOUS);
    }

    private static boolean isAmbiguous(int decoded) {
        boolean isControl = decoded >= 0 && decoded < ' ' || decoded == 0x7F;
        return isControl || decoded == '/' || decoded == '\\';
    }

    /// Ends the current segment: appends it to the path, or resolves it.
    private boolean endSegment(boolean isLast) {
        int size = length - segment;
        if (size == 0) {
            return true;
        }
        boolean isDot = out[segment] == '.' && size == 1;
        boolean isDotDot = size == 2 && out[segment] == '.' && out[segment + 1] == '.';
        if (isDotDot) {
            if (segment == 1) {
                return fail(ABOVE_ROOT);
            }
            removeLastSegment();
        } else if (isDot) {
            length = segment;
        } else if (!isLast) {
            out[length++] = '/';
            segment = length;
        }
        return true;
    }

    /// Removes the segment `..` and the one before it.
    private void removeLastSegment() {
        int at = segment - 1;
        while (out[at - 1] != '/') {
            at--;
        }
        length = at;
        segment = at;
    }

    private @Nullable String text() {
        try {
            // A new decoder reports malformed input, which String's constructor would replace.
            var decoded =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(out, 0, length));
            if (hasControl(decoded)) {
                fail(AMBIGUOUS);
                return null;
            }
            return decoded.toString();
        } catch (CharacterCodingException _) {
            fail(NO_UTF8);
            return null;
        }
    }

    /// Checks the decoded text, because the characters from U+0080 to U+009F have two bytes.
    private static boolean hasControl(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    private boolean fail(Invalid reason) {
        error = reason;
        return false;
    }

    private static Invalid error(String reason) {
        return new Invalid(MalformedMessage.badRequest(reason));
    }
}
