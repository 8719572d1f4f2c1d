package dev.tandem.http.h2;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;

/// Fuzz target: a Priority header (RFC 9218). What is read is a valid priority.
public final class PriorityTarget {
    private PriorityTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Priority priority = Priority.parse(new String(input, StandardCharsets.ISO_8859_1));
        assertTrue(priority.urgency() >= 0 && priority.urgency() <= 7, priority::toString);
    }
}
