package dev.tandem.http;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The request header fields that the server itself looks at, so that they are found by a number
/// and not by their name.
public enum KnownHeader {
    ACCEPT("Accept"),
    ACCEPT_ENCODING("Accept-Encoding"),
    AUTHORIZATION("Authorization"),
    CONNECTION("Connection"),
    CONTENT_LENGTH("Content-Length"),
    CONTENT_TYPE("Content-Type"),
    COOKIE("Cookie"),
    EXPECT("Expect"),
    HOST("Host"),
    IF_MATCH("If-Match"),
    IF_MODIFIED_SINCE("If-Modified-Since"),
    IF_NONE_MATCH("If-None-Match"),
    IF_RANGE("If-Range"),
    IF_UNMODIFIED_SINCE("If-Unmodified-Since"),
    RANGE("Range"),
    TE("TE"),
    TRAILER("Trailer"),
    TRANSFER_ENCODING("Transfer-Encoding"),
    UPGRADE("Upgrade"),
    USER_AGENT("User-Agent");

    private static final int LONGEST = 32;
    private static final KnownHeader[][] PLACES = places();

    private final String headerName;
    private final byte[] lower;

    KnownHeader(String fieldName) {
        this.headerName = fieldName;
        this.lower = new byte[fieldName.length()];
        for (int i = 0; i < lower.length; i++) {
            lower[i] = (byte) Character.toLowerCase(fieldName.charAt(i));
        }
    }

    /// The name as RFC 9110 writes it.
    public String headerName() {
        return headerName;
    }

    /// The field of that name in any case, or null if the server does not know it.
    public static @Nullable KnownHeader of(byte[] bytes, int from, int to) {
        int length = to - from;
        if (length < 1 || length >= LONGEST) {
            return null;
        }
        for (KnownHeader field : PLACES[place(length, bytes[from])]) {
            if (field.isNamed(bytes, from)) {
                return field;
            }
        }
        return null;
    }

    /// Length and first letter, in either case, leave two fields in one place at the most.
    private static int place(int length, byte first) {
        return length << 5 | first & 0x1f;
    }

    /// Names have letters and hyphens only, and no byte but a letter's other case becomes one of
    /// them when bit 5 is set, except control bytes, which no name has.
    private boolean isNamed(byte[] bytes, int from) {
        for (int i = 0; i < lower.length; i++) {
            if ((bytes[from + i] | 0x20) != lower[i]) {
                return false;
            }
        }
        return true;
    }

    private static KnownHeader[][] places() {
        var places = new KnownHeader[LONGEST << 5][0];
        for (KnownHeader field : values()) {
            int place = place(field.lower.length, field.lower[0]);
            KnownHeader[] longer = Arrays.copyOf(places[place], places[place].length + 1);
            longer[longer.length - 1] = field;
            places[place] = longer;
        }
        return places;
    }
}
