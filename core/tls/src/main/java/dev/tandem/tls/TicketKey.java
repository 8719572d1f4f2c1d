package dev.tandem.tls;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;

/// A key for session tickets (RFC 5077, section 4): a name that identifies it, an authentication
/// key and an encryption key.
///
/// @param from the time from which tickets are encrypted with it
/// @param secret 16 bytes each: name, HMAC-SHA-256 key, AES-128 key
public record TicketKey(Instant from, byte[] secret) {
    static final int SIZE = 48;

    /// @throws IllegalArgumentException if the length of the secret is not 48 bytes
    public TicketKey {
        if (secret.length != SIZE) {
            throw new IllegalArgumentException("a ticket key has 48 bytes, not " + secret.length);
        }
    }

    static TicketKey make(Instant from) {
        var secret = new byte[SIZE];
        new SecureRandom().nextBytes(secret);
        return new TicketKey(from, secret);
    }

    /// Returns the name by which tickets refer to the key, 16 bytes.
    public byte[] name() {
        return Arrays.copyOfRange(secret, 0, 16);
    }

    /// Returns the key for HMAC-SHA-256, 16 bytes.
    public byte[] hmac() {
        return Arrays.copyOfRange(secret, 16, 32);
    }

    /// Returns the key for AES-128, 16 bytes.
    public byte[] aes() {
        return Arrays.copyOfRange(secret, 32, 48);
    }

    /// Compares by content: a key that is read again equals the original.
    @Override
    public boolean equals(Object other) {
        return other instanceof TicketKey key
                && from.equals(key.from)
                && Arrays.equals(secret, key.secret);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(secret);
    }

    /// Omits the secret.
    @Override
    public String toString() {
        return "TicketKey[from=" + from + "]";
    }
}
