package dev.tandem.auction;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.concurrent.Semaphore;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/// Stored passwords: `pbkdf2:ITERATIONS:SALT:HASH` (PBKDF2 with HMAC-SHA256, RFC 8018). All methods
/// may throw [RejectedException] with 503, if too many passwords are hashed at the same time.
///
/// Safe for use by any thread.
final class Passwords {
    private static final String ALGORITHM = "PBKDF2WithHmacSHA256";
    private static final int SALT_BYTES = 16;
    private static final int HASH_BITS = 256;

    /// Half of the processors: password guessing leaves the others to shoppers.
    private static final int COMPARED_MAX =
            Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

    /// Each holds a thread meanwhile; with 0.2 s for each, the last waits for some seconds.
    static final int WAITING_MAX = 32;

    /// From so many iterations on, some 30 ms, a request waits for a permit. Fewer are a normal
    /// page's work, which the server schedules.
    private static final int EXPENSIVE = 100_000;

    /// No user's: compared when the name is unknown, so that timing does not reveal which names
    /// exist. Its hash is random, of no password: deriving one takes 0.2 s, at each start.
    private final String unknownUsersHash;

    private final Semaphore permits = new Semaphore(COMPARED_MAX, true);
    private final SecureRandom random = new SecureRandom();
    private final int iterations;
    private final int dear;

    /// @param iterations of new passwords, 1 or more: the cost of a password for us, and for an
    ///     attacker who stole it
    Passwords(int iterations) {
        this(iterations, EXPENSIVE);
    }

    /// @param dear the number of iterations from which a request waits for a permit
    Passwords(int iterations, int dear) {
        this.iterations = iterations;
        this.dear = dear;
        unknownUsersHash = stored(iterations, bytes(SALT_BYTES), bytes(HASH_BITS / Byte.SIZE));
    }

    /// For tests: the permits to hash a password.
    Semaphore permits() {
        return permits;
    }

    String hash(String password) {
        byte[] salt = bytes(SALT_BYTES);
        return stored(iterations, salt, derive(password, salt, iterations));
    }

    private byte[] bytes(int count) {
        var bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private static String stored(int iterations, byte[] salt, byte[] hash) {
        Base64.Encoder text = Base64.getEncoder();
        return String.join(
                ":",
                "pbkdf2",
                Integer.toString(iterations),
                text.encodeToString(salt),
                text.encodeToString(hash));
    }

    boolean matches(String password, String kept) {
        String[] parts = kept.split(":", -1);
        Base64.Decoder bytes = Base64.getDecoder();
        byte[] salt = bytes.decode(parts[2]);
        byte[] asked = derive(password, salt, Integer.parseInt(parts[1]));
        return MessageDigest.isEqual(asked, bytes.decode(parts[3]));
    }

    /// Takes as long as [#matches] with a known name.
    void matchUnknownUser(String password) {
        matches(password, unknownUsersHash);
    }

    /// Runs at the same time as others, [#COMPARED_MAX] at most.
    private byte[] derive(String password, byte[] salt, int iterations) {
        if (iterations < dear) {
            return derived(password, salt, iterations);
        }
        if (permits.getQueueLength() >= WAITING_MAX) {
            throw new RejectedException(
                    503, "Very many are signing in just now. Try again in a moment.");
        }
        permits.acquireUninterruptibly();
        try {
            return derived(password, salt, iterations);
        } finally {
            permits.release();
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
