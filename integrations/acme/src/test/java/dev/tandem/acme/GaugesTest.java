package dev.tandem.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tandem.Gauge;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Gauges of several sources of one server, which may change. None is started; closing them is no
/// error, as after a server's start that failed.
class GaugesTest {
    @Test
    void gaugesReadTheSourcesOfTheMoment(@TempDir Path folder) throws IOException {
        var current = new AtomicReference<List<AcmeCertificates>>(List.of());
        List<Gauge> gauges = AcmeCertificates.gauges(current::get);
        for (Gauge gauge : gauges) {
            // One without a value is not shown.
            assertThrows(IllegalStateException.class, () -> gauge.value().getAsDouble());
        }
        try (var one = AcmeCertificates.open(AcmeSettings.of(folder, "a.example"));
                var two = AcmeCertificates.open(AcmeSettings.of(folder, "b.example"))) {
            current.set(List.of(one, two));
            for (Gauge gauge : gauges) {
                assertEquals(0, gauge.value().getAsDouble(), gauge.metric());
            }
        }
        current.set(List.of());
        assertThrows(IllegalStateException.class, () -> gauges.getFirst().value().getAsDouble());
    }
}
