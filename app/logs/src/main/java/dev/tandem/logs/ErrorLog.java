package dev.tandem.logs;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The error log: one line per message, on standard error or in a file. Replaces the JDK's logging
/// wherever this module is on the class path: it implements [System.Logger], and starts in a tenth
/// of the time.
///
/// Messages may repeat what a client or an upstream sent, those of exceptions in particular. So
/// further lines of a message are indented, and control characters are escaped: what is sent makes
/// no entry of its own.
///
/// If standard error is connected to journald (`JOURNAL_STREAM`, set by systemd), lines begin with
/// their severity (`sd-daemon(3)`) and have no time stamp. Safe for use by any thread.
public final class ErrorLog extends System.LoggerFinder {
    private static final Object LOCK = new Object();
    private static final LogTime TIME = new LogTime(ZoneId.systemDefault());

    private static volatile Level threshold = Level.INFO;
    private static boolean isForJournal = System.getenv("JOURNAL_STREAM") != null;
    private static @Nullable Path path;
    private static @Nullable FileSink sink;

    /// Called by the JDK.
    public ErrorLog() {}

    /// Sets the output from now on.
    ///
    /// @param file empty for standard error
    /// @param threshold less severe messages are not written
    /// @throws IOException if the file cannot be written; then nothing has changed
    public static void configure(Optional<Path> file, Level threshold) throws IOException {
        synchronized (LOCK) {
            Path next = file.orElse(null);
            if (next != null && !next.equals(path)) {
                FileSink opened = open(next);
                closeFile();
                sink = opened;
            } else if (next == null) {
                closeFile();
            }
            path = next;
            isForJournal = next == null && System.getenv("JOURNAL_STREAM") != null;
        }
        ErrorLog.threshold = threshold;
    }

    private static FileSink open(Path file) throws IOException {
        try {
            return new FileSink(file, 0, 0);
        } catch (IOException e) {
            throw new IOException("cannot write the error log: " + e, e);
        }
    }

    private static void closeFile() throws IOException {
        if (sink != null) {
            sink.close();
            sink = null;
        }
    }

    /// Reopens the file by name, after another program has renamed it.
    public static void reopen() {
        synchronized (LOCK) {
            try {
                if (sink != null) {
                    sink.reopen();
                }
            } catch (IOException e) {
                System.err.println("tandem: the error log: " + e);
            }
        }
    }

    @Override
    public Logger getLogger(String name, Module module) {
        return new LineLogger(name);
    }

    static boolean isEnabled(Level level) {
        return level != Level.OFF && level.getSeverity() >= threshold.getSeverity();
    }

    /// @param logger the logger's name, of which the last part is written
    static void write(Level level, String logger, String message, @Nullable Throwable thrown) {
        String module = logger.substring(logger.lastIndexOf('.') + 1);
        synchronized (LOCK) {
            var text = new StringBuilder();
            String prefix = prefix(level);
            text.append(prefix).append(module).append(": ");
            appendLines(Escapes.controls(message).replace("\n", "\n  "), prefix, text);
            if (thrown != null) {
                text.append(prefix);
                appendLines(trace(thrown), prefix, text);
            }
            print(text.toString());
        }
    }

    /// Returns a stack trace, in which further lines of an exception's message are indented.
    private static String trace(Throwable thrown) {
        var trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace, true));
        var text = new StringBuilder();
        for (String line : Escapes.controls(trace.toString().stripTrailing()).split("\n")) {
            boolean isOfTrace = line.startsWith("\t") || line.startsWith("Caused by: ");
            text.append(text.isEmpty() ? "" : isOfTrace ? "\n" : "\n  ").append(line);
        }
        return text.toString();
    }

    /// Appends a message of several lines; journald treats each line as a message.
    private static void appendLines(String message, String prefix, StringBuilder text) {
        String separator = isForJournal ? "\n" + prefix : "\n";
        text.append(message.replace("\n", separator)).append('\n');
    }

    private static String prefix(Level level) {
        if (isForJournal) {
            return "<" + severity(level) + ">";
        }
        return TIME.at(System.currentTimeMillis()).iso() + " " + level.getName() + " ";
    }

    /// Returns the severity of `syslog(3)`.
    private static int severity(Level level) {
        return switch (level) {
            case ERROR -> 3;
            case WARNING -> 4;
            case INFO -> 6;
            default -> 7;
        };
    }

    private static void print(String text) {
        FileSink file = sink;
        if (file == null) {
            System.err.print(text);
            return;
        }
        boolean isInterrupted = Thread.interrupted(); // a channel would be closed by it
        try {
            file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException _) {
            System.err.print(text); // a full disk must not hide the message
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
