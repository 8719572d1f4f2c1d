package dev.tandem.admission;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.OptionalLong;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Issues and opens session cookies that cannot be made up: an identifier, the time of issue and a
/// seal over both (HMAC with SHA-256, RFC 2104). For sites that have no session cookie of their
/// own, or whose clients make them up. Immutable; safe for use by any thread.
///
/// A seal proves that this site once issued the cookie, not that the session is live:
/// [Admission#session] says that.
public final class SessionSeal {
    /// 128 bits of the seal are kept; RFC 2104, section 5 requires at least 80.
    private static final int SEAL_BYTES = 16;

    /// 5 min: the clock of the server that issued a cookie may be ahead by so much.
    private static final long SKEW_SECONDS = 300;

    private static final int ISSUE_BYTES = 2 * Long.BYTES;
    private static final int KEY_BYTES_MIN = 16;

    /// Characters of a cookie's value: 32 bytes in Base64 without padding.
    private static final int LENGTH = 43;

    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;
    private final long ageMaxSeconds;

    /// @param key at least 16 bytes from a secure source; the same for all servers of a site
    /// @param ageMaxSeconds largest age of a cookie, at least 1
    public SessionSeal(byte[] key, long ageMaxSeconds) {
        if (key.length < KEY_BYTES_MIN) {
            throw new IllegalArgumentException(
                    "key must have at least " + KEY_BYTES_MIN + " bytes, had " + key.length);
        }
        if (ageMaxSeconds < 1) {
            throw new IllegalArgumentException(
                    "ageMaxSeconds must be at least 1, was " + ageMaxSeconds);
        }
        this.key = new SecretKeySpec(key, ALGORITHM);
        this.ageMaxSeconds = ageMaxSeconds;
    }

    /// Returns a cookie's value.
    ///
    /// @param id of the session, from a secure source
    /// @param nowSeconds wall-clock time
    public String issue(long id, long nowSeconds) {
        byte[] bytes =
                ByteBuffer.allocate(ISSUE_BYTES + SEAL_BYTES)
                        .putLong(id)
                        .putLong(nowSeconds)
                        .array();
        System.arraycopy(seal(bytes), 0, bytes, ISSUE_BYTES, SEAL_BYTES);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /// Returns the session's identifier; empty if this site did not issue the cookie, or it is too
    /// old, or from more than five minutes in the future.
    public OptionalLong open(String cookie, long nowSeconds) {
        if (cookie.length() != LENGTH) {
            return OptionalLong.empty();
        }
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(cookie);
        } catch (IllegalArgumentException e) {
            return OptionalLong.empty();
        }
        byte[] seal = Arrays.copyOfRange(bytes, ISSUE_BYTES, ISSUE_BYTES + SEAL_BYTES);
        if (!MessageDigest.isEqual(seal, Arrays.copyOf(seal(bytes), SEAL_BYTES))) {
            return OptionalLong.empty();
        }
        ByteBuffer issued = ByteBuffer.wrap(bytes);
        long id = issued.getLong();
        long age = nowSeconds - issued.getLong();
        return age < -SKEW_SECONDS || age > ageMaxSeconds
                ? OptionalLong.empty()
                : OptionalLong.of(id);
    }

    private byte[] seal(byte[] bytes) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(bytes, 0, ISSUE_BYTES);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }
}
