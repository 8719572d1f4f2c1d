package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// HTML Standard, section 9.2.
class EventStreamTest {
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

    /// Buffered, so that only flushed data is visible.
    private final EventStream events = new EventStream(new BufferedOutputStream(sent));

    @Test
    void dataIsSent() throws IOException {
        events.send("hello");
        assertEquals("data: hello\n\n", sent());
    }

    @Test
    void typeIsSent() throws IOException {
        events.send("tick", "1");
        assertEquals("event: tick\ndata: 1\n\n", sent());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nb", "a\rb", "a\r\nb"})
    void dataIsSplitAtEachKindOfLineBreak(String data) throws IOException {
        events.send(data);
        assertEquals("data: a\ndata: b\n\n", sent());
    }

    @Test
    void emptyLinesAreKept() throws IOException {
        events.send("\na\r\r\n");
        assertEquals("data: \ndata: a\ndata: \ndata: \n\n", sent());
    }

    @Test
    void emptyDataIsSent() throws IOException {
        events.send("");
        assertEquals("data: \n\n", sent());
    }

    @Test
    void dataCannotInjectFields() throws IOException {
        events.send("x\n\nevent: forged");
        assertEquals("data: x\ndata: \ndata: event: forged\n\n", sent());
    }

    @Test
    void idAppliesToNextEventOnly() throws IOException {
        events.id("7").send("a");
        events.send("b");
        assertEquals("id: 7\ndata: a\n\ndata: b\n\n", sent());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nb", "a\rb", "\r\n"})
    void lineBreaksInTypesAndIdsThrow(String text) {
        assertThrows(IllegalArgumentException.class, () -> events.send(text, "x"));
        assertThrows(IllegalArgumentException.class, () -> events.id(text));
        assertEquals("", sent());
    }

    @Test
    void nulInIdThrows() {
        assertThrows(IllegalArgumentException.class, () -> events.id("a\u0000"));
    }

    @Test
    void commentsAreSentLineByLine() throws IOException {
        events.comment("a\nb");
        assertEquals(": a\n: b\n\n", sent());
    }

    @Test
    void retryIsSentInMilliseconds() throws IOException {
        events.retry(Duration.ofSeconds(3));
        assertEquals("retry: 3000\n\n", sent());
    }

    @Test
    void negativeRetryThrows() {
        assertThrows(IllegalArgumentException.class, () -> events.retry(Duration.ofMillis(-1)));
    }

    @Test
    void textIsUtf8() throws IOException {
        events.send("\u20ac");
        assertEquals("data: \u20ac\n\n", sent());
    }

    @Test
    void closeClosesBody() throws IOException {
        var closed = new boolean[1];
        var out =
                new OutputStream() {
                    @Override
                    public void write(int b) {}

                    @Override
                    public void close() {
                        closed[0] = true;
                    }
                };
        new EventStream(out).close();
        assertTrue(closed[0]);
    }

    private String sent() {
        return sent.toString(StandardCharsets.UTF_8);
    }
}
