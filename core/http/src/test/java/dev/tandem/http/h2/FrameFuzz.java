package dev.tandem.http.h2;

import java.util.Arrays;
import java.util.Random;

/// Generates the input of a connection, valid and slightly corrupted, and checks the invariants of
/// a decoder:
///
/// - it never throws;
/// - it reports the events of [FrameModel], and nothing after a connection error;
/// - the events do not depend on how the input is split.
///
/// A failure names the seed of its input: `FrameFuzz.one(seed, subject)` repeats it.
final class FrameFuzz {
    /// Small, so that input approaches them.
    static final Http2Limits LIMITS = new Http2Limits(8, 16_384, 2);

    private static final SplitFrames SERVER = new SplitFrames(Role.SERVER, Settings.SERVER, LIMITS);

    /// A decoder under test.
    @FunctionalInterface
    interface Subject {
        /// Returns the events of input that is passed in pieces that end at the cuts and at the
        /// end.
        String decode(byte[] input, int... cuts);
    }

    private FrameFuzz() {}

    /// The decoder of the module.
    static String decode(byte[] input, int... cuts) {
        return SERVER.decode(input, cuts);
    }

    /// Tries `rounds` connections.
    ///
    /// @throws AssertionError at the first failure, with its seed
    static void run(long seed, int rounds, Subject subject) {
        var seeds = new Random(seed);
        for (int i = 0; i < rounds; i++) {
            one(seeds.nextLong(), subject);
        }
    }

