package dev.tandem.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// When something is due, and what may be configured.
class RenewalTest {
    private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");

    @ParameterizedTest
    @CsvSource({"90, 60", "45, 30", "6, 4"})
    void isDueWhenAThirdIsLeft(int days, int due) {
        assertEquals(
                NOW.plus(Duration.ofDays(due)), Renewal.due(NOW, NOW.plus(Duration.ofDays(days))));
    }

    @ParameterizedTest
    @CsvSource({"90, 75", "6, 5"})
    void isDueWhenASixthIsLeftWhateverTheAuthoritySays(int days, int latest) {
        assertEquals(
                NOW.plus(Duration.ofDays(latest)),
                Renewal.latest(NOW, NOW.plus(Duration.ofDays(days))));
    }

    @ParameterizedTest
    @CsvSource({"P90D, PT6H", "P6D, PT6H", "P1D, PT1H", "PT24S, PT1S"})
    void authorityIsAskedOftenEnough(Duration life, Duration check) {
        assertEquals(NOW.plus(check), Renewal.check(NOW, NOW, NOW.plus(life)));
    }

    /// Let's Encrypt allows five failed proofs of a name in an hour.
    @Test
    void fewProofsInAnHour() {
        var proofs = new ArrayList<String>();
        Instant at = NOW;
        for (int failures = 0; at.isBefore(NOW.plus(Duration.ofHours(2))); failures++) {
            proofs.add(Duration.between(NOW, at).toMinutes() + " " + Renewal.proof(failures));
            at = Renewal.retry(at, failures + 1, null);
        }
        assertEquals(
                List.of("0 ANY", "1 TLS_ALPN_01", "5 HTTP_01", "21 TLS_ALPN_01", "85 ANY"), proofs);
        assertEquals(AcmeSettings.Proof.ANY, Renewal.proof(1_000_000));
    }

    @Test
    void retriesEverySixHoursAtLast() {
        assertEquals(NOW.plus(Renewal.DELAY_MAX), Renewal.retry(NOW, 1_000_000, null));
    }

    /// Longer would keep others from theirs where the limit is one name's.
    @Test
    void pausesForAnHourAtMost() {
        Instant soon = NOW.plusSeconds(90);
        assertEquals(soon, Renewal.pauseEnd(NOW, soon));
        assertEquals(
                NOW.plus(Duration.ofHours(1)), Renewal.pauseEnd(NOW, NOW.plus(Duration.ofDays(2))));
        assertEquals(NOW.plus(Renewal.DELAY_MIN), Renewal.pauseEnd(NOW, NOW.minusSeconds(9)));
    }

    @Test
    void authoritysTimeCounts() {
        Instant later = NOW.plus(Duration.ofDays(2));
        assertEquals(later, Renewal.retry(NOW, 1, later));
        assertEquals(NOW.plus(Renewal.DELAY_MIN), Renewal.retry(NOW, 1, NOW.minusSeconds(9)));
        assertEquals(
                NOW.plus(Duration.ofDays(7)), Renewal.retry(NOW, 1, NOW.plus(Duration.ofDays(99))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "*.example.org",
                "a..b",
                "-a.example.org",
                "a_b.example.org",
                "../../etc.passwd",
                "example.org/",
                "1.2.3.4",
                "example.org."
            })
    void namesThatAreNoPublicHosts(String name) {
        var e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> AcmeSettings.of(Path.of("acme"), name));
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains("'" + name + "'"), message);
    }

    @Test
    void namesAreInLowerCaseAndDistinct() {
        assertEquals(
                List.of("example.org"),
                AcmeSettings.of(Path.of("acme"), "Example.org", "EXAMPLE.ORG").names());
    }

    @Test
    void authorityNeedsHttp() {
        AcmeSettings settings = AcmeSettings.of(Path.of("acme"), "example.org");
        assertThrows(
                IllegalArgumentException.class,
                () -> settings.withDirectory(URI.create("ftp://example.org/")));
        assertThrows(IllegalArgumentException.class, () -> settings.withNames(List.of()).check());
    }
}
