package dev.tandem.tls;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;

/// What tickets are sealed with (RFC 5077, section 4): a name that says which key it was, a key to
/// authenticate and one to encrypt.
///
/// @param from when tickets begin to be sealed with it
/// @param secret 16 bytes each: name, HMAC-SHA-256 key, AES-128 key
record TicketKey(Instant from, byte[] secret) {
    static final int SIZE = 48;

    TicketKey {
        if (secret.length != SIZE) {
            throw new IllegalArgumentException("a ticket key has 48 bytes, not " + secret.length);
        }
    }

    static TicketKey make(Instant from) {
        var secret = new byte[SIZE];
        new SecureRandom().nextBytes(secret);
        return new TicketKey(from, secret);
    }

    byte[] name() {
        return Arrays.copyOfRange(secret, 0, 16);
    }

    byte[] hmac() {
        return Arrays.copyOfRange(secret, 16, 32);
    }

    byte[] aes() {
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