    /// Tries the one input of that seed.
    static void one(long seed, Subject subject) {
        var random = new Random(seed);
        byte[] input = input(random);
        try {
            check(input, random, subject);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + "L: " + Hex.of(input), e);
        }
    }

    static void check(byte[] input, Random random, Subject subject) {
        String whole = subject.decode(input);
        String model = FrameModel.read(input, LIMITS);
        require(withoutReasons(whole).equals(withoutReasons(model)), whole, model);
        for (int i = 0; i < 3; i++) {
            int[] cuts = random.ints(1 + i * i * i, 0, input.length + 1).sorted().toArray();
            String inPieces = subject.decode(input, cuts);
            require(inPieces.equals(whole), whole, inPieces + " cut at " + Arrays.toString(cuts));
        }
    }

    /// The model has no reasons; content of frames may look like one.
    private static String withoutReasons(String events) {
        return events.replaceAll("(?m)^(error [A-Z_]+): .*", "$1");
    }

    private static void require(boolean holds, Object found, Object expected) {
        if (!holds) {
            throw new AssertionError("found\n" + found + "\nagainst\n" + expected);
        }
    }

    static byte[] input(Random random) {
        Frames frames = Frames.preface().settings();
        for (int i = random.nextInt(8); i > 0; i--) {
            add(frames, random);
        }
        byte[] input = frames.bytes();
        for (int spoilt = Math.max(0, random.nextInt(6) - 3); spoilt > 0; spoilt--) {
            input = corrupted(input, random);
        }
        return input;
    }

    private static void add(Frames frames, Random random) {
        int stream = 1 + random.nextInt(4);
        int flags = random.nextInt(8) == 0 ? random.nextInt(256) : random.nextInt(2);
        switch (random.nextInt(13)) {
            case 0, 1 -> frames.frame(Frames.DATA, flags, stream, bytes(random, 20));
            case 2 -> frames.frame(Frames.DATA, flags | Frames.PADDED, stream, padded(random));
            case 3, 4 -> block(frames, stream, flags, random);
            case 5 -> frames.settings(parameters(random));
            case 6 -> frames.frame(Frames.SETTINGS, Frames.ACK, 0, Frames.NOTHING);
            case 7 -> frames.frame(Frames.PING, flags, 0, exactly(random, 8));
            case 8 -> frames.frame(Frames.RST_STREAM, flags, stream, exactly(random, 4));
            case 9 ->
                    frames.frame(
                            Frames.WINDOW_UPDATE,
                            flags,
                            random.nextInt(3),
                            random.nextInt(4) == 0 ? new byte[4] : exactly(random, 4));
            case 10 -> frames.frame(Frames.PRIORITY, flags, stream, exactly(random, 5));
            case 11 -> frames.frame(random.nextInt(256), flags, stream, bytes(random, 30));
            default -> {
                if (random.nextBoolean()) {
                    frames.frame(Frames.GOAWAY, flags, 0, exactly(random, 8 + random.nextInt(9)));
                } else {
                    frames.frame(Frames.PRIORITY_UPDATE, flags, 0, Hex.bytes("00000001 753d31"));
                }
            }
        }
    }

    /// HEADERS, perhaps with padding, priority and CONTINUATION.
    private static void block(Frames frames, int stream, int flags, Random random) {
        byte[] block = random.nextInt(4) == 0 ? HpackFuzz.block(random) : Frames.GET;
        int end = flags & Frames.END_STREAM;
        if (random.nextInt(3) > 0) {
            frames.frame(Frames.HEADERS, end | Frames.END_HEADERS, stream, block);
            return;
        }
        int at = random.nextInt(block.length + 1);
        var payload = new Frames();
        int headersFlags = end;
        int padding = random.nextInt(3);
        if (random.nextBoolean()) {
            headersFlags |= Frames.PADDED;
            payload.raw(new byte[] {(byte) padding});
        } else {
            padding = 0;
        }
        if (random.nextBoolean()) {
            headersFlags |= Frames.HAS_PRIORITY;
            payload.raw(new byte[] {0, 0, 0, (byte) random.nextInt(6), 16});
        }
        payload.raw(Arrays.copyOf(block, at)).raw(new byte[padding]);
        frames.frame(Frames.HEADERS, headersFlags, stream, payload.bytes());
        for (int i = random.nextInt(3); i > 0; i--) {
            int next = at + random.nextInt(block.length - at + 1);
            frames.frame(Frames.CONTINUATION, 0, stream, Arrays.copyOfRange(block, at, next));
            at = next;
        }
        frames.frame(
                Frames.CONTINUATION,
                Frames.END_HEADERS,
                stream,
                Arrays.copyOfRange(block, at, block.length));
    }

    private static byte[] padded(Random random) {
        byte[] payload = bytes(random, 20);
        if (payload.length > 0) {
            payload[0] = (byte) random.nextInt(payload.length + (random.nextInt(9) == 0 ? 2 : 0));
        }
        return payload;
    }

    private static int[] parameters(Random random) {
        int[] parameters = new int[2 * random.nextInt(4)];
        for (int i = 0; i < parameters.length; i += 2) {
            parameters[i] = random.nextInt(11);
            parameters[i + 1] =
                    switch (random.nextInt(4)) {
                        case 0 -> random.nextInt();
                        case 1 -> 16_384 + random.nextInt(100);
                        default -> random.nextInt(2);
                    };
        }
        return parameters;
    }

    private static byte[] bytes(Random random, int most) {
        return exactly(random, random.nextInt(most + 1));
    }

    private static byte[] exactly(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /// Mostly behind the preface.
    private static byte[] corrupted(byte[] input, Random random) {
        if (input.length == 0) {
            return input;
        }
        boolean isBehind = input.length > Preface.LENGTH && random.nextInt(8) > 0;
        int from = isBehind ? Preface.LENGTH : 0;
        int at = from + random.nextInt(input.length - from);
        byte[] head = Arrays.copyOf(input, at);
        return switch (random.nextInt(5)) {
            case 0 -> new Frames().raw(head).raw(tail(input, at + 1)).bytes();
            case 1 -> new Frames().raw(head).raw(bytes(random, 3)).raw(tail(input, at)).bytes();
            case 2 -> head;
            default -> {
                byte[] changed = input.clone();
                int bit = 1 << random.nextInt(8);
                changed[at] = (byte) (random.nextBoolean() ? changed[at] ^ bit : random.nextInt());
                yield changed;
            }
        };
    }

    private static byte[] tail(byte[] input, int from) {
        return Arrays.copyOfRange(input, from, input.length);
    }
}
