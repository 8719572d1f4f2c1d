package dev.tandem.http.h1;

import java.util.Optional;
import java.util.Random;

/// Generates valid and slightly corrupted heads, and checks the invariants of a decoder:
///
/// - it never throws;
/// - it accepts what [HeadModel] accepts, with the same reading, and nothing else;
/// - a complete head is accepted or rejected, never incomplete;
/// - the result does not depend on how the input is split;
/// - an accepted head, written again in plain form, has the same result.
///
/// A failure names the seed of its head: `HeadFuzz.one(seed, subject)` repeats it.
final class HeadFuzz {
    /// Small, so that heads approach them.
    static final Http1Limits LIMITS =
            Http1Limits.DEFAULT
                    .withHeads(
                            h ->
                                    h.withRequestLineMax(64)
                                            .withHeadMax(320)
                                            .withHeadersMax(8)
                                            .withTrailersMax(64))
                    .withChunks(c -> c.withLineMax(32).withExtensionsMax(64));

    private static final String[] METHODS = {"GET", "POST", "HEAD", "PUT", "OPTIONS", "BREW", "x"};
    private static final String[] TARGETS = {
        "/", "*", "/a/b?c=d&e", "http://a.example/", "a:80", "/%2e%2e/x", "/" + "long".repeat(12)
    };
    private static final String[] VERSIONS = {
        "1.1", "1.1", "1.1", "1.1", "1.1", "1.1", "1.0", "1.0", "1.9", "2.0"
    };
    private static final String[] HOSTS = {
        "",
        "a",
        "a.example:8080",
        "[::1]",
        "[2001:db8::1]:80",
        "a%41b",
        "a:",
        "a:99999",
        "a b",
        "a,b"
    };
    private static final String[] FIELDS = {
        "Content-Length: 0",
        "Content-Length: 5",
        "Content-Length: +5",
        "Content-Length: 123",
        "Content-Length: 0x1f",
        "Content-Length : 5",
        "X\t: y",
        "Transfer-Encoding: chunked",
        "Transfer-Encoding: gzip, chunked",
        "Connection: close",
        "Connection: keep-alive",
        "Connection: x , Upgrade",
        "Upgrade: websocket",
        "Expect: 100-continue",
        "Expect: x",
        "Accept: */*",
        "X:",
        "X: a b",
        "Cookie: a=b; c=d",
        "If-None-Match: \"1\"",
        "Range: bytes=0-9",
        "A-Name-Of-Our-Own: \u00e9",
        "Long: " + "x".repeat(90)
    };

    /// A decoder under test.
    @FunctionalInterface
    interface Subject {
        /// Returns the result for `wire`, passed in pieces that end at the `cuts` and at the end:
        /// the [ParsedHead] as a string, or `INCOMPLETE`, or the error as a string.
        String read(String wire, int... cuts);
    }

    private HeadFuzz() {}

    /// The decoder of the module.
    static String decode(String wire, int... cuts) {
        return decode(LIMITS, wire, cuts);
    }

    static String decode(Http1Limits limits, String wire, int... cuts) {
        byte[] bytes = SplitInput.bytes(wire);
        var decoder = new RequestHeadDecoder(limits);
        for (int cut : cuts) {
            decoder.decode(bytes, 0, cut);
        }
        decoder.decode(bytes, 0, bytes.length);
        return SplitInput.description(decoder);
    }

    /// Tries `rounds` heads.
    ///
    /// @throws AssertionError at the first failure, with its seed
    static void run(long seed, int rounds, Subject subject) {
        var seeds = new Random(seed);
        for (int i = 0; i < rounds; i++) {
            one(seeds.nextLong(), subject);
        }
    }

    /// Tries the one head of that seed.
    static void one(long seed, Subject subject) {
        var random = new Random(seed);
        String wire = wire(random);
        try {
            check(wire, random, subject);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + "L: " + SplitInput.visible(wire), e);
        }
    }

    /// Tries a given head.
    static void check(String wire, Random random, Subject subject) {
        String whole = subject.read(wire);
        Optional<ParsedHead> model = new HeadModel(LIMITS).read(wire);
        if (model.isPresent() || whole.startsWith("ParsedHead")) {
            require(whole.equals(model.map(ParsedHead::toString).orElse("rejected")), whole, model);
        }
        boolean isComplete = wire.matches("(?s)(\r\n)*[^\r\n].*?\r\n\r\n.*");
        require(!isComplete || !whole.equals("INCOMPLETE"), whole, "a complete head");
        for (int i = 0; i < 3; i++) {
            int[] cuts = random.ints(1 + i * i, 0, wire.length() + 1).sorted().toArray();
            String inPieces = subject.read(wire, cuts);
            require(inPieces.equals(whole), whole, inPieces);
        }
        model.ifPresent(reading -> requireSameAgain(reading, subject));
    }

    private static void requireSameAgain(ParsedHead reading, Subject subject) {
        String again = reading.encoded();
        // Blanks that were omitted may be inserted again.
        if (again.length() <= LIMITS.heads().headMax()) {
            String expected = reading.withLength(again.length()).toString();
            String read = subject.read(again);
            require(read.equals(expected), read, expected);
        }
    }

    private static void require(boolean holds, Object found, Object expected) {
        if (!holds) {
            throw new AssertionError("found " + found + " against " + expected);
        }
    }

    static String wire(Random random) {
        var wire = new StringBuilder("\r\n".repeat(Math.max(0, random.nextInt(10) - 6)));
        wire.append(of(METHODS, random)).append(' ').append(of(TARGETS, random));
        wire.append(" HTTP/").append(of(VERSIONS, random)).append("\r\n");
        if (random.nextInt(10) > 0) {
            wire.append("Host: ").append(of(HOSTS, random)).append("\r\n");
        }
        int fields = random.nextInt(LIMITS.heads().headersMax() + 1);
        for (int i = 0; i < fields; i++) {
            wire.append(inSomeCase(of(FIELDS, random), random)).append("\r\n");
        }
        wire.append("\r\n");
        String made = wire + (random.nextBoolean() ? "" : "GET /next");
        for (int spoilt = random.nextInt(4); spoilt > 0; spoilt--) {
            made = Mutation.of(made, random);
        }
        return made;
    }

    private static String inSomeCase(String line, Random random) {
        var cased = new StringBuilder(line);
        for (int i = random.nextInt(3); i > 0; i--) {
            int at = random.nextInt(line.length());
            char c = line.charAt(at);
            boolean isLetter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
            cased.setCharAt(at, isLetter ? (char) (c ^ 0x20) : c);
        }
        return cased.toString();
    }

    private static String of(String[] choices, Random random) {
        return choices[random.nextInt(choices.length)];
    }
}
