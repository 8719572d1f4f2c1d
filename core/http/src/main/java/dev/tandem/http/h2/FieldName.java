package dev.tandem.http.h2;

import dev.tandem.http.FieldSyntax;
import dev.tandem.http.KnownHeader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The name of a header in lower case, with what the codec knows of it. Common names are constants,
/// which are found by their bytes without an allocation. Immutable.
final class FieldName {

    /// The part of a message that a header is.
    enum Kind {
        /// A header without a meaning for the codec.
        REGULAR,
        /// `:method` and the like (RFC 9113, section 8.3).
        METHOD,
        SCHEME,
        AUTHORITY,
        PATH,
        STATUS,
        /// RFC 8441, section 4.
        PROTOCOL,
        UNKNOWN_PSEUDO,
        /// A header of HTTP/1 connections (RFC 9113, section 8.2.2).
        CONNECTION_SPECIFIC,
        TE,
        HOST,
        COOKIE,
        CONTENT_LENGTH,
        EXPECT;

        boolean isPseudo() {
            return this != REGULAR && ordinal() <= UNKNOWN_PSEUDO.ordinal();
        }
    }

    /// The representation that an encoder chooses (RFC 7541, sections 6.2 and 7.1).
    enum Indexing {
        /// Most headers: the same value is sent again.
        ADDED,
        /// The value is different in each message, and would only displace others.
        NOT_ADDED,
        /// A secret, which must not be guessed by the length of what is sent.
        NEVER,
        /// A secret if it is short: cookies.
        NEVER_IF_SHORT
    }

    private static final int PLACES = 1_024;
    private static final @Nullable FieldName[] COMMON = new @Nullable FieldName[PLACES];

    private static final String[] PSEUDO = {
        ":authority", ":method", ":path", ":scheme", ":status", ":protocol"
    };

    private static final Kind[] PSEUDO_KINDS = {
        Kind.AUTHORITY, Kind.METHOD, Kind.PATH, Kind.SCHEME, Kind.STATUS, Kind.PROTOCOL
    };

    /// The names of the static table, and others that browsers, proxies and servers send.
    private static final String REGULAR =
            """
            accept accept-charset accept-encoding accept-language accept-ranges
            access-control-allow-credentials access-control-allow-headers
            access-control-allow-methods access-control-allow-origin
            access-control-expose-headers access-control-max-age
            access-control-request-headers access-control-request-method age allow alt-svc
            authorization baggage cache-control cdn-cache-control connection
            content-disposition content-encoding content-language content-length
            content-location content-range content-security-policy content-type cookie
            cross-origin-embedder-policy cross-origin-opener-policy
            cross-origin-resource-policy date dnt etag expect expires forwarded from
            grpc-accept-encoding grpc-encoding grpc-message grpc-status grpc-timeout host
            idempotency-key if-match if-modified-since if-none-match if-range
            if-unmodified-since keep-alive last-modified link location max-forwards origin
            permissions-policy pragma priority proxy-authenticate proxy-authorization
            proxy-connection purpose range referer referrer-policy refresh retry-after
            sec-ch-ua sec-ch-ua-mobile sec-ch-ua-platform sec-fetch-dest sec-fetch-mode
            sec-fetch-site sec-fetch-storage-access sec-fetch-user sec-gpc sec-purpose
            sec-websocket-extensions sec-websocket-protocol sec-websocket-version server
            server-timing set-cookie strict-transport-security te timing-allow-origin
            traceparent tracestate trailer transfer-encoding upgrade
            upgrade-insecure-requests user-agent vary via www-authenticate
            x-content-type-options x-csrf-token x-forwarded-for x-forwarded-host
            x-forwarded-port x-forwarded-proto x-frame-options x-real-ip x-request-id
            x-requested-with x-xss-protection
            """;

    static {
        for (int i = 0; i < PSEUDO.length; i++) {
            Indexing indexing = PSEUDO[i].equals(":path") ? Indexing.NOT_ADDED : Indexing.ADDED;
            put(new FieldName(PSEUDO[i], PSEUDO_KINDS[i], null, indexing, null));
        }
        for (String name : REGULAR.split("\\s+")) {
            byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
            KnownHeader known = KnownHeader.of(bytes, 0, bytes.length);
            put(new FieldName(name, kind(name), known, indexing(name), null));
        }
    }

    private final String text;
    private final Kind kind;
    private final @Nullable KnownHeader known;
    private final Indexing indexing;
    private final @Nullable String error;

    private FieldName(
            String text,
            Kind kind,
            @Nullable KnownHeader known,
            Indexing indexing,
            @Nullable String error) {
        this.text = text;
        this.kind = kind;
        this.known = known;
        this.indexing = indexing;
        this.error = error;
    }

