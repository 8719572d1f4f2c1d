package dev.tandem.filters;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// A cache of credentials that were verified recently. Stores only their keyed hashes, with a key
/// of this process, so that neither memory nor the time of a look-up reveals them. Thread safe.
final class VerifiedCredentials {
    /// Maximum number of entries; the oldest is removed first.
    private static final int COUNT_MAX = 1_024;

    /// One minute: a user who was removed from the file keeps access for that long. The file is
    /// read again only with the server's configuration anyway.
    private static final long LIFETIME_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final String ALGORITHM = "HmacSHA256";

    private record Entry(String user, long verifiedNanos) {}

    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final SecretKeySpec key;
    private final LongSupplier nanoTime;

    VerifiedCredentials(LongSupplier nanoTime) {
        var bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        this.key = new SecretKeySpec(bytes, ALGORITHM);
        this.nanoTime = nanoTime;
    }

    /// Returns the user with these credentials, or null if they are not cached.
    @Nullable String user(String credentials) {
        String digest = digest(credentials);
        synchronized (entries) {
            Entry entry = entries.get(digest);
            if (entry == null) {
                return null;
            }
            if (nanoTime.getAsLong() - entry.verifiedNanos < LIFETIME_NANOS) {
                return entry.user;
            }
            entries.remove(digest);
            return null;
        }
    }

    void put(String credentials, String user) {
        String digest = digest(credentials);
        synchronized (entries) {
            if (entries.size() >= COUNT_MAX) {
                var eldest = entries.entrySet().iterator();
                eldest.next();
                eldest.remove();
            }
            entries.put(digest, new Entry(user, nanoTime.getAsLong()));
        }
    }

    private String digest(String credentials) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            byte[] bytes = credentials.getBytes(StandardCharsets.ISO_8859_1);
            return HexFormat.of().formatHex(mac.doFinal(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }
}
