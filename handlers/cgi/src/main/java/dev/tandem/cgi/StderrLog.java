package dev.tandem.cgi;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// What a program writes to standard error, line by line to the log, with the exchange's id before
/// each. Confined to one thread at a time.
public final class StderrLog {
    /// The most lines of one exchange: 100; one that loops must not fill a disk.
    static final int LINES_MAX = 100;

    /// The longest line, in bytes; longer ones are broken.
    static final int LINE_MAX = 1_024;

    /// How often a turn reads: whoever writes faster than this reads must not hold it for ever.
    private static final int READS_MAX = 64;

    private final String prefix;
    private final Consumer<String> log;
    private final byte[] line = new byte[LINE_MAX];
    private int length;
    private int lineCount;
    private boolean isAtEnd;

    /// @param prefix before each line
    public StderrLog(String prefix, Consumer<String> log) {
        this.prefix = prefix;
        this.log = log;
    }

    /// Takes what there is now.
    ///
    /// @param buffer lent for the time of the call
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

    /// Takes bytes of `bytes[from..to)`.
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

    /// Logs what stands on the last line, which has no end.
    public void endLine() {
        if (length > 0 && lineCount < LINES_MAX) {
            log.accept(prefix + printable(new String(line, 0, length, StandardCharsets.UTF_8)));
        } else if (length > 0 && lineCount == LINES_MAX) {
            log.accept(prefix + "(more than " + LINES_MAX + " lines; the rest is dropped)");
        }
        lineCount += length > 0 ? 1 : 0;
        length = 0;
    }

    /// Controls as `?`: they could make lines of their own, or command a terminal.
    private static String printable(String text) {
        var clean = new StringBuilder(text.length());
        text.chars()
                .forEach(
                        c -> clean.append(Character.isISOControl(c) && c != '\t' ? '?' : (char) c));
        return clean.toString();
    }
}
