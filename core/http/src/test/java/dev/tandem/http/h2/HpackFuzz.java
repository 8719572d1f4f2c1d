package dev.tandem.http.h2;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Generates the header blocks of a connection, valid and corrupted ones, and checks that a decoder
/// has the same result for each as another implementation, Netty's.
///
/// A failure names the seed of its connection: `HpackFuzz.one(seed, subject)` repeats it.
final class HpackFuzz {
    private static final int BLOCKS = 12;

    private static final String[] NAMES = {
        ":method",
        ":path",
        ":status",
        "a",
        "b",
        "cookie",
        "x-own",
        "content-type",
        "host",
        "te",
        "Upper",
        "x y",
        "accept-encoding",
        "x-long-name-that-is-long",
        "\u00e4"
    };

    private static final String[] VALUES = {
        "",
        "a",
        "GET",
        "/",
        "200",
        "gzip, deflate",
        "value",
        "0123456789",
        "text/html",
        "long value ".repeat(12),
        "\u00ff\u0001\r\n",
        "v".repeat(1_500)
    };

    /// Makes the decoder of a connection.
    @FunctionalInterface
    interface Subject {
        HpackPeers.Decoder decoder();
    }

    private HpackFuzz() {}

    /// Tries `rounds` connections.
    ///
    /// @throws AssertionError at the first failure, with its seed
    static void run(long seed, int rounds, Subject subject) {
        var seeds = new Random(seed);
        for (int i = 0; i < rounds; i++) {
            one(seeds.nextLong(), subject);
        }
    }

    /// Tries the one connection of that seed.
    static void one(long seed, Subject subject) {
        var random = new Random(seed);
        HpackPeers.Decoder decoder = subject.decoder();
        HpackPeers.Decoder other = HpackPeers.netty();
        List<String> result = List.of();
        for (int i = 0; i < BLOCKS && !result.equals(HpackPeers.MALFORMED); i++) {
            byte[] block = block(random);
            try {
                result = decoder.decode(block);
                List<String> expected = HpackPeers.pseudoFirst(other.decode(block));
                if (!HpackPeers.pseudoFirst(result).equals(expected)) {
                    throw new AssertionError("found\n" + result + "\nagainst\n" + expected);
                }
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + "L: block " + i + " " + Hex.of(block), e);
            }
        }
    }

    static byte[] block(Random random) {
        var block = new HeaderBlock();
        for (int updates = random.nextInt(8) - 6; updates > 0; updates--) {
            block.integer(0x20, 5, random.nextInt(5) == 0 ? 0 : random.nextInt(4_097));
        }
        for (int fields = random.nextInt(7); fields > 0; fields--) {
            field(block, random);
        }
        byte[] bytes = block.copy();
        for (int spoilt = Math.max(0, random.nextInt(10) - 7); spoilt > 0; spoilt--) {
            bytes = corrupted(bytes, random);
        }
        return bytes;
    }

    private static void field(HeaderBlock block, Random random) {
        // Most tables have few entries.
        int index = random.nextInt(20) == 0 ? 200 : 1 + random.nextInt(61 + random.nextInt(6));
        switch (random.nextInt(5)) {
            case 0 -> block.integer(0x80, 7, random.nextInt(100) == 0 ? 0 : index);
            case 1 -> literal(block, 0x00, 4, index, random);
            case 2 -> literal(block, 0x10, 4, index, random);
            case 3 -> literal(block, 0x40, 6, index, random);
            default -> literal(block, 0x40, 6, 0, random);
        }
    }

    private static void literal(
            HeaderBlock block, int pattern, int prefix, int index, Random random) {
        boolean isNamed = index > 0 && random.nextBoolean();
        block.integer(pattern, prefix, isNamed ? index : 0);
        if (!isNamed) {
            string(block, NAMES[random.nextInt(NAMES.length)], random);
        }
        string(block, VALUES[random.nextInt(VALUES.length)], random);
    }

    private static void string(HeaderBlock block, String text, Random random) {
        if (random.nextBoolean()) {
            block.string(text);
            return;
        }
        byte[] bytes = Hex.latin1(text);
        block.integer(0, 7, bytes.length);
        block.put(bytes);
    }

    private static byte[] corrupted(byte[] block, Random random) {
        if (block.length == 0) {
            return new byte[] {(byte) random.nextInt(256)};
        }
        int at = random.nextInt(block.length);
        var changed = new ByteArrayOutputStream();
        changed.write(block, 0, at);
        switch (random.nextInt(4)) {
            case 0 -> changed.write(block, at + 1, block.length - at - 1);
            case 1 -> {
                changed.write(random.nextInt(256));
                changed.write(block, at, block.length - at);
            }
            case 2 -> {} // truncated
            default -> {
                changed.write(block[at] ^ 1 << random.nextInt(8));
                changed.write(block, at + 1, block.length - at - 1);
            }
        }
        return changed.toByteArray();
    }

    /// Returns the lists of a connection that valid messages have, without pseudo-headers.
    static List<List<Map.Entry<String, String>>> lists(Random random) {
        String[] names = {
            "accept",
            "cookie",
            "x-own",
            "content-type",
            "server",
            "etag",
            "set-cookie",
            "x-b",
            "authorization",
            "vary",
            "cache-control",
            "x-c"
        };
        String[] values = {
            "a",
            "0",
            "private",
            "text/html;charset=utf-8",
            "0123456789".repeat(8),
            "Mozilla/5.0 (X11; Linux x86_64)",
            "{\"a\": [1]}",
            "~^`|\\",
            "\u00e4\u00ff"
        };
        var lists = new ArrayList<List<Map.Entry<String, String>>>();
        for (int i = 0; i < BLOCKS; i++) {
            var list = new ArrayList<Map.Entry<String, String>>();
            for (int fields = 1 + random.nextInt(12); fields > 0; fields--) {
                list.add(
                        Map.entry(
                                names[random.nextInt(names.length)],
                                values[random.nextInt(values.length)]));
            }
            lists.add(list);
        }
        return lists;
    }
}
