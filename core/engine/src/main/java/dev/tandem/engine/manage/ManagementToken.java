package dev.tandem.engine.manage;

import dev.tandem.http.Exchange;
import dev.tandem.http.HttpException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// The secret for the management of a server. Required as a bearer token (RFC 6750), or as a
/// password (RFC 7617), for which browsers have a dialog.
public final class ManagementToken {
    /// 16 characters: with 4 bits in each, 64 bits.
    private static final int LEAST = 16;

    private final byte[] bytes;

    /// @throws IllegalArgumentException if it is too short, or cannot be typed
    public ManagementToken(String text) {
        if (text.length() < LEAST || text.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new IllegalArgumentException(
                    "a token has at least " + LEAST + " visible characters of ASCII");
        }
        this.bytes = text.getBytes(StandardCharsets.US_ASCII);
    }

    /// @throws HttpException 401 if the request does not have it
    void check(Exchange x) {
        if (!isShown(x.header("Authorization"))) {
            x.header("WWW-Authenticate", "Basic realm=\"tandem\", charset=\"UTF-8\"");
            throw new HttpException(401, "a token is required: as password, or as bearer");
        }
    }

    private boolean isShown(@Nullable String credentials) {
        String[] words = credentials == null ? new String[0] : credentials.split(" +", 2);
        if (words.length < 2) {
            return false;
        }
        if (words[0].equalsIgnoreCase("Bearer")) {
            return isSame(words[1]);
        }
        return words[0].equalsIgnoreCase("Basic") && isSame(password(words[1]));
    }

    /// Empty if there is none.
    private static String password(String encoded) {
        try {
            byte[] pair = Base64.getDecoder().decode(encoded);
            String text = new String(pair, StandardCharsets.UTF_8);
            return text.substring(text.indexOf(':') + 1);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    /// Compares in a time that does not depend on how many characters are right.
    private boolean isSame(String shown) {
        return MessageDigest.isEqual(bytes, shown.getBytes(StandardCharsets.UTF_8));
    }
}
