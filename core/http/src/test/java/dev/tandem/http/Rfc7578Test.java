package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `multipart/form-data`.
class Rfc7578Test {
    private static final String TYPE = "multipart/form-data; boundary=XyZ";

    /// Content that resembles boundaries.
    private static final String NASTY =
            "\r\n--Xy\r\r\n--XyY\r\n\r\n-\r\n--\r--XyZ\n--XyZ\r\n--xyz\r\n--Xy\r";

    private static final String WHOLE =
            """
            This is the preamble.
            --XyZ
            Content-Disposition: form-data; name="title"

            caf\u00e9
            --XyZ \t
            Content-Disposition: form-data; name="file"; filename="a.bin"
            Content-Type: application/octet-stream

            <nasty>
            --XyZ
            content-disposition: FORM-DATA; NAME=empty

            --XyZ
            Content-Disposition: form-data; name="title"

            second
            --XyZ--
            the epilogue
            """
                    .replace("\n", "\r\n")
                    .replace("NAME=empty\r\n\r\n", "NAME=empty\r\n\r\n\r\n")
                    .replace("<nasty>", NASTY);

    @Test
    void allPartsAreRead() throws IOException {
        try (var form = read(WHOLE)) {
            assertWhole(form);
        }
    }

    @Test
    void resultDoesNotDependOnSplit() throws IOException {
        var bytes = WHOLE.getBytes(StandardCharsets.UTF_8);
        for (int split = 1; split < bytes.length; split++) {
            var in = new PiecewiseStream(bytes, split, bytes.length);
            try (var form = Form.read(TYPE, in, FormLimits.DEFAULT)) {
                assertWhole(form);
            }
        }
    }

    @Test
    void resultDoesNotDependOnPieceSize() throws IOException {
        var bytes = WHOLE.getBytes(StandardCharsets.UTF_8);
        for (int size = 1; size < 200; size++) {
            var in = new PiecewiseStream(bytes, size, size);
            try (var form = Form.read(TYPE, in, FormLimits.DEFAULT)) {
                assertWhole(form);
            }
        }
    }

    @Test
    void delimiterAcrossBufferEndIsFound() throws IOException {
        for (int length = 16_150; length < 16_400; length++) {
            String content = "x".repeat(length);
            try (var form = read(part("a", content) + "--XyZ--")) {
                assertEquals(content, form.first("a"));
            }
        }
    }

    @Test
    void truncatedFormsAreRejected() {
        int end = WHOLE.indexOf("--XyZ--") + "--XyZ--".length();
        var bytes = WHOLE.substring(0, end).getBytes(StandardCharsets.UTF_8);
        for (int length = 0; length < bytes.length; length++) {
            var in = new ByteArrayInputStream(bytes, 0, length);
            var error =
                    assertThrows(
                            HttpException.class, () -> Form.read(TYPE, in, FormLimits.DEFAULT));
            assertEquals(400, error.status());
        }
    }

