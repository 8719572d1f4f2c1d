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

    static Stream<Arguments> rejections() {
        Duration second = Duration.ofSeconds(1);
        return Stream.of(
                rejected("processesMax must be 1..4096, was 0", o -> o.withProcessesMax(0)),
                rejected("queueMax must be 0..65536, was -1", o -> o.withQueueMax(-1)),
                rejected(
                        "queueWait must be PT0S to PT24H, was PT-1S",
                        o -> o.withQueueWait(second.negated())),
                rejected(
                        "inactivityTimeout must be PT0.001S to PT24H, was PT0S",
                        o -> o.withInactivityTimeout(Duration.ZERO)),
                rejected(
                        "lifetimeMax must be PT0.001S to PT24H, was PT25H",
                        o -> o.withLifetimeMax(Duration.ofHours(25))),
                rejected("headMax must be 256..1048576, was 255", o -> o.withHeadMax(255)),
                rejected(
                        "a variable's name must consist of letters, digits and _, was 'A=B'",
                        o -> o.withInherited(List.of("A=B"))),
                rejected(
                        "a variable's value must not contain NUL",
                        o -> o.withVariables(Map.of("A", "\0"))));
    }

    @ParameterizedTest
    @MethodSource("rejections")
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
                        .withQueueMax(4)
                        .withQueueWait(Duration.ofSeconds(5))
                        .withInactivityTimeout(Duration.ofSeconds(6))
                        .withLifetimeMax(Duration.ofSeconds(7))
                        .withHeadMax(888)
                        .withInherited(List.of("A"))
                        .withVariables(Map.of("B", "C"))
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
