package dev.tandem.cgi;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// Logs a program's standard error line by line, each with the exchange's id. Confined to one
/// thread at a time.
public final class StderrLog {
    /// Maximum number of lines of one exchange: 100; a looping program must not fill the disk.
    static final int LINES_MAX = 100;

    /// Maximum length of a line, in bytes; longer lines are split.
    static final int LINE_MAX = 1_024;

    /// Maximum number of reads in one call: a program that writes faster than this reads must not
    /// occupy the thread forever.
    private static final int READS_MAX = 64;

    private final String prefix;
    private final Consumer<String> log;
    private final byte[] line = new byte[LINE_MAX];
    private int length;
    private int lineCount;
    private boolean isAtEnd;

    /// @param prefix precedes each line
    public StderrLog(String prefix, Consumer<String> log) {
        this.prefix = prefix;
        this.log = log;
    }

    /// Reads what is available now.
    ///
    /// @param buffer may be overwritten
    void readFrom(ScriptProcess process, byte[] buffer) throws IOException {
        int count = 1;
        for (int reads = 0; count > 0 && reads < READS_MAX && !isAtEnd; reads++) {
            count = process.readErrors(buffer);
            isAtEnd = count < 0;
            append(buffer, count);
        }
    }

    void append(byte[] bytes, int count) {
        append(bytes, 0, count);
    }

    /// Appends the bytes `bytes[from..to)`.
    public void append(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == '\n' || length == LINE_MAX) {
                endLine();
            }
            if (bytes[i] != '\n') {
                line[length++] = bytes[i];
            }
        }
    }

    /// Logs the current line, even without a line end.
    public void endLine() {
        if (length > 0 && lineCount < LINES_MAX) {
            log.accept(prefix + printable(new String(line, 0, length, StandardCharsets.UTF_8)));
        } else if (length > 0 && lineCount == LINES_MAX) {
            log.accept(prefix + "(more than " + LINES_MAX + " lines; the rest is dropped)");
        }
        lineCount += length > 0 ? 1 : 0;
        length = 0;
    }

    /// Replaces control characters by `?`: they could start new lines, or control a terminal.
    private static String printable(String text) {
        var clean = new StringBuilder(text.length());
        text.chars()
                .forEach(
                        c -> clean.append(Character.isISOControl(c) && c != '\t' ? '?' : (char) c));
        return clean.toString();
    }
}