    @Test
    void formMayHaveNoParts() throws IOException {
        try (var form = read("--XyZ--")) {
            assertEquals(List.of(), form.parts());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "multipart/form-data; boundary=\"XyZ\"",
                "Multipart/Form-Data;BOUNDARY=XyZ",
                "multipart/form-data; charset=utf-8 ; boundary=XyZ; x=y",
                "multipart/form-data; a=\"b;boundary=c\"; boundary=XyZ",
                "multipart/form-data; boundary=XyZ; boundary=other"
            })
    void boundaryIsFoundInContentType(String type) throws IOException {
        try (var form = Form.read(type, body(part("a", "1") + "--XyZ--"), FormLimits.DEFAULT)) {
            assertEquals("1", form.first("a"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "multipart/form-data",
                "multipart/form-data; boundary",
                "multipart/form-data; boundary=",
                "multipart/form-data; boundary=\"\"",
                "multipart/form-data; boundary=\"a \"",
                "multipart/form-data; boundary=a\u00fc",
                "multipart/form-data; boundary=a*b",
                "multipart/form-data; boundary="
                        + "0123456789012345678901234567890123456789012345678901234567890123456789x"
            })
    void invalidBoundariesAreRejected(String type) {
        var error =
                assertThrows(
                        HttpException.class,
                        () -> Form.read(type, body("--XyZ--"), FormLimits.DEFAULT));
        assertEquals("multipart/form-data without a valid boundary", error.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--XyZ\n\r\n\r\n--XyZ--",
                "--XyZq\r\n\r\n\r\n--XyZ--",
                "--XyZ-\r\n\r\n\r\n--XyZ--",
                "--XyZ\r\n\r\nx\r\n--XyZ--",
                "--XyZ\r\nContent-Type: text/plain\r\n\r\nx\r\n--XyZ--",
                "--XyZ\r\nContent-Disposition: form-data\r\n\r\nx\r\n--XyZ--",
                "--XyZ\r\nContent-Disposition: attachment; name=a\r\n\r\nx\r\n--XyZ--",
                "--XyZ\r\nContent-Disposition: form-data; filename=a\r\n\r\nx\r\n--XyZ--",
                "--XyZ\r\nContent-Disposition : form-data; name=a\r\n\r\nx\r\n--XyZ--",
                "--XyZ\r\nContent-Disposition: form-data;\r\n name=a\r\n\r\nx\r\n--XyZ--",
                "--XyZ\r\nContent-Disposition: form-data; name=a\n\r\n\r\nx\r\n--XyZ--",
                "--XyZ\r\nContent-Disposition: form-data; name=a\r\r\n\r\nx\r\n--XyZ--",
                "--XyZ\r\nContent-Disposition: form-data; name=a\u0000\r\n\r\nx\r\n--XyZ--",
                "--XyZ\r\nContent-Disposition: form-data; name=a; filename=\"x\r\n\r\nx\r\n--XyZ--",
                "--XyZ\r\nContent-Disposition: form-data; name=\"a\r\n\r\nx\r\n--XyZ--",
                "--XyZ\r\nContent-Disposition: form-data; name=a; x=\"b\\\"\r\n\r\nx\r\n--XyZ--",
                "--XyZ\r\nContent-Disposition: form-data; name=a; x=\"\r\n\r\nx\r\n--XyZ--",
                "--XyZ\r\nno colon\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--XyZ--",
                "--XyZ\r\n: x\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--XyZ--",
                "--XyZ\r\nContent-Disposition: form-data; name=a\r\n"
                        + "Content-Transfer-Encoding: base64\r\n\r\nx\r\n--XyZ--",
                "x--XyZ--"
            })
    void malformedFormsAreRejected(String body) {
        assertRejected(400, body, FormLimits.DEFAULT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"binary", "8bit", "7BIT"})
    void identityEncodingsAreIgnored(String encoding) throws IOException {
        String body =
                "--XyZ\r\nContent-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: "
                        + encoding
                        + "\r\n\r\nx\r\n--XyZ--";
        try (var form = read(body)) {
            assertEquals("x", form.first("a"));
        }
    }

    /// Section 4.2.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "a.txt | a.txt",
                "\"a b.txt\" | a b.txt",
                "\"\u00fc\u20ac.txt\" | \u00fc\u20ac.txt",
                "\"a\\\"b.txt\" | a\"b.txt",
                "\"a;b.txt\" | a;b.txt",
                "\"a%22b.txt\" | a%22b.txt",
                "\"../../etc/passwd\" | passwd",
                "\"/etc/passwd\" | passwd",
                "\"C:\\dir\\file.txt\" | file.txt",
                "\"C:\\dir/x\\..\" | ~~",
                "\"..\" | ~~",
                "\".\" | ~~",
                "\"dir/\" | ~~",
                "\"\" | ~~",
                "\"..a\" | ..a",
                "\"a\tb\" | a_b"
            })
    void fileNameIsLastSegment(String written, String expected) throws IOException {
        String body =
                "--XyZ\r\nContent-Disposition: form-data; name=f; filename="
                        + written
                        + "\r\n\r\nx\r\n--XyZ--";
        try (var form = read(body)) {
            assertEquals(expected, part(form, "f").fileName());
        }
    }

    @Test
    void filesDifferFromFields() throws IOException {
        try (var form = read(WHOLE)) {
            assertNull(form.first("file"));
            assertEquals(List.of(), form.all("file"));
            assertEquals(List.of("title", "empty"), form.names());
            assertTrue(part(form, "file").isFile());
        }
    }

    /// Section 4.4.
    @Test
    void partWithoutTypeIsText() throws IOException {
        try (var form = read(WHOLE)) {
            assertEquals("text/plain", part(form, "title").contentType());
            assertEquals("application/octet-stream", part(form, "file").contentType());
        }
    }

    @Test
    void smallPartsStayInMemory() throws IOException {
        try (var form = read(part("a", "12345") + "--XyZ--", 5)) {
            assertNull(part(form, "a").file());
        }
    }

    @Test
    void largePartsAreInFilesUntilClosed() throws IOException {
        var form = read(part("a", "123456") + "--XyZ--", 5);
        Path file = Objects.requireNonNull(part(form, "a").file());
        assertEquals("123456", Files.readString(file));
        assertEquals("123456", form.first("a"));
        form.close();
        assertFalse(Files.exists(file));
        form.close();
    }

