package dev.tandem.files;

import dev.tandem.http.Accept;
import org.jspecify.annotations.Nullable;

/// Which codings a client takes (RFC 9110, section 12.5.3). Immutable.
final class AcceptedCodings {
    /// Nothing but files as they are.
    static final AcceptedCodings IDENTITY_ONLY = of("identity");

    private final String header;
    private final int[] weights = new int[Coding.values().length];

    private AcceptedCodings(String header) {
        this.header = header;
        int plain = Accept.codingWeight(header, "identity");
        for (Coding coding : Coding.values()) {
            int weight = Accept.codingWeight(header, coding.token());
            // A client that likes a file better as it is gets it so.
            weights[coding.ordinal()] = weight >= plain ? weight : 0;
        }
    }

    /// @param header the Accept-Encoding field's value, or null
    static AcceptedCodings of(@Nullable String header) {
        return header == null ? IDENTITY_ONLY : new AcceptedCodings(header);
    }

    /// The field's value.
    String header() {
        return header;
    }

    /// How much the client likes the coding, 0 (not at all) to 1,000.
    int weight(Coding coding) {
        return weights[coding.ordinal()];
    }
}
