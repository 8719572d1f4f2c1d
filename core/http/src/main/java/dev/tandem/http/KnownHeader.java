package dev.tandem.http;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The request headers that the server itself evaluates, which are found by an ordinal instead of
/// their name.
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

    /// Returns the name in the spelling of RFC 9110.
    public String headerName() {
        return headerName;
    }

    /// Returns the header with that name, ignoring case, or null if it is not one of these.
    public static @Nullable KnownHeader of(byte[] bytes, int from, int to) {
        int length = to - from;
        if (length < 1 || length >= LONGEST) {
            return null;
        }
        for (KnownHeader header : PLACES[place(length, bytes[from])]) {
            if (header.isNamed(bytes, from)) {
                return header;
            }
        }
        return null;
    }

    /// Combines length and first letter, in either case; at most two headers share a place.
    private static int place(int length, byte first) {
        return length << 5 | first & 0x1f;
    }

    /// Compares without case by setting bit 5. Names consist of letters and hyphens only; except
    /// for the other case of a letter, only control bytes, which no name contains, become one of
    /// these when bit 5 is set.
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
        for (KnownHeader header : values()) {
            int place = place(header.lower.length, header.lower[0]);
            KnownHeader[] longer = Arrays.copyOf(places[place], places[place].length + 1);
            longer[longer.length - 1] = header;
            places[place] = longer;
        }
        return places;
    }
}
