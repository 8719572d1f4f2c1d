package dev.tandem.http.h1;

import java.util.Arrays;
import java.util.Optional;
import java.util.Random;

/// Generates valid and slightly corrupted chunked bodies, and checks the invariants of a decoder:
///
/// - it never throws;
/// - it accepts what [ChunkModel] accepts, with the same bytes and trailers, and nothing else;
/// - it consumes no byte after the end of the body;
/// - the result does not depend on how the input is split, nor on the size of the output.
///
/// A failure names the seed of its body: `ChunkFuzz.one(seed, subject)` repeats it.
final class ChunkFuzz {
    /// Small, so that bodies approach them.
    static final Http1Limits LIMITS =
            Http1Limits.DEFAULT
                    .withHeads(
                            h ->
                                    h.withRequestLineMax(64)
                                            .withHeadMax(320)
                                            .withHeadersMax(4)
                                            .withTrailersMax(64))
                    .withChunks(c -> c.withLineMax(32).withExtensionsMax(64));

    private static final String[] EXTENSIONS = {
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        ";a",
        ";a=b",
        " ; a = \"b;c\"",
        ";a=\"\\\"\"",
        ";a;b;c=1",
        ";a=\"",
        ";",
        " ",
        ";long=" + "x".repeat(20)
    };
    private static final String[] TRAILERS = {
        "X: y",
        "X-Sum:  42 ",
        "X:",
        "Cookie: a=b",
        "Content-Length: 5",
        "Host: b",
        "X y: z",
        "Long: " + "x".repeat(30)
    };

    /// A decoder under test.
    @FunctionalInterface
    interface Subject {
        /// Returns the result for `wire`, passed in pieces that end at the `cuts` and at the end,
        /// and read in pieces of at most `capacity` bytes.
        SplitInput.BodyReading read(String wire, int capacity, int... cuts);
    }

    private ChunkFuzz() {}

    /// The decoder of the module.
    static SplitInput.BodyReading decode(String wire, int capacity, int... cuts) {
        return SplitInput.BodyReading.of(
                new ChunkedDecoder(LIMITS), capacity, SplitInput.bytes(wire), cuts);
    }

    /// Tries `rounds` bodies.
    ///
    /// @throws AssertionError at the first failure, with its seed
    static void run(long seed, int rounds, Subject subject) {
        var seeds = new Random(seed);
        for (int i = 0; i < rounds; i++) {
            one(seeds.nextLong(), subject);
        }
    }

    /// Tries the one body of that seed.
    static void one(long seed, Subject subject) {
        var random = new Random(seed);
        String wire = wire(random);
        try {
            check(wire, random, subject);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + "L: " + SplitInput.visible(wire), e);
        }
    }

    /// Tries a given body.
    static void check(String wire, Random random, Subject subject) {
        SplitInput.BodyReading whole = subject.read(wire, 64);
        Optional<SplitInput.BodyReading> model = ChunkModel.read(LIMITS, wire);
        if (model.isPresent() || whole.end().equals("done")) {
            require(model.isPresent() && model.get().equals(whole), whole, model);
        }
        for (int i = 0; i < 3; i++) {
            int[] cuts = random.ints(1 + i * i, 0, wire.length() + 1).sorted().toArray();
            SplitInput.BodyReading inPieces = subject.read(wire, 1 + random.nextInt(9), cuts);
            require(inPieces.equals(whole), whole, inPieces + " cut at " + Arrays.toString(cuts));
        }
    }

    private static void require(boolean holds, Object found, Object expected) {
        if (!holds) {
            throw new AssertionError("found " + found + " against " + expected);
        }
    }

    private static String wire(Random random) {
        var wire = new StringBuilder();
        for (int chunks = random.nextInt(4); chunks > 0; chunks--) {
            int size = 1 + random.nextInt(random.nextInt(8) == 0 ? 300 : 20);
            wire.append(size(size, random)).append(of(EXTENSIONS, random)).append("\r\n");
            for (int i = 0; i < size; i++) {
                wire.append((char) random.nextInt(256));
            }
            wire.append("\r\n");
        }
        wire.append("0".repeat(1 + random.nextInt(3))).append(of(EXTENSIONS, random));
        wire.append("\r\n");
        for (int trailers = random.nextInt(6) - 2; trailers > 0; trailers--) {
            wire.append(of(TRAILERS, random)).append("\r\n");
        }
        String made = wire + "\r\n" + (random.nextBoolean() ? "" : "GET /next");
        for (int spoilt = random.nextInt(4); spoilt > 0; spoilt--) {
            made = Mutation.of(made, random);
        }
        return made;
    }

    /// Upper or lower case, with or without leading zeros, or with an invalid sign.
    private static String size(int size, Random random) {
        String digits = Integer.toHexString(size);
        return switch (random.nextInt(8)) {
            case 0 -> digits.toUpperCase(java.util.Locale.ROOT);
            case 1 -> "000" + digits;
            case 2 -> "+" + digits;
            default -> digits;
        };
    }

    private static String of(String[] choices, Random random) {
        return choices[random.nextInt(choices.length)];
    }
}
