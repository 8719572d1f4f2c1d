package dev.tandem.auction;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.concurrent.Semaphore;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/// Passwords as they are kept: `pbkdf2:ITERATIONS:SALT:HASH` (PBKDF2 with HMAC-SHA256, RFC 8018).
/// All may throw [Sorry] with 503, if too many want one made or compared at the same time.
///
/// Safe for use by any thread.
final class Passwords {
    private static final String ALGORITHM = "PBKDF2WithHmacSHA256";
    private static final int SALT_BYTES = 16;
    private static final int HASH_BITS = 256;

    /// Half of the processors: whoever tries passwords leaves the others to those who shop.
    private static final int COMPARED_MAX =
            Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

    /// Each holds a thread meanwhile; with 0.2 s for each, the last waits for some seconds.
    static final int WAITING_MAX = 32;

    /// From so many iterations on, some 30 ms, one waits for a turn. Fewer are a page's work, for
    /// the server to share out.
    private static final int DEAR = 100_000;

    /// Of nobody's: checked when the name is unknown, so that time does not tell which names are.
    private final String nobody;

    private final Semaphore turns = new Semaphore(COMPARED_MAX, true);
    private final SecureRandom random = new SecureRandom();
    private final int iterations;
    private final int dear;

    /// @param iterations of new passwords, 1 or more: a password's price to us, and to who stole it
    Passwords(int iterations) {
        this(iterations, DEAR);
    }

    /// @param dear from how many iterations on one waits for a turn
    Passwords(int iterations, int dear) {
        this.iterations = iterations;
        this.dear = dear;
        nobody = hash("nobody");
    }

    /// For tests: whose turn it is to make or compare one.
    Semaphore turns() {
        return turns;
    }

    String hash(String password) {
        var salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        Base64.Encoder text = Base64.getEncoder();
        return "pbkdf2:%d:%s:%s"
                .formatted(
                        iterations,
                        text.encodeToString(salt),
                        text.encodeToString(derive(password, salt, iterations)));
    }

    boolean fits(String password, String kept) {
        String[] parts = kept.split(":", -1);
        Base64.Decoder bytes = Base64.getDecoder();
        byte[] salt = bytes.decode(parts[2]);
        byte[] asked = derive(password, salt, Integer.parseInt(parts[1]));
        return MessageDigest.isEqual(asked, bytes.decode(parts[3]));
    }

    /// Takes as long as [#fits] with a name that is known.
    void fitsNobody(String password) {
        fits(password, nobody);
    }

    /// With others at the same time, [#COMPARED_MAX] at most.
    private byte[] derive(String password, byte[] salt, int iterations) {
        if (iterations < dear) {
            return derived(password, salt, iterations);
        }
        if (turns.getQueueLength() >= WAITING_MAX) {
            throw new Sorry(503, "Very many are signing in just now. Try again in a moment.");
        }
        turns.acquireUninterruptibly();
        try {
            return derived(password, salt, iterations);
        } finally {
            turns.release();
        }
    }

    private static byte[] derived(String password, byte[] salt, int iterations) {
        var spec = new PBEKeySpec(password.toCharArray(), salt, iterations, HASH_BITS);
        try {
            return SecretKeyFactory.getInstance(ALGORITHM).generateSecret(spec).getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        } finally {
            spec.clearPassword();
        }
    }
}
