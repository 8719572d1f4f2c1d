package dev.tandem.fastcgi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.FuzzCorpus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Fuzz target: what a FastCGI application sends for the request 1. The streams' content does not
/// depend on how the input is split, is shorter than the input, and nothing is read after the end.
public final class RecordsTarget {
    private RecordsTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        assertEquals(read(input), read(input, FuzzCorpus.cuts(input)));
    }

    private static String read(byte[] input, int... cuts) {
        var content = new Content();
        var reader = new RecordReader(1);
        int from = 0;
        int consumed = 0;
        for (int i = 0; i <= cuts.length; i++) {
            int to = i < cuts.length ? cuts[i] : input.length;
            var piece = ByteBuffer.wrap(input.clone(), from, to - from);
            try {
                reader.read(piece, content);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            consumed += piece.position() - from;
            from = to;
        }
        assertTrue(content.length() <= input.length, "more content than input");
        String end = reader.isComplete() ? "complete after " + consumed : "" + reader.error();
        return content + "\n" + end;
    }

    private static final class Content implements RecordReader.Streams {
        private final StringBuilder output = new StringBuilder();
        private final StringBuilder errors = new StringBuilder();

        @Override
        public void output(byte[] bytes, int from, int to) {
            output.append(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
        }

        @Override
        public void errors(byte[] bytes, int from, int to) {
            errors.append(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
        }

        int length() {
            return output.length() + errors.length();
        }

        @Override
        public String toString() {
            return output + "\n" + errors;
        }
    }
}
