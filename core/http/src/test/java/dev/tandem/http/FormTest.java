package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FormTest {
    private static final String URLENCODED = "application/x-www-form-urlencoded";

    @Test
    void fieldsAreDecoded() throws IOException {
        var form = read("a=1+2&b=%E2%82%AC&a=\u00fc&c");
        assertEquals("1 2", form.first("a"));
        assertEquals(List.of("1 2", "\u00fc"), form.all("a"));
        assertEquals("\u20ac", form.first("b"));
        assertEquals("", form.first("c"));
        assertEquals(List.of("a", "b", "c"), form.names());
        form.close();
    }

    @Test
    void urlEncodedFormHasNoParts() throws IOException {
        var form = read("a=1");
        assertNull(form.part("a"));
        assertEquals(List.of(), form.parts());
        form.close();
    }

    @Test
    void absentNameHasNoValue() throws IOException {
        var form = read("");
        assertNull(form.first("a"));
        assertEquals(List.of(), form.all("a"));
        form.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                URLENCODED,
                "Application/X-WWW-Form-Urlencoded",
                URLENCODED + "; charset=utf-8",
                URLENCODED + " ;charset=iso-8859-1"
            })
    void contentTypeMayHaveParametersAndAnyCase(String type) throws IOException {
        var form = Form.read(type, body("a=1"), FormLimits.DEFAULT);
        assertEquals("1", form.first("a"));
        form.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ";",
                "text/plain",
                "application/json",
                "multipart/mixed; boundary=x",
                URLENCODED + "x"
            })
    void otherTypesAreRejected(String type) {
        assertRejected(415, type, "a=1", FormLimits.DEFAULT);
    }

    @Test
    void bodyUpToLimitIsAccepted() throws IOException {
        var form =
                Form.read(
                        URLENCODED,
                        body("a=12345678"),
                        FormLimits.DEFAULT.withUrlencodedMaxBytes(10));
        assertEquals("12345678", form.first("a"));
        form.close();
    }

    @Test
    void bodyBeyondLimitIsRejected() {
        var limits = FormLimits.DEFAULT.withUrlencodedMaxBytes(10);
        assertRejected(413, URLENCODED, "a=123456789", limits);
    }

    @Test
    void fieldsBeyondLimitAreRejected() {
        assertRejected(413, URLENCODED, "a&b&c", FormLimits.DEFAULT.withPartsMax(2));
    }

    private static Form read(String body) throws IOException {
        return Form.read(URLENCODED, body(body), FormLimits.DEFAULT);
    }

    private static void assertRejected(int status, String type, String body, FormLimits limits) {
        var error = assertThrows(HttpException.class, () -> Form.read(type, body(body), limits));
        assertEquals(status, error.status());
    }

    private static ByteArrayInputStream body(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}