    @Test
    void partsBeyondTotalMemoryAreInFiles() throws IOException {
        String body = part("a", "12345").repeat(17) + part("b", "") + "--XyZ--";
        try (var form = read(body, 5)) {
            assertNull(form.parts().get(15).file());
            assertNotNull(form.parts().get(16).file());
            assertNull(form.parts().get(17).file());
            assertEquals(List.of("12345"), form.all("a").stream().distinct().toList());
        }
    }

    @Test
    void contentOfSpooledPartIsReadable(@TempDir Path directory) throws IOException {
        try (var form = read(part("a", "123456") + "--XyZ--", 1)) {
            assertContent(part(form, "a"), directory.resolve("copy"));
        }
    }

    @Test
    void contentOfPartInMemoryIsReadable(@TempDir Path directory) throws IOException {
        try (var form = read(part("a", "123456") + "--XyZ--")) {
            assertContent(part(form, "a"), directory.resolve("copy"));
        }
    }

    @Test
    void temporaryFilesAreInGivenDirectory(@TempDir Path directory) throws IOException {
        var limits = FormLimits.DEFAULT.withPartMemoryMaxBytes(1);
        try (var form = Form.read(TYPE, body(part("a", "12") + "--XyZ--"), limits, directory)) {
            assertEquals(directory, Objects.requireNonNull(part(form, "a").file()).getParent());
        }
        assertEquals(0, count(directory));
    }

    /// A folder in place of the content's file is opened, and fails when it is read, as a disk that
    /// is full does when it is written.
    @Test
    void contentThatIsNotSavedLeavesNoFile(@TempDir Path directory) throws IOException {
        var limits = FormLimits.DEFAULT.withPartMemoryMaxBytes(1);
        Path target = directory.resolve("copy");
        try (var form = Form.read(TYPE, body(part("a", "12") + "--XyZ--"), limits, directory)) {
            Part part = part(form, "a");
            Path file = Objects.requireNonNull(part.file());
            Files.delete(file);
            Files.createDirectory(file);
            assertThrows(IOException.class, () -> part.saveTo(target));
            assertFalse(Files.exists(target));
            Files.writeString(target, "another's");
            assertThrows(FileAlreadyExistsException.class, () -> part.saveTo(target));
            assertEquals("another's", Files.readString(target));
        }
    }

    @Test
    void malformedFormLeavesNoFiles(@TempDir Path directory) throws IOException {
        var limits = FormLimits.DEFAULT.withPartMemoryMaxBytes(1);
        String cut = part("a", "12") + part("b", "34");
        assertThrows(HttpException.class, () -> Form.read(TYPE, body(cut), limits, directory));
        assertEquals(0, count(directory));
    }

    @Test
    void temporaryFilesAreReadableByOwnerOnly(@TempDir Path directory) throws IOException {
        var limits = FormLimits.DEFAULT.withPartMemoryMaxBytes(1);
        try (var form = Form.read(TYPE, body(part("a", "12") + "--XyZ--"), limits, directory)) {
            Path file = Objects.requireNonNull(part(form, "a").file());
            assumeTrue(file.getFileSystem().supportedFileAttributeViews().contains("posix"));
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        }
    }

    @Test
    void exceptionsOfBodyArePropagated() {
        var in =
                new InputStream() {
                    @Override
                    public int read() {
                        throw new HttpException(408, "too slow");
                    }
                };
        var thrown =
                assertThrows(HttpException.class, () -> Form.read(TYPE, in, FormLimits.DEFAULT));
        assertEquals(408, thrown.status());
    }

    private static void assertWhole(Form form) throws IOException {
        assertEquals(4, form.parts().size());
        assertEquals(List.of("caf\u00e9", "second"), form.all("title"));
        assertEquals(NASTY, part(form, "file").text());
        assertEquals("", form.first("empty"));
    }

    private static void assertContent(Part part, Path copy) throws IOException {
        var content = "123456".getBytes(StandardCharsets.US_ASCII);
        assertEquals(6, part.size());
        assertArrayEquals(content, part.bytes());
        try (var in = part.open()) {
            assertArrayEquals(content, in.readAllBytes());
        }
        part.saveTo(copy);
        assertArrayEquals(content, Files.readAllBytes(copy));
        assertThrows(FileAlreadyExistsException.class, () -> part.saveTo(copy));
    }

    private static long count(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            return files.count();
        }
    }

    private static String part(String name, String content) {
        return "--XyZ\r\nContent-Disposition: form-data; name=\""
                + name
                + "\"\r\n\r\n"
                + content
                + "\r\n";
    }

    private static Part part(Form form, String name) {
        return Objects.requireNonNull(form.part(name));
    }

    private static Form read(String body) throws IOException {
        return read(body, FormLimits.DEFAULT);
    }

    private static Form read(String body, int memoryMax) throws IOException {
        return read(body, FormLimits.DEFAULT.withPartMemoryMaxBytes(memoryMax));
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
