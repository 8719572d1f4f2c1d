package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class Http1LimitsTest {
    private static final Http1Limits DEFAULT = Http1Limits.DEFAULT;

    private record Bound(String name, int least, int most, IntFunction<Http1Limits> with) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final List<Bound> BOUNDS =
            List.of(
                    // The default headMax limits the request line before its own maximum of 65,536
                    // does.
                    new Bound(
                            "requestLineMax",
                            16,
                            65_536,
                            n -> DEFAULT.withHeadMax(1_048_576).withRequestLineMax(n)),
                    new Bound("headMax", 8_194, 1_048_576, DEFAULT::withHeadMax),
                    new Bound("fieldsMax", 1, 10_000, DEFAULT::withHeadersMax),
                    new Bound("chunkLineMax", 16, 65_536, DEFAULT::withChunkLineMax),
                    new Bound("chunkExtensionsMax", 0, 1_048_576, DEFAULT::withChunkExtensionsMax),
                    new Bound("trailersMax", 2, 1_048_576, DEFAULT::withTrailersMax));

    @ParameterizedTest
    @FieldSource("BOUNDS")
    void minimumIsAccepted(Bound bound) {
        assertEquals(bound.least, value(bound, bound.with.apply(bound.least)));
    }

    @ParameterizedTest
    @FieldSource("BOUNDS")
    void maximumIsAccepted(Bound bound) {
        assertEquals(bound.most, value(bound, bound.with.apply(bound.most)));
    }

    @ParameterizedTest
    @FieldSource("BOUNDS")
    void valueBelowMinimumThrows(Bound bound) {
        assertEquals(message(bound, bound.least - 1), refusal(bound, bound.least - 1));
    }

    @ParameterizedTest
    @FieldSource("BOUNDS")
    void valueAboveMaximumThrows(Bound bound) {
        assertEquals(message(bound, bound.most + 1), refusal(bound, bound.most + 1));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 1L << 60})
    void largestChunkSizeDoesNotOverflow(long size) {
        var error = assertThrows(IllegalArgumentException.class, () -> DEFAULT.withChunkMax(size));
        assertEquals(
                "chunkMax must be 1.." + ((1L << 60) - 1) + ", was " + size, error.getMessage());
    }

    @Test
    void headMaxIncludesRequestLineMax() {
        assertThrows(
                IllegalArgumentException.class,
                () -> DEFAULT.withRequestLineMax(DEFAULT.headMax() - 1));
    }

    private static int value(Bound bound, Http1Limits limits) {
        return switch (bound.name) {
            case "requestLineMax" -> limits.requestLineMax();
            case "headMax" -> limits.headMax();
            case "fieldsMax" -> limits.headersMax();
            case "chunkLineMax" -> limits.chunkLineMax();
            case "chunkExtensionsMax" -> limits.chunkExtensionsMax();
            case "trailersMax" -> limits.trailersMax();
            default -> throw new AssertionError(bound.name);
        };
    }

    private static @Nullable String refusal(Bound bound, int value) {
        return assertThrows(IllegalArgumentException.class, () -> bound.with.apply(value))
                .getMessage();
    }

    private static String message(Bound bound, int value) {
        return "%s must be %d..%d, was %d".formatted(bound.name, bound.least, bound.most, value);
    }
}
