package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.FuzzCorpus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/// Fuzz target: a multipart form with the boundary `b`. The parts do not depend on how the input is
/// split; together they are shorter than the input; the only failure is a response to the client.
public final class MultipartTarget {
    /// Small, so that inputs approach them; no part is stored on disk.
    private static final FormLimits LIMITS =
            FormLimits.DEFAULT.withPartsMax(6).withPartMaxBytes(200).withTotalMaxBytes(2_000);

    private MultipartTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Random random = FuzzCorpus.random(input);
        String whole = read(input, Integer.MAX_VALUE, Integer.MAX_VALUE);
        assertEquals(whole, read(input, 1 + random.nextInt(40), 1 + random.nextInt(9)));
    }

    private static String read(byte[] input, int first, int others) {
        var description = new StringBuilder();
        long total = 0;
        try (var form =
                Form.read(
                        "multipart/form-data; boundary=b",
                        new PiecewiseStream(input, first, others),
                        LIMITS)) {
            for (Part part : form.parts()) {
                byte[] content = part.open().readAllBytes();
                total += content.length;
                description.append(part.name()).append(' ').append(part.fileName()).append(' ');
                description.append(new String(content, StandardCharsets.ISO_8859_1)).append('\n');
            }
            assertTrue(total < input.length, "more content than input");
            return description.toString();
        } catch (HttpException e) {
            assertTrue(e.status() == 400 || e.status() == 413, e::toString);
            return e.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
