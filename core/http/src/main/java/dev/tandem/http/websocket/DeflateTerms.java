package dev.tandem.http.websocket;

import java.util.HashSet;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The terms of compression that a client has offered and the server accepts (RFC 7692, section 7):
/// each message by itself, without what is kept of the ones before (*context takeover*), which
/// would hold 40 KiB for each silent session and direction.
///
/// @param windowBits of messages that the server sends, 8 to 15
/// @param response the value of the response's `Sec-WebSocket-Extensions`
public record DeflateTerms(int windowBits, String response) {
    private static final String NAME = "permessage-deflate";
    private static final String SERVER_BITS = "server_max_window_bits";
    private static final String CLIENT_BITS = "client_max_window_bits";
    private static final int BITS_MAX = 15;

    /// Returns the terms of the first acceptable offer; null if there is none.
    ///
    /// @param offers the value of the request's `Sec-WebSocket-Extensions`, all lines joined by
    ///     commas
    public static @Nullable DeflateTerms of(String offers) {
        for (String offer : offers.split(",", -1)) {
            DeflateTerms terms = ofOffer(offer.split(";", -1));
            if (terms != null) {
                return terms;
            }
        }
        return null;
    }

    /// An offer with an unknown, repeated or invalid parameter is declined (RFC 7692, section 7.1).
    private static @Nullable DeflateTerms ofOffer(String[] parts) {
        if (!parts[0].strip().equalsIgnoreCase(NAME)) {
            return null;
        }
        var seen = new HashSet<String>();
        int bits = BITS_MAX;
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            String name = (equals < 0 ? parts[i] : parts[i].substring(0, equals)).strip();
            String value = equals < 0 ? "" : unquoted(parts[i].substring(equals + 1).strip());
            if (!seen.add(name.toLowerCase(Locale.ROOT)) || !isValid(name, equals >= 0, value)) {
                return null;
            }
            bits = name.equalsIgnoreCase(SERVER_BITS) ? Integer.parseInt(value) : bits;
        }
        // An offer of the server's bits is accepted by naming them (section 7.1.2.1).
        String response = NAME + "; server_no_context_takeover; client_no_context_takeover";
        return new DeflateTerms(
                bits,
                seen.contains(SERVER_BITS) ? response + "; " + SERVER_BITS + "=" + bits : response);
    }

    private static boolean isValid(String name, boolean hasValue, String value) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "server_no_context_takeover", "client_no_context_takeover" -> !hasValue;
            case SERVER_BITS -> isBits(value);
            case CLIENT_BITS -> !hasValue || isBits(value);
            default -> false;
        };
    }

    private static boolean isBits(String value) {
        return value.matches("[89]|1[0-5]");
    }

    private static String unquoted(String value) {
        boolean isQuoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        return isQuoted ? value.substring(1, value.length() - 1) : value;
    }
}
