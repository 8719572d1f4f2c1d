package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final AtomicLong nanos = new AtomicLong();

    private Progress progress(boolean hasBar, Charset charset) {
        return new Progress(new PrintStream(printed, true, charset), hasBar, nanos::get);
    }

    private String run(Progress progress) {
        progress.plan(100);
        nanos.addAndGet(100_000_000_000L);
        progress.step(50, "half");
        progress.end();
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void progressInAPipeIsPlainLines() {
        assertEquals(
                "  1:23 left  half" + System.lineSeparator(),
                run(progress(false, StandardCharsets.UTF_8)));
    }

    @Test
    void progressOnATerminalHasABarUnderTheLines() {
        String text = run(progress(true, StandardCharsets.UTF_8));
        assertTrue(text.contains("━".repeat(20) + "╌".repeat(20) + "   50 %  1:23 left"), text);
        assertTrue(text.endsWith("\r\033[K"), text);
    }

    @Test
    void barWithoutUnicodeIsAscii() {
        assertFalse(run(progress(true, StandardCharsets.US_ASCII)).contains("?"));
    }

    /// A start takes much longer than planned, the other steps a little: no two estimates in a row
    /// differ by more than a quarter of the whole plan.
    @Test
    void estimatesDoNotJump() {
        Progress progress = progress(false, StandardCharsets.UTF_8);
        progress.plan(100);
        long[] took = {20, 4, 6, 4, 12, 5, 4, 6, 5, 4};
        for (long seconds : took) {
            nanos.addAndGet(seconds * 1_000_000_000L);
            progress.step(seconds == 20 ? 2 : 5, "step");
        }
        long before = 100;
        String[] lines = printed.toString(StandardCharsets.UTF_8).split(System.lineSeparator());
        assertEquals(took.length, lines.length);
        for (String line : lines) {
            String[] parts = line.strip().split("[: ]");
            long left = 60 * Long.parseLong(parts[0]) + Long.parseLong(parts[1]);
            assertTrue(left < before + 75 && left > before - 25, String.join("\n", lines));
            before = left;
        }
    }
}
