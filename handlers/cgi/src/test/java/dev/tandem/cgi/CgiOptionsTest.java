package dev.tandem.cgi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CgiOptionsTest {
    private static Arguments rejected(String why, UnaryOperator<CgiOptions> change) {
        return Arguments.of(why, change);
    }

    static Stream<Arguments> refusals() {
        Duration second = Duration.ofSeconds(1);
        return Stream.of(
                rejected("processesMax must be 1..4096, was 0", o -> o.withProcessesMax(0)),
                rejected("queueMax must be 0..65536, was -1", o -> o.withQueue(-1, second)),
                rejected(
                        "queueWait must be PT0S to PT24H, was PT-1S",
                        o -> o.withQueue(1, second.negated())),
                rejected(
                        "inactivityTimeout must be PT0.001S to PT24H, was PT0S",
                        o -> o.withTimeouts(Duration.ZERO, second)),
                rejected(
                        "lifetimeMax must be PT0.001S to PT24H, was PT25H",
                        o -> o.withTimeouts(second, Duration.ofHours(25))),
                rejected("headMax must be 256..1048576, was 255", o -> o.withHeadMax(255)),
                rejected(
                        "a variable's name must consist of letters, digits and _, was 'A=B'",
                        o -> o.withEnvironment(List.of("A=B"), Map.of())),
                rejected(
                        "a variable's value must not contain NUL",
                        o -> o.withEnvironment(List.of(), Map.of("A", "\0"))));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void valueOutOfRangeIsNamed(String why, UnaryOperator<CgiOptions> change) {
        var error =
                assertThrows(
                        IllegalArgumentException.class, () -> change.apply(CgiOptions.DEFAULT));
        assertEquals(why, error.getMessage());
    }

    @Test
    void eachWitherChangesItsValue() {
        var options =
                CgiOptions.DEFAULT
                        .withProcessesMax(3)
                        .withQueue(4, Duration.ofSeconds(5))
                        .withTimeouts(Duration.ofSeconds(6), Duration.ofSeconds(7))
                        .withHeadMax(888)
                        .withEnvironment(List.of("A"), Map.of("B", "C"))
                        .withDocumentRoot(Path.of("/d"))
                        .withPassingAuthorization(true)
                        .withFollowingLinks(false);
        assertEquals(
                new CgiOptions(
                        3,
                        4,
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(6),
                        Duration.ofSeconds(7),
                        888,
                        List.of("A"),
                        Map.of("B", "C"),
                        Path.of("/d"),
                        true,
                        false),
                options);
    }
}
