package dev.tandem.files;

import dev.tandem.http.Accept;
import org.jspecify.annotations.Nullable;

/// The content codings that a client accepts (RFC 9110, section 12.5.3). Immutable.
final class AcceptedCodings {
    /// Accepts uncompressed files only.
    static final AcceptedCodings IDENTITY_ONLY = of("identity");

    private final String header;
    private final int[] weights = new int[Coding.values().length];

    private AcceptedCodings(String header) {
        this.header = header;
        int plain = Accept.codingWeight(header, "identity");
        for (Coding coding : Coding.values()) {
            int weight = Accept.codingWeight(header, coding.token());
            // A client that prefers the identity coding gets it.
            weights[coding.ordinal()] = weight >= plain ? weight : 0;
        }
    }

    /// @param header the value of Accept-Encoding, or null
    static AcceptedCodings of(@Nullable String header) {
        return header == null ? IDENTITY_ONLY : new AcceptedCodings(header);
    }

    /// Returns the header's value.
    String header() {
        return header;
    }

    /// Returns the coding's weight, 0 (not acceptable) to 1,000.
    int weight(Coding coding) {
        return weights[coding.ordinal()];
    }
}
