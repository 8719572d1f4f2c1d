package dev.tandem.http.h1;

import java.util.Random;

/// Corrupts bytes slightly, at positions where parsers fail.
final class Mutation {
    private static final String[] PIECES = {
        "\r",
        "\n",
        "\r\n",
        "\r\n\r\n",
        "\0",
        " ",
        "\t",
        ":",
        ",",
        ";",
        "+",
        "-",
        "0",
        "9",
        "\"",
        "\\",
        "%",
        "%41",
        "%2",
        "/",
        "[",
        "]",
        "\u000b",
        "\u007f",
        "\u0080",
        "\u00a0",
        "\u00ff",
        "f",
        "x",
        "0x",
        "chunked",
        "Host: b",
        "\r\n ",
        "\u0016",
        "=",
        "(",
        "99999999999999999999"
    };

    private Mutation() {}

    static String of(String wire, Random random) {
        int from = random.nextInt(wire.length() + 1);
        int to = Math.min(wire.length(), from + 1 + random.nextInt(3));
        String before = wire.substring(0, from);
        String after = wire.substring(to);
        String piece = PIECES[random.nextInt(PIECES.length)];
        return switch (random.nextInt(5)) {
            case 0 -> before + after;
            case 1 -> before + piece + after;
            case 2 -> before + piece + wire.substring(from);
            case 3 -> before + wire.substring(from, to) + wire.substring(from);
            default -> before + (char) random.nextInt(256) + after;
        };
    }
}
