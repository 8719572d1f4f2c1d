package dev.tandem.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class UpstreamOptionsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    static Stream<Arguments> outOfRange() {
        return Stream.of(
                change("connectTimeout", o -> o.withConnectTimeout(Duration.ZERO)),
                change("responseTimeout", o -> o.withResponseTimeout(Duration.ZERO)),
                change(
                        "inactivityTimeout",
                        o -> o.withInactivityTimeout(Duration.ofDays(1).plusNanos(1))),
                change("connectionsMax", o -> o.withConnectionsMax(0)),
                change("connectionsMax", o -> o.withConnectionsMax(65_537)),
                change("idleConnectionsMax", o -> o.withIdleConnectionsMax(-1)),
                change("idleTimeout", o -> o.withIdleTimeout(Duration.ZERO)),
                change("failuresMax", o -> o.withFailuresMax(0)),
                change("downTime", o -> o.withDownTime(Duration.ofDays(2))));
    }

    private static Arguments change(String name, UnaryOperator<UpstreamOptions> change) {
        return Arguments.of(name, change);
    }

    @ParameterizedTest
    @MethodSource("outOfRange")
    void valueOutOfRangeIsNamed(String name, UnaryOperator<UpstreamOptions> change) {
        var error =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> change.apply(UpstreamOptions.DEFAULT));
        String message = String.valueOf(error.getMessage());
        assertTrue(message.startsWith(name + " must be "), message);
    }

    @ParameterizedTest
    @CsvSource({
        "8_388_608, 32",
        "33_554_432, 128",
        "67_108_864, 256",
        "68_719_476_736, 256",
        "1, 1",
    })
    void connectionsHoldAQuarterOfTheHeapAtMost(String heapMax, int connections) {
        assertEquals(
                connections,
                UpstreamOptions.connectionsFor(Long.parseLong(heapMax.replace("_", ""))));
    }

    @Test
    void eachWitherChangesItsValuesOnly() {
        var expected =
                new UpstreamOptions(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(3),
                        4,
                        5,
                        Duration.ofSeconds(6),
                        7,
                        Duration.ofSeconds(8));
        var changed =
                UpstreamOptions.DEFAULT
                        .withConnectTimeout(Duration.ofSeconds(1))
                        .withResponseTimeout(Duration.ofSeconds(2))
                        .withInactivityTimeout(Duration.ofSeconds(3))
                        .withConnectionsMax(4)
                        .withIdleConnectionsMax(5)
                        .withIdleTimeout(Duration.ofSeconds(6))
                        .withFailuresMax(7)
                        .withDownTime(Duration.ofSeconds(8));
        assertEquals(expected, changed);
    }
}
