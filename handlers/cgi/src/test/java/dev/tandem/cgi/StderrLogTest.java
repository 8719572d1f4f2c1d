package dev.tandem.cgi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StderrLogTest {
    private final List<String> log = new ArrayList<>();
    private final StderrLog lines = new StderrLog("x: ", log::add);

    private void write(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        lines.append(bytes, bytes.length);
    }

    @Test
    void lineIsLoggedWhenItEnds() {
        write("a\nb");
        assertEquals(List.of("x: a"), log);
        write("c\n\nd");
        lines.endLine();
        lines.endLine();
        assertEquals(List.of("x: a", "x: bc", "x: d"), log);
    }

    @Test
    void controlCharactersAreNotLogged() {
        write("a\rb\u001b[2Jc\td\u0085e\n");
        assertEquals(List.of("x: a?b?[2Jc\td?e"), log);
    }

    @Test
    void longLineIsSplit() {
        write("a".repeat(StderrLog.LINE_MAX + 1) + "\n");
        assertEquals(List.of("x: " + "a".repeat(StderrLog.LINE_MAX), "x: a"), log);
    }

    @Test
    void linesBeyondTheLimitAreDroppedWithOneNotice() {
        write("a\n".repeat(3 * StderrLog.LINES_MAX));
        assertEquals(StderrLog.LINES_MAX + 1, log.size());
        assertEquals("x: (more than 100 lines; the rest is dropped)", log.getLast());
    }
}
