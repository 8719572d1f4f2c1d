package dev.tandem.database;

import java.io.Writer;
import java.nio.charset.StandardCharsets;

/// Collects a page in memory: it is sent when it is complete, so that a template that fails halfway
/// sends nothing.
final class PageWriter extends Writer {
    /// 16 Mi characters: a longer page is an error.
    static final int LENGTH_MAX = 16 << 20;

    private final StringBuilder text = new StringBuilder(8_192);

    private void check(int more) {
        if (text.length() + more > LENGTH_MAX) {
            throw new IllegalStateException(
                    "a page is longer than " + LENGTH_MAX + " characters: does its template end?");
        }
    }

    @Override
    public void write(int c) {
        check(1);
        text.append((char) c);
    }

    @Override
    public void write(char[] from, int offset, int length) {
        check(length);
        text.append(from, offset, length);
    }

    @Override
    public void write(String from, int offset, int length) {
        check(length);
        text.append(from, offset, offset + length);
    }

    byte[] utf8() {
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
