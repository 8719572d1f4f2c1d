package dev.tandem.http;

import java.util.Random;

/// Generates hostile input: random fragments of a parser's syntax, mixed with random bytes. The
/// same seed generates the same input.
final class HostileInput {
    private final Random random;

    HostileInput(long seed) {
        random = new Random(seed);
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    String oneOf(String... fragments) {
        return fragments[random.nextInt(fragments.length)];
    }

    /// Returns up to `count` of the fragments, one in forty replaced by a random byte, as Latin-1.
    String of(int count, String... fragments) {
        var text = new StringBuilder();
        int length = random.nextInt(count + 1);
        for (int i = 0; i < length; i++) {
            if (random.nextInt(40) == 0) {
                text.append((char) random.nextInt(256));
            } else {
                text.append(oneOf(fragments));
            }
        }
        return text.toString();
    }
}
