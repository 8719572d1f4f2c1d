package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tandem.http.HeadLimits;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
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
                            n -> heads(h -> h.withHeadMax(1_048_576).withRequestLineMax(n))),
                    new Bound("headMax", 8_194, 1_048_576, n -> heads(h -> h.withHeadMax(n))),
                    new Bound("headersMax", 1, 10_000, n -> heads(h -> h.withHeadersMax(n))),
                    new Bound("trailersMax", 2, 1_048_576, n -> heads(h -> h.withTrailersMax(n))),
                    new Bound("chunks.lineMax", 16, 65_536, n -> chunks(c -> c.withLineMax(n))),
                    new Bound(
                            "chunks.extensionsMax",
                            0,
                            1_048_576,
                            n -> chunks(c -> c.withExtensionsMax(n))));

    private static Http1Limits heads(UnaryOperator<HeadLimits> change) {
        return DEFAULT.withHeads(change);
    }

    private static Http1Limits chunks(UnaryOperator<ChunkLimits> change) {
        return DEFAULT.withChunks(change);
    }

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
        assertEquals(message(bound, bound.least - 1), rejection(bound, bound.least - 1));
    }

    @ParameterizedTest
    @FieldSource("BOUNDS")
    void valueAboveMaximumThrows(Bound bound) {
        assertEquals(message(bound, bound.most + 1), rejection(bound, bound.most + 1));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 1L << 60})
    void largestChunkSizeDoesNotOverflow(long size) {
        var error =
                assertThrows(
                        IllegalArgumentException.class, () -> chunks(c -> c.withSizeMax(size)));
        assertEquals(
                "chunks.sizeMax must be 1.." + ((1L << 60) - 1) + ", was " + size,
                error.getMessage());
    }

    @Test
    void headMaxIncludesRequestLineMax() {
        assertThrows(
                IllegalArgumentException.class,
                () -> heads(h -> h.withRequestLineMax(h.headMax() - 1)));
    }

    private static int value(Bound bound, Http1Limits limits) {
        HeadLimits heads = limits.heads();
        return switch (bound.name) {
            case "requestLineMax" -> heads.requestLineMax();
            case "headMax" -> heads.headMax();
            case "headersMax" -> heads.headersMax();
            case "trailersMax" -> heads.trailersMax();
            case "chunks.lineMax" -> limits.chunks().lineMax();
            case "chunks.extensionsMax" -> limits.chunks().extensionsMax();
            default -> throw new AssertionError(bound.name);
        };
    }

    private static @Nullable String rejection(Bound bound, int value) {
        return assertThrows(IllegalArgumentException.class, () -> bound.with.apply(value))
                .getMessage();
    }

    private static String message(Bound bound, int value) {
        return "%s must be %d..%d, was %d".formatted(bound.name, bound.least, bound.most, value);
    }
}
