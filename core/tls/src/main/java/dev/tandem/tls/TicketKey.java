package dev.tandem.tls;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;

/// What tickets are sealed with (RFC 5077, section 4): a name that says which key it was, a key to
/// authenticate and one to encrypt.
///
/// @param from when tickets begin to be sealed with it
/// @param secret 16 bytes each: name, HMAC-SHA-256 key, AES-128 key
public record TicketKey(Instant from, byte[] secret) {
    static final int SIZE = 48;

    /// @throws IllegalArgumentException if the secret has another length than 48 bytes
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

    /// The name by which tickets refer to the key, 16 bytes.
    public byte[] name() {
        return Arrays.copyOfRange(secret, 0, 16);
    }

    /// The key for HMAC-SHA-256, 16 bytes.
    public byte[] hmac() {
        return Arrays.copyOfRange(secret, 16, 32);
    }

    /// The key for AES-128.
    public byte[] aes() {
        return Arrays.copyOfRange(secret, 32, 48);
    }

    /// By content: a key that was read again is the same key.
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

    /// Without the secret.
    @Override
    public String toString() {
        return "TicketKey[from=" + from + "]";
    }
}
