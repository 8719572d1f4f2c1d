package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class FormLimitsTest {
    private static final String TYPE = "multipart/form-data; boundary=XyZ";

    @Test
    void messageNamesLimitOutOfRange() {
        var error =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> FormLimits.DEFAULT.withPartHeadMaxBytes(16_385));
        assertEquals("partHeadMaxBytes must be 64..16384, was 16385", error.getMessage());
    }

    @Test
    void limitsOutOfRangeThrow() {
        var limits = FormLimits.DEFAULT;
        assertThrows(IllegalArgumentException.class, () -> limits.withUrlencodedMaxBytes(-1));
        assertThrows(IllegalArgumentException.class, () -> limits.withPartsMax(0));
        assertThrows(IllegalArgumentException.class, () -> limits.withPartHeadMaxBytes(63));
        assertThrows(IllegalArgumentException.class, () -> limits.withPartMaxBytes(-1));
        assertThrows(IllegalArgumentException.class, () -> limits.withTotalMaxBytes(-1));
        assertThrows(IllegalArgumentException.class, () -> limits.withPartMemoryMaxBytes(-1));
    }

    @Test
    void tooManyPartsAreRejected() throws IOException {
        String body = part("a", "1").repeat(3) + "--XyZ--";
        read(body, FormLimits.DEFAULT.withPartsMax(3)).close();
        assertRejected(413, body, FormLimits.DEFAULT.withPartsMax(2));
    }

    @Test
    void tooLongHeadsAreRejected() throws IOException {
        String head = "Content-Disposition: form-data; name=a\r\nX: " + "y".repeat(53) + "\r\n\r\n";
        String body = "--XyZ\r\n" + head + "1\r\n--XyZ--";
        read(body, FormLimits.DEFAULT.withPartHeadMaxBytes(head.length())).close();
        assertRejected(413, body, FormLimits.DEFAULT.withPartHeadMaxBytes(head.length() - 1));
    }

    @Test
    void endlessHeadsAreRejected() {
        assertRejected(413, "--XyZ\r\n" + "X: y\r\n".repeat(10_000), FormLimits.DEFAULT);
    }

    @Test
    void tooLargePartsAreRejected() throws IOException {
        String body = part("a", "12345") + "--XyZ--";
        read(body, FormLimits.DEFAULT.withPartMaxBytes(5)).close();
        assertRejected(413, body, FormLimits.DEFAULT.withPartMaxBytes(4));
    }

    @Test
    void tooLargeFormsAreRejected() throws IOException {
        String body = part("a", "12345") + "--XyZ--";
        read(body, FormLimits.DEFAULT.withTotalMaxBytes(body.length())).close();
        assertRejected(413, body, FormLimits.DEFAULT.withTotalMaxBytes(body.length() - 1));
    }

    /// Each line of them is kept, some of it twice.
    @Test
    void tooLongHeadsOfAllPartsTogetherAreRejected() throws IOException {
        var limits = FormLimits.DEFAULT.withPartsMax(100).withPartHeadMaxBytes(4096);
        String large = part("a".repeat(4000), "1");
        read(large.repeat(15) + "--XyZ--", limits).close();
        assertRejected(413, large.repeat(17) + "--XyZ--", limits);
        String lines = "--XyZ\r\n" + "A:\r\n".repeat(1000);
        assertRejected(413, (lines + part("a", "1").substring(7)).repeat(2) + "--XyZ--", limits);
    }

    /// As when a folder of files with long names is sent.
    @Test
    void usualHeadsOfAsManyPartsAsThereMayBeAreAccepted() throws IOException {
        String file = "folder/".repeat(10) + "a photo of many.jpeg\"; filename=\"another.jpeg";
        try (Form form = read(part(file, "").repeat(1000) + "--XyZ--", FormLimits.DEFAULT)) {
            assertEquals(1000, form.parts().size());
        }
    }

    /// A part that has moved to its file leaves nothing in memory, and one that stays no more than
    /// its content.
    @Test
    void partsKeepAsMuchInMemoryAsTheLimitSays() throws IOException {
        String large = part("a", "x".repeat(70_000)).repeat(20);
        String small = part("b", "y".repeat(60_000)).repeat(20);
        try (Form form = read(large + small + "--XyZ--", FormLimits.DEFAULT)) {
            List<Integer> kept = form.parts().stream().map(Part::memoryBytes).toList();
            assertEquals(Collections.nCopies(20, 0), kept.subList(0, 20));
            assertEquals(Collections.nCopies(17, 60_000), kept.subList(20, 37));
            assertEquals(Collections.nCopies(3, 0), kept.subList(37, 40), "1 MiB is used");
            assertEquals("y".repeat(60_000), form.parts().getLast().text());
        }
    }

    private static String part(String name, String content) {
        return "--XyZ\r\nContent-Disposition: form-data; name=\""
                + name
                + "\"\r\n\r\n"
                + content
                + "\r\n";
    }

    private static Form read(String body, FormLimits limits) throws IOException {
        return Form.read(TYPE, body(body), limits);
    }

    private static void assertRejected(int status, String body, FormLimits limits) {
        var error = assertThrows(HttpException.class, () -> Form.read(TYPE, body(body), limits));
        assertEquals(status, error.status());
    }

    private static InputStream body(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}
