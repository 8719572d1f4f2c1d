package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.tandem.load.Tls;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScalingExperimentTest {
    private static final List<String> SERVERS =
            List.of(Contender.TANDEM, ScalingExperiment.SERVLETS, "nginx");

    /// A server that runs no code has files and TLS; the servlet is another server of Tandem's.
    @ParameterizedTest
    @CsvSource({
        "hello, tandem+nginx",
        "static1k, tandem+nginx",
        "db, tandem",
        "servlet, 'tandem, servlets'",
        "tls-full, tandem+nginx",
        "tls-resumed, tandem+nginx"
    })
    void eachRowIsMeasuredOnTheServersThatHaveIt(String name, String servers) {
        ScalingExperiment.Row row = ScalingExperiment.Row.of(name);
        assertEquals(servers, String.join("+", SERVERS.stream().filter(row::isOf).toList()));
    }

    @Test
    void onlyHandshakesHaveAConnectionForEachRequest() {
        assertNull(ScalingExperiment.Row.of("hello").reuse());
        assertEquals(Tls.Reuse.NONE, ScalingExperiment.Row.of("tls-full").reuse());
        assertEquals(Tls.Reuse.ALL, ScalingExperiment.Row.of("tls-resumed").reuse());
    }
}
