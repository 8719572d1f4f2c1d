package dev.tandem.bookstore;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/// Stored passwords: `iterations:salt:hash`, by PBKDF2 with HMAC-SHA256.
final class Passwords {
    /// 1,000: under a millisecond, in which a connection is held. New customers' passwords are
    /// generated here, from 64 random bits, so that they cannot be guessed.
    private static final int ITERATIONS = 1_000;

    private static final int BITS = 128;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final HexFormat HEX = HexFormat.of();

    private Passwords() {}

    static String random() {
        return Long.toHexString(RANDOM.nextLong());
    }

    static String hash(String password) {
        var salt = new byte[8];
        RANDOM.nextBytes(salt);
        return hash(password, ITERATIONS, salt);
    }

    /// Hashes with one iteration and a constant salt: for a population, which protects nothing.
    static String quick(String password) {
        return hash(password, 1, new byte[8]);
    }

    static boolean isRight(String password, String kept) {
        String[] parts = kept.split(":", 3);
        if (parts.length != 3) {
            return false;
        }
        String hash = hash(password, Integer.parseInt(parts[0]), HEX.parseHex(parts[1]));
        return MessageDigest.isEqual(bytes(hash), bytes(kept));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    }

    private static String hash(String password, int iterations, byte[] salt) {
        try {
            var spec = new PBEKeySpec(password.toCharArray(), salt, iterations, BITS);
            byte[] hash =
                    SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                            .generateSecret(spec)
                            .getEncoded();
            return iterations + ":" + HEX.formatHex(salt) + ":" + HEX.formatHex(hash);
        } catch (GeneralSecurityException e) {
            throw new AssertionError("every JDK has PBKDF2", e);
        }
    }
}
