package dev.tandem.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SessionSealTest {
    private static final byte[] KEY = "a key of thirty-two bytes, no less".getBytes();
    private static final long NOW = 1_800_000_000;

    private final SessionSeal seal = new SessionSeal(KEY, 3600);

    @Test
    void opensWhatItIssued() {
        assertEquals(OptionalLong.of(-42), seal.open(seal.issue(-42, NOW), NOW + 3600));
    }

    @Test
    void everyChangedCharacterBreaksIt() {
        String cookie = seal.issue(42, NOW);
        // The last character carries four unused bits less; all others count in full.
        for (int i = 0; i < cookie.length() - 1; i++) {
            char other = cookie.charAt(i) == 'A' ? 'B' : 'A';
            String forged = cookie.substring(0, i) + other + cookie.substring(i + 1);
            assertEquals(OptionalLong.empty(), seal.open(forged, NOW), "at " + i);
        }
    }

    @Test
    void opensNoOtherCookie() {
        for (String cookie :
                new String[] {
                    "", "x", "=".repeat(43), "é".repeat(43), "A".repeat(43), "A".repeat(44)
                }) {
            assertEquals(OptionalLong.empty(), seal.open(cookie, NOW), cookie);
        }
        var other = new SessionSeal("another key, as long as that".getBytes(), 3600);
        assertEquals(OptionalLong.empty(), seal.open(other.issue(42, NOW), NOW));
    }

    @Test
    void opensNeitherOldNorFutureCookies() {
        String cookie = seal.issue(42, NOW);
        assertEquals(OptionalLong.empty(), seal.open(cookie, NOW + 3601));
        assertEquals(OptionalLong.of(42), seal.open(cookie, NOW - 300), "another clock");
        assertEquals(OptionalLong.empty(), seal.open(cookie, NOW - 301));
    }

    @Test
    void rejectsAShortKeyAndNoAge() {
        assertThrows(IllegalArgumentException.class, () -> new SessionSeal(new byte[15], 1));
        assertThrows(IllegalArgumentException.class, () -> new SessionSeal(KEY, 0));
    }
}