    /// Returns the name that a peer sent. It is used as it is, valid or not.
    static FieldName of(byte[] bytes, int from, int to) {
        int length = to - from;
        if (length > 0) {
            int place = place(length, bytes[from], bytes[from + length / 2], bytes[to - 1]);
            for (FieldName name = COMMON[place]; name != null; name = COMMON[place]) {
                if (name.isAt(bytes, from, length)) {
                    return name;
                }
                place = place + 1 & PLACES - 1;
            }
        }
        String text = new String(bytes, from, length, StandardCharsets.ISO_8859_1);
        boolean isPseudo = length > 0 && bytes[from] == ':';
        return new FieldName(
                text,
                isPseudo ? Kind.UNKNOWN_PSEUDO : Kind.REGULAR,
                null,
                Indexing.ADDED,
                error(text, isPseudo ? 1 : 0));
    }

    /// Returns the name that this endpoint sends, in lower case.
    ///
    /// @throws IllegalArgumentException if it is neither a token nor a known pseudo-header
    static FieldName of(String name) {
        int length = name.length();
        if (length > 0) {
            int place =
                    place(
                            length,
                            lower(name.charAt(0)),
                            lower(name.charAt(length / 2)),
                            lower(name.charAt(length - 1)));
            for (FieldName common = COMMON[place]; common != null; common = COMMON[place]) {
                if (common.text.equalsIgnoreCase(name)) {
                    return common;
                }
                place = place + 1 & PLACES - 1;
            }
        }
        FieldSyntax.requireName(name);
        String text = name.toLowerCase(Locale.ROOT);
        return new FieldName(text, Kind.REGULAR, null, Indexing.ADDED, null);
    }

    String text() {
        return text;
    }

    Kind kind() {
        return kind;
    }

    @Nullable KnownHeader known() {
        return known;
    }

    Indexing indexing() {
        return indexing;
    }

    /// Returns why the name is invalid, or null.
    @Nullable String error() {
        return error;
    }

    private boolean isAt(byte[] bytes, int from, int length) {
        if (text.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) != (bytes[from + i] & 0xFF)) {
                return false;
            }
        }
        return true;
    }

    /// RFC 9113, section 8.2.1 forbids upper case; RFC 9110, section 5.1 has tokens only.
    private static @Nullable String error(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                return "upper case in a field name";
            }
            if (!FieldSyntax.isTokenChar(c)) {
                return "field name is not a token";
            }
        }
        return text.length() == from ? "field without a name" : null;
    }

    private static Kind kind(String name) {
        return switch (name) {
            case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade" ->
                    Kind.CONNECTION_SPECIFIC;
            case "te" -> Kind.TE;
            case "host" -> Kind.HOST;
            case "cookie" -> Kind.COOKIE;
            case "content-length" -> Kind.CONTENT_LENGTH;
            case "expect" -> Kind.EXPECT;
            default -> Kind.REGULAR;
        };
    }

    private static Indexing indexing(String name) {
        return switch (name) {
            case "authorization", "proxy-authorization", "set-cookie", "x-csrf-token" ->
                    Indexing.NEVER;
            case "cookie" -> Indexing.NEVER_IF_SHORT;
            case "age",
                    "content-disposition",
                    "content-length",
                    "content-location",
                    "content-range",
                    "date",
                    "etag",
                    "expires",
                    "grpc-timeout",
                    "idempotency-key",
                    "if-match",
                    "if-modified-since",
                    "if-none-match",
                    "if-range",
                    "if-unmodified-since",
                    "last-modified",
                    "location",
                    "range",
                    "retry-after",
                    "server-timing",
                    "traceparent",
                    "x-request-id" ->
                    Indexing.NOT_ADDED;
            default -> Indexing.ADDED;
        };
    }

    private static void put(FieldName name) {
        String text = name.text;
        int length = text.length();
        int place = place(length, text.charAt(0), text.charAt(length / 2), text.charAt(length - 1));
        while (COMMON[place] != null) {
            place = place + 1 & PLACES - 1;
        }
        COMMON[place] = name;
    }

    /// Combines the length and three characters: with eight times as many places as names, few
    /// names share one.
    private static int place(int length, int first, int middle, int last) {
        int mixed = length * 0x2F0B4C47 + first * 0x3D4D51CB + middle * 0x1B873593 + last;
        return (mixed * 0x9E3779B1) >>> 22;
    }

    private static int lower(char c) {
        return c >= 'A' && c <= 'Z' ? c + 0x20 : c;
    }
}
