package dev.tandem.bookstore;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Numbers in cookies that only this process can make: `number-seal`. Valid until the process ends.
final class Seal {
    private static final String NAME = "HmacSHA256";

    /// 16 bytes of the seal are used.
    private static final int KEPT = 16;

    private static final int DIGITS_MAX = 18;

    private final SecretKeySpec key;

    Seal() {
        var bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        key = new SecretKeySpec(bytes, NAME);
    }

    /// @param purpose prevents that one cookie is accepted as another
    String seal(String purpose, long number) {
        return number + "-" + mark(purpose, number);
    }

    /// Returns the number, or 0 if the cookie is missing or not ours.
    long open(String purpose, @Nullable String sealed) {
        int dash = sealed == null ? -1 : sealed.indexOf('-');
        if (sealed == null || dash < 1 || dash > DIGITS_MAX) {
            return 0;
        }
        String digits = sealed.substring(0, dash);
        if (!digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return 0;
        }
        long number = Long.parseLong(digits);
        byte[] right = mark(purpose, number).getBytes(StandardCharsets.US_ASCII);
        byte[] given = sealed.substring(dash + 1).getBytes(StandardCharsets.ISO_8859_1);
        return MessageDigest.isEqual(right, given) ? number : 0;
    }

    private String mark(String purpose, long number) {
        try {
            Mac mac = Mac.getInstance(NAME);
            mac.init(key);
            byte[] whole = mac.doFinal((purpose + number).getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(whole, 0, KEPT);
        } catch (GeneralSecurityException e) {
            throw new AssertionError("every JDK has " + NAME, e);
        }
    }
}
