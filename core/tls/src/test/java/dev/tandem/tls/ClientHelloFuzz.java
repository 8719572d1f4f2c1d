package dev.tandem.tls;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;

/// Generates valid and slightly corrupted ClientHello messages, and checks the invariants of a
/// reader:
///
/// - it never throws;
/// - it reads a valid one with its original content;
/// - the result does not depend on how the input is split, nor on the records;
/// - of a valid one it consumes exactly the message.
///
/// A failure names the seed of its message: `ClientHelloFuzz.one(seed, subject)` repeats it.
final class ClientHelloFuzz {
    private static final String[] NAMES = {"", "a.example", "x", "*.y"};
    private static final String[] SUITES = {"1301", "c02b c02f", "c02f", "1301 1302 c02c"};

    /// A reader under test.
    @FunctionalInterface
    interface Subject {
        /// Returns the result for `wire`, passed in pieces that end at the `cuts` and at the end:
        /// the message as a string and its length, or the status and the reason.
        String read(byte[] wire, int... cuts);
    }

    private ClientHelloFuzz() {}

    /// The reader of the module.
    static String read(byte[] wire, int... cuts) {
        var reader = new ClientHelloReader();
        int from = 0;
        int consumed = 0;
        for (int cut : cuts) {
            var piece = ByteBuffer.wrap(wire, from, cut - from);
            reader.read(piece);
            consumed += piece.position() - from;
            from = cut;
        }
        var rest = ByteBuffer.wrap(wire, from, wire.length - from);
        ClientHelloReader.Status status = reader.read(rest);
        consumed += rest.position() - from;
        return switch (status) {
            case COMPLETE -> reader.hello() + " in " + consumed;
            case INVALID -> reader.failure() + " " + reader.alert();
            case INCOMPLETE -> "INCOMPLETE";
        };
    }

    static void run(long seed, int rounds, Subject subject) {
        var seeds = new Random(seed);
        for (int i = 0; i < rounds; i++) {
            one(seeds.nextLong(), subject);
        }
    }

    static void one(long seed, Subject subject) {
        var random = new Random(seed);
        byte[] message = message(random);
        byte[] wire = ClientHellos.records(message, 1 + random.nextInt(message.length));
        try {
            checkValid(random, wire, message, subject);
            byte[] spoilt = spoilt(wire, random);
            checkPieces(spoilt, random, subject);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + "L: " + HexFormat.of().formatHex(wire), e);
        }
    }

    private static void checkValid(Random random, byte[] wire, byte[] message, Subject subject) {
        String whole = subject.read(wire);
        require(whole.startsWith("ClientHello["), whole, "a hello");
        require(whole.endsWith(" in " + wire.length), whole, wire.length);
        require(whole.contains(expected(message)), whole, expected(message));
        checkPieces(wire, random, subject);
        byte[] more = ClientHellos.join(wire, new byte[] {20, 3, 3, 0, 1, 1});
        require(subject.read(more).equals(whole), subject.read(more), whole);
    }

    private static void checkPieces(byte[] wire, Random random, Subject subject) {
        String whole = subject.read(wire);
        for (int i = 0; i < 3; i++) {
            int[] cuts = random.ints(1 + i * i, 0, wire.length + 1).sorted().toArray();
            String inPieces = subject.read(wire, cuts);
            require(inPieces.equals(whole), inPieces, whole);
        }
    }

    /// The content of the last extension, which describes how the message was generated; see
    /// [#message].
    private static String expected(byte[] message) {
        boolean hasKey = message[message.length - 1] == 1;
        return "hasPreSharedKey=" + hasKey;
    }

    private static byte[] message(Random random) {
        var hellos = new ClientHellos();
        hellos.suites = SUITES[random.nextInt(SUITES.length)];
        hellos.sessionId = new byte[random.nextInt(33)];
        String name = NAMES[random.nextInt(NAMES.length)];
        if (!name.isEmpty()) {
            hellos.name(name);
        }
        for (String extension : new String[] {"04 0304 0303", "02 0303"}) {
            if (random.nextInt(3) == 0) {
                hellos.with(43, extension);
                break;
            }
        }
        if (random.nextBoolean()) {
            hellos.with(13, "0004 0403 0804").with(16, "0003 02 6832");
        }
        hellos.with(0x1a1a, new byte[random.nextInt(40)]);
        return (random.nextBoolean() ? hellos.with(41, "0001") : hellos.with(23, "00")).message();
    }

    private static byte[] spoilt(byte[] wire, Random random) {
        byte[] made = wire;
        for (int i = random.nextInt(4); i > 0; i--) {
            int at = random.nextInt(made.length);
            made =
                    switch (random.nextInt(4)) {
                        case 0 -> with(made, at, (byte) random.nextInt(256));
                        case 1 -> with(made, at, (byte) (made[at] + 1 - 2 * random.nextInt(2)));
                        case 2 -> Arrays.copyOf(made, at + 1);
                        default ->
                                ClientHellos.join(
                                        Arrays.copyOf(made, at),
                                        Arrays.copyOfRange(made, at / 2, made.length));
                    };
        }
        return made;
    }

    private static byte[] with(byte[] bytes, int at, byte value) {
        byte[] copy = bytes.clone();
        copy[at] = value;
        return copy;
    }

    private static void require(boolean holds, Object found, Object expected) {
        if (!holds) {
            throw new AssertionError("found " + found + " against " + expected);
        }
    }
}
